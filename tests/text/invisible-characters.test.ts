import { describe, expect, it } from 'vitest';
import { withInvisibleMarks } from '#text/invisible-characters';

describe('withInvisibleMarks', () => {
  it('withInvisibleMarks names characters that hide or turn text', () => {
    expect(withInvisibleMarks('pay\u200B 5\u202E0')).toBe('pay⟨U+200B⟩ 5⟨U+202E⟩0');
    expect(withInvisibleMarks('a\u{E0041}\0')).toBe('a⟨U+E0041⟩\uFFFD');
    for (const code of [1, 7, 0xb, 0x1b, 0x85, 0x200e, 0x2028, 0x2066, 0x3164, 0xe0001, 0xe0fff]) {
      const name = code.toString(16).toUpperCase().padStart(4, '0');
      expect(withInvisibleMarks(`a${String.fromCodePoint(code)}b`)).toBe(`a⟨U+${name}⟩b`);
    }
  });

  it('withInvisibleMarks marks data in variation selectors, and keeps blanks', () => {
    expect(withInvisibleMarks('😀\uFE0F\uFE01\uFE02')).toBe('😀\uFE0F⟨U+FE01⟩⟨U+FE02⟩');
    expect(withInvisibleMarks('a\u{E0101}葛\u{E0101}')).toBe('a⟨U+E0101⟩葛\u{E0101}');
    expect(withInvisibleMarks('one\r\ntwo\rthree\t')).toBe('one\r\ntwo\rthree\t');
  });

  it('withInvisibleMarks keeps what joins letters and emoji', () => {
    const text = '👩\u200D🚀 ❤️\u200D🔥 می\u200Cخواهم ශ්\u200Dරී';
    expect(withInvisibleMarks(text)).toBe(text);
    expect(withInvisibleMarks('a\u200Db')).toBe('a⟨U+200D⟩b');
  });
});
