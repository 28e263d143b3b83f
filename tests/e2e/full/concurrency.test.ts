/**
 * The user types into a note open in two panes while the agent edits it. In every interleaving, no
 * typed key is lost, and each agent edit is applied or reported as failed.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LINES, randomFrom, TwoPanes, wordsIn, type InPage } from '#tests/e2e/two-panes';

const RUNS = Number(process.env['CASES'] ?? 20);
const FIRST_SEED = Number(process.env['SEED'] ?? 1);

interface ModifiableVault {
  getFileByPath(note: string): object;
  modify(file: object, text: string): Promise<void>;
}

let panes: TwoPanes;

beforeAll(async () => {
  panes = await TwoPanes.open();
});

afterAll(() => panes.workbench[Symbol.asyncDispose]());

async function interleave(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const note = `Note ${seed}.md`;
  await panes.open(note);
  await panes.putCursor(0, random(), random());
  const words: string[] = [];
  const edits: string[] = [];
  for (let step = 0; step < 12; step += 1) {
    if (random() < 0.55) {
      const mark = `[agent ${edits.length}]`;
      const line = upTo(LINES);
      const kind = random();
      if (kind < 0.5) {
        await panes.start(note, 'edit_file', {
          edits: [{ old_text: `line ${line} begins`, new_text: `line ${line} ${mark} begins` }],
        });
        edits.push(mark);
      } else if (kind < 0.8) {
        await panes.start(note, 'edit_file', {
          edits: [
            { position: 'end', content: `${mark} at the end` },
            { old_text: `line ${line} begins`, new_text: `line ${line} once more begins` },
          ],
        });
        edits.push(mark);
      } else {
        await panes.start(note, 'read_file', {});
        edits.push('');
      }
    }
    if (random() < 0.7) await panes.putCursor(upTo(2), random(), random());
    const composed = random() < 0.3;
    const word = `@${words.length}${composed ? '字' : ''};`;
    await panes.type(word, composed);
    words.push(word);
    if (random() < 0.1) await panes.page.keyboard.press('Control+s');
  }
  const { texts, answers } = await panes.settle();
  const text = texts[0] ?? '';
  const what = `seed ${seed}: ${text}`;
  expect(texts[1], what).toBe(text);
  expect(wordsIn(text).sort(), what).toEqual(words.sort());
  // The user may have typed into the text that the agent inserted.
  const withoutWords = words.reduce((left, word) => left.replace(word, ''), text);
  answers.forEach((answer, index) => {
    const mark = edits[index] ?? '';
    const isMade = answer.ok;
    if (mark !== '') expect([mark, withoutWords.includes(mark)], what).toEqual([mark, isMade]);
    if (!isMade) expect(JSON.stringify(answer)).toMatch(/changed|not found|no match|does not/i);
  });
  await panes.page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(path.join(panes.workbench.vault, note), 'utf8')).toBe(text);
  for (const answer of answers)
    if (answer.ok) made += 1;
    else refused += 1;
}

let made = 0;
let refused = 0;

test(
  `no typed key is lost and every failed edit is reported, in ${RUNS} interleavings`,
  async () => {
    for (let run = 0; run < RUNS; run += 1) await interleave(FIRST_SEED + run);
    // Most edits succeed; otherwise the test would prove little.
    expect(made).toBeGreaterThan(refused);
    expect(await panes.workbench.faults()).toEqual([]);
  },
  RUNS * 20_000 + 60_000,
);

const LEDGER = '.obsidian/plugins/parley/ledger';

function ledger(): string {
  const folder = path.join(panes.workbench.vault, LEDGER);
  return readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('');
}

test.for([0, 1])(
  'an edit waits while an IME composition runs in pane %i, and is applied afterwards',
  async (pane) => {
    const note = `Composed ${pane}.md`;
    await panes.open(note);
    await panes.putCursor(pane, 0.5, 0.9);
    const compose = (text: string) =>
      panes.keys.send('Input.imeSetComposition', {
        ...{ text, selectionStart: text.length, selectionEnd: text.length },
      });
    await compose('に');
    await panes.start(note, 'edit_file', {
      edits: [{ old_text: 'line 6 begins', new_text: `line 6 (${note}) begins` }],
    });
    await expect.poll(ledger).toContain(`(${note})`);
    const seen = () =>
      panes.page.evaluate(() => {
        const { panes } = window as unknown as InPage;
        return panes.map(({ view }) => view.editor.getValue());
      });
    for (const text of await seen()) expect(text).not.toContain(note);
    await panes.keys.send('Input.insertText', { text: 'に' });
    const { texts, answers } = await panes.settle();
    expect(answers).toMatchObject([{ ok: true }]);
    for (const text of texts) expect(text).toMatch(/に/);
    for (const text of texts) expect(text).toContain(`line 6 (${note}) begins`);
    expect(await panes.workbench.faults()).toEqual([]);
  },
);

test.for([0, 1])(
  "an edit keeps the user's selection in pane %i, and one undo reverts the whole edit",
  async (pane) => {
    const note = `Selected ${pane}.md`;
    await panes.open(note);
    // The other pane has unsaved text.
    await panes.putCursor(1 - pane, 0, 0);
    await panes.type('typed ', false);
    await panes.putCursor(pane, 0, 0);
    const selection = (line?: number) =>
      panes.page.evaluate(
        ([which, at]) => {
          const { editor } = (window as unknown as InPage).panes[which]!.view;
          if (at !== undefined) editor.setSelection({ line: at, ch: 0 }, { line: at, ch: 6 });
          return editor.getSelection();
        },
        [pane, line] as const,
      );
    expect(await selection(5)).toBe('line 5');
    const before = (await panes.settle()).texts;
    await panes.start(note, 'edit_file', {
      edits: [
        { old_text: 'line 2 begins', new_text: 'line 2 now begins' },
        { old_text: 'line 5 begins', new_text: 'line 5 now begins' },
        { old_text: 'line 9 begins', new_text: 'line 9\nbegins' },
      ],
    });
    const { texts, answers } = await panes.settle();
    expect(answers).toMatchObject([{ ok: true }]);
    expect(await selection()).toBe('line 5');
    expect(texts[0]).toContain('line 5 now begins');
    expect(texts[1]).toBe(texts[0]);
    await panes.page.evaluate(
      (which) => (window as unknown as InPage).panes[which]!.view.editor.undo(),
      pane,
    );
    expect((await panes.settle()).texts).toEqual(before);
    expect(await panes.workbench.faults()).toEqual([]);
  },
);

test.for([
  ['one', 1],
  ['both', 2],
] as const)(
  'an edit includes unsaved text when %s of the panes switched to reading view',
  async ([which, count]) => {
    const note = `Read in ${which}.md`;
    await panes.open(note);
    await panes.putCursor(0, 0.5, 0);
    await panes.type('typed ', false);
    await panes.page.evaluate(async (readers) => {
      const { panes } = window as unknown as InPage;
      for (const { view } of panes.slice(0, readers)) {
        await view.setState({ mode: 'preview' }, {});
      }
    }, count);
    await panes.start(note, 'edit_file', {
      edits: [{ old_text: 'typed line 6', new_text: 'typed and edited line 6' }],
    });
    const { answers } = await panes.settle();
    expect(answers).toMatchObject([{ ok: true }]);
    const reading = panes.page.locator('.markdown-preview-view');
    await expect.poll(() => reading.getByText('typed and edited line 6').count()).toBe(count);
    expect(readFileSync(path.join(panes.workbench.vault, note), 'utf8')).toContain(
      'typed and edited line 6',
    );
    const back = await panes.page.evaluate(async () => {
      const { panes } = window as unknown as InPage;
      for (const { view } of panes) await view.setState({ mode: 'source' }, {});
      return panes.map(({ view }) => view.editor.getValue());
    });
    for (const text of back) expect(text).toContain('typed and edited line 6');
    expect(await panes.workbench.faults()).toEqual([]);
  },
);

test('a pane never shows a half-written note', async () => {
  const note = 'Half.md';
  await panes.open(note);
  const file = path.join(panes.workbench.vault, note);
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let writes = 0;
  // Of this note only: Parley also writes files of its own, at any time.
  await panes.page.route(`**/api/disk/write?*${note}*`, async (route) => {
    writes += 1;
    if (writes === 2) {
      writeFileSync(file, '');
      begin();
      // Time to read what is there.
      await sleep(500);
    }
    await route.continue();
  });
  await panes.page.route('**/api/disk/read', async (route) => {
    await begun;
    await route.continue();
  });
  const shown = await panes.page.evaluate(async (noted) => {
    const { app, panes: open } = window as unknown as InPage;
    const vault = app.vault as unknown as ModifiableVault;
    const texts = new Set<string>();
    const watch = setInterval(() => {
      for (const { view } of open) texts.add(view.editor.getValue());
    }, 5);
    const written = vault.getFileByPath(noted);
    await Promise.all([vault.modify(written, 'first'), vault.modify(written, 'second')]);
    while (open.some(({ view }) => view.editor.getValue() !== 'second')) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    clearInterval(watch);
    return [...texts];
  }, note);
  await panes.page.unrouteAll();
  expect(shown).not.toContain('');
  expect(writes).toBe(2);
  expect(await panes.workbench.faults()).toEqual([]);
});

test('closing a pane during an IME composition does not block an edit', async () => {
  const note = 'Closed.md';
  await panes.open(note);
  await panes.putCursor(1, 0.5, 0.5);
  await panes.keys.send('Input.imeSetComposition', {
    text: 'に',
    selectionStart: 1,
    selectionEnd: 1,
  });
  await panes.start(note, 'edit_file', {
    edits: [{ old_text: 'line 2 begins', new_text: `line 2 (${note}) begins` }],
  });
  await expect.poll(ledger).toContain(`(${note})`);
  await panes.page.evaluate(() => (window as unknown as InPage).panes[1]!.detach());
  const { answers } = await panes.page.evaluate(async () => {
    const inPage = window as unknown as InPage;
    return { answers: await Promise.all(inPage.answers) };
  });
  const text = readFileSync(path.join(panes.workbench.vault, note), 'utf8');
  expect(answers.map(({ ok }) => ok)).toEqual([text.includes(`(${note})`)]);
  expect(await panes.workbench.faults()).toEqual([]);
});
