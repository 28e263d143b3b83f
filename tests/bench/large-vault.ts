/**
 * A large vault in the workbench in Chromium: when its chat can be used after the page is opened, and
 * what is shown from the first question that searches the notes to the first word of its answer,
 * beside the next question. Takes a copy of `--vault DIR`, or generates `--notes N --megabytes M`.
 */
import { cpSync } from 'node:fs';
import { call, reply } from '#workbench/model/replies';
import { openPanel, type OpenedPanel } from './panel/open';
import { generateVault } from './searching/generated-vault';

/** No note has this word, so no result shows it. */
const ANSWER = 'Quzzlewort';
/** Milliseconds between two reads of the screen. */
const POLL_MS = 50;

interface OpenedPage {
  /** Milliseconds since the page was opened. */
  chatSeen: number | null;
}

export async function bench(
  print: (row: string) => void,
  { vault, notes = '6000', megabytes = '35' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const size = { notes: Number(notes), megabytes: Number(megabytes) };
  const fill = (folder: string) => {
    if (vault === undefined) generateVault(folder, size);
    else cpSync(vault, folder, { recursive: true });
  };
  print(vault ?? `${notes} notes, ${megabytes} MB`);
  const panel = await openPanel({}, fill, noteChat);
  try {
    const { page } = panel;
    const field = page.getByRole('textbox', { name: 'Message' });
    if (!(await field.isVisible())) await page.click('[aria-label="Open chat"]');
    await field.waitFor();
    const seen = await page.evaluate(() => (window as unknown as OpenedPage).chatSeen);
    print(`chat can be used: ${((seen ?? NaN) / 1_000).toFixed(1)} s after the page was opened`);
    await ask(panel, 'first question', 'garden', print);
    await ask(panel, 'next question', 'water', print);
  } finally {
    await panel.close();
  }
}

/** Notes when the field of the chat is first on the screen. */
function noteChat(): void {
  const scope = window as unknown as OpenedPage;
  scope.chatSeen = null;
  const look = () => {
    const field = document.querySelector('textarea[aria-label="Message"]');
    const isSeen = field?.checkVisibility() === true;
    if (isSeen) scope.chatSeen = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function ask(
  panel: OpenedPanel,
  name: string,
  pattern: string,
  print: (row: string) => void,
): Promise<void> {
  const { page, serving } = panel;
  const question = `What do my notes say about ${pattern}?`;
  let isSearched = false;
  serving.demo?.server.setRespond(({ tools = [] }) => {
    if (tools.length === 0) return reply('A title');
    const next = isSearched ? reply(`${ANSWER}.`) : reply(call('search_files', { pattern }));
    isSearched = true;
    return next;
  });
  let requests = 0;
  const count = () => (requests += 1);
  page.on('request', count);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill(question);
  const seen = page.evaluate(
    async ([asked, answer, pause]) => {
      await new Promise((resolve) => window.addEventListener('keydown', resolve, { once: true }));
      const began = performance.now();
      const shown: [at: number, text: string][] = [];
      const known = new Set<string>();
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        const turn = [...document.querySelectorAll('[data-sent], [data-turn]')].at(-1);
        const text = (turn?.textContent ?? '').replace(/\s+/g, ' ').trim();
        const own = text.includes(asked) ? text.slice(text.indexOf(asked) + asked.length) : '';
        const now = performance.now() - began;
        if (own.includes(answer)) return { shown, milliseconds: now };
        const status = own.split(' · ', 1).join('').trim();
        const key = status.replace(/\d[\d.,]*/g, '0');
        if (status === '' || known.has(key)) continue;
        known.add(key);
        shown.push([now, status]);
      }
    },
    [question, ANSWER, POLL_MS] as const,
  );
  await field.press('Enter');
  const { shown, milliseconds } = await seen;
  page.off('request', count);
  print(
    `${name}: first word after ${milliseconds.toFixed(0)} ms, ${requests} requests of the page`,
  );
  for (const [at, text] of shown) print(`  after ${at.toFixed(0)} ms: ${text}`);
  await panel.idle();
}
