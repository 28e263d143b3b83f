import { describe, expect, it } from 'vitest';
import { renderDiff as render } from '#tools/editor/edit/diff-text';
import { Lines } from '#tools/editor/edit/text-lines';
import { ShownNotes } from '#tools/shown-notes';

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
}

const renderDiff = (...asked: Parameters<typeof render>) => render(...asked).text;

describe('The diff for the model', () => {
  it('the diff numbers lines as they are after the change, and gives removed lines no number', () => {
    expect(renderDiff('a\nb\nc\nd\n', 'a\nx\ny\nc\nd\n', { context: 1 })).toBe(
      [' 1  a', '-   b', '+2  x', '+3  y', ' 4  c', '…'].join('\n'),
    );
  });

  it('the diff is empty when nothing changed', () => {
    expect(renderDiff('a\n', 'a\n')).toBe('');
    expect(renderDiff('', '')).toBe('');
  });

  it('the diff aligns line numbers in one column', () => {
    expect(renderDiff(numbered(12), numbered(12).replace('line 9\n', 'x\n'), { context: 1 })).toBe(
      ['…', '  8  line 8', '-    line 9', '+ 9  x', ' 10  line 10', '…'].join('\n'),
    );
  });

  it('the diff shows the context between two close changes once', () => {
    const diff = renderDiff(numbered(5), numbered(5).replace('line 2', 'x').replace('line 4', 'y'));
    expect(diff.match(/line 3/g)).toHaveLength(1);
    expect(diff).not.toContain('…');
  });

  it('the diff shows only the added line when the note has no final newline', () => {
    expect(renderDiff('a', 'a\nb')).toBe(' 1  a\n+2  b');
  });

  it('the diff does not compare line endings', () => {
    expect(renderDiff('a\nb', 'a\r\nb\n')).toBe('');
  });

  it('the diff says what it cut and where to read it', () => {
    const diff = renderDiff(numbered(300), numbered(300).replaceAll('line', 'row'), {
      maxLines: 350,
    });
    expect(diff.split('\n')).toHaveLength(351);
    expect(diff).toContain('… the diff goes on: 150 more lines added, 100 more removed');
    expect(diff).toContain('read_file from line 151');
  });

  it('the diff handles a long note in which every line changed', () => {
    const diff = renderDiff(numbered(150_000), numbered(150_000).replaceAll('line', 'row'));
    expect(diff).toContain('… the diff goes on');
  });

  it('the diff cuts a long line around its change', () => {
    const line = 'lorem ipsum '.repeat(20000);
    const diff = renderDiff(`${line}old${line}`, `${line}new${line}`);
    expect(diff).toMatch(/^- {3}….{40}old.{40}…\n\+1 {2}….{40}new.{40}…$/);
  });

  it('a line that the diff cuts does not count as known', () => {
    const line = 'lorem ipsum '.repeat(20);
    const before = `${line}\nshort\n${line}old${line}\n`;
    const { printed } = render(before, before.replace('old', 'new'));
    const shown = new ShownNotes();
    const notes = shown.during('one');
    notes.show('a.md', before.replace('old', 'new'), printed);
    const lines = new Lines(before.replace('old', 'new'));
    expect([...shown.during('two').of('a.md').knownIn(lines)]).toEqual([2]);
  });

  it('from the fourth passage on the diff only counts, and shows no line numbers', () => {
    const rows = (word: string) => numbered(80).replace(/^line (?=\d*5$)/gm, `${word} `);
    const { text, printed } = render(rows('line'), rows('row'));
    expect(text.match(/^\+/gm)).toHaveLength(3);
    expect(text).toMatch(/\n…\n5 more passages changed: 5 lines added, 5 removed$/);
    expect(Math.max(...printed.map(([line]) => line))).toBe(26);
  });

  it('the diff handles two large texts without a common line', () => {
    const before = numbered(30000);
    const after = before.replaceAll('line', 'row');
    const diff = renderDiff(before, after, { maxLines: Infinity });
    expect(diff.match(/^\+/gm)).toHaveLength(30000);
    expect(diff.match(/^-/gm)).toHaveLength(30000);
  });

  it('the diff finds the common lines of large texts that differ a lot', () => {
    const before = Array.from({ length: 6000 }, (_, index) => `a${index}`);
    const after = before.map((line, index) => (index % 3 === 0 ? `b${index}` : line));
    const whole = { context: 0, maxLines: Infinity, maxPassages: Infinity };
    const diff = renderDiff(before.join('\n'), after.join('\n'), whole);
    expect(diff.match(/^\+/gm)).toHaveLength(2000);
  });
});
