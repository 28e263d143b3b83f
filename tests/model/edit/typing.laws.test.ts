/** What the user types into the lines of an edit, also of another device or program, is kept. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS, leastCount } from '#tests/cases';
import { proposeText } from '#model/edit/cut-edits';
import { decideEdits } from '#model/edit/edit-decisions';
import { ANY_DEVICE, editsOf, NO_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';
import { options } from './notes';

const many = { timeout: CASES_TIMEOUT_MS };

function proposed(before: string, after: string): string {
  const text = proposeText(readEdits(before, ANY_DEVICE), after, options())?.text;
  if (text === undefined) throw new Error('The block has no place.');
  return text;
}

const acceptAll = (note: string) => decideEdits(readEdits(note, ANY_DEVICE), () => 'accept');

/** As another program writes it, which does not name the line above. */
const unanchored = (note: string) => note.replace(/,"above":"[\da-f]{8}"/g, '');

describe('Typing into the lines of an edit', many, () => {
  const words = fc.array(fc.constantFrom(...'sun rain bed seed leaf soil water'.split(' ')), {
    minLength: 10,
    maxLength: 20,
  });
  const mark = fc.constantFrom('', '- ', '> ', '1. ', '- [ ] ');

  it('keeps the typed words and makes the change, wherever the edit comes from', () => {
    fc.assert(
      fc.property(
        ...([words, words, mark, fc.nat(), fc.nat(), fc.boolean(), fc.boolean()] as const),
        (first, second, sign, which, typedAt, isAnchored, typesAbove) => {
          const change = which % second.length;
          const place = (change + 3 + (typedAt % (second.length - 5))) % second.length;
          fc.pre(Math.abs(place - change) > 2 && first.join() !== second.join());
          const note = (above: readonly string[], own: readonly string[]) =>
            `${sign}${above.join(' ')}\n${sign === '' ? '\n' : ''}${sign}${own.join(' ')}\n`;
          const changed = second.with(change, 'CHANGED');
          const typed = (own: readonly string[]) => own.toSpliced(place, 0, 'typed', 'here');
          const above = typesAbove ? [...first, 'more'] : first;
          const raw = proposed(note(first, second), note(first, changed));
          const [, block = ''] = /(^[ >]*```[^]*)/m.exec(raw) ?? [];
          const live = note(above, typed(second)) + (isAnchored ? block : unanchored(block));
          expect(acceptAll(live)).toMatchObject({ refused: [], done: [{}] });
          expect(acceptAll(live).text).toBe(note(above, typed(changed)));
        },
      ),
      cases,
    );
  });

  it('never makes a change in another line than it was proposed for', () => {
    let refused = 0;
    const item = fc.tuple(fc.nat(30), fc.constantFrom('the tomatoes', 'the beans', 'all the beds'));
    fc.assert(
      fc.property(
        fc.uniqueArray(item, { minLength: 3, maxLength: 6, selector: ([week]) => week }),
        fc.integer({ min: 1, max: 2 }),
        fc.boolean(),
        (items, gone, isTyped) => {
          const lines = items.map(([week, what]) => `- Week ${week}: water ${what} twice\n`);
          const last = lines.at(-1) ?? '';
          const before = lines.join('');
          const raw = proposed(before, lines.with(-1, last.replace('water', 'feed')).join(''));
          const left = lines.slice(0, -gone);
          const kept = isTyped ? left.with(-1, `${left.at(-1)?.trimEnd()} a day\n`) : left;
          const live = kept.join('') + raw.slice(before.length);
          const { text } = acceptAll(live);
          expect(textsOf(readEdits(text, NO_DEVICE)).before).toBe(kept.join(''));
          refused += editsOf(readEdits(live, ANY_DEVICE)).filter(({ isStale }) => isStale).length;
        },
      ),
      cases,
    );
    expect(refused).toBeGreaterThan(leastCount(0.5));
  });
});
