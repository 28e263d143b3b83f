/**
 * The person types into a note, in two panes of it, while the agent edits it. However the two interleave, every key is
 * there at the end, and each of the agent's edits is there or was reported as not made.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkbench, type Opened } from './driver';

const RUNS = Number(process.env['CASES'] ?? 20);
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const LINES = 12;

let workbench: Opened;
let page: Page;
let keys: CDPSession;

beforeAll(async () => {
  workbench = await openWorkbench({ sample: false, files: { 'Welcome.md': '' } });
  page = workbench.page;
  keys = await page.context().newCDPSession(page);
}, 60_000);

afterAll(() => workbench[Symbol.asyncDispose]());

type Answer = { ok: true } | { ok: false; problem: string };

interface InPage {
  app: {
    vault: { create(path: string, text: string): Promise<object> };
    workspace: {
      getLeaf(split: false | 'split'): Leaf;
      setActiveLeaf(leaf: Leaf, how: { focus: boolean }): void;
    };
    plugins: {
      plugins: { parley: { agent: { tool(name: string, input: object): Promise<Answer> } } };
    };
  };
  panes: Leaf[];
  answers: Promise<Answer>[];
}

interface Place {
  line: number;
  ch: number;
}

interface Leaf {
  view: {
    editor: {
      getValue(): string;
      lineCount(): number;
      getLine(line: number): string;
      setCursor(line: number, ch: number): void;
      setSelection(anchor: Place, head: Place): void;
      getSelection(): string;
      undo(): void;
    };
    setState(state: object, result: object): Promise<void>;
  };
  openFile(file: object): Promise<void>;
  detach(): void;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

async function openTwice(note: string): Promise<void> {
  const text = Array.from({ length: LINES }, (_, line) => `line ${line} begins and ends\n`).join(
    '',
  );
  await page.evaluate(
    async ([file, content]) => {
      const inPage = window as unknown as InPage;
      const { vault, workspace } = inPage.app;
      const made = await vault.create(file, content);
      inPage.panes ??= [workspace.getLeaf(false), workspace.getLeaf('split')];
      inPage.answers = [];
      for (const pane of inPage.panes) await pane.openFile(made);
    },
    [note, text] as const,
  );
}

/** A place in a line of a pane, given as parts of the whole. */
async function putCursor(pane: number, line: number, ch: number): Promise<void> {
  await page.evaluate(
    ([which, down, along]) => {
      const { app, panes } = window as unknown as InPage;
      const leaf = panes[which]!;
      app.workspace.setActiveLeaf(leaf, { focus: true });
      const { editor } = leaf.view;
      const at = Math.floor(down * editor.lineCount());
      editor.setCursor(at, Math.floor(along * (editor.getLine(at).length + 1)));
    },
    [pane, line, ch] as const,
  );
}

async function startEdit(note: string, name: string, input: object): Promise<void> {
  await page.evaluate(
    ([tool, args]) => {
      const { app, answers } = window as unknown as InPage;
      answers.push(app.plugins.plugins.parley.agent.tool(tool, args));
    },
    [name, { path: note, ...input }] as const,
  );
}

/** Key by key, or as an input method does: signs that change until they are taken. */
async function type(word: string, composed: boolean): Promise<void> {
  if (!composed) {
    for (const key of word) await page.keyboard.press(key);
    return;
  }
  for (let length = 1; length <= word.length; length += 1) {
    const text = word.slice(0, length);
    await keys.send('Input.imeSetComposition', {
      ...{ text, selectionStart: length, selectionEnd: length },
    });
  }
  await keys.send('Input.insertText', { text: word });
}

/** Words that stand there with all their letters; some were typed into the middle of others, and edits made there. */
function wordsIn(text: string): string[] {
  const found: string[] = [];
  let left = text.replace(/\[agent \d+\] /g, '');
  for (;;) {
    const less = left.replace(/<\d+字?>/g, (word) => {
      found.push(word);
      return '';
    });
    if (less === left) return found;
    left = less;
  }
}

