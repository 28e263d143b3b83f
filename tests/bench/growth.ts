/**
 * How what a user waits for grows with the work: notes, chats, messages of a chat, edits in a note
 * and open panels. Prints the time at each size, and the exponent: 0 is constant, 1 is linear.
 * `--only notes` measures one kind.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '#obsidian/platform/system-clock';
import { jsonLine } from '#ports/line-file';
import type { PageWithParley } from '#tests/e2e/driver';
import { call, reply, type Reply } from '#workbench/model/replies';
import { benchAt, NODE } from '../builders/tools';
import { CHATS_FOLDER, openChats, writeHistory } from './history';
import { conversationPath, DEVICE, openPanel, type OpenedPanel } from './panel/open';
import { longConversation } from './scrolling/conversation';
import { generateVault } from './searching/generated-vault';
import { median, watched } from './timing/watched';

const REPETITIONS = 5;
const BYTES_PER_NOTE = 5_000;

/** Milliseconds by what is waited for. */
type Times = Readonly<Record<string, number>>;

interface Growth {
  readonly sizes: readonly number[];
  measure(size: number): Promise<Times>;
}

const GROWTHS: Readonly<Record<string, Growth>> = {
  notes: { sizes: [1_000, 10_000, 50_000], measure: inVault },
  conversations: { sizes: [100, 1_000, 10_000], measure: withChats },
  messages: { sizes: [100, 1_000, 10_000], measure: inChat },
  edits: { sizes: [1, 10, 100], measure: inNote },
  panels: { sizes: [1, 4], measure: withPanels },
};

export async function bench(
  print: (row: string) => void,
  { only = '' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [kind, { sizes, measure }] of Object.entries(GROWTHS)) {
    if (!kind.startsWith(only)) continue;
    const measured: Times[] = [];
    for (const size of sizes) measured.push(await measure(size));
    for (const name of Object.keys(measured[0] ?? {})) {
      const times = measured.map((each) => each[name] ?? NaN);
      const cells = sizes.map((size, at) => `${size}: ${(times[at] ?? NaN).toFixed(1)} ms`);
      print(
        `${kind.padEnd(13)} ${name.padEnd(24)} ${cells.join(', ')}; exponent ${exponent(sizes, times).toFixed(2)}`,
      );
    }
  }
}

/** The slope between the logarithms, by least squares. */
function exponent(sizes: readonly number[], times: readonly number[]): number {
  const points = sizes.map((size, at) => [Math.log(size), Math.log(times[at] ?? NaN)] as const);
  const mean = (axis: 0 | 1) => points.reduce((sum, each) => sum + each[axis], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const rise = points.reduce((sum, each) => sum + (each[0] - x) * (each[1] - y), 0);
  return rise / points.reduce((sum, each) => sum + (each[0] - x) ** 2, 0);
}

async function inFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The CPU time, which other load on the machine does not change. */
async function again(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < REPETITIONS; at += 1) times.push((await watched(work)).processor);
  return median(times);
}

function inVault(notes: number): Promise<Times> {
  return inFolder(async (parent) => {
    const folder = path.join(parent, 'vault');
    generateVault(folder, { notes, megabytes: (notes * BYTES_PER_NOTE) / 1e6 });
    const opened = await benchAt(folder, { clock: systemClock(NODE) });
    const run = (tool: string, input: object) => () => opened.expectSuccess(tool, input);
    const search = run('search_files', { pattern: 'water garden' });
    const rank = run('search_vault', { query: 'water garden' });
    const first = (await watched(search)).processor;
    const indexing = (await watched(rank)).processor;
    const times = {
      'first search': first,
      'first search by words': indexing,
      'search again': await again(search),
      'search by words again': await again(rank),
      'list tags again': await again(run('list_tags', {})),
    };
    await opened[Symbol.asyncDispose]();
    return times;
  });
}

function withChats(chats: number): Promise<Times> {
  return inFolder(async (folder) => {
    mkdirSync(path.join(folder, CHATS_FOLDER));
    writeHistory(folder, chats, 2);
    await openChats(folder).list();
    const known = openChats(folder);
    await known.search('quince');
    return {
      'list after a start': await again(() => openChats(folder).list()),
      'search again': await again(() => known.search('quince')),
    };
  });
}

async function inChat(messages: number): Promise<Times> {
  const script = longConversation(messages / 2, DEVICE);
  const text = script.events.map(jsonLine).join('');
  return inPanel({ [conversationPath(script.id)]: text }, async (panel) => {
    const opened = await panel.page.evaluate(async () => {
      const began = performance.now();
      document.querySelector<HTMLElement>('[aria-label="Open chat"]')?.click();
      while (!document.querySelector('[role="log"] article')) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - began;
    });
    return { 'open the chat': opened, 'send to bubble': await bubble(panel) };
  });
}

function withPanels(panels: number): Promise<Times> {
  const leaf = { type: 'leaf', state: { type: 'parley-chat', state: {} } };
  const tabs = Array.from({ length: panels }, () => ({ type: 'tabs', children: [leaf] }));
  const layout = { main: { type: 'split', children: tabs } };
  return inPanel({ '.obsidian/workspace.json': JSON.stringify(layout) }, async (panel) => ({
    'send to bubble': await bubble(panel),
  }));
}

