/** The work of a check grows no faster than the note. */
import { expect, test, vi } from 'vitest';
import { lineHash } from '#model/edit/edit-block';
import { checkPassage, checkQuotation } from '#model/passage-check';
import { plainText } from '#text/plain-text';
import { allSteps, passageOf } from '#tests/builders/passages';

vi.mock('#text/plain-text', { spy: true });
vi.mock('#model/edit/edit-block', { spy: true });

/** How often, and for how many characters, a function was called. */
function work(called: typeof plainText | typeof lineHash, run: () => unknown) {
  const { calls } = vi.mocked(called).mock;
  calls.length = 0;
  run();
  return { calls: calls.length, characters: calls.reduce((all, [text]) => all + text.length, 0) };
}

const LINES = 4_000;

test.each([
  ['blank lines', 'a b c', `a\n${'\n'.repeat(LINES)}b`],
  ['the same line', `${'a '.repeat(148)}b`, 'a\n'.repeat(LINES)],
  ['lines without words', 'a b', 'a\n---\n'.repeat(LINES / 2)],
  ['unclosed comments', 'a b', 'a <!-- %% b\n'.repeat(LINES)],
])('reads each line of a note with %s at most twice for a quotation', (_, quotation, text) => {
  const note = { kind: 'text', path: 'A.md', text } as const;
  const check = () => allSteps(checkQuotation({ text: quotation, subpath: '' }, [note]));
  const { calls, characters } = work(plainText, check);
  expect(calls).toBeLessThanOrEqual(2 * LINES + 2);
  expect(characters).toBeLessThanOrEqual(2 * text.length);
});

test('compares each line of a note with those around a passage once', () => {
  const passage = passageOf('A.md', 'x\ngone words\nx', 'gone words');
  const note = { kind: 'text', path: 'A.md', text: 'x\n'.repeat(LINES) } as const;
  for (const text of ['gone words', 'x'])
    expect(
      work(lineHash, () => allSteps(checkPassage({ ...passage, text }, [note]))).calls,
    ).toBeLessThanOrEqual(LINES);
});