interface Seen {
  readonly texts: string[];
  readonly answers: Answer[];
}

async function settled(): Promise<Seen> {
  return page.evaluate(async () => {
    const { panes, answers } = window as unknown as InPage;
    const given = await Promise.all(answers);
    return { texts: panes.map(({ view }) => view.editor.getValue()), answers: given };
  });
}

async function interleave(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const note = `Note ${seed}.md`;
  await openTwice(note);
  await putCursor(0, random(), random());
  const words: string[] = [];
  const edits: string[] = [];
  for (let step = 0; step < 12; step += 1) {
    if (random() < 0.55) {
      const mark = `[agent ${edits.length}]`;
      const line = upTo(LINES);
      const kind = random();
      if (kind < 0.5) {
        await startEdit(note, 'edit_file', {
          edits: [{ old_text: `line ${line} begins`, new_text: `line ${line} ${mark} begins` }],
        });
        edits.push(mark);
      } else if (kind < 0.8) {
        await startEdit(note, 'edit_file', {
          edits: [
            { position: 'end', content: `${mark} at the end` },
            { old_text: `line ${line} begins`, new_text: `line ${line} once more begins` },
          ],
        });
        edits.push(mark);
      } else {
        await startEdit(note, 'read_file', {});
        edits.push('');
      }
    }
    if (random() < 0.7) await putCursor(upTo(2), random(), random());
    const composed = random() < 0.3;
    const word = `<${words.length}${composed ? '字' : ''}>`;
    await type(word, composed);
    words.push(word);
    if (random() < 0.1) await page.keyboard.press('Control+s');
  }
  const { texts, answers } = await settled();
  const text = texts[0] ?? '';
  const what = `seed ${seed}: ${text}`;
  expect(texts[1], what).toBe(text);
  expect(wordsIn(text).sort(), what).toEqual(words.sort());
  answers.forEach((answer, index) => {
    const mark = edits[index] ?? '';
    const isMade = answer.ok;
    if (mark !== '') expect([mark, text.includes(mark)], what).toEqual([mark, isMade]);
    if (!isMade) expect(JSON.stringify(answer)).toMatch(/changed|not found|no match|does not/i);
  });
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(path.join(workbench.vault, note), 'utf8')).toBe(text);
  for (const answer of answers)
    if (answer.ok) made += 1;
    else refused += 1;
}

let made = 0;
let refused = 0;

test(
  `no key is lost and no edit is lost in silence, in ${RUNS} interleavings`,
  async () => {
    for (let run = 0; run < RUNS; run += 1) await interleave(FIRST_SEED + run);
    // Most of them are made: what is refused is refused for a reason.
    expect(made).toBeGreaterThan(refused);
    expect(await workbench.faults()).toEqual([]);
  },
  RUNS * 5_000 + 60_000,
);

const LEDGER = '.obsidian/plugins/parley/ledger';

function ledger(): string {
  const folder = path.join(workbench.vault, LEDGER);
  return readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('');
}

test.for([0, 1])(
  'an edit waits while a sign is composed in pane %i, and then is made',
  async (pane) => {
    const note = `Composed ${pane}.md`;
    await openTwice(note);
    await putCursor(pane, 0.5, 0.9);
    const compose = (text: string) =>
      keys.send('Input.imeSetComposition', {
        ...{ text, selectionStart: text.length, selectionEnd: text.length },
      });
    await compose('に');
    await startEdit(note, 'edit_file', {
      edits: [{ old_text: 'line 6 begins', new_text: `line 6 (${note}) begins` }],
    });
    await expect.poll(ledger).toContain(`(${note})`);
    const seen = () =>
      page.evaluate(() => {
        const { panes } = window as unknown as InPage;
        return panes.map(({ view }) => view.editor.getValue());
      });
    for (const text of await seen()) expect(text).not.toContain(note);
    await keys.send('Input.insertText', { text: 'に' });
    const { texts, answers } = await settled();
    expect(answers).toMatchObject([{ ok: true }]);
    for (const text of texts) expect(text).toMatch(/に/);
    for (const text of texts) expect(text).toContain(`line 6 (${note}) begins`);
    expect(await workbench.faults()).toEqual([]);
  },
);

