import { describe, expect, it } from 'vitest';
import { after, notes, plan, problem, swap } from './notes';

describe('An edit by text', () => {
  it('the edit replaces the only occurrence', () => {
    expect(after('a\nold words\nb\n', [swap('old words', 'new words')])).toBe('a\nnew words\nb\n');
  });

  it('the edit needs no read, and uses the current note', () => {
    expect(after('now\n', [swap('now', 'then')], null)).toBe('then\n');
    expect(after('now\n', [swap('now', 'then')], 'something else\n')).toBe('then\n');
  });

  it('the edit can remove text', () => {
    expect(after('one two three', [swap(' two', '')])).toBe('one three');
  });

  it('the edit inserts replacement patterns literally', () => {
    expect(after('price: x', [swap('x', "$& $1 $' $$")])).toBe("price: $& $1 $' $$");
  });

  it('the problem lists the lines when the text occurs more than once', () => {
    const text = problem('- milk\n- eggs\n- milk\n', [swap('milk', 'oats')]);
    expect(text).toContain('`Garden.md` was not changed');
    expect(text).toContain('Edit 1: `old_text` "milk" must occur once, but occurs 2 times');
    expect(text).toContain('\n1: - milk\n3: - milk\n');
    expect(text).toContain('{"old_text":"milk","new_text":"oats","replace_all":true}');
  });

  it('the problem lists only the first of very many occurrences, and counts the rest', () => {
    const text = problem('milk\n'.repeat(500), [swap('milk', 'oats')]);
    expect(text).toContain('occurs 500 times');
    expect(text).toContain('… and 492 more');
  });

  it('the problem says how often the text occurs in another case', () => {
    const edit = { ...swap('remote vault', 'cloud vault'), replace_all: true };
    expect(problem('A Remote vault. The REMOTE VAULT.\n', [edit])).toContain(
      'does not occur in the note as it is now. It occurs 2 times in another case: "Remote vault".',
    );
    expect(problem('Nothing.\n', [edit])).not.toContain('another case');
  });

  it('overlapping occurrences count separately', () => {
    expect(problem('abaXaba aba!', [swap('abaXaba aba', 'x'), swap('aba', 'y')])).toContain(
      '3 times',
    );
    expect(problem('ababa', [swap('aba', 'x')])).toContain('occurs 2 times');
  });

  it('`replace_all` replaces all occurrences from the first on', () => {
    expect(after('- milk\n- eggs\n- milk\n', [swap('milk', 'oats', true)])).toBe(
      '- oats\n- eggs\n- oats\n',
    );
    expect(after('ababa', [swap('aba', 'x', true)])).toBe('xba');
    expect(notes('milk milk', [swap('milk', 'oats', true)])).toContain('replaced 2 passages');
  });

  it('`replace_all` with nothing to replace is a note, and other edits are made', () => {
    const edits = [swap('Oats', 'x', true), swap('milk', 'tea'), swap('oat', 'y', true)];
    expect(after('Milk, milk and oats\n', [swap('Oats', 'x', true), swap('milk', 'tea')])).toBe(
      'Milk, tea and oats\n',
    );
    expect(notes('Milk, milk and bread\n', edits)).toBe(
      'edit 1 replaced nothing: `old_text` "Oats" does not occur in the note as it is now.\n' +
        'edit 3 replaced nothing: `old_text` "oat" does not occur in the note as it is now.',
    );
    expect(notes('milk and oats\n', edits.slice(0, 2))).toContain(
      'edit 1 replaced nothing: `old_text` "Oats" does not occur in the note as it is now. It occurs 1 time in another case: "oats".',
    );
  });

  it('`replace_all` accepts a single occurrence', () => {
    expect(after('milk', [swap('milk', 'oats', true)])).toBe('oats');
  });

  it('the problem shows the closest text with its line when there is no match', () => {
    const now = '# Plan\n\nWe meet on Tuesday at noon.\nBring the maps.\n';
    const text = problem(now, [swap('We meet on Thursday at noon.', 'x')]);
    expect(text).toContain('does not occur in the note as it is now');
    expect(text).toContain('\n3: We meet on Tuesday at noon.\n');
    expect(text).toContain('{"old_text":"We meet on Tuesday at noon.","new_text":"…"}');
  });

  it('the problem shows several lines when the text spans several', () => {
    const now = '# Plan\n\nWe meet on Tuesday.\nBring the maps.\nBe early.\n';
    const text = problem(now, [swap('We will meet on Tuesday.\nBring maps.', 'x')]);
    expect(text).toContain('3: We meet on Tuesday.\n4: Bring the maps.');
    expect(text).not.toContain('5: Be early.');
  });

  it('the problem cuts a long paragraph to the part that is close', () => {
    const now = `${'word '.repeat(2000)}the blue heron stood still ${'more '.repeat(2000)}`;
    const text = problem(now, [swap('the blue herons stood still', 'x')]);
    expect(text).toContain('the blue heron stood still');
    expect(text.length).toBeLessThan(1200);
  });

  it('the problem shows the closest text in a script without spaces', () => {
    const text = problem('# 予定\n\n明日は牛乳とパンを買いに行く。\n', [
      swap('明日は牛乳とパンを買いに行きます。', 'x'),
    ]);
    expect(text).toContain('3: 明日は牛乳とパンを買いに行く。');
  });

  it('the problem says that nothing is close', () => {
    expect(problem('# Plan\n', [swap('zebra crossing', 'x')])).toContain(
      'No similar passage was found',
    );
    expect(problem('', [swap('zebra crossing', 'x')])).toContain('The note is empty');
  });

  it('an empty old text is refused, and the problem suggests positions', () => {
    const text = problem('a\n', [swap('', 'b')]);
    expect(text).toContain('`old_text` is empty');
    expect(text).toContain('{"position":"end"');
  });

  it('an edit that changes nothing is refused', () => {
    expect(problem('a\n', [swap('a', 'a')])).toContain('`old_text` and `new_text` are the same');
    expect(problem("it's\n", [swap('it’s', "it's")])).toContain('the note already says');
  });
});

