import { describe, expect, it } from 'vitest';
import { BENCHES, memoryBench } from '#tests/builders/tools';
import { FIXTURE, LONG_LINES } from '#tests/tools/fixture-vault';

const LATIN = '(1 file could not be read as text: Notes/Latin1.md.)';

describe.each(BENCHES)('search_files %s', (_, open) => {
  it('search_files shows numbered passages with totals, newest first', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('search_files', { pattern: 'plan' })).toBe(
      `2 matches in 2 files (16 searched), most recently changed first.\n\nHome/Plan.md (1 match)\n>1: home plan\n\nWork/Plan.md (1 match)\n>1: work plan\n\n${LATIN}`,
    );
    expect(
      await bench.expectSuccess('search_files', { pattern: 'again', file_pattern: 'Notes/C*' }),
    ).toBe(
      '1 match in 1 file (1 searched matching "Notes/C*"), most recently changed first.\n\nNotes/Compost.md (1 match)\n 3: Turn it.\n 4: \n>5: Again.',
    );
  });

  it('search_files says beside few matches that other spellings have more', async () => {
    await using bench = await open({
      'A.md': "It's here.\n",
      'B.md': 'It’s there.\n',
      'C.md': 'caf\u00e9\n',
      'D.md': 'cafe\u0301\n',
    });
    const said = await bench.expectSuccess('search_files', { pattern: "It's" });
    expect(said).toMatch(/^1 match in 1 file .*\nWith other quotation marks, .*: 2 matches in 2/);
    expect(await bench.expectSuccess('search_files', { pattern: 'caf\u00e9' })).toContain(
      'accents stored differently',
    );
    expect(await bench.expectSuccess('search_files', { pattern: 'there' })).not.toContain('other');
  });

  it('search_files says that the brackets of a link are a set of characters', async () => {
    await using bench = await open({ 'A.md': 'See [[Quick switcher]].\n' });
    const said = await bench.expectSuccess('search_files', { pattern: '[[Quick switcher]]' });
    expect(said).toContain('For the link: "\\\\[\\\\[Quick switcher\\\\]\\\\]".');
    const found = await bench.expectSuccess('search_files', {
      pattern: '\\[\\[Quick switcher\\]\\]',
    });
    expect(found).toMatch(/^1 match in 1 file/);
    expect(found).not.toContain('For the link');
  });

  it.each([
    [{ pattern: 'bread' }, 1],
    [{ pattern: 'Bread' }, 1],
    [{ pattern: 'Bread', case_sensitive: true }, 0],
    [{ pattern: '(?i)Bread', case_sensitive: true }, 1],
    [{ pattern: '(?m)^- Bread' }, 1],
    [{ pattern: 'BREAD|butter', case_sensitive: true }, 1],
    [{ pattern: '苔は' }, 1],
    [{ pattern: 'שלום' }, 1],
    [{ pattern: 'bread\\n- butter' }, 1],
    [{ pattern: 'bread\n- butter' }, 1],
    [{ pattern: 'bread\\x0a- butter', multiline: false }, 1],
    [{ pattern: '(?s)bread.*cheese' }, 1],
    [{ pattern: 'bread[\\n ]- butter' }, 1],
    [{ pattern: 'bread[^\\n]*butter' }, 0],
    [{ pattern: '# Compost\\n\\nTurn it\\.\\n' }, 1],
    [{ pattern: '# Compost\n\nTurn' }, 1],
    [{ pattern: '# Compost\\r\\n' }, 1],
    [{ pattern: 'bread', file_pattern: 'Lists' }, 1],
    [{ pattern: 'bread', file_pattern: 'lists/' }, 1],
    [{ pattern: 'bread', file_pattern: '/Lists' }, 1],
    [{ pattern: 'bread', file_pattern: '{Home,Lists}' }, 1],
    [{ pattern: 'bread', file_pattern: 'Shopping.md' }, 1],
    [{ pattern: 'bread', file_pattern: 'Lists/*' }, 1],
    [{ pattern: 'plan', file_pattern: 'Home' }, 1],
    [{ pattern: '^Zwei$' }, 1],
    [{ pattern: 'it\\.$', file_pattern: 'Notes/Compost.md' }, 1],
  ])('search_files searches by %j', async (input, matches) => {
    await using bench = await open(FIXTURE);
    const text = await bench.expectSuccess('search_files', input);
    expect(text).toMatch(matches === 0 ? /^No matches for / : new RegExp(`^${matches} match`));
  });

  it('search_files limits its result if every line matches, and says what it cut', async () => {
    await using bench = await open(FIXTURE);
    const text = await bench.expectSuccess('search_files', { pattern: 'words to it' });
    expect(text.match(/^>/gm)).toHaveLength(50);
    expect(text).toMatch(/^60,000 matches in 1 file /);
    expect(text).toContain(
      '\n  … (59,950 more matching lines in this file)\n\n(Shown: 50 of 60,000 matching lines in 1 file. Continue with offset 50, or narrow with file_pattern or a longer pattern.)',
    );
    const most = { pattern: 'words', max_results: 500, context_lines: 20 };
    expect((await bench.expectSuccess('search_files', most)).length).toBeLessThan(42_000);
    expect(LONG_LINES).toBe(60_000);
  });

  it('search_files keeps room for other files beside one with many matches, and names the rest', async () => {
    const many = Array.from({ length: 80 }, (_, at) => `milk ${at + 1}\n\n`).join('');
    const files = Object.fromEntries([...'ABCDE'].map((each) => [`${each}.md`, 'milk\n\nmilk\n']));
    await using bench = await open({ ...files, 'Z.md': many });
    const search = { pattern: 'milk', max_results: 12, context_lines: 0 };
    const shown = await bench.expectSuccess('search_files', search);
    expect(shown.match(/^>/gm)).toHaveLength(12);
    expect(shown).toContain('Z.md (80 matches)\n>1: milk 1\n>3: milk 2\n>5: milk 3');
    expect(shown).toContain('  … (75 more matching lines in this file)');
    expect(shown).toMatch(/\nNot shown: [A-E]\.md \(2\)\.\n/);
    expect(shown).toContain('(Shown: 12 of 90 matching lines in 6 files. Continue with offset 12');
    const rest = await bench.expectSuccess('search_files', { ...search, offset: 12 });
    expect(rest).toMatch(
      /\(2 matches\)\n(?:>.*\n){1,2}(?:.*\n)*\nZ\.md \(80 matches\)\n>11: milk 6\n/,
    );
    expect(rest).not.toContain('Not shown');
    const all = await bench.expectSuccess('search_files', { ...search, max_results: 90 });
    expect(all.match(/^>/gm)).toHaveLength(90);
  });

  it('search_files marks a gap only between lines with context', async () => {
    await using bench = await open({ 'A.md': 'milk\n1\n2\n3\n4\n5\nmilk\nmilk\n6\n7\nmilk\n' });
    const search = { pattern: 'milk' };
    expect(await bench.expectSuccess('search_files', { ...search, context_lines: 0 })).toContain(
      '(4 matches)\n>1: milk\n>7: milk\n>8: milk\n>11: milk',
    );
    expect(await bench.expectSuccess('search_files', { ...search, context_lines: 1 })).toContain(
      '>1: milk\n 2: 1\n  …\n 6: 5\n>7: milk\n',
    );
  });

  it('search_files does not repeat a long glob', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `Note ${at}.md`);
    await using bench = await open({ 'Note 1.md': 'milk\n' });
    const search = { pattern: 'milk', file_pattern: `{${names.join(',')}}` };
    const said = await bench.expectSuccess('search_files', search);
    expect(said).toMatch(/^1 match in 1 file \(1 searched matching "\{Note 0\.md,.{40,60}…"\)/);
  });

  it('search_files cuts a long line around the match', async () => {
    await using bench = await open(FIXTURE);
    const text = await bench.expectSuccess('search_files', { pattern: 'd end$' });
    expect(text).toMatch(/\n>1: … .{290,300}word end\n/);
  });

  it.each([
    [{ pattern: '(a' }, /not a valid regular expression.*Valid patterns are/],
    [{ pattern: '' }, /pattern: Expected at least 1 character/],
    [{ pattern: 'a', file_pattern: '[' }, /never closed/],
    [{ pattern: 'a', file_pattern: '.obsidian/**' }, /is protected/],
    [{ pattern: 'a', context_lines: 99 }, /context_lines: Expected at most 20/],
    [{ query: 'a' }, /pattern is missing/],
  ])('search_files answers %j with what would work', async (input, expected) => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectFailure('search_files', input)).toMatch(expected);
  });

  it('search_files suggests what to try if no rule excluded a match', async () => {
    await using bench = await open(FIXTURE);
    expect(
      await bench.expectSuccess('search_files', { pattern: 'zzzz', file_pattern: '*.md' }),
    ).toBe(
      `No matches for "zzzz" in 13 files matching "*.md".\nTry fewer or other words, a part of a word, or list_files to look for names.\n${LATIN}`,
    );
  });

  it.each([
    [
      { pattern: 'BREAD', case_sensitive: true },
      /^No matches for "BREAD" in 16 files\.\nWithout case_sensitive: 1 match in 1 file \(Lists\/Shopping\.md\)\./,
    ],
    [
      { pattern: 'bread', file_pattern: 'Notes' },
      /^No matches .* in \d+ files matching "Notes"\.\n(?:\(.*\)\n)*Without file_pattern: 1 match in 1 file \(Lists\/Shopping\.md\)\./,
    ],
    [
      { pattern: 'Bread', file_pattern: 'Notes', case_sensitive: true },
      /\nWithout file_pattern and case_sensitive: 1 match in 1 file/,
    ],
    [
      { pattern: 'bread', file_pattern: 'List/**' },
      /^No file matches "List\/\*\*", so nothing was searched\. Similar names: "Lists\/"\.\nWithout file_pattern: 1 match/,
    ],
    [
      { pattern: 'bread', file_pattern: 'Lists/Shoping.md' },
      /^No file matches .* Similar names: "Lists\/Shopping\.md"\.\n/,
    ],
    [
      { pattern: 'bread', file_pattern: 'Notes/*.md, Lists/*.md' },
      /^No file matches .* To combine globs use braces, such as/,
    ],
    [{ pattern: 'bread', file_pattern: 'Old' }, /^"Old" contains no files, so nothing/],
    [
      { pattern: 'x', file_pattern: 'Media/**' },
      /^"Media\/\*\*" matches 2 files, but none of them can be searched as text \(only md, txt/,
    ],
    [
      { pattern: 'see [[Compost]]' },
      /\nAs plain text, which is the pattern "see \\\\\[\\\\\[Compost\\\\\]\\\\\]": 1 match in 1 file \(Notes\/Tomatoes\.md\)\./,
    ],
    [{ pattern: '\\b苔' }, /\nWithout "\\\\b", which takes only a-z.*: 2 matches in 1 file/],
    [{ pattern: 'bread\\s- butter' }, /\nAcross lines, with multiline true: 1 match/],
    [{ pattern: 'oat\u00a0milk|home\u00a0plan' }, /\nWith other quotation marks.*: 1 match/],
  ])('search_files names the rule that excluded matches of %j', async (input, expected) => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('search_files', input)).toMatch(expected);
  });

  it('search_files reports matches with other quotes or accents if the pattern itself has none', async () => {
    await using bench = await open({ 'a.md': 'today’s news\n', 'b.md': 'Cafe\u0301\n' });
    for (const [pattern, file] of [
      ["today's", 'a.md'],
      ['Café', 'b.md'],
    ]) {
      const told = await bench.expectSuccess('search_files', { pattern });
      expect(told).toContain(`accents stored differently: 1 match in 1 file (${file}).`);
    }
  });

  it('search_files refuses a negated glob unless names begin with "!"', async () => {
    await using bench = await open({ 'a.md': 'x\n', '!Inbox/b.md': 'x\n' });
    const found = await bench.expectSuccess('search_files', {
      pattern: 'x',
      file_pattern: '!Inbox',
    });
    expect(found).toMatch(/^1 match in 1 file/);
    expect(
      await bench.expectFailure('search_files', { pattern: 'x', file_pattern: '!*.md' }),
    ).toMatch(/"!" cannot exclude anything here.*include instead/);
  });

  it('search_files says that excluded folders are not searched, and reveals nothing about their content', async () => {
    const settings = { excludedFolders: ['Private'] };
    await using bench = await open({ 'a.md': 'x\n', 'Private/b.md': 'secret\n' }, { settings });
    for (const pattern of ['secret', 'other']) {
      expect(await bench.expectSuccess('search_files', { pattern })).toBe(
        `No matches for "${pattern}" in 1 file.\nTry fewer or other words, a part of a word, or list_files to look for names.\n(Folders excluded in Parley's settings are not searched.)`,
      );
    }
  });

  it('search_files finds written, moved and edited notes immediately', async () => {
    await using bench = await open({ 'a.md': 'apple\n' });
    expect(await bench.expectSuccess('search_files', { pattern: 'apple' })).toContain(
      'a.md (1 match)',
    );
    await bench.expectSuccess('edit_file', {
      path: 'a.md',
      edits: [{ old_text: 'apple', new_text: 'fig' }],
    });
    await bench.expectSuccess('move', { source: 'a.md', destination: 'b.md' });
    await bench.expectSuccess('write_file', { path: 'c.md', content: 'fig\n' });
    const text = await bench.expectSuccess('search_files', { pattern: 'apple|fig' });
    expect(text).toMatch(/^2 matches in 2 files/);
    expect(text).toContain('b.md (1 match)');
    expect(text).not.toContain('a.md');
  });
});

describe('search_files', () => {
  it('search_files finds unsaved text, and forgets it when it is reverted', async () => {
    const bench = memoryBench({ 'a.md': 'apple\n' });
    expect(await bench.expectSuccess('search_files', { pattern: 'quince' })).toMatch(/^No matches/);
    bench.notes.type('a.md', 'quince\n');
    expect(await bench.expectSuccess('search_files', { pattern: 'quince' })).toMatch(/^1 match/);
    bench.notes.closeEditor('a.md', false);
    expect(await bench.expectSuccess('search_files', { pattern: 'quince' })).toMatch(/^No matches/);
    expect(await bench.expectSuccess('search_files', { pattern: 'apple' })).toMatch(/^1 match/);
  });
});
