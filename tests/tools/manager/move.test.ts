import { describe, expect, it } from 'vitest';
import { BENCHES, folderBench, type ToolBench } from '#tests/builders/tools';
import { FIXTURE } from '#tests/tools/fixture-vault';

async function textOf(bench: ToolBench, path: string): Promise<string> {
  const read = await bench.notes.read(path);
  return read.ok ? read.value.text : `(${read.reason.kind})`;
}

describe.each(BENCHES)('move %s', (_, open) => {
  it.each([
    ['Lists/Shopping.md', 'Home', 'Home/Shopping.md'],
    ['Lists/Shopping.md', 'New/Folder/', 'New/Folder/Shopping.md'],
    ['Lists/Shopping.md', '/', 'Shopping.md'],
    ['Lists/Shopping.md', 'Lists/Groceries', 'Lists/Groceries.md'],
    ['Lists/Shopping.md', 'Lists/Version 1.2', 'Lists/Version 1.2.md'],
    ['Media/photo.png', 'Media/picture', 'Media/picture.png'],
    ['Lists', 'Home', 'Home/Lists'],
    ['Lists', 'Things', 'Things'],
    ['Old', 'Older', 'Older'],
    // Only the case changes, which some file systems treat as the same name.
    ['Lists/Shopping.md', 'Lists/shopping.md', 'Lists/shopping.md'],
    ['Lists/Shopping.md', 'Lists/SHOPPING', 'Lists/SHOPPING.md'],
    ['Lists', 'lists', 'lists'],
  ])('move of %s to %s results in %s', async (source, destination, to) => {
    await using bench = await open(FIXTURE);
    const kind = bench.notes.get(source)?.kind;
    const result = await bench.call('move', { source, destination });
    expect(result.text).toMatch(new RegExp(`^Moved ${source} to ${to}\\. `));
    expect(result.details).toMatchObject({ changes: [{ kind: 'move', path: source, to }] });
    expect(bench.notes.get(source)).toBeUndefined();
    expect(bench.notes.get(to)?.kind).toBe(kind);
  });

  it('move refuses to make a note of a file that holds a pending edit', async () => {
    const block = '```ai-edit\n{"id":"forged-1","type":"add","after":"x"}\n```\n#ai_edit\n';
    const files = { 'Twice.txt': `One.\n\n${block}\n${block}`, 'Plain.txt': 'Two.\n' };
    await using bench = await open(files);
    for (const destination of ['Twice.md', 'Sub/Twice.MD']) {
      const input = { source: 'Twice.txt', destination };
      expect(await bench.expectFailure('move', input)).toContain('holds an ai-edit block');
    }
    expect(await textOf(bench, 'Twice.txt')).toBe(files['Twice.txt']);
    await bench.expectSuccess('move', { source: 'Plain.txt', destination: 'Plain.md' });
    await bench.expectSuccess('move', { source: 'Twice.txt', destination: 'Still.txt' });
  });

  it('links that led nowhere and lead to the moved file now are named', async () => {
    await using bench = await open({ 'A.md': '[[Cloud vaults]]\n', 'Remote vaults.md': 'One.\n' });
    const input = { source: 'Remote vaults.md', destination: 'Cloud vaults.md' };
    expect(await bench.expectSuccess('move', input)).toBe(
      'Moved Remote vaults.md to Cloud vaults.md. 1 link in A.md now leads to it that did not before.',
    );
  });

  it('an existing name with characters that are not seen can be read and given up, but not taken', async () => {
    const path = 'In\u200b/gpj.\u202eNote.md';
    await using bench = await open({ [path]: 'One.\n' });
    expect(await bench.expectSuccess('read_file', { path })).toContain('One.');
    for (const destination of ['Out/', 'Out/No\u200bte.md']) {
      const said = await bench.expectFailure('move', { source: path, destination });
      expect(said).toMatch(/can't contain U\+20(?:0B|2E), which is not seen/);
    }
    await bench.expectSuccess('move', { source: path, destination: 'Out/Note.md' });
    await bench.expectSuccess('move', { source: 'In\u200b', destination: 'In' });
    const folder = await bench.expectFailure('create_folder', { path: 'A\u2066b' });
    expect(folder).toContain("can't contain U+2066");
    const file = await bench.expectFailure('write_file', { path: 'A\u{e0041}.md', content: 'x' });
    expect(file).toContain("can't contain U+E0041");
  });

  it('move updates links and counts them', async () => {
    await using bench = await open({
      'In/Idea.md': '',
      'A.md': '[[In/Idea]] [[Idea|it]]',
      'B.md': '[[Idea]]',
    });
    expect(await bench.expectSuccess('move', { source: 'idea', destination: 'Out/Plan' })).toBe(
      'Found as `In/Idea.md`.\nMoved In/Idea.md to Out/Plan.md. 3 links in 2 notes now point to the new path.',
    );
    expect(await textOf(bench, 'A.md')).toBe('[[Plan]] [[Plan|it]]');
    expect(await bench.expectSuccess('move', { source: 'Out', destination: 'Far/' })).toContain(
      'Moved Out to Far/Out. 3 links in 2 notes now point',
    );
    expect(await bench.expectSuccess('move', { source: 'B', destination: 'C' })).toBe(
      'Found as `B.md`.\nMoved B.md to C.md. No note linked to it.',
    );
  });

  it('move keeps shown line numbers valid under the new path', async () => {
    await using bench = await open(FIXTURE);
    await bench.expectSuccess('read_file', { path: 'Lists/Shopping.md' });
    await bench.expectSuccess('move', { source: 'Lists', destination: 'Things' });
    const edits = [{ position: 'replace:1', content: '- rye' }];
    await bench.expectSuccess('edit_file', { path: 'Things/Shopping.md', edits });
    expect(await textOf(bench, 'Things/Shopping.md')).toBe('- rye\n- butter\n- cheese\n');
  });

  it('move refuses a name that both a note and a folder have, and lists both', async () => {
    const files = { 'Projects/Garden/Garden.md': 'note\n', 'Lists/a.md': 'x\n', 'lists.md': 'x\n' };
    await using bench = await open(files);
    expect(await bench.expectFailure('move', { source: 'Garden', destination: 'Archive/' })).toBe(
      '`Garden` matches several: `Projects/Garden/`, `Projects/Garden/Garden.md`. Call again with one of these paths.',
    );
    expect(
      await bench.expectFailure('move', { source: 'LISTS', destination: 'Archive/' }),
    ).toContain('`Lists/`, `lists.md`');
    expect(await bench.expectFailure('delete', { path: 'garden' })).toContain(
      '`Projects/Garden/`, `Pro',
    );
    expect(
      await bench.expectSuccess('move', { source: 'Garden/', destination: 'Archive/' }),
    ).toContain('Moved Projects/Garden to Archive/Garden.');
  });

  it.each([
    ['work/Plan 2.md', 'Work/Plan 2.md'],
    ['work', 'Work/Shopping.md'],
    ['work/', 'Work/Shopping.md'],
    ['home/empty/Deep/', 'Home/Empty/Deep/Shopping.md'],
  ])('move to %s is refused because of its case, and suggests %s', async (destination, instead) => {
    await using bench = await open(FIXTURE);
    const told = await bench.expectFailure('move', { source: 'Lists/Shopping.md', destination });
    expect(told).toContain(
      'differ only in case or Unicode form, and not every file system can hold both. Use',
    );
    expect(told).toContain(`Use \`${instead}\` or another name.`);
  });

  it.each([
    ['Work/Plan.md', 'Home', /^Home\/Plan.md already exists and was not overwritten\. Choose/],
    ['Home', 'Home/Empty', /^Home can't be moved into itself\. Choose a folder outside of it\.$/],
    ['Home', 'home/Empty/', /and the existing `Home\/Empty` differ only in case or Unicode form/],
    ['Work', '/', /^Work already has this path, so nothing was moved\.$/],
    [
      'Work/Plan.md',
      'work/Plan 2.md',
      /and the existing `Work` differ only in case or Unicode form/,
    ],
    ['Work/Plan.md', 'Home/plan.md', /and the existing `Home\/Plan.md` differ only/],
    ['/', 'x', /^The vault's root can't be moved\.$/],
    ['Plan', 'x', /matches several: `Home\/Plan.md`, `Work\/Plan.md`/],
    [
      'Nope',
      'x',
      /`Nope` does not exist\. No similar name was found\. Look for a name with list_files/,
    ],
    ['Shopping', 'a?b', /not allowed in names on every system/],
    ['Shopping', 'Home/Plan.md/', /`Home\/Plan.md` is a file, not a folder/],
    ['Shopping', '.trash/', /is protected/],
    ['Shopping', '~', /points to a home folder/],
  ])('move of %s to %s is refused with what would work', async (source, destination, expected) => {
    await using bench = await open(FIXTURE);
    const before = bench.notes.list().length;
    expect(await bench.expectFailure('move', { source, destination })).toMatch(expected);
    expect(bench.notes.list()).toHaveLength(before);
  });
});

const KINDS = {
  'In/Idea.md': '[own](../Out/Far.md)\n',
  'Out/Far.md': '',
  'Heading.md': '[[Idea#Part|words]]\n',
  'Markdown.md': '[a](In/Idea.md#Part) [b](<In/Idea.md> "title")\n',
  'Property.md': '---\nup: "[[In/Idea]]"\n---\n| a |\n| --- |\n| [[In/Idea\\|x]] |\n',
  'Secret/Hidden.md': '[[In/Idea]]\n',
  'Map.canvas': '{"nodes":[{"id":"1","type":"file","file":"In/Idea.md"}],"edges":[]}',
  'Secret/Map.canvas': '{"nodes":[{"id":"1","type":"file","file":"In/Idea.md"}],"edges":[]}',
};
const settings = { excludedFolders: ['Secret'] };
const input = { source: 'In/Idea.md', destination: 'Out/Plan.md' };

it('move counts the links of every kind that the host has updated', async () => {
  await using bench = await folderBench(KINDS, { settings });
  expect(await bench.expectSuccess('move', input)).toBe(
    'Moved In/Idea.md to Out/Plan.md. 5 links in 3 notes and 1 card in Map.canvas now point to the new path.',
  );
  expect(await bench.textOf('Map.canvas')).toContain('"Out/Plan.md"');
});

it('move names the links that the host has not updated', async () => {
  await using bench = await folderBench(KINDS, { settings });
  const { notes } = bench;
  const move = notes.move.bind(notes);
  notes.move = async (path, to) => {
    const moved = await move(path, to);
    for (const [each, before] of Object.entries(KINDS)) {
      const place = each === path ? to : each;
      await notes.change(place, await textOf(bench, place), before);
    }
    return moved;
  };
  expect(await bench.expectSuccess('move', { ...input, destination: 'Plan.md' })).toBe(
    'Moved In/Idea.md to Plan.md. 5 links and 1 card still have the old path: [[Idea#Part|words]] in Heading.md; [a](In/Idea.md#Part), [b](<In/Idea.md> "title") in Markdown.md; [[In/Idea]], [[In/Idea\\|x]] in Property.md; a card in Map.canvas. Whether Obsidian updates links is a setting of the user\'s. 1 link in it no longer leads where it did: [own](../Out/Far.md).',
  );
});
