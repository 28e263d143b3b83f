import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { writePictures } from '#tests/pictures';

const IMAGES = path.resolve(import.meta.dirname, '../../../docs/images');

test('the pictures of the documents can be taken again, without an error in their pages', async () => {
  const folder = temporaryFolder('images');
  const { faults } = await writePictures(folder);
  expect(faults).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(readdirSync(IMAGES).sort());
});
