import { describe, expect, it } from 'vitest';
import { BENCHES, memoryBench } from '#tests/builders/tools';
import { FIXTURE, LONG_LINES } from '#tests/tools/fixture-vault';

const LATIN = '(1 file could not be read as text: Notes/Latin1.md.)';

describe.each(BENCHES)('search_files %s', (_, open) => {
  it('shows numbered passages with totals, newest first', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.says('search_files', { pattern: 'plan' })).toBe(
      `2 matches in 2 files (16 searched), the last changed first.\n\nHome/Plan.md (1 match)\n>1: home plan\n\nWork/Plan.md (1 match)\n>1: work plan\n\n${LATIN}`,
    );
    expect(await bench.says('search_files', { pattern: 'again', file_pattern: 'Notes/C*' })).toBe(
      '1 match in 1 file (1 searched among "Notes/C*"), the last changed first.\n\nNotes/Compost.md (1 match)\n 3: Turn it.\n 4: \n>5: Again.',
    );
  });

  it.each([
    [{ pattern: 'bread' }, 1],
    [{ pattern: 'Bread' }, 0],
    [{ pattern: 'Bread', case_sensitive: false }, 1],
    [{ pattern: 'BREAD|butter', case_sensitive: true }, 1],
    [{ pattern: '苔は' }, 1],
    [{ pattern: 'שלום' }, 1],
    [{ pattern: 'bread\\n- butter' }, 0],
    [{ pattern: 'bread\\n- butter', multiline: true }, 1],
    [{ pattern: '^Zwei$' }, 1],
    [{ pattern: 'it\\.$', file_pattern: 'Notes/Compost.md' }, 1],
  ])('finds by %j', async (input, matches) => {
    await using bench = await open(FIXTURE);
    const text = await bench.says('search_files', input);
    expect(text).toMatch(matches === 0 ? /^No matches for / : new RegExp(`^${matches} match`));
  });

  it('stays bounded where every line matches, and says what is not shown', async () => {
    await using bench = await open(FIXTURE);
    const text = await bench.says('search_files', { pattern: 'words to it' });
    expect(text.match(/^>/gm)).toHaveLength(50);
    expect(text).toMatch(/^60,000 matches in 1 file /);
    expect(text).toContain(
      '\n  … (the rest of this file is not shown)\n\n(Shown: 50 of 60,000 matching lines in 1 file. Raise max_results, or narrow with file_pattern or a longer pattern.)',
    );
    const most = { pattern: 'words', max_results: 500, context_lines: 20 };
    expect((await bench.says('search_files', most)).length).toBeLessThan(42_000);
    expect(LONG_LINES).toBe(60_000);
  });

  it('shows a long line around the match', async () => {
    await using bench = await open(FIXTURE);
    const text = await bench.says('search_files', { pattern: 'd end$' });
    expect(text).toMatch(/\n>1: … .{290,300}word end\n/);
  });

  it.each([
    [{ pattern: '(a' }, /not a valid regular expression.*A valid one is/],
    [{ pattern: '(a+)+$' }, /could take too long.*Write one repetition/],
    [{ pattern: '' }, /pattern: .*>=1/],
    [{ pattern: 'a', file_pattern: '[' }, /never closed/],
    [{ pattern: 'a', file_pattern: '.obsidian/**' }, /is protected/],
    [{ pattern: 'a', context_lines: 99 }, /context_lines: .*<=20/],
    [{ query: 'a' }, /pattern: .*expected string/],
  ])('answers %j with what would work', async (input, expected) => {
    await using bench = await open(FIXTURE);
    expect(await bench.refuses('search_files', input)).toMatch(expected);
  });

  it('says what to try when nothing matches', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.says('search_files', { pattern: 'zzzz', file_pattern: '*.md' })).toBe(
      `No matches for "zzzz" in 13 files among "*.md".\nTry fewer or other words, a part of a word, or list_files to look for names.\n${LATIN}`,
    );
  });

  it('finds at once what was written, moved and edited', async () => {
    await using bench = await open({ 'a.md': 'apple\n' });
    expect(await bench.says('search_files', { pattern: 'apple' })).toContain('a.md (1 match)');
    await bench.says('edit_file', {
      path: 'a.md',
      edits: [{ old_text: 'apple', new_text: 'fig' }],
    });
    await bench.says('move', { source: 'a.md', destination: 'b.md' });
    await bench.says('write_file', { path: 'c.md', content: 'fig\n' });
    const text = await bench.says('search_files', { pattern: 'apple|fig' });
    expect(text).toMatch(/^2 matches in 2 files/);
    expect(text).toContain('b.md (1 match)');
    expect(text).not.toContain('a.md');
  });
});

describe('search_files', () => {
  it('counts what is typed and not saved, and no longer what was taken back', async () => {
    const bench = memoryBench({ 'a.md': 'apple\n' });
    expect(await bench.says('search_files', { pattern: 'quince' })).toMatch(/^No matches/);
    bench.notes.type('a.md', 'quince\n');
    expect(await bench.says('search_files', { pattern: 'quince' })).toMatch(/^1 match/);
    bench.notes.closeEditor('a.md', false);
    expect(await bench.says('search_files', { pattern: 'quince' })).toMatch(/^No matches/);
    expect(await bench.says('search_files', { pattern: 'apple' })).toMatch(/^1 match/);
  });
});
