/**
 * Makes quick edits in a note in Chromium. Prints the time from the key to the first word of the
 * new text in the note, and the tokens of a quick edit beside the same request in the chat. A fake
 * model answers at once, so the whole time is Parley's own.
 */
import type { Page } from 'playwright-core';
import { addUsage, NO_USAGE, type Usage } from '#model/message';
import type { PageWithParley } from '#tests/e2e/driver';
import { call, reply, type Reply } from '#workbench/model/replies';
import { openPanel, type OpenedPanel } from './panel/open';
import { median } from './timing/watched';

type Print = (row: string) => void;

const RUNS = 11;
const NOTE = 'Welcome.md';
const LINES = 400;
const SENTENCE = 'The quick brown fox jumps over the lazy dog, and it does so twice a day.';
const TEXT = `# Plan\n\n${Array.from({ length: LINES }, (_, at) => `${SENTENCE} (${at})`).join('\n\n')}\n`;
const DONE = call('done', { summary: 'Shortened it.', outcome: 'done' });

const edit = (content: string) =>
  call('edit_file', { path: NOTE, edits: [{ position: 'replace:3', content }] });

interface MeasuredPage extends PageWithParley {
  usages: Usage[];
  seen: { key: number; word: number };
}

export async function bench(print: Print): Promise<void> {
  const panel = await openPanel({ [NOTE]: TEXT });
  try {
    await panel.page.evaluate(async () => {
      const scope = window as unknown as MeasuredPage;
      scope.usages = [];
      const agent = await scope.app.plugins.plugins.parley.agent;
      await agent.settings.set({ panelMode: 'review' });
      agent.subscribe((event) => {
        if (event.type === 'step-end') scope.usages.push(event.usage);
      });
    });
    const times: { asked: number; word: number }[] = [];
    for (let run = 0; run < RUNS; run += 1) times.push(await quickEdit(panel, `Fox number${run}.`));
    const usage = await usages(panel.page);
    const [asked, word] = [
      median(times.map((each) => each.asked)),
      median(times.map((each) => each.word)),
    ];
    print(
      `median of ${RUNS} in a note of ${LINES} paragraphs: model asked ${asked} ms after the key, first word ${word} ms`,
    );
    print(`quick edit: ${inWords(usage.slice(-1))}`);
    await inChat(panel);
    print(`in the chat: ${inWords(await usages(panel.page))}`);
  } finally {
    await panel.close();
  }
}

/** Times in milliseconds since the key. */
async function quickEdit(
  { page, serving }: OpenedPanel,
  words: string,
): Promise<{ asked: number; word: number }> {
  const server = answers(serving, [reply(edit(words), DONE)]);
  const before = server.requests.length;
  await page.locator('.mod-root .cm-content').focus();
  for (const key of ['Control+Home', 'ArrowDown', 'ArrowDown', 'Control+p'])
    await page.keyboard.press(key);
  await page.keyboard.type('Quick edit');
  await page.locator('.suggestion-item.is-selected', { hasText: 'Quick edit' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Quick edit' }).waitFor();
  await page.keyboard.type('make it shorter, please');
  await page.evaluate(
    (sought) => {
      const scope = window as unknown as MeasuredPage;
      scope.seen = { key: 0, word: 0 };
      const now = () => performance.timeOrigin + performance.now();
      addEventListener('keydown', () => (scope.seen.key ||= now()), { capture: true, once: true });
      const root = document.querySelector('.mod-root');
      if (!root) throw new Error('There is no editor.');
      const watcher = new MutationObserver(() => {
        if (!root.textContent.includes(sought)) return;
        watcher.disconnect();
        // Drawn by the next frame.
        requestAnimationFrame(() => (scope.seen.word = now()));
      });
      watcher.observe(root, { childList: true, subtree: true, characterData: true });
    },
    words.split(' ')[1] ?? words,
  );
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Shortened it.').waitFor();
  await page.waitForFunction(() => (window as unknown as MeasuredPage).seen.word > 0);
  const seen = await page.evaluate(() => (window as unknown as MeasuredPage).seen);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('combobox', { name: 'Quick edit' }).waitFor({ state: 'detached' });
  const asked = server.requests[before]?.at ?? NaN;
  return { asked: Math.round(asked - seen.key), word: Math.round(seen.word - seen.key) };
}

/** The same request in the chat, which has to find the sentence first. */
async function inChat({ page, serving }: OpenedPanel): Promise<void> {
  answers(serving, [
    reply(call('read_file', { path: NOTE, limit: 20 })),
    reply(edit('A fox jumps.'), DONE),
  ]);
  await page.getByRole('button', { name: 'Open chat' }).first().click();
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('make the sentence about the fox at the top of this note shorter, please');
  await message.press('Enter');
  await page.locator('article .foot').last().waitFor();
}

function answers({ demo }: OpenedPanel['serving'], steps: readonly Reply[]) {
  if (!demo) throw new Error('There is no demo model.');
  let step = 0;
  demo.server.setRespond(({ tools = [] }) =>
    tools.length === 0 ? reply('A title') : (steps[step++] ?? reply('Done.')),
  );
  return demo.server;
}

/** The usage of each model call since the last look. */
function usages(page: Page): Promise<Usage[]> {
  return page.evaluate(() => (window as unknown as MeasuredPage).usages.splice(0));
}

function inWords(all: readonly Usage[]): string {
  const { input, cacheRead, cacheWrite, output } = all.reduce(addUsage, NO_USAGE);
  return `${all.length} model calls, ${input} new prompt tokens, ${cacheWrite} written to the cache, ${cacheRead} read from it, ${output} out`;
}
