/**
 * The user types into a note open in two panes while the agent proposes edits. In every
 * interleaving, each typed key is kept whether edits are accepted or rejected, and each edit is
 * proposed once or reported as failed.
 */
import type { ToolAnswer } from '#ports/app/settings-port';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANY_DEVICE, editsOf, readEdits, textsOf } from '#model/edit/note-edits';
import { LINES, randomFrom, TwoPanes } from '#tests/e2e/two-panes';

const RUNS = Number(process.env['CASES'] ?? 12);
const FIRST_SEED = Number(process.env['SEED'] ?? 1);

let panes: TwoPanes;

beforeAll(async () => {
  panes = await TwoPanes.open({ panelMode: 'review' });
});

afterAll(() => panes.workbench[Symbol.asyncDispose]());

/**
 * A word of one repeated letter, unique in the note, so that its letters can be counted even if a
 * proposal splits it.
 */
function wordOf(count: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + count).repeat(3);
}

function typedIn(text: string): string {
  return [...text.replace(/[^A-Z]/g, '')].sort().join('');
}

let made = 0;
let refused = 0;

/** Ids of the edits that these calls proposed. */
function proposedBy(answers: readonly ToolAnswer[]): string[] {
  return answers.flatMap((answer) => {
    const details = answer.ok ? answer.result.details : undefined;
    const changes = details?.kind === 'changes' ? details.changes : [];
    return changes.flatMap(({ proposes = [] }) => proposes);
  });
}

async function interleave(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const note = `Note ${seed}.md`;
  await panes.open(note, true);
  await panes.putCursor(0, random(), random());
  const words: string[] = [];
  const marks: string[] = [];
  for (let step = 0; step < 12; step += 1) {
    if (random() < 0.5) {
      const mark = `[agent ${marks.length}]`;
      const line = upTo(LINES);
      const kind = random();
      const atEnd = { position: 'end', content: `${mark} at the end` };
      const changed = {
        old_text: `line ${line} begins`,
        new_text: `line ${line} ${mark} begins`,
      };
      const added = { position: 'start', content: `${mark} at the start\n` };
      const edit = kind < 0.4 ? changed : kind < 0.75 ? atEnd : added;
      await panes.start(note, 'edit_file', { edits: [edit] });
      marks.push(mark);
    }
    // When the next key comes, some edits are in progress and some are done.
    if (random() < 0.5) await panes.page.waitForTimeout(upTo(60));
    // The agent proposes most edits at the ends of the note, so the user types there more often.
    const place = random();
    if (place < 0.25) await panes.putCursor(upTo(2), 0.999, 0.999);
    else if (place < 0.35) await panes.putCursor(upTo(2), 0, 0);
    else if (place < 0.7) await panes.putCursor(upTo(2), random(), random());
    const composed = random() < 0.4;
    const word = wordOf(words.length);
    await panes.type(word, composed);
    words.push(word);
    if (random() < 0.15) await panes.page.keyboard.press('Enter');
  }
  const { texts, answers } = await panes.settle();
  const text = texts[0] ?? '';
  const what = `seed ${seed}: ${text}\n${JSON.stringify(answers)}`;
  expect(texts[1], what).toBe(text);
  const edits = readEdits(text, ANY_DEVICE);
  const blocks = editsOf(edits).length;
  expect(text.split('```ai-edit').length - 1, what).toBe(blocks);
  const { before, after } = textsOf(edits);
  // Typing in the words of an edit keeps the typed text and leaves the edit to be proposed again.
  const stale = editsOf(edits).flatMap(({ isStale, block }) => (isStale ? block.after : []));
  expect(typedIn(before), what).toBe(words.join(''));
  expect(typedIn(after), what).toBe(words.join(''));
  answers.forEach((answer, index) => {
    const mark = marks[index] ?? '';
    expect([mark, before.includes(mark)], what).toEqual([mark, false]);
    const waits = [after, ...stale].some((each) => each.includes(mark));
    // A later text for the same stale lines is another version of the edit.
    const isReplaced = proposedBy(answers.slice(index + 1)).some((id) =>
      proposedBy([answer]).includes(id),
    );
    expect([mark, waits || isReplaced], what).toEqual([mark, answer.ok]);
    expect(after.split(mark).length, what).toBeLessThanOrEqual(2);
    if (answer.ok) made += 1;
    else refused += 1;
  });
  await panes.page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(path.join(panes.workbench.vault, note), 'utf8')).toBe(text);
}

test(
  `typing breaks no proposal and proposals lose no typed key, in ${RUNS} interleavings`,
  async () => {
    for (let run = 0; run < RUNS; run += 1) await interleave(FIRST_SEED + run);
    expect(made).toBeGreaterThan(refused);
    expect(await panes.workbench.faults()).toEqual([]);
  },
  RUNS * 20_000 + 60_000,
);
