/** Many files read at once, of which some have changed since they were listed. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileReader } from '#obsidian/platform/file-reader';
import { NODE } from '#tests/builders/node-modules';
import { temporaryFolder } from '#tests/builders/temporary-folder';

test('files are read whole whether or not they have the size that was expected', async () => {
  const folder = temporaryFolder('files');
  const texts = {
    'same.md': 'äöü',
    'grown.md': 'x'.repeat(3_000_000),
    'shrunk.md': '',
    'b.md': 'b',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text);
  const read = fileReader(NODE, { getFullPath: (name) => path.join(folder, name) });
  const { bytes, parts } = await read([
    { path: 'same.md', size: 6 },
    { path: 'gone.md', size: 4 },
    { path: 'grown.md', size: 10 },
    null,
    { path: 'shrunk.md', size: 20 },
    { path: 'b.md', size: 1 },
  ]);
  const found = parts.map(({ at, length }) =>
    length < 0 ? null : new TextDecoder().decode(new Uint8Array(bytes, at, length)),
  );
  expect(found).toEqual([
    texts['same.md'],
    null,
    texts['grown.md'],
    null,
    texts['shrunk.md'],
    texts['b.md'],
  ]);
});
