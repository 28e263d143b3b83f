/** Many files read at once, by workers and without them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileReader } from '#obsidian/platform/file-reader';
import type { NodeModules } from '#obsidian/platform/node-modules';
import type { FileBatch } from '#ports/vault';
import { NODE } from '#tests/builders/node-modules';
import { temporaryFolder } from '#tests/builders/temporary-folder';

/** By name; null for what cannot be read. */
const FILES = new Map<string, string | null>([
  ['empty.md', ''],
  ['umlauts.md', 'äöü'],
  ['gone.md', null],
  ['folder.md', null],
  ['long.md', 'x'.repeat(9_000_001)],
  ...Array.from({ length: 300 }, (_, at) => [`${at}.md`, `note ${at}`] as const),
]);

const folder = temporaryFolder('read-many');
mkdirSync(path.join(folder, 'folder.md'));
for (const [name, text] of FILES) if (text !== null) writeFileSync(path.join(folder, name), text);

const adapter = { getFullPath: (name: string) => path.join(folder, name) };

function textsOf({ bytes, starts, lengths }: FileBatch): (string | null)[] {
  return Array.from(lengths, (length, place) =>
    length < 0 ? null : new TextDecoder().decode(new Uint8Array(bytes, starts[place], length)),
  );
}

/** As in a worker of the workbench's page. */
const NO_FILES = `
  const find = require;
  require = (name) => {
    if (name === 'fs') throw new Error('There is no fs.');
    return find(name);
  };`;

const ENDS = `
  require('node:worker_threads').parentPort.once('message', () => process.exit(1));`;

/** Node whose workers have this program before their own. */
function nodeWithWorkers(before: string): NodeModules {
  class OtherWorker extends NODE.threads.Worker {
    constructor(program: string | URL, options: object) {
      super(`${before}\n${String(program)}`, options);
    }
  }
  return { ...NODE, threads: { ...NODE.threads, Worker: OtherWorker } };
}

test.each([
  ['workers', NODE],
  ['this thread if workers have no files', nodeWithWorkers(NO_FILES)],
  ['this thread if workers fail', nodeWithWorkers('throw new Error("broken");')],
  ['this thread if workers end while they read', nodeWithWorkers(ENDS)],
  ['this thread without workers', { ...NODE, threads: {} as NodeModules['threads'] }],
])('files are read whole and in their order by %s', async (_, node) => {
  const read = fileReader(node, adapter);
  const names = [...FILES.keys()];
  const requests = [names, names.slice(0, 3), [...names, null], names.toReversed()];
  const found = await Promise.all(requests.map((request) => read(request)));
  expect(found.map(textsOf)).toEqual(
    requests.map((request) => request.map((name) => (name === null ? null : FILES.get(name)))),
  );
});
