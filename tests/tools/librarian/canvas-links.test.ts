import { describe, expect, test } from 'vitest';
import { BENCHES, folderBench } from '#tests/builders/tools';

/** A canvas with these text cards, and cards that show these files. */
function canvas(texts: readonly string[], files: readonly object[] = []): string {
  const nodes = [
    ...texts.map((text) => ({ type: 'text', text })),
    ...files.map((file) => ({ type: 'file', ...file })),
  ];
  return JSON.stringify({ nodes: nodes.map((node, at) => ({ id: `${at}`, ...node })), edges: [] });
}

const TEXTS = [
  'See [[Garden]] and\n\n[beds](Garden.md#Beds).',
  '`[[Garden]]` [[Gardn|x]] [[Hidden]] [[Garden#Pond]]',
];
const FILES = {
  'Garden.md': '# Garden\n\n## Beds\n\nBeans.\n',
  'Map.canvas': canvas(TEXTS, [{ file: 'Garden.md', subpath: '#Paths' }, { file: 'Gone.md' }]),
  'Broken.canvas': '{"nodes": [',
  'Secret/Hidden.md': '[[Garden]]\n',
  'Secret/Map.canvas': canvas(['[[Garden]] [[Nowhere]]']),
};
const settings = { excludedFolders: ['Secret'] };

describe.each(BENCHES)('Links in canvases %s', (_, open) => {
  test('get_links and get_file_info show links of visible canvases, both ways', async () => {
    await using bench = await open(FILES, { settings });
    expect(await bench.expectSuccess('get_links', { path: 'Garden.md' })).toBe(
      'Garden.md\nLinks to: none\nLinked from (1):\n- Map.canvas (in a card)',
    );
    expect(await bench.expectSuccess('get_file_info', { path: 'Garden.md' })).toContain(
      'Linked from (1): Map.canvas\n',
    );
    expect(await bench.expectSuccess('get_links', { path: 'Map.canvas', direction: 'out' })).toBe(
      'Map.canvas\nLinks to (1):\n- Garden.md\nBroken links (3):\n- Gone.md\n- [[Gardn|x]]\n- [[Hidden]]',
    );
  });

  test('find_dead_links finds broken links in the cards of visible canvases', async () => {
    await using bench = await open(FILES, { settings });
    const told = await bench.expectSuccess('find_dead_links', {});
    expect(told.split('\n')).toEqual([
      '5 links that lead nowhere:',
      'Map.canvas: [[Gardn|x]] in a card, close: Garden.md',
      'Map.canvas: [[Hidden]] in a card',
      'Map.canvas: a card of Gone.md',
      'Map.canvas: [[Garden#Pond]] in a card, no such heading in Garden.md',
      'Map.canvas: a card of Garden.md, no such heading in Garden.md',
    ]);
    expect(await bench.expectSuccess('find_dead_links', { path: 'Garden.md' })).toContain(
      'No broken links',
    );
  });

  test('a change that takes a heading says which links in cards led to it, and its call redirects them', async () => {
    const board = canvas(['[[Garden#Beds|"my" beds]]']);
    await using bench = await open({ ...FILES, 'Board.canvas': board }, { settings });
    const edits = [{ old_text: '## Beds', new_text: '## Borders' }];
    const said = await bench.expectSuccess('edit_file', { path: 'Garden.md', edits });
    expect(said).toContain(
      '2 links in Board.canvas, Map.canvas lead to the heading "Beds", which is gone.',
    );
    const call = JSON.parse(/such as (\{.*\})\./.exec(said)?.[1] ?? '') as object;
    await bench.expectSuccess('redirect_links', call);
    expect(await bench.textOf('Board.canvas')).toBe(board.replace('#Beds', '#Borders'));
  });

  test('a change that takes a heading counts the cards that show it', async () => {
    const board = canvas([], [{ file: 'Garden.md', subpath: '#Beds' }]);
    const { 'Map.canvas': _, ...others } = FILES;
    await using bench = await open({ ...others, 'Board.canvas': board }, { settings });
    const edits = [{ old_text: '## Beds', new_text: '## Borders' }];
    const said = await bench.expectSuccess('edit_file', { path: 'Garden.md', edits });
    expect(said).toContain(
      'Note: 1 link in Board.canvas leads to the heading "Beds", which is gone. Redirect it with redirect_links, such as {"from":"Garden.md#Beds","to":"Garden.md#Borders"}.',
    );
  });

  test('a new note says which links in cards it took over, and its call gives them back', async () => {
    const board = canvas(['[[Mint]] [[Mint|"tea"]]'], [{ file: 'Food/Mint.md' }]);
    const files = { 'Food/Mint.md': 'x\n', 'Board.canvas': board, 'Secret/Map.canvas': board };
    await using bench = await open(files, { settings });
    const said = await bench.expectSuccess('write_file', { path: 'Mint', content: 'New.\n' });
    expect(said).toContain(
      'Note: 2 links in Board.canvas led to Food/Mint.md and now lead to Mint.md.',
    );
    const call = JSON.parse(/such as (\{.*\})\./.exec(said)?.[1] ?? '') as object;
    await bench.expectSuccess('edit_file', call);
    expect(await bench.textOf('Board.canvas')).toBe(board.replace('[[Mint]]', '[[Food/Mint]]'));
  });
});

test('move counts the links in cards, and names those that still have the old path', async () => {
  const map = canvas(['[[Idea#Part|a]] [[In/Idea]]'], [{ file: 'In/Idea.md' }]);
  const files = { 'In/Idea.md': '', 'Map.canvas': map, 'Secret/Map.canvas': map };
  await using bench = await folderBench(files, { settings });
  const moved = { source: 'In/Idea.md', destination: 'Out/' };
  expect(await bench.expectSuccess('move', moved)).toBe(
    "Moved In/Idea.md to Out/Idea.md. 1 link in cards of Map.canvas and 1 card in Map.canvas now point to the new path. 1 link still has the old path: [[In/Idea]] in a card of Map.canvas. Whether Obsidian updates links is a setting of the user's.",
  );
  const renamed = { source: 'Out/Idea.md', destination: 'Out/Plan.md' };
  expect(await bench.expectSuccess('move', renamed)).toBe(
    "Moved Out/Idea.md to Out/Plan.md. 1 card in Map.canvas now points to the new path. 1 link still has the old path: [[Idea#Part|a]] in a card of Map.canvas. Whether Obsidian updates links is a setting of the user's.",
  );
});
