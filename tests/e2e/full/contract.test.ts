/** Asks the browser host every contract question that needs no Node. */
import { START_FILES } from '#tests/contract/start-files';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildContractPlugin, MANIFEST } from '#tests/contract/bundle';
import type ContractPlugin from '#tests/contract/asker';
import { nodeFolder } from '#tests/contract/folder';
import type { Folder } from '#tests/contract/question';
import { QUESTIONS } from '#tests/contract/questions';
import { writeFiles } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { openWorkbench, type OpenedWorkbench } from '#tests/e2e/driver';

let workbench: OpenedWorkbench;
/** Number of faults that earlier questions have reported. */
let known = 0;

beforeAll(async () => {
  const pluginDir = temporaryFolder('contract');
  writeFiles(pluginDir, {
    'main.js': await buildContractPlugin(),
    'manifest.json': JSON.stringify(MANIFEST),
  });
  workbench = await openWorkbench({ pluginDir, sample: false, files: START_FILES });
  const folder = nodeFolder(workbench.vault);
  const { page } = workbench;
  await page.exposeFunction(
    'atFolder',
    (what: 'read' | 'write' | 'remove' | 'list', ...args: string[]) =>
      (folder[what] as (...given: string[]) => Promise<unknown>)(...args),
  );
});

afterAll(() => workbench[Symbol.asyncDispose]());

interface InPage {
  app: { plugins: { plugins: { contract: ContractPlugin } } };
  atFolder(what: string, ...args: string[]): Promise<never>;
}

test.each(QUESTIONS.filter(({ needsNode }) => !needsNode))('$name', async ({ name, answer }) => {
  const { page, vault } = workbench;
  const given = await page.evaluate(
    ([question, base]) => {
      const { app, atFolder } = window as unknown as InPage;
      const folder: Folder = {
        base,
        read: (path) => atFolder('read', path),
        write: (path, text) => atFolder('write', path, text),
        remove: (path) => atFolder('remove', path),
        list: () => atFolder('list'),
      };
      return app.plugins.plugins.contract.answer(question, folder);
    },
    [name, vault] as const,
  );
  const faults = await workbench.faults();
  const fresh = faults.slice(known);
  known = faults.length;
  expect([given, fresh]).toEqual([answer, []]);
});
