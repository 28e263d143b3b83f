/**
 * Starts of the built plugin in Node with no chat open, and with one in each place, in vaults with
 * no, a thousand and ten thousand chats: when the layout is ready, when the chat can be used, and
 * when the plugin has found its chats again. The fastest of all runs counts, because other load on
 * the machine only adds to a start. `--runs N` sets their number.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootHeadless } from '#workbench/boot-headless';
import { ensureBuilt } from '../workbench/build/ensure-built.mjs';
import { writeHistory } from './history';

const PLUGIN = '.obsidian/plugins/parley';
const CHATS = [0, 1_000, 10_000];
const TURNS = 2;

const leaf = (type: string) => ({ type: 'leaf', state: { type, state: {} } });
const chat = leaf('parley-chat');
/** Tabs, of which the first is in front. */
const split = (...children: object[]) => ({
  type: 'split',
  children: [{ type: 'tabs', currentTab: 0, children }],
});

/** The first one is what the others are compared with. */
const LAYOUTS = {
  'no chat': {},
  'in the sidebar': { right: split(chat) },
  'behind another tab': { right: split(leaf('outline'), chat) },
  'in the main area': { main: split(chat) },
  'in a window': {
    floating: { type: 'floating', children: [{ ...split(chat), type: 'window' }] },
  },
} as const;
type Layout = keyof typeof LAYOUTS;

/** Milliseconds since the app was opened. */
interface Start {
  readonly layout: number;
  /** Null if no chat is drawn. */
  readonly chat: number | null;
  readonly plugin: number;
}

export async function bench(
  print: (row: string) => void,
  { runs = '7' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const chats of CHATS) {
    const vault = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
    try {
      const folder = path.join(vault, PLUGIN);
      mkdirSync(path.join(folder, 'conversations'), { recursive: true });
      writeHistory(folder, chats, TURNS);
      // The first start reads every chat, since there is no index yet.
      print(`${chats} chats, without an index: ${times(await start(vault, 'in the sidebar'))}`);
      const all = new Map<Layout, Start[]>();
      for (let at = 0; at < Number(runs); at += 1) {
        for (const layout of Object.keys(LAYOUTS) as Layout[]) {
          all.set(layout, [...(all.get(layout) ?? []), await start(vault, layout)]);
        }
      }
      const closed = fastest(all.get('no chat') ?? []);
      for (const [layout, starts] of all) {
        const one = fastest(starts);
        const ratio = (one.layout / closed.layout).toFixed(2);
        print(
          `${chats} chats, ${layout}: ${times(one)}; layout ${ratio} times that without a chat`,
        );
      }
    } finally {
      rmSync(vault, { recursive: true, force: true });
    }
  }
}

async function start(vault: string, layout: Layout): Promise<Start> {
  const { pluginDir } = await ensureBuilt();
  writeFileSync(path.join(vault, '.obsidian/workspace.json'), JSON.stringify(LAYOUTS[layout]));
  const began = performance.now();
  const now = () => performance.now() - began;
  let ready = 0;
  let drawn: Promise<number | null> = Promise.resolve(null);
  const isDrawn = layout !== 'no chat' && layout !== 'behind another tab';
  const host = await bootHeadless({
    ...{ vault, pluginDir },
    onLoaded({ app: { workspace } }) {
      workspace.onLayoutReady(() => (ready = now()));
      const isThere = () =>
        workspace
          .getLeavesOfType('parley-chat')[0]
          ?.view?.containerEl.querySelector('section[aria-label="Chat"]');
      const look = async () => {
        while (!isThere()) await sleep(1);
        return now();
      };
      if (isDrawn) drawn = look();
    },
  });
  const found = (host.plugin as unknown as { ready: Promise<void> }).ready.then(now);
  const start = { layout: ready, chat: await drawn, plugin: await found };
  await host.close();
  return start;
}

function fastest(starts: readonly Start[]): Start {
  const of = (value: (start: Start) => number) => Math.min(...starts.map(value));
  return {
    layout: of((start) => start.layout),
    chat: starts.some((start) => start.chat === null) ? null : of((start) => start.chat ?? 0),
    plugin: of((start) => start.plugin),
  };
}

function times({ layout, chat: drawn, plugin }: Start): string {
  const usable = drawn === null ? '' : `chat after ${drawn.toFixed(0)} ms, `;
  return `layout ready after ${layout.toFixed(0)} ms, ${usable}chats found after ${plugin.toFixed(0)} ms`;
}
