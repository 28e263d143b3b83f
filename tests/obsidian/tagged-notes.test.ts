import { hasTag } from '#text/tags';
import { expect, test } from 'vitest';
import { folderBench } from '#tests/builders/tools';

const FILES = {
  'A.md': '---\ntags: [private]\n---\n',
  'B.md': 'Text #Private/health.\n',
  'C.md': 'Text #privately.\n',
  'D.md': 'Text.\n',
};

/** Waits for a condition: the host reports a change after it has read the note again. */
async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error('It was never told.');
}

test('the set of notes with a tag follows changes, renames and deletions', async () => {
  await using bench = await folderBench(FILES);
  const { metadata, app } = bench;
  const tagged = async () => [...(await metadata.tagged('private'))].sort();
  expect(await tagged()).toEqual(['A.md', 'B.md']);
  expect(await metadata.tagged('private')).toBe(await metadata.tagged('private'));
  expect(hasTag(metadata.tagsOf('B.md'), 'private')).toBe(true);
  expect(hasTag(metadata.tagsOf('C.md'), 'private')).toBe(false);

  const file = (path: string) => app.vault.getFileByPath(path)!;
  await app.vault.modify(file('D.md'), 'Text #private\n');
  await app.vault.modify(file('A.md'), 'Text.\n');
  await app.fileManager.renameFile(file('B.md'), 'E.md');
  await waitUntil(async () => (await tagged()).join() === 'D.md,E.md');
  expect(await Promise.all([tagged(), tagged()])).toEqual([
    ['D.md', 'E.md'],
    ['D.md', 'E.md'],
  ]);

  await app.vault.delete(file('D.md'));
  await waitUntil(async () => (await tagged()).join() === 'E.md');
  expect([...(await metadata.tagged('privately'))]).toEqual(['C.md']);
  expect([...(await metadata.tagged(''))]).toEqual([]);
});

test('notes that Obsidian has not indexed yet are judged by their texts before they are listed', async () => {
  await using bench = await folderBench(FILES, { waitForIndex: false });
  const { metadata, app } = bench;
  const listed = async () => (await bench.call('list_files', {})).text.match(/\w+\.md/g)?.sort();
  // The index knows nothing, and so says of no note that it has the tag.
  expect([...metadata.behind()]).toEqual(Object.keys(FILES));
  expect([...(await metadata.tagged('private'))]).toEqual([]);
  expect(await listed()).toEqual(['C.md', 'D.md']);

  await waitUntil(async () => metadata.behind().size === 0);
  expect([...(await metadata.tagged('private'))].sort()).toEqual(['A.md', 'B.md']);
  expect(await listed()).toEqual(['C.md', 'D.md']);

  await app.vault.create('New.md', 'Text #private.\n');
  await app.vault.modify(app.vault.getFileByPath('D.md')!, 'Text #private.\n');
  expect(await listed()).toEqual(['C.md']);
});

test('template folders come from the settings of the plugins that use them', async () => {
  await using bench = await folderBench({
    ...FILES,
    '.obsidian/templates.json': '{"folder":"Templates"}',
    '.obsidian/daily-notes.json': '{"template":"Daily/Template","folder":"Daily"}',
    '.obsidian/plugins/templater-obsidian/data.json':
      '{"templates_folder":"Forms","user_scripts_folder":"Scripts","trigger":true}',
  });
  expect([...(await bench.metadata.templateFolders())].sort()).toEqual([
    'Daily/Template',
    'Forms',
    'Scripts',
    'Templates',
  ]);
});

test('damaged or missing settings of other plugins yield no template folder', async () => {
  await using bench = await folderBench({ ...FILES, '.obsidian/templates.json': '{"folder":' });
  expect(await bench.metadata.templateFolders()).toEqual([]);
});
