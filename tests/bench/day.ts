/**
 * A day in some minutes: 500 turns in the built plugin in Chromium (streamed answers, 200 searches,
 * changes, questions), with new chats and a reopened panel in between, while another program makes
 * 5,000 changes in the vault. Prints what is held in between and at the end, and how it grows. A
 * fake model answers at once. `--turns N` runs fewer.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { call, paced, reply } from '#workbench/model/replies';
import type { Respond } from '#workbench/model/server';
import { userWords } from '#workbench/model/wire';
import { openPanel, type Held, type OpenedPanel, PLUGIN } from './panel/open';
import { longAnswer } from './streaming/answer';

const TURNS = 500;
const SAMPLE = 50;
const CHANGES_PER_TURN = 10;
/** Notes of the other program. */
const OTHER_NOTES = 200;
/** Turns per chat. Samples are taken between two chats, so that they show the same. */
const CHAT = 25;
/** Chromium's unused connections to the server of the page are closed by then. */
const UNUSED_MS = 6_000;
const ANSWER = longAnswer(3_000);
const KINDS = ['tell', 'find', 'change', 'ask', 'tell'] as const;

type Print = (row: string) => void;

export async function bench(
  print: Print,
  { turns: given = String(TURNS) }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const turns = Number(given);
  const panel = await openPanel({}, undefined, countTimers);
  try {
    panel.serving.demo?.server.setRespond(model);
    await panel.page.getByRole('button', { name: 'Open chat' }).first().click();
    const samples: Sample[] = [];
    for (let at = 0; at < turns; at += 1) {
      if (at % CHAT === 0) await betweenChats(panel.page);
      if (at % SAMPLE === 0 && at > 0) samples.push(await sampled(panel, at, print));
      for (let each = 0; each < CHANGES_PER_TURN; each += 1)
        changeFromOutside(panel.vault, at * CHANGES_PER_TURN + each);
      await turn(panel.page, at);
    }
    await betweenChats(panel.page);
    samples.push(await sampled(panel, turns, print));
    for (const row of slopes(samples)) print(row);
  } finally {
    await panel.close();
  }
}

/** Depends only on the request, so the same message always gets the same steps. */
const model: Respond = ({ messages, tools = [] }) => {
  if (tools.length === 0) return reply('A title');
  const said = messages.findLastIndex((message) => /\bturn \d+/.test(userWords(message)));
  const words = userWords(messages[said]);
  const steps = messages.slice(said).filter(({ role }) => role === 'assistant').length;
  if (steps > 0 || words.includes('tell')) return paced(reply(ANSWER), { chunkBytes: 40 });
  if (words.includes('find')) {
    return reply(
      'I look for it.',
      call('search_files', { pattern: 'bread' }),
      call('search_vault', { query: 'a list of what to buy' }),
      call('read_file', { path: 'Lists/Shopping.md' }),
    );
  }
  if (words.includes('change')) {
    const edits = [{ position: 'end', content: `- ${words}` }];
    return reply(call('edit_file', { path: 'Lists/Todo.md', edits }));
  }
  return reply(call('ask_user', { question: 'Which one?', choices: ['This', 'That'] }));
};

async function turn(page: Page, at: number): Promise<void> {
  const kind = KINDS[at % KINDS.length] ?? 'tell';
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill(`${kind} me, turn ${at}`);
  await message.press('Enter');
  if (kind === 'ask') {
    const question = page.getByRole('region', { name: 'Question' });
    await question.getByRole('button', { name: 'This' }).click();
    await question.waitFor({ state: 'detached' });
  }
  await page
    .locator('article')
    .nth(at % CHAT)
    .locator('.foot')
    .waitFor();
}

