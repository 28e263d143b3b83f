import { describe, expect, it } from 'vitest';
import { BENCHES, memoryBench } from '#tests/builders/tools';
import { FIXTURE } from '#tests/tools/fixture-vault';

describe.each(BENCHES)('list_files %s', (_, open) => {
  it('list_files lists the vault, newest first, with types, dates, totals and empty folders', async () => {
    await using bench = await open(FIXTURE);
    const lines = (await bench.expectSuccess('list_files', {})).split('\n');
    expect(lines[0]).toBe('19 files and 8 folders, most recently changed first.');
    expect(lines.slice(1, 5)).toEqual([
      'Lists/ (folder, 1 file, 2026-11-12)',
      'Lists/Shopping.md (note, 2026-11-12)',
      'Boards/ (folder, 3 files, 2026-11-12)',
      'Boards/Projects.base (base, 2026-11-12)',
    ]);
    expect(lines).toContain('Notes/ (folder, 11 files, 2026-11-12)');
    expect(lines.slice(-2)).toEqual(['Home/Empty/ (folder, empty)', 'Old/ (folder, empty)']);
    expect(lines).toHaveLength(28);
  });

  it.each([
    [{ pattern: '*.PNG' }, ['Media/photo.png']],
    [{ pattern: '{plan,shop*}.md' }, ['Lists/Shopping.md', 'Home/Plan.md', 'Work/Plan.md']],
    [{ pattern: 'Home/**' }, ['Home/Plan.md', 'Home/Empty/']],
    [{ pattern: 'Plan.md', path: 'Work' }, ['Work/Plan.md']],
    [{ pattern: 'work/*' }, ['Work/Plan.md']],
    [{ pattern: 'Work/*', path: 'work' }, ['Work/Plan.md']],
    [{ pattern: 'Empty*' }, ['Notes/Empty.md', 'Home/Empty/']],
    [{ pattern: '京都*' }, ['Notes/京都の苔.md']],
    [{ path: 'Boards/' }, ['Boards/Projects.base', 'Boards/Broken.canvas', 'Boards/Beds.canvas']],
  ])('list_files finds files and folders by %j', async (input, paths) => {
    await using bench = await open(FIXTURE);
    const text = await bench.expectSuccess('list_files', input);
    const found = [...text.matchAll(/^(.+) \((?:folder|note|png|base|canvas)/gm)];
    expect(found.map((match) => match[1])).toEqual(paths);
  });

  it('list_files gives the total when it shows only some files', async () => {
    await using bench = await open(FIXTURE);
    const text = await bench.expectSuccess('list_files', { pattern: '*.md', max_results: 2 });
    expect(text).toBe(
      '14 files and 0 folders, most recently changed first; showing 2. Narrow the pattern, give a path, or raise max_results.\nLists/Shopping.md (note, 2026-11-12)\nHome/Plan.md (note, 2026-11-12)',
    );
  });

  it('list_files suggests what to try when nothing matches', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('list_files', { pattern: 'zz', path: 'home' })).toBe(
      'Found as `Home`.\nNothing matches "zz" in Home/ (27 files and folders in the vault). Try a shorter pattern such as "*word*", or search_files for words in the notes.',
    );
  });

  it.each([
    [{ path: 'old' }, 'Found as `Old`.\nOld/ is empty.'],
    [
      { pattern: 'Plan.md', path: 'Lists' },
      'Nothing matches "Plan.md" in Lists/ (27 files and folders in the vault). It matches 2 elsewhere; leave out path to see them.',
    ],
    [
      { pattern: 'Shoping*' },
      'Nothing matches "Shoping*" (27 files and folders in the vault). Try a shorter pattern such as "*word*", or search_files for words in the notes. Similar names: "Lists/Shopping.md".',
    ],
  ])('list_files explains why %j lists nothing', async (input, expected) => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('list_files', input)).toBe(expected);
  });

  it('list_files names the extensions there are if a glob asks for another one only', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('list_files', { pattern: '**/*.{doc,odt}' })).toMatch(
      /There are: \*\.md \(14\), (?:\*\.[a-z]+ \(\d\)(?:, |\.$)){4}/,
    );
  });

  it('list_files orders files of the same time by name, with numbers by value', async () => {
    const names = ['Note 10.md', 'Note 9.md', 'Note 1.md'];
    await using bench = memoryBench({});
    for (const name of names) bench.notes.put(name, 'x\n', 1_000);
    const text = await bench.expectSuccess('list_files', { pattern: 'Note*' });
    expect(text.match(/^Note \d+/gm)).toEqual(['Note 1', 'Note 9', 'Note 10']);
  });

  it('list_files finds a folder beside a note of the same name', async () => {
    const files = { 'Projects/Garden/Garden.md': 'x\n', 'lists.md': 'x\n', 'Lists/a.md': 'x\n' };
    await using bench = await open(files);
    expect(await bench.expectSuccess('list_files', { path: 'Garden' })).toMatch(
      /^Found as `Projects\/Garden`\.\n1 file and 0 folders in Projects\/Garden\/, /,
    );
    expect(await bench.expectSuccess('list_files', { path: 'LISTS' })).toContain('Lists/a.md');
    expect(await bench.expectSuccess('explore_structure', { path: 'garden' })).toContain(
      'Garden/ (1 note',
    );
    for (const [tool, input] of [
      ['search_vault', { query: 'x' }],
      ['query_notes', {}],
    ] as const) {
      expect(await bench.expectSuccess(tool, { ...input, folder: 'Garden' })).toContain(
        'Garden/Garden.md',
      );
    }
    expect(await bench.expectSuccess('read_file', { path: 'Garden' })).toContain(
      'Projects/Garden/Garden.md',
    );
  });

  it.each([
    [
      { pattern: '!*.md' },
      '"!" cannot exclude anything here, and no name begins with it. Say what',
    ],
    [{ path: 'Nots' }, '`Nots` does not exist. Close matches: `Notes`.'],
    [{ path: 'Home/Plan.md' }, '`Home/Plan.md` is a file. Expected the path of a folder.'],
    [{ pattern: '[a' }, 'has a `[` that is never closed. Valid globs are'],
    [{ pattern: '../*' }, 'climbs with `..`'],
    [{ pattern: '.git/**' }, '`.git/**` is protected: files and folders that begin with a dot'],
    [{ max_results: 0 }, 'max_results: Expected at least 1'],
    [{ max_results: 5_000 }, 'max_results: Expected at most'],
    [{ glob: '*' }, 'Unrecognized key: "glob"'],
  ])('list_files answers %j with what would work', async (input, expected) => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectFailure('list_files', input)).toContain(expected);
  });

  it('list_files says that a pattern matches more names with other signs', async () => {
    const files = { 'It’s.md': '', "It's too.md": '', 'x/A – b.md': '', 'x/A - c.md': '' };
    await using bench = await open({ ...files, '.x/It’s.md': '' });
    expect(await bench.expectSuccess('list_files', { pattern: "*it's*" })).toMatch(
      /^1 file and 0 folders, most recently changed first\.\nWith other quotation marks, dashes or spaces, which is the pattern "\*it\['‘’ʼ\]s\*": 2 matches \((?:It’s\.md, It's too\.md|It's too\.md, It’s\.md)\)\.\nIt's too\.md/,
    );
    const listed = await bench.expectSuccess('list_files', { path: 'x', pattern: 'A - *' });
    const given = JSON.parse(/the pattern (".*"):/.exec(listed)?.[1] ?? '') as string;
    expect(await bench.expectSuccess('list_files', { pattern: given })).toMatch(/^2 files/);
    expect(await bench.expectSuccess('list_files', { pattern: 'A – b*' })).not.toContain(
      'With other',
    );
  });

  it('list_files reads "!" literally if a name begins with it', async () => {
    await using bench = await open({ '!Inbox/a.md': 'x\n' });
    expect(await bench.expectSuccess('list_files', { pattern: '!In*' })).toContain(
      '!Inbox/ (folder',
    );
  });

  it('list_files shows created, moved and deleted files immediately', async () => {
    await using bench = await open({ 'a.md': '' }, { settings: { tools: { delete: 'allow' } } });
    await bench.expectSuccess('write_file', { path: 'New/b.md', content: 'x' });
    expect(await bench.expectSuccess('list_files', {})).toContain('New/ (folder, 1 file');
    await bench.expectSuccess('move', { source: 'New/b.md', destination: 'c.md' });
    expect(await bench.expectSuccess('list_files', {})).toContain('New/ (folder, empty)');
    await bench.expectSuccess('delete', { path: 'New' });
    expect(await bench.expectSuccess('list_files', {})).toMatch(/^2 files and 0 folders/);
  });
});
