/**
 * Runs a thousand turns in the built plugin in Chromium (streamed answers, searches, changes,
 * questions), with new chats and a reopened panel in between, and checks that the page does not
 * leak. A fake model answers at once.
 */
import type { Page } from 'playwright-core';
import { call, paced, reply } from '#workbench/model/replies';
import type { Respond } from '#workbench/model/server';
import { userWords } from '#workbench/model/wire';
import { openPanel, type Held, type OpenedPanel } from './panel/open';
import { longAnswer } from './streaming/answer';

const TURNS = 1_000;
const SAMPLE = 100;
/** Turns per chat. */
const CHAT = 20;
const ANSWER = longAnswer(3_000);
const KINDS = ['tell', 'find', 'change', 'ask', 'tell'] as const;

type Print = (row: string) => void;

export async function bench(print: Print): Promise<void> {
  const panel = await openPanel();
  try {
    panel.serving.demo?.server.setRespond(model);
    await panel.page.getByRole('button', { name: 'Open chat' }).first().click();
    const samples: Held[] = [];
    for (let at = 0; at < TURNS; at += 1) {
      if (at % CHAT === 0) await betweenChats(panel.page);
      if (at % SAMPLE === 0 && at > 0) samples.push(await sampled(panel, at, print));
      await turn(panel.page, at);
    }
    await betweenChats(panel.page);
    samples.push(await sampled(panel, TURNS, print));
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

async function sampled(panel: OpenedPanel, turns: number, print: Print): Promise<Held> {
  const held = await panel.held();
  const { heap, nodes, listeners, documents } = held;
  print(
    `after ${turns} turns: ${(heap / 1e6).toFixed(1)} MB of JavaScript, ${nodes} nodes, ${listeners} listeners, ${documents} documents`,
  );
  return held;
}

/**
 * Growth per sample by least squares. Starts at the first sample, because code loaded by the first
 * turns stays in memory.
 */
function slopes(samples: readonly Held[]): string[] {
  const slope = (of: (held: Held) => number) => {
    const middle = (samples.length - 1) / 2;
    const mean = samples.reduce((sum, held) => sum + of(held), 0) / samples.length;
    const [up, across] = samples.reduce(
      ([above, below], held, at) => [
        above + (at - middle) * (of(held) - mean),
        below + (at - middle) ** 2,
      ],
      [0, 0] as [number, number],
    );
    return up / across;
  };
  return [
    `a hundred turns more: ${(slope(({ heap }) => heap) / 1e6).toFixed(2)} MB of JavaScript`,
    `  ${slope(({ nodes }) => nodes).toFixed(1)} nodes (budget 1)`,
    `  ${slope(({ listeners }) => listeners).toFixed(1)} listeners (budget 1)`,
    `  ${slope(({ documents }) => documents).toFixed(1)} documents (budget 0)`,
  ];
}
