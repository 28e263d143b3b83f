import { describe, expect, it } from 'vitest';
import { after, at, notes, problem } from './notes';

const READ = '# Day\n\n- wash\n- cook\n- read\n\n## Night\nsleep\n';

describe('An edit of a note that changed since it was read', () => {
  const now = `new line\nanother\n${READ}`;

  it('line numbers follow their lines to where they moved', () => {
    expect(after(now, [at('replace:4', '- bake')], READ)).toBe(now.replace('- cook', '- bake'));
    expect(after(now, [at('delete:3-5')], READ)).toBe(now.replace('- wash\n- cook\n- read\n', ''));
    expect(after(now, [at('insert:4', '- x')], READ)).toBe(now.replace('- cook', '- x\n- cook'));
    expect(after(now, [at('after:## Night', 'x')], READ)).toBe(now.replace('sleep', 'x\nsleep'));
  });

  it('the result names the lines that had moved', () => {
    expect(notes(now, [at('replace:4', 'x')], READ)).toBe(
      'the note changed since you saw it; line 4 had moved',
    );
    expect(notes(now, [at('delete:3-4')], READ)).toContain('lines 3-4 had moved');
  });

  it('the result does not mention changes that do not affect the edit', () => {
    expect(notes(`${READ}more\n`, [at('replace:4', 'x')], READ)).toBe('');
  });

  it('the edit is applied when CRLF became LF, as editors do on save', () => {
    expect(after(READ, [at('replace:4', 'x')], READ.replaceAll('\n', '\r\n'))).toBe(
      READ.replace('- cook', 'x'),
    );
  });

  it('text inserted after the last line goes above text that was appended since', () => {
    expect(after('a\nb\nmine\n', [at('insert:3', 'x')], 'a\nb\n')).toBe('a\nb\nx\nmine\n');
  });

  it('`start` and `end` refer to the current note', () => {
    expect(after('---\nk: 1\n---\nb\nc\n', [at('start', 'x')], 'b\n')).toBe(
      '---\nk: 1\n---\nx\nb\nc\n',
    );
    expect(after('b\nc\n', [at('end', 'x')], 'b\n')).toBe('b\nc\nx\n');
  });
});

describe('An edit whose lines changed since they were read', () => {
  it('the edit is refused with the lines as read and as they are', () => {
    const now = READ.replace('- cook', '- cook soup');
    const text = problem(now, [at('replace:4', 'x')], READ);
    expect(text).toContain('line 4 changed since you saw the note');
    expect(text).toContain('As you saw it:\n  - cook\n');
    expect(text).toContain('in their place:\n4: - cook soup\n');
    expect(text).toContain('read_file {"path":"Garden.md"}');
    expect(text).toContain('`old_text`');
  });

  it('the edit is refused when its lines are gone', () => {
    const text = problem(READ.replace('- cook\n', ''), [at('delete:4')], READ);
    expect(text).toContain('there is nothing in their place');
  });

  it('the edit is refused when a line was inserted between its lines', () => {
    const now = READ.replace('- cook', '- dust\n- cook');
    const text = problem(now, [at('delete:3-4')], READ);
    expect(text).toContain('3: - wash\n4: - dust\n5: - cook');
  });

  it('the edit is refused when only one of its lines changed', () => {
    expect(problem(READ.replace('- read', '- rest'), [at('delete:3-5')], READ)).toContain(
      'lines 3-5 changed',
    );
  });

  it('the edit is refused when the line it inserts before changed', () => {
    expect(problem(READ.replace('- cook', 'x'), [at('insert:4', 'y')], READ)).toContain('changed');
    expect(problem(READ.replace('sleep', 'x'), [at('insert:9', 'y')], READ)).toContain('changed');
  });

  it('the edit is refused when its heading changed', () => {
    expect(
      problem(READ.replace('## Night', '## Evening'), [at('after:## Night', 'x')], READ),
    ).toContain('7: ## Evening');
  });

  it('the edit is refused when equal lines were added and the right one is ambiguous', () => {
    const text = problem('- a\n- a\n- a\n', [at('delete:1')], '- a\n- a\n');
    expect(text).toContain('the same lines are now in several places');
    const twice = `# Day\n## Night\n${READ}`;
    expect(problem(`${READ}${READ}`, [at('delete:4')], READ)).toContain('several places');
    expect(after(twice, [at('replace:4', 'x')], READ)).toContain('- wash\nx\n- read');
  });

  it.each([
    ['b b c a a', 'c b b c a a a', 4],
    ['b b b a b a b a', 'b b a b a b a a', 2],
    ['d b c', 'd d c', 1],
    ['a c', 'a a c a', 1],
    ['x a x a', 'x a', 2],
  ])('the edit is refused when the repeated lines "%s" became "%s"', (read, now, line) => {
    const lines = (words: string) => words.replaceAll(' ', '\n');
    expect(problem(lines(now), [at(`delete:${line}`)], lines(read))).toMatch(/several|changed/);
  });

  it('the edit is applied to repeated lines when unique lines around them fix their place', () => {
    const read = '# A\n\n- [ ] a\n\n# B\n\n- [ ] b\n\n# C\n';
    const now = read.replace('- [ ] b', '- [x] b').replace('# C', '# C\n\nmore\n\nand more');
    expect(after(now, [at('insert:4', 'x')], read)).toContain('- [ ] a\nx\n\n# B');
    expect(after(now, [at('insert:6', 'x')], read)).toContain('# B\nx\n\n- [x] b');
    expect(after(now, [at('delete:8')], read)).toContain('- [x] b\n# C');
  });

  it('the edit is refused when the note was empty and has text since', () => {
    expect(problem('a\n', [at('insert:1', 'x')], '')).toContain('First call read_file');
    expect(after('', [at('insert:1', 'x')], '')).toBe('x');
  });

  it('the problem names the last line that was read when the line number is too large', () => {
    expect(problem('a\nb\nc\n', [at('delete:3')], 'a\nb\n')).toContain('`delete:2`');
  });
});
