import { describe, expect, test } from 'vitest';
import { BENCHES, memoryBench } from '#tests/builders/tools';

const GARDEN = '# Garden\n\n## Beds\n\nBeans. ^beans\n\n## Paths\n\nSee [[#Beds]].\n';
const FILES = {
  'Garden.md': GARDEN,
  'A.md': '[[Garden#beds|here]] and [x](Garden.md#Beds), not [[Garden#Paths]].\n',
  'B.md': '---\nup: "[[Garden#Beds]]"\n---\n| a |\n| --- |\n| [[Garden#^beans\\|b]] |\n',
  'C.md': '`[[Garden#Beds]]`\n',
  'Secret/D.md': '[[Garden#Beds]] [[Garden#^beans]]\n',
};
const excluded = { excludedFolders: ['Secret'] };

const edit = (path: string, old_text: string, new_text: string) => ({
  path,
  edits: [{ old_text, new_text }],
});

describe.each(BENCHES)('The result of a change %s', (_, open) => {
  test('says which links lead to a renamed heading, and how to redirect them', async () => {
    await using bench = await open(FILES, { settings: excluded });
    const said = await bench.expectSuccess('edit_file', edit('Garden.md', '## Beds', '## Borders'));
    expect(said).toContain(
      'Note: 4 links in A.md, B.md, Garden.md lead to the heading "Beds", which is gone. Redirect them with redirect_links, such as {"from":"Garden.md#Beds","to":"Garden.md#Borders"}.',
    );
    expect(said).not.toContain('Secret');
  });

  test('says in Review that links would lead to no block', async () => {
    await using bench = await open(FILES, { settings: { ...excluded, panelMode: 'review' } });
    const said = await bench.expectSuccess('edit_file', edit('Garden.md', ' ^beans', ''));
    expect(said).toContain(
      'Note: 1 link in B.md leads to the block ^beans, which will be gone once the change is accepted. Redirect it with redirect_links, such as {"from":"Garden.md#^beans","to":"Garden.md"}.',
    );
  });

  test('counts the links to each heading and block that a new text does not have', async () => {
    await using bench = await open(FILES, { settings: excluded });
    await bench.expectSuccess('read_file', { path: 'Garden.md' });
    const said = await bench.expectSuccess('write_file', { path: 'Garden.md', content: 'New.\n' });
    expect(said).toContain('3 links in A.md, B.md lead to the heading "Beds", which is gone.');
    expect(said).toContain('1 link in B.md leads to the block ^beans, which is gone.');
    expect(said).toContain('1 link in A.md leads to the heading "Paths", which is gone.');
  });

  test('says which links lead to a new note of the same name', async () => {
    await using bench = await open(
      {
        'Food/Mint.md': 'x\n',
        'Notes/A.md': '[[Mint]], [m](Mint.md) and [[Food/Mint]]\n',
        'Secret/B.md': '[[Mint]]\n',
      },
      { settings: excluded },
    );
    const said = await bench.expectSuccess('write_file', { path: 'Mint', content: 'New.\n' });
    expect(said).toContain(
      'Note: 2 links in Notes/A.md led to Food/Mint.md and now lead to Mint.md. Where Food/Mint.md is meant, name its path with edit_file, such as {"path":"Notes/A.md","edits":[{"old_text":"[[Mint]]","new_text":"[[Food/Mint]]","replace_all":true}]}.',
    );
    expect(said).not.toContain('Secret');
  });

  test('says which links lead to a renamed note if the host does not update them', async () => {
    const text = '![p](Food/Mint.md) ![[Mint]]\n';
    await using bench = await open({ 'Food/Mint.md': 'x\n', 'A.md': text, 'Plan.md': 'x\n' });
    const { notes } = bench;
    const move = notes.move.bind(notes);
    notes.move = async (path, to) => {
      const moved = await move(path, to);
      await notes.change('A.md', await bench.textOf('A.md'), text);
      return moved;
    };
    const said = await bench.expectSuccess('move', { source: 'Plan', destination: 'Mint' });
    expect(said).toContain('Note: 1 link in A.md led to Food/Mint.md and now leads to Mint.md.');
    expect(said).toContain('"old_text":"![[Mint]]","new_text":"![[Food/Mint]]"');
  });

  test('says nothing of a hidden note whose links a new note takes over', async () => {
    await using bench = await open(
      { 'Secret/Mint.md': 'x\n', 'A.md': '[[Mint]]\n' },
      { settings: excluded },
    );
    const said = await bench.expectSuccess('write_file', { path: 'Mint', content: 'New.\n' });
    expect(said).not.toContain('Note:');
  });
});

test.each([
  ['a heading that is there twice', '# A\n\n# A\n', '\n# A\n', '\n'],
  ['a heading in other case and punctuation', '# A: b\n', '# A: b', '# a, B'],
  ['a heading that goes to another place', '# A\n\nText.\n', '# A\n\nText.', 'Text.\n\n# A'],
  ['a heading without links', '# A\n\n# B\n', '# B', '# C'],
])('The result of a change says nothing of links to %s', async (_, text, old_text, new_text) => {
  await using bench = memoryBench({ 'N.md': text, 'L.md': '[[N#A]] [[N#A b]] [[N#Gone]]\n' });
  expect(await bench.expectSuccess('edit_file', edit('N.md', old_text, new_text))).not.toContain(
    'Note:',
  );
});

test('The result of a change knows links to headings below others', async () => {
  await using bench = memoryBench({
    'N.md': '# Top\n\n## Sub\n\n# Other\n',
    'L.md': '[[N#Top#Sub]] [[N#Other#Sub]] [x](N.md#Top%20#Sub)\n',
  });
  const said = await bench.expectSuccess('edit_file', edit('N.md', '# Top', '# First'));
  expect(said).toContain('Note: 2 links in L.md lead to the heading "Top > Sub", which is gone.');
});
