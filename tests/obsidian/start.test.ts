/** How the plugin starts while Obsidian restores the layout of the last run. */
import type { Plugin, WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import { expect, test, vi } from 'vitest';
import { bootHeadless } from '#workbench/boot-headless';
import type { CommandTarget } from '#workbench/headless/commands';
import { writeFiles } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { ensureBuilt } from '../workbench/build/ensure-built.mjs';

const CHAT = 'section[aria-label="Chat"]';

const leaf = (type: string) => ({ type: 'leaf', state: { type, state: {} } });
const tabs = (shown: number, ...types: string[]) => ({
  type: 'tabs',
  currentTab: shown,
  children: types.map(leaf),
});
const split = (...children: object[]) => ({ type: 'split', children });

const LAYOUTS = {
  'in a sidebar': { right: split(tabs(0, 'parley-chat')) },
  'behind another tab': { right: split(tabs(1, 'parley-chat', 'outline')) },
  'in a collapsed sidebar': { right: { ...split(tabs(0, 'parley-chat')), collapsed: true } },
  'in the main area': { main: split(tabs(0, 'parley-chat')) },
  'in a window of its own': {
    floating: {
      type: 'floating',
      children: [{ type: 'window', children: [tabs(0, 'parley-chat')] }],
    },
  },
  twice: { main: split(tabs(0, 'parley-chat')), right: split(tabs(0, 'parley-chat')) },
};

/** Starts the built plugin in a vault whose last layout had a chat. */
async function start(
  layout: object,
  onLoaded?: (plugin: Plugin) => void,
  isLocked: (path: string) => boolean = () => false,
) {
  const { pluginDir } = await ensureBuilt();
  const vault = temporaryFolder('start');
  const data = JSON.stringify({ version: 1, settings: {} });
  writeFiles(vault, {
    '.obsidian/workspace.json': JSON.stringify(layout),
    '.obsidian/plugins/parley/data.json': data,
  });
  const host = await bootHeadless({ vault, pluginDir, isLocked, ...(onLoaded && { onLoaded }) });
  const chats = host.app.workspace.getLeavesOfType('parley-chat');
  const part = (at: number, selector: string) =>
    chats[at]?.view?.containerEl.querySelector<HTMLElement>(selector) ?? null;
  return { ...host, vault, chats, part };
}

test.each(Object.entries(LAYOUTS))(
  'a chat that was open %s does not delay the layout, and opens',
  async (_place, layout) => {
    const { chats, part, ...host } = await start(layout);
    expect(host.errors.map(String)).toEqual([]);
    expect(chats.length).toBeGreaterThan(0);
    for (const [at, chat] of chats.entries()) {
      await host.app.workspace.revealLeaf(chat);
      await expect.poll(() => part(at, CHAT)).not.toBeNull();
      expect(part(at, '.parley-starting')).toBeNull();
    }
    await host.close();
  },
);

test('a failure to start is shown in the chat, and the start can be tried again', async () => {
  let isBroken = true;
  const { part, ...host } = await start(LAYOUTS['in a sidebar'], ({ app }) => {
    const { loadLocalStorage } = app;
    app.loadLocalStorage = (key) => {
      if (isBroken) throw new Error('The storage is broken.');
      return loadLocalStorage.call(app, key);
    };
  });
  await expect.poll(() => part(0, '[role="alert"]')?.textContent).toContain('broken');
  expect(host.notices).toEqual([]);

  isBroken = false;
  part(0, '[role="alert"] button')?.click();
  await expect.poll(() => part(0, CHAT)).not.toBeNull();
  expect(part(0, '[role="alert"]')).toBeNull();
  await host.close();
});

test('two chats that try to start again build one app', async () => {
  let isBroken = true;
  let built = 0;
  const { part, ...host } = await start(LAYOUTS.twice, ({ app }) => {
    const { loadLocalStorage } = app;
    app.loadLocalStorage = (key) => {
      if (isBroken) throw new Error('The storage is broken.');
      if (key === 'parley-device') built += 1;
      return loadLocalStorage.call(app, key);
    };
  });
  for (const at of [0, 1]) await expect.poll(() => part(at, '[role="alert"]')).not.toBeNull();
  isBroken = false;
  for (const at of [0, 1]) {
    part(at, '[role="alert"] button')?.click();
    await expect.poll(() => part(at, CHAT)).not.toBeNull();
  }
  expect(built).toBe(1);
  await host.close();
});

test('a failure to start is shown as a notice while no chat is open', async () => {
  const { notices, ...host } = await start({}, ({ app }) => {
    app.loadLocalStorage = () => {
      throw new Error('The storage is broken.');
    };
  });
  await expect
    .poll(() => notices.map(({ text }) => text))
    .toEqual([expect.stringMatching(/^Parley could not start\. .*broken/)]);
  await host.close();
});

test('a locked keychain is reported in the chat, which works without keys', async () => {
  const { part, ...host } = await start(LAYOUTS['in a sidebar'], ({ app }) => {
    app.secretStorage.getSecret = () => {
      throw new Error('The keychain is locked.');
    };
  });
  const agent = await (host.plugin as unknown as CommandTarget).agent;
  await expect.poll(() => part(0, CHAT)).not.toBeNull();
  expect((await agent.state()).problems).toEqual([expect.stringContaining('keychain is locked')]);
  await agent.queue.send({ text: 'Hello' });
  expect((await agent.state()).problems).toContainEqual(
    expect.stringMatching(/^The system’s keychain is locked or missing, so Parley cannot tell/),
  );
  await host.close();
});

test('a chat closes when the plugin is disabled before the layout is ready', async () => {
  const { chats, ...host } = await start({ right: split(tabs(1, 'parley-chat', 'outline')) });
  const view = chats[0]?.view;
  host.plugin.unload();
  await host.app.workspace.revealLeaf(chats[0] as WorkspaceLeaf);
  expect(view?.getViewType()).toBe('parley-chat');
  expect(host.errors).toEqual([]);
  await host.close();
});

test('commands after a failed start show the failure in a chat', async () => {
  const rejected: unknown[] = [];
  const onRejection = (error: unknown) => void rejected.push(error);
  process.on('unhandledRejection', onRejection);
  const { app, ...host } = await start({}, ({ app: { loadLocalStorage }, app: broken }) => {
    broken.loadLocalStorage = (key) => {
      if (key === 'parley-device') throw new Error('The storage is broken.');
      return loadLocalStorage.call(broken, key);
    };
  });
  await expect.poll(() => host.notices).toHaveLength(1);
  for (const id of ['parley:export-all-chats', 'parley:stop', 'parley:new-chat']) {
    app.commands.executeCommandById(id);
    const shown = () =>
      app.workspace
        .getLeavesOfType('parley-chat')
        .map(({ view }) => view?.containerEl.querySelector('[role="alert"]')?.textContent);
    await expect.poll(shown).toEqual([expect.stringContaining('broken')]);
    for (const leaf of app.workspace.getLeavesOfType('parley-chat')) leaf.detach();
  }
  await host.close();
  process.off('unhandledRejection', onRejection);
  expect(rejected).toEqual([]);
});

test('no app is built once the plugin was unloaded during its start', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let isHeld = true;
  const read: string[] = [];
  let built = 0;
  const { plugin, ...host } = await start(
    {},
    ({ app: { loadLocalStorage }, app: watched }) => {
      watched.loadLocalStorage = (key) => {
        if (key === 'parley-device') built += 1;
        return loadLocalStorage.call(watched, key);
      };
    },
    (path) => {
      if (!path.endsWith('data.json')) return false;
      if (!isHeld) read.push(path);
      return isHeld;
    },
  );
  plugin.unload();
  isHeld = false;
  await expect.poll(() => read).not.toEqual([]);
  const again = await bootHeadless({
    vault: host.vault,
    pluginDir: (await ensureBuilt()).pluginDir,
  });
  await (again.plugin as unknown as CommandTarget).ready;
  expect(built).toBe(0);
  await again.close();
  await host.close();
  said.mockRestore();
});
