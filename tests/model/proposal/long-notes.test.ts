/** Changes of long notes: what is compared in less detail still keeps every byte of both sides. */
import { describe, expect, test } from 'vitest';
import { textChanges } from '#text/list-diff';
import { mergeThreeWay } from '#text/three-way-merge';
import { wordDiff } from '#text/word-diff';
import type { ProposalId } from '#model/ids';
import { sidesOf } from '#model/proposal/before-and-after';
import { cutProposal, recutHunks } from '#model/proposal/cut-hunks';
import { parseNote, printNote } from '#model/proposal/proposal-format';
import { IS_SAMPLE } from '#tests/builders/sampled';

let made = 0;
const options = { mint: () => `hunk-${String((made += 1))}` as ProposalId, tag: 'ai_edit' };

/** Lines that all differ, some of them marked. */
function lines(count: number, mark: (at: number) => string, ending = '\n'): string {
  return Array.from({ length: count }, (_, at) => `${mark(at)} ${at.toString(36)} b${ending}`).join(
    '',
  );
}

function applied(before: string, changes: ReturnType<typeof textChanges>): string {
  return changes.reduceRight(
    (text, { from, to, text: fresh }) => text.slice(0, from) + fresh + text.slice(to),
    before,
  );
}

describe('a long note', () => {
  test.each([2, 3, 50])('with a change in one of %i lines has a hunk for each of them', (step) => {
    const count = IS_SAMPLE ? 9_000 : 30_000;
    const before = lines(count, () => 'a');
    const after = lines(count, (at) => (at % step === 0 ? 'c' : 'a'));
    const cut = cutProposal(before, after, options);
    expect(sidesOf(cut)).toEqual({ before, after });
    expect(cut.filter(({ kind }) => kind === 'block')).toHaveLength(count / step);
    const stored = parseNote(printNote(cut));
    const again = lines(count, (at) => (at % step === 0 ? 'd' : 'a'));
    expect(sidesOf(recutHunks(stored, again, options))).toEqual({ before, after: again });
  });

  test('with more than 40,000 lines is cut in detail up to there and keeps both sides', () => {
    const before = lines(30_000, () => 'a', '\n\n');
    const after = lines(30_000, (at) => (at === 10 || at === 25_000 ? 'c' : 'a'), '\n\n');
    const cut = cutProposal(before, after, options);
    expect(sidesOf(cut)).toEqual({ before, after });
    const blocks = cut.flatMap((each) => (each.kind === 'block' ? [each.block] : []));
    expect(blocks.map(({ after: text }) => text.length > 32_000)).toEqual([false, true]);
    expect(sidesOf(parseNote(printNote(cut)))).toEqual({ before, after });
  });

  test.each([
    ['fences', '```\na'],
    ['math', '$$\na'],
    ['quotes', '> a'],
    ['list items', '- a'],
  ])('in which %s are opened everywhere keeps both sides', (_, mark) => {
    const before = lines(10_000, () => 'a', '\n\n');
    const after = lines(10_000, () => mark, '\n\n');
    expect(sidesOf(cutProposal(before, after, options))).toEqual({ before, after });
  });

  test.each([
    ['lines that all differ', (at: number) => at.toString(36)],
    ['lines that repeat', (at: number) => String(at % 3)],
  ])('that is rewritten, with %s, is changed exactly', (_, word) => {
    const before = Array.from({ length: 100_000 }, (_each, at) => `${word(at)}\n`).join('');
    const after = before.split('\n').reverse().join('\n').replaceAll('1', 'x');
    expect(applied(before, textChanges(before, after))).toBe(after);
    const pieces = wordDiff(before, after);
    const side = (without: string) =>
      pieces.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('');
    expect([side('added'), side('removed')]).toEqual([before, after]);
  });
});

test('a long paragraph that both sides changed keeps mine and is reported as a conflict', () => {
  const base = `${'word '.repeat(20_000)}\n`;
  const mine = base.replaceAll('word', 'mine');
  const theirs = base.replaceAll('word', 'theirs');
  const { text, conflicts } = mergeThreeWay(base, mine, theirs);
  expect(text).toBe(mine);
  expect(conflicts).toEqual([{ line: 1, base, mine, theirs }]);
});
