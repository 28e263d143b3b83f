/** Asks the contract questions in the open vault of the browser host, which has other notes. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type ContractPlugin from '#tests/contract/asker';
import { buildContractPlugin, MANIFEST } from '#tests/contract/bundle';
import { nodeFolder } from '#tests/contract/folder';
import type { Folder } from '#tests/contract/question';
import { writeFiles } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { openWorkbench } from '#tests/e2e/driver';

interface InPage {
  app: {
    plugins: { plugins: { contract: ContractPlugin } };
    workspace: { getActiveFile(): { path: string } | null };
  };
  atScratch(folder: string, what: string, ...args: string[]): Promise<never>;
}

test('every contract question that needs no vault of its own is answered beside other notes', async () => {
  const pluginDir = temporaryFolder('contract');
  writeFiles(pluginDir, {
    'main.js': await buildContractPlugin(),
    'manifest.json': JSON.stringify(MANIFEST),
  });
  await using workbench = await openWorkbench({ pluginDir, files: { 'A.md': 'Mine.' } });
  const { page, vault } = workbench;
  const before = await nodeFolder(vault).list();
  await page.exposeFunction(
    'atScratch',
    (folder: string, what: 'read' | 'write' | 'remove' | 'list', ...args: string[]) =>
      (nodeFolder(path.join(vault, folder))[what] as (...given: string[]) => Promise<unknown>)(
        ...args,
      ),
  );
  const [report, shown] = await page.evaluate(async (base) => {
    const { app, atScratch } = window as unknown as InPage;
    const open = (folder: string): Folder => ({
      base,
      read: (file) => atScratch(folder, 'read', file),
      write: (file, text) => atScratch(folder, 'write', file, text),
      remove: (file) => atScratch(folder, 'remove', file),
      list: () => atScratch(folder, 'list'),
    });
    const active = app.workspace.getActiveFile()?.path;
    const text = await app.plugins.plugins.contract.report(open);
    return [text, [active, app.workspace.getActiveFile()?.path]];
  }, vault);
  expect(report.match(/^## Failed[^|]*/gm)).toBeNull();
  expect(report).toMatch(/^- Result: \d{3} passed, 0 failed, \d\d skipped$/m);
  expect(report).not.toContain('It needs a screen.');
  expect(shown[1]).toBe(shown[0]);
  const after = await nodeFolder(vault).list();
  expect(after.filter((file) => !file.startsWith('.trash/'))).toEqual(before);
});
