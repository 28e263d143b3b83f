import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { bootHeadless } from '#workbench/boot-headless';
import type { CommandTarget } from '#workbench/headless/commands';
import { writeFiles } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { ensureBuilt } from '../workbench/build/ensure-built.mjs';

const FOLDER = '.obsidian/plugins/parley';

test('a settings file that is not JSON is kept aside and replaced by the defaults', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { pluginDir } = await ensureBuilt();
  const vault = temporaryFolder('damaged');
  writeFiles(vault, { [`${FOLDER}/data.json`]: '{"stepsPerTurn": 9,' });
  const host = await bootHeadless({ vault, pluginDir });
  const agent = await (host.plugin as unknown as CommandTarget).agent;
  const { problems } = await agent.state();
  await agent.settings.set({ stepsPerTurn: 12 });
  await host.close();
  said.mockRestore();

  const text = (name: string) => readFileSync(path.join(vault, FOLDER, name), 'utf8');
  expect(text('data.damaged.json')).toBe('{"stepsPerTurn": 9,');
  expect(JSON.parse(text('data.json'))).toMatchObject({ settings: { stepsPerTurn: 12 } });
  expect(problems).toEqual([expect.stringContaining('It was kept as')]);
});

test('settings apply once their file can be read, if it is locked at the start', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { pluginDir } = await ensureBuilt();
  const vault = temporaryFolder('locked');
  const saved = { version: 1, settings: { excludedFolders: ['Diary'] } };
  writeFiles(vault, { [`${FOLDER}/data.json`]: JSON.stringify(saved), 'Diary/May.md': 'secret' });
  let refusals = 3;
  const isLocked = (file: string) => file.endsWith('data.json') && refusals-- > 0;
  const host = await bootHeadless({ vault, pluginDir, isLocked });
  const agent = await (host.plugin as unknown as CommandTarget).agent;
  expect(agent.settings.current().excludedFolders).toEqual(['Diary']);
  await agent.settings.set({ stepsPerTurn: 12 });
  await host.close();
  said.mockRestore();
  expect(JSON.parse(readFileSync(path.join(vault, FOLDER, 'data.json'), 'utf8'))).toMatchObject({
    settings: { excludedFolders: ['Diary'], stepsPerTurn: 12 },
  });
  expect(readdirSync(path.join(vault, FOLDER))).not.toContain('data.damaged.json');
});

test('settings of another version apply as far as they are known, and a copy is kept', async () => {
  const { pluginDir } = await ensureBuilt();
  const vault = temporaryFolder('other-version');
  const newer = { version: 9, settings: { excludedFolders: ['Diary'], ofTomorrow: 'kept' } };
  writeFiles(vault, { [`${FOLDER}/data.json`]: JSON.stringify(newer), 'Diary/May.md': 'secret' });
  const host = await bootHeadless({ vault, pluginDir });
  const agent = await (host.plugin as unknown as CommandTarget).agent;
  const { problems } = await agent.state();
  await agent.settings.set({ stepsPerTurn: 12 });
  await host.close();

  const saved = (name: string): unknown =>
    JSON.parse(readFileSync(path.join(vault, FOLDER, name), 'utf8'));
  expect(saved('data.copy.json')).toEqual(newer);
  expect(saved('data.json')).toMatchObject({
    settings: { stepsPerTurn: 12, excludedFolders: ['Diary'] },
  });
  expect(problems).toEqual(expect.arrayContaining([expect.stringContaining('data.copy.json')]));
});