/** Open from the start. */
const NOTE = 'Welcome.md';
const PARAGRAPHS = 400;
const SAVED_MS = 1_000;
const COLORS = ['brown', 'red', 'blue', 'green', 'white', 'black'];

const paragraph = (at: number, round: number) =>
  `The ${COLORS[round]} fox number ${at} jumps over the lazy dog, twice a day.`;

/** Edits that wait in one open note, which has the same size each time. */
function inNote(count: number): Promise<Times> {
  const paragraphs = Array.from({ length: PARAGRAPHS }, (_, at) => paragraph(at, 0));
  const text = `# Plan\n\n${paragraphs.join('\n\n')}\n`;
  const places = Array.from({ length: count }, (_, at) => at * Math.floor(PARAGRAPHS / count));
  return inPanel({ [NOTE]: text }, async ({ page, serving }) => {
    let steps: Reply[] = [];
    serving.demo?.server.setRespond(({ tools = [] }) =>
      tools.length === 0 ? reply('A title') : (steps.shift() ?? reply('Done.')),
    );
    await page.evaluate(async () => {
      const { agent } = (window as unknown as PageWithParley).app.plugins.plugins.parley;
      await (await agent).settings.set({ panelMode: 'review' });
    });
    await page.click('[aria-label="Open chat"]');
    const click = async (name: string, until: string) => {
      // The notes and records of the last decision are saved by then.
      await page.waitForTimeout(SAVED_MS);
      return page.evaluate(clicked, [name, until] as const);
    };
    const [accept, reject] = count === 1 ? ['Accept', 'Reject'] : ['Accept all', 'Reject all'];
    const rounds: Times[] = [];
    for (let round = 0; round < REPETITIONS; round += 1) {
      const edits = places.map((at) => {
        const [old_text, new_text] = [paragraph(at, round), paragraph(at, round + 1)];
        return { old_text, new_text };
      });
      steps = [
        reply(call('read_file', { path: NOTE })),
        reply(call('edit_file', { path: NOTE, edits })),
        reply('They wait for you.'),
      ];
      await page.getByRole('textbox', { name: 'Message' }).fill('Paint the foxes.');
      const asked = await click('Send', 'Reject');
      await page.locator('article').nth(round).locator('.foot').waitFor();
      const times = {
        'send to edits': asked,
        'accept all': await click(accept, 'Undo'),
        undo: await click('Undo', reject),
        'accept one': await click('Accept', 'Undo'),
      };
      if (count > 1) await click(accept, '');
      rounds.push(times);
    }
    return medians(rounds);
  });
}

/**
 * Clicks the newest button in the panel with this name. Resolves with the time until the newest turn
 * has a button with the other name, or until the clicked one is gone if that name is empty.
 */
async function clicked([name, until]: readonly [string, string]): Promise<number> {
  const named = (within: Element | null | undefined, sought: string) =>
    [...(within?.querySelectorAll('button') ?? [])].findLast(({ ariaLabel, textContent }) =>
      [ariaLabel, textContent.trim()].includes(sought),
    );
  const newest = () => [...document.querySelectorAll('article')].at(-1);
  const button = named(newest(), name) ?? named(document.querySelector('.parley-page'), name);
  if (!button) throw new Error(`There is no button “${name}”.`);
  const began = performance.now();
  button.click();
  const isOver = () => (until === '' ? !button.isConnected : named(newest(), until) !== undefined);
  do await new Promise((resolve) => requestAnimationFrame(resolve));
  while (!isOver());
  return performance.now() - began;
}

function medians(all: readonly Times[]): Times {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(all.map((each) => each[name] ?? NaN))]),
  );
}

/** From the key to the first frame with the message in the chat. */
async function bubble(panel: OpenedPanel): Promise<number> {
  const { page } = panel;
  const times: number[] = [];
  for (let at = 0; at < REPETITIONS; at += 1) {
    const words = `Message number ${at}`;
    const field = page.getByRole('textbox', { name: 'Message' }).first();
    await field.fill(words);
    const seen = page.evaluate(async (text) => {
      const key = await new Promise<number>((resolve) =>
        window.addEventListener('keydown', () => resolve(performance.now()), {
          once: true,
          capture: true,
        }),
      );
      // Not the text of all messages, which takes longer the more there are.
      const ends = () => document.querySelectorAll('[role="log"] > .content > :last-child');
      while (![...ends()].some((end) => end.textContent.includes(text))) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - key;
    }, words);
    await field.press('Enter');
    times.push(await seen);
    await panel.idle();
  }
  return median(times);
}

async function inPanel(
  files: Readonly<Record<string, string>>,
  measure: (panel: OpenedPanel) => Promise<Times>,
): Promise<Times> {
  const panel = await openPanel(files);
  try {
    return await measure(panel);
  } finally {
    await panel.close();
  }
}