describe('Tolerant matching of text', () => {
  const drifted: [string, string, string][] = [
    ['curly quotes', 'say “no” or ‘yes’', 'say "no" or \'yes\''],
    ['straight quotes', 'say "no"', 'say “no”'],
    ['dashes', 'a – b — c − d', 'a - b - c - d'],
    ['no-break spaces', '10\u00a0kg', '10 kg'],
    ['zero-width characters', 'zero\u200bwidth', 'zerowidth'],
    ['an emoji without its selector', '⚠️ hot', '⚠ hot'],
    ['composed letters', 'cafe\u0301 au lait', 'café au lait'],
    ['decomposed letters', 'café au lait', 'cafe\u0301 au lait'],
    ['Korean syllables', '한국'.normalize('NFD'), '한국'],
    ['spaces at line ends', 'one  \ntwo', 'one\ntwo'],
    ['CRLF', 'one\r\ntwo', 'one\ntwo'],
  ];

  it.each(drifted)('matching tolerates %s, and the result says so', (_, inNote, written) => {
    const now = `before ${inNote} after`;
    const wanted = `before ${written} after`;
    expect(after(now, [swap(wanted, 'x')])).toBe('x');
    expect(notes(now, [swap(wanted, 'x')])).toContain('edit 1 matched after ignoring');
  });

  it('a tolerant match covers exactly the matching characters of the note', () => {
    expect(after('[“a”]', [swap('"a"', '(a)')])).toBe('[(a)]');
    expect(after('x\u200b“a”\u200by', [swap('"a"', 'b')])).toBe('x\u200bb\u200by');
    expect(after('(cafe\u0301)', [swap('café', 'tea')])).toBe('(tea)');
    expect(after('say ‘hi’  \nnext', [swap("say 'hi'\nnext", 'x')])).toBe('x');
    expect(after('say ‘hi’  \nnext', [swap("'hi'", 'x')])).toBe('say x  \nnext');
  });

  it('tolerant matching is skipped when the text occurs exactly', () => {
    const now = "it’s and it's\n";
    expect(after(now, [swap("it's", 'x')])).toBe('it’s and x\n');
    expect(notes(now, [swap("it's", 'x')])).toBe('');
  });

  it('several tolerant matches are refused as ambiguous', () => {
    expect(problem('“a”\n“a”\n', [swap('"a"', 'x')])).toContain('1: “a”\n2: “a”');
  });

  it('trailing spaces of the text match only at the end of a line', () => {
    expect(after('say ‘foo’ \nbar', [swap("'foo'   ", 'x')])).toBe('say x\nbar');
    expect(plan('‘foo’bar', [swap("'foo' ", 'x')]).ok).toBe(false);
  });

  it('a match includes the variation selector of an emoji at its end', () => {
    expect(after('‘hi’ ⚠️ there', [swap("'hi' ⚠️", 'x')])).toBe('x there');
  });

  it('a match never covers only part of a grapheme', () => {
    expect(plan('“e\u0323\u0301”', [swap('"ẹ', 'x')]).ok).toBe(false);
  });

  it('text that is only white space never matches tolerantly', () => {
    expect(plan('a\n\nb', [swap('   ', 'x')]).ok).toBe(false);
    expect(plan('a\n\nb', [swap('\u200b', 'x')]).ok).toBe(false);
  });
});

describe('Line endings in an edit by text', () => {
  it('a CRLF note keeps CRLF', () => {
    expect(after('a\r\nb\r\n', [swap('b', 'c\nd')])).toBe('a\r\nc\r\nd\r\n');
    expect(after('a\r\nb\r\nc\r\n', [swap('a\nb\n', 'x\n')])).toBe('x\r\nc\r\n');
  });

  it('an LF note keeps LF, however the new text was written', () => {
    expect(after('a\nb\n', [swap('b', 'c\r\nd')])).toBe('a\nc\nd\n');
  });

  it('a note with both line endings gets those of the replaced text', () => {
    expect(after('a\r\nb\nc\nd\n', [swap('a\nb', 'x\ny')])).toBe('x\r\ny\nc\nd\n');
  });

  it('an edit never splits a CRLF', () => {
    expect(after('a\r\n- b\r\n', [swap('\n- b', '\n- c')])).toBe('a\r\n- c\r\n');
  });
});
