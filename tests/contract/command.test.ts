/** Asks the contract questions in a vault with other notes, by the command of a development build. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';
import '#workbench/boot-headless';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { openHost, type Files } from '#tests/builders/workbench-host';
import { developmentBuild } from '../workbench/build/development-build.mjs';
import { QUESTIONS } from './questions';
import { askInScratchFolder } from './report';

/** Notes with the names that questions use. */
const NOTES: Files = {
  'A.md': 'Mine. [[Old]]',
  'x/Old.md': 'Mine.',
  'a.bin': 'AB',
  'cat.png': '',
  '.hidden/A.md': 'Mine.',
  'parley-contract-questions/Mine.md': 'Mine.',
};

afterEach(() => vi.unstubAllGlobals());

/** Text and time of every file that the user has. */
function filesIn(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = found.filter((file) => !/^\.(?:obsidian|trash|smarthole)\b/.test(file)).sort();
  return Object.fromEntries(
    files.map((file) => {
      const full = path.join(folder, file);
      const stats = statSync(full);
      return [file, stats.isFile() ? `${stats.mtimeMs} ${readFileSync(full, 'utf8')}` : 'folder'];
    }),
  );
}

interface WithCommands {
  readonly commands: { executeCommandById(id: string): boolean };
}

test('the command of a development build copies a report of all contract questions, and leaves all other files alone', async () => {
  const pluginDir = temporaryFolder('development');
  await build(developmentBuild(pluginDir));
  await using host = await openHost(NOTES, '', { pluginDir });
  const before = filesIn(host.folder);
  const copied = new Promise<string>((resolve) => {
    const clipboard = { writeText: async (text: string) => resolve(text) };
    vi.stubGlobal('navigator', { userAgent: 'Headless', clipboard });
  });
  const { commands } = host.app as unknown as WithCommands;
  expect(commands.executeCommandById('parley:ask-contract-questions')).toBe(true);

  const report = await copied;
  const results = new Map(
    [...report.matchAll(/^\| (.+) \| (passed|failed|skipped) \| (.+) \| \d+ \|$/gm)].map(
      ([, name, result, answer]) => [name, { result, answer }],
    ),
  );
  expect(report).toMatch(/^- Result: \d+ passed, 0 failed, \d+ skipped$/m);
  for (const { name, onScreen, ownVault } of QUESTIONS) {
    const reason = ownVault ?? (onScreen ? 'It needs a screen.' : null);
    expect([name, results.get(name.replaceAll('`', "'"))]).toEqual([
      name,
      reason === null
        ? { result: 'passed', answer: expect.anything() as unknown }
        : { result: 'skipped', answer: reason },
    ]);
  }
  await expect
    .poll(() => host.notices.map(({ text }) => text))
    .toContainEqual(
      expect.stringMatching(
        /^Result: \d+ passed, 0 failed, \d+ skipped\. The report is in the clipboard\.$/,
      ),
    );
  expect(filesIn(host.folder)).toEqual(before);
  expect(host.errors).toEqual([]);
});

test('the scratch folder of the contract questions is trashed if they cannot be asked', async () => {
  await using host = await openHost(NOTES);
  const before = filesIn(host.folder);
  const made: string[] = [];
  const asking = askInScratchFolder(host.plugin, (folder) => {
    made.push(folder);
    throw new Error('no folder');
  });
  await expect(asking).rejects.toThrow('no folder');
  expect(made).toEqual(['parley-contract-questions-2']);
  expect(filesIn(host.folder)).toEqual(before);
});
