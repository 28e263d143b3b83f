import { describe, expect, it } from 'vitest';
import { withInvisibleMarks } from '#text/invisible-marks';

describe('withInvisibleMarks', () => {
  it('withInvisibleMarks names characters that hide or turn text', () => {
    expect(withInvisibleMarks('pay\u200B 5\u202E0')).toBe('pay⟨U+200B⟩ 5⟨U+202E⟩0');
    expect(withInvisibleMarks('a\u{E0041}')).toBe('a⟨U+E0041⟩');
  });

  it('withInvisibleMarks keeps what joins letters and emoji', () => {
    const text = '👩\u200D🚀 ❤️\u200D🔥 می\u200Cخواهم';
    expect(withInvisibleMarks(text)).toBe(text);
    expect(withInvisibleMarks('a\u200Db')).toBe('a⟨U+200D⟩b');
  });
});