async function betweenChats(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Past chats' }).click();
  await page.getByRole('region', { name: 'Past chats' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Chat' }).getByLabel('Close').click();
  await page.getByRole('button', { name: 'Open chat' }).first().click();
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.locator('article').first().waitFor({ state: 'detached' });
}

interface Sample extends Held {
  readonly timers: number;
  /** Open files, sockets and watchers of the process that serves the page. */
  readonly handles: number;
  /** Files of the plugin, except chats, and those that should not stay. */
  readonly files: number;
  readonly left: number;
}

async function sampled(panel: OpenedPanel, turns: number, print: Print): Promise<Sample> {
  const { vault, page } = panel;
  await page.waitForTimeout(UNUSED_MS);
  const timers = await page.evaluate(() => (window as unknown as Counted).pendingTimers.size);
  const files = [...filesIn(path.join(vault, PLUGIN)), ...filesIn(path.join(vault, '.smarthole'))];
  const left = files.filter((file) => /\.new$|[\\/]inbox[\\/]/.test(file)).length;
  const chats = files.filter((file) => /conversation-[^\\/]*\.jsonl$/.test(file)).length;
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const sample = {
    ...(await panel.held()),
    ...{ timers, handles: openFiles(), files: files.length - chats, left },
  };
  const { heap, nodes, listeners, documents, handles } = sample;
  print(
    `after ${turns} turns: ${(heap / 1e6).toFixed(1)} MB of JavaScript, ${nodes} nodes, ${listeners} listeners, ${documents} documents, ${timers} timers, ${handles} handles; ${chats} chats and ${sample.files} other files, ${(bytes / 1e6).toFixed(1)} MB, ${left} of them left over`,
  );
  return sample;
}

function filesIn(folder: string): string[] {
  const names = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
    : [];
  return names.map((name) => path.join(folder, name)).filter((file) => statSync(file).isFile());
}

/** NaN on systems that do not list them. */
function openFiles(): number {
  const folder = '/proc/self/fd';
  return existsSync(folder) ? readdirSync(folder).length : NaN;
}

interface Counted {
  pendingTimers: Set<unknown>;
}

/** Counts, in the page, the timers that have not fired yet. */
function countTimers(): void {
  const pending = new Set<unknown>();
  Object.assign(window, { pendingTimers: pending });
  const { setTimeout: set, setInterval: repeat } = window;
  const { clearTimeout: clear, clearInterval: clearRepeat } = window;
  const methods = {
    setTimeout: (run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => {
      const id = set(() => {
        pending.delete(id);
        run(...values);
      }, ms);
      pending.add(id);
      return id;
    },
    setInterval: (run: () => void, ms?: number) => {
      const id = repeat(run, ms);
      pending.add(id);
      return id;
    },
    clearTimeout: (id?: number) => {
      pending.delete(id);
      clear(id);
    },
    clearInterval: (id?: number) => {
      pending.delete(id);
      clearRepeat(id);
    },
  };
  Object.assign(window, methods);
}

/** What another program does: it creates, extends, moves and deletes its notes. */
function changeFromOutside(vault: string, at: number): void {
  const folder = path.join(vault, 'Outside');
  const note = (name: string) => path.join(folder, `${name} ${at % OTHER_NOTES}.md`);
  const [own, moved] = [note('Note'), note('Moved')];
  const step = Math.floor(at / OTHER_NOTES) % 5;
  if (step === 0) {
    mkdirSync(folder, { recursive: true });
    rmSync(moved, { force: true });
    writeFileSync(own, `# Note ${at}\n\nSee [[Shopping]]. #outside\n`);
  } else if (step < 4) appendFileSync(own, `- [ ] task ${at} 📅 2026-12-01\n`);
  else renameSync(own, moved);
}

/**
 * Growth per hundred turns by least squares. Starts at 200 turns, because what the first turns load
 * stays in memory, and so do the eight chats that were used last.
 */
function slopes(samples: readonly Sample[]): string[] {
  const settled = samples.length > 6 ? samples.slice(3) : samples;
  const slope = (of: (held: Sample) => number) => {
    const middle = (settled.length - 1) / 2;
    const mean = settled.reduce((sum, held) => sum + of(held), 0) / settled.length;
    const [up, across] = settled.reduce(
      ([above, below], held, at) => [
        above + (at - middle) * (of(held) - mean),
        below + (at - middle) ** 2,
      ],
      [0, 0] as [number, number],
    );
    return (100 / SAMPLE) * (up / across);
  };
  return [
    `a hundred turns more: ${(slope(({ heap }) => heap) / 1e6).toFixed(2)} MB of JavaScript`,
    `  ${slope(({ nodes }) => nodes).toFixed(1)} nodes (budget 1)`,
    `  ${slope(({ listeners }) => listeners).toFixed(1)} listeners (budget 1)`,
    `  ${slope(({ documents }) => documents).toFixed(1)} documents (budget 0)`,
    `  ${slope(({ timers }) => timers).toFixed(1)} timers (budget 0)`,
    `  ${slope(({ handles }) => handles).toFixed(1)} handles (budget 0)`,
    `  ${slope(({ files }) => files).toFixed(1)} files that are no chats (budget 0)`,
  ];
}
