import { describe, expect, it } from 'vitest';
import { after, at, notes, plan, problem, swap } from './notes';

const NOW = 'one\ntwo\nthree\nfour\n';

describe('Several edits in one call', () => {
  it('all edits refer to the same original text', () => {
    expect(after(NOW, [at('delete:1'), at('replace:3', 'x'), swap('four', 'y')])).toBe(
      'two\nx\ny\n',
    );
  });

  it('edits may be adjacent', () => {
    expect(after(NOW, [at('replace:1-2', 'a'), at('replace:3', 'b'), at('insert:3', 'c')])).toBe(
      'a\nc\nb\nfour\n',
    );
    expect(after('abcd', [swap('ab', 'x'), swap('cd', 'y')])).toBe('xy');
  });

  it('insertions at one place keep the order of the edits', () => {
    expect(after(NOW, [at('insert:2', 'a'), at('insert:2', 'b')])).toBe(
      'one\na\nb\ntwo\nthree\nfour\n',
    );
    expect(after('', [at('end', 'a'), at('start', 'b'), at('end', 'c\n')])).toBe('a\nb\nc\n');
  });

  it('an insertion goes before the replacement of its line, even if that line is empty', () => {
    expect(after('a\n\nb\n', [at('replace:2', 'x'), at('insert:2', 'y')])).toBe('a\ny\nx\nb\n');
  });

  it('overlapping edits are refused and named', () => {
    const text = problem(NOW, [at('end', 'x'), at('replace:2-3', 'a'), at('delete:3-4')]);
    expect(text).toContain(
      'Edits 2 and 3 overlap: edit 2 changes lines 2-3, edit 3 changes lines 3-4',
    );
    expect(problem(NOW, [at('replace:2-3', 'a'), at('insert:3', 'b')])).toContain(
      'edit 2 inserts before line 3',
    );
    expect(problem(NOW, [swap('two', 'a'), at('delete:2')])).toContain('Edits 1 and 2 overlap');
    expect(problem('aXa', [swap('a', 'b', true), swap('aX', 'c')])).toContain('overlap');
  });

  it('one invalid edit refuses all, and the problem names every invalid edit', () => {
    const text = problem(NOW, [swap('one', 'x'), at('insert:77', 'x'), swap('five', 'x')]);
    expect(text).toContain('was not changed');
    expect(text).not.toContain('Edit 1');
    expect(text).toContain('Edit 2 (insert:77): ');
    expect(text).toContain('Edit 3: `old_text` "five"');
  });

  it('the problem names only the first of very many invalid edits', () => {
    const text = problem(
      NOW,
      Array.from({ length: 50 }, () => at('insert:77', 'x')),
    );
    expect(text).toContain('… and 45 more edits with problems');
  });

  it('edits that change nothing together are refused', () => {
    expect(problem(NOW, [at('delete:1'), at('insert:1', 'one')])).toContain('as it is');
    expect(problem(NOW, [])).toContain('empty');
  });

  it('a move that affects two edits is mentioned once', () => {
    const told = notes(`new\n${NOW}`, [at('insert:2', 'a'), at('replace:2', 'b')], NOW);
    expect(told.split('\n')).toHaveLength(1);
  });
});

describe('Edits of unusual notes', () => {
  it('edits work in right-to-left text and emoji', () => {
    expect(after('שלום עולם\n👩‍🚀 go\n', [swap('עולם', 'לך'), swap('👩‍🚀', '🚀')])).toBe(
      'שלום לך\n🚀 go\n',
    );
  });

  it('edits work in a line of 400 KB', () => {
    const long = `${'lorem ipsum '.repeat(33000)}NEEDLE${' dolor'.repeat(500)}`;
    expect(after(long, [swap('NEEDLE', 'x')])).toBe(long.replace('NEEDLE', 'x'));
    expect(problem(long, [swap('lorem', 'x')]).length).toBeLessThan(4000);
    expect(problem(long, [swap('ipsum NEEDLES dolor', 'x')])).toContain('NEEDLE');
  });

  it('edits work in a note of 2 MB that changed since it was read', () => {
    const lines = Array.from(
      { length: 40000 },
      (_, index) => `- item ${index} of a very long list`,
    );
    const read = lines.join('\n');
    const now = ['top', ...lines.slice(0, 20000), 'middle', ...lines.slice(20000), 'low'].join(
      '\n',
    );
    expect(notes(now, [at('replace:30000', 'x')], read)).toContain('line 30000 had moved');
    expect(plan(now, [swap('item 35000 of', 'x')]).ok).toBe(true);
    expect(problem(now, [swap('item 35000 off a long list', 'x')])).toContain('closest');
  });

  it('edits work in a note with long runs of spaces inside a line', () => {
    const blanks = `“a”${' '.repeat(200000)}b`;
    expect(after(blanks, [swap('"a"', 'x')])).toBe(`x${' '.repeat(200000)}b`);
  });
});
