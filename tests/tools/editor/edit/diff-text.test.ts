import { describe, expect, it } from 'vitest';
import { applyDiff, renderDiff as render, UNBOUNDED } from '#tools/editor/edit/diff-text';

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
}

const renderDiff = (...asked: Parameters<typeof render>) => render(...asked).text;

describe('a diff for the model', () => {
  it('numbers lines by the after, and removed ones not at all', () => {
    expect(renderDiff('a\nb\nc\nd\n', 'a\nx\ny\nc\nd\n', { context: 1 })).toBe(
      [' 1  a', '-   b', '+2  x', '+3  y', ' 4  c', '…'].join('\n'),
    );
  });

  it('is empty when nothing changed', () => {
    expect(renderDiff('a\n', 'a\n')).toBe('');
    expect(renderDiff('', '')).toBe('');
  });

  it('keeps numbers in one column', () => {
    expect(renderDiff(numbered(12), numbered(12).replace('line 9\n', 'x\n'), { context: 1 })).toBe(
      ['…', '  8  line 8', '-    line 9', '+ 9  x', ' 10  line 10', '…'].join('\n'),
    );
  });

  it('shows context once between changes that are near', () => {
    const diff = renderDiff(numbered(5), numbered(5).replace('line 2', 'x').replace('line 4', 'y'));
    expect(diff.match(/line 3/g)).toHaveLength(1);
    expect(diff).not.toContain('…');
  });

  it('shows a line added to a note without a final newline as just that', () => {
    expect(renderDiff('a', 'a\nb')).toBe(' 1  a\n+2  b');
  });

  it('tells when the final newline came or went', () => {
    expect(renderDiff('a', 'a\n')).toBe('\\ A newline at the end of the note.');
    expect(renderDiff('a\n', 'a')).toBe('\\ No newline at the end of the note.');
  });

  it('tells when only a line ending changed', () => {
    expect(renderDiff('a\nb\n', 'a\r\nb\n')).toContain('+1  a\n\\ This line ends with CRLF.');
  });

  it('says what it cut and where to read it', () => {
    const diff = renderDiff(numbered(300), numbered(300).replaceAll('line', 'row'), {
      maxLines: 350,
    });
    expect(diff.split('\n')).toHaveLength(351);
    expect(diff).toContain('… the diff goes on: 150 more lines added, 100 more removed');
    expect(diff).toContain('read_file from line 151');
  });

  it('takes a note of which every line changed, however long', () => {
    const diff = renderDiff(numbered(150_000), numbered(150_000).replaceAll('line', 'row'));
    expect(diff).toContain('… the diff goes on');
  });

  it('cuts a long line to where it changed', () => {
    const line = 'lorem ipsum '.repeat(20000);
    const diff = renderDiff(`${line}old${line}`, `${line}new${line}`);
    expect(diff).toMatch(/- {3}\[\d+ characters\]….*old.*…\[\d+ characters\]/);
    expect(diff).toContain('new');
    expect(diff.length).toBeLessThan(1500);
  });

  it('copes with two large texts that share nothing', () => {
    const before = numbered(30000);
    const after = before.replaceAll('line', 'row');
    expect(applyDiff(before, renderDiff(before, after, UNBOUNDED))).toBe(after);
  });

  it('still finds the shared lines of large texts that differ much', () => {
    const before = Array.from({ length: 6000 }, (_, index) => `a${index}`);
    const after = before.map((line, index) => (index % 3 === 0 ? `b${index}` : line));
    const diff = renderDiff(before.join('\n'), after.join('\n'), { ...UNBOUNDED, context: 0 });
    expect(diff.match(/^\+/gm)).toHaveLength(2000);
  });
});