test.for([0, 1])(
  'the selection stays in pane %i, where the person is, and one undo takes all of the edit back',
  async (pane) => {
    const note = `Selected ${pane}.md`;
    await openTwice(note);
    // The other one has what is not saved yet.
    await putCursor(1 - pane, 0, 0);
    await type('typed ', false);
    await putCursor(pane, 0, 0);
    const selection = (line?: number) =>
      page.evaluate(
        ([which, at]) => {
          const { editor } = (window as unknown as InPage).panes[which]!.view;
          if (at !== undefined) editor.setSelection({ line: at, ch: 0 }, { line: at, ch: 6 });
          return editor.getSelection();
        },
        [pane, line] as const,
      );
    expect(await selection(5)).toBe('line 5');
    const before = (await settled()).texts;
    await startEdit(note, 'edit_file', {
      edits: [
        { old_text: 'line 2 begins', new_text: 'line 2 now begins' },
        { old_text: 'line 5 begins', new_text: 'line 5 now begins' },
        { old_text: 'line 9 begins', new_text: 'line 9\nbegins' },
      ],
    });
    const { texts, answers } = await settled();
    expect(answers).toMatchObject([{ ok: true }]);
    expect(await selection()).toBe('line 5');
    expect(texts[0]).toContain('line 5 now begins');
    expect(texts[1]).toBe(texts[0]);
    await page.evaluate(
      (which) => (window as unknown as InPage).panes[which]!.view.editor.undo(),
      pane,
    );
    expect((await settled()).texts).toEqual(before);
    expect(await workbench.faults()).toEqual([]);
  },
);

test.for(['one', 'both'])(
  'what was typed counts also where %s of the panes came to be a reading view',
  async (which) => {
    const note = `Read in ${which}.md`;
    await openTwice(note);
    await putCursor(0, 0.5, 0);
    await type('typed ', false);
    await page.evaluate(
      async (count) => {
        const { panes } = window as unknown as InPage;
        for (const { view } of panes.slice(0, count)) await view.setState({ mode: 'preview' }, {});
      },
      which === 'one' ? 1 : 2,
    );
    await startEdit(note, 'edit_file', {
      edits: [{ old_text: 'typed line 6', new_text: 'typed and edited line 6' }],
    });
    const { answers } = await settled();
    expect(answers).toMatchObject([{ ok: true }]);
    const reading = page.locator('.markdown-preview-view');
    await reading.getByText('typed and edited line 6').first().waitFor();
    expect(readFileSync(path.join(workbench.vault, note), 'utf8')).toContain(
      'typed and edited line 6',
    );
    const back = await page.evaluate(async () => {
      const { panes } = window as unknown as InPage;
      for (const { view } of panes) await view.setState({ mode: 'source' }, {});
      return panes.map(({ view }) => view.editor.getValue());
    });
    for (const text of back) expect(text).toContain('typed and edited line 6');
    expect(await workbench.faults()).toEqual([]);
  },
);

test('a pane that is closed in the middle of a composition holds nothing up', async () => {
  const note = 'Closed.md';
  await openTwice(note);
  await putCursor(1, 0.5, 0.5);
  await keys.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await startEdit(note, 'edit_file', {
    edits: [{ old_text: 'line 2 begins', new_text: `line 2 (${note}) begins` }],
  });
  await expect.poll(ledger).toContain(`(${note})`);
  await page.evaluate(() => (window as unknown as InPage).panes[1]!.detach());
  const { answers } = await page.evaluate(async () => {
    const inPage = window as unknown as InPage;
    return { answers: await Promise.all(inPage.answers) };
  });
  const text = readFileSync(path.join(workbench.vault, note), 'utf8');
  expect(answers.map(({ ok }) => ok)).toEqual([text.includes(`(${note})`)]);
  expect(await workbench.faults()).toEqual([]);
});
