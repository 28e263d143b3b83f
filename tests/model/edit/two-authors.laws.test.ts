/** Edits of two chats in one note: each is decided without the other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { applyText, proposeText } from '#model/edit/cut-edits';
import { decideEdits } from '#model/edit/edit-decisions';
import { ANY_DEVICE, editsOf, readEdits, textsOf } from '#model/edit/note-edits';
import { options, triple } from './notes';

type Author = 'one' | 'other';
type Choice = 'accept' | 'reject';

/** The note in which one chat and then another have each proposed a text; null if none has a place. */
function proposedByTwo(before: string, after: string, last: string): string | null {
  const first = proposeText(readEdits(before, ANY_DEVICE), after, options('one'));
  if (!first) return null;
  const isOthers = (id: string) => id.startsWith('one');
  const edits = readEdits(first.text, ANY_DEVICE);
  return proposeText(edits, last, { ...options('other'), isOthers })?.text ?? null;
}

/** Decides all edits of one chat. */
function decide(text: string, author: Author, choice: Choice): string {
  const { text: now, refused } = decideEdits(readEdits(text, ANY_DEVICE), ({ id }) =>
    id.startsWith(author) ? choice : 'keep',
  );
  expect(refused).toEqual([]);
  return now;
}

/** A list or paragraphs, by how one more of them is written. */
const KINDS = {
  bullet: (name: string) => `- ${name}\n`,
  task: (name: string) => `- [ ] ${name}\n`,
  nested: (name: string) => `- ${name}\n  - more of ${name}\n`,
  paragraph: (name: string) => `${name} is a paragraph.\n\n`,
  heading: (name: string) => `## ${name}\n\nText of ${name}.\n\n`,
  quote: (name: string) => `> ${name}\n\n`,
};

const beside = fc.record({
  kind: fc.constantFrom(...Object.values(KINDS)),
  items: fc.nat(4),
  head: fc.constantFrom('', '# Title\n\n', '---\ntags: [x]\n---\n\n'),
  tail: fc.constantFrom('', '\n', '\n## Next\n\nText.\n', '\nLast paragraph.\n'),
  ending: fc.constantFrom('\n', '\r\n'),
  /** Whether the note lacks the last line break; if it has other ones than LF, the edits may be one. */
  isOpen: fc.boolean(),
  places: fc.tuple(fc.nat(5), fc.nat(5)),
  order: fc.boolean(),
  choices: fc.tuple(
    fc.constantFrom<Choice>('accept', 'reject'),
    fc.constantFrom<Choice>('accept', 'reject'),
  ),
});

describe('Edits of two chats in one note', { timeout: CASES_TIMEOUT_MS }, () => {
  it('items that two chats add at any two places, the same one too, are decided apart', () => {
    fc.assert(
      fc.property(beside, ({ kind, items, head, tail, ending, isOpen, places, order, choices }) => {
        const base = Array.from({ length: items + 1 }, (_, at) => kind(`Item ${String(at)}`));
        const own = [
          { author: 'one' as const, text: kind('Milk'), at: Math.min(places[0], base.length) },
          { author: 'other' as const, text: kind('Butter'), at: Math.min(places[1], base.length) },
        ];
        // What is added above the first text may be an edit of that text, with all that is between.
        fc.pre(own[0]?.at !== own[1]?.at || (own[0]?.at ?? 0) > 0);
        /** The note with the items of some chats: those at one place in the order of the chats. */
        const noteWith = (authors: readonly Author[]) => {
          const texts = [...base, ''].flatMap((text, at) => [
            ...own.flatMap((each) =>
              each.at === at && authors.includes(each.author) ? [each.text] : [],
            ),
            text,
          ]);
          const text = head + texts.join('') + tail;
          return (isOpen && ending === '\n' ? text.replace(/\n$/, '') : text).replace(
            /\n/g,
            ending,
          );
        };
        const stored = proposedByTwo(noteWith([]), noteWith(['one']), noteWith(['one', 'other']));
        if (stored === null) throw new Error('The items have a place.');
        const steps = own.map(({ author }, at) => ({ author, choice: choices[at] ?? 'reject' }));
        const accepted = steps.filter(({ choice }) => choice === 'accept');
        let text = stored;
        for (const { author, choice } of order ? steps : steps.toReversed()) {
          text = decide(text, author, choice);
        }
        expect(text).toBe(noteWith(accepted.map(({ author }) => author)));
      }),
      cases,
    );
  });

  it('whatever two chats propose, the note reads as both texts, and all or nothing can be accepted', () => {
    fc.assert(
      fc.property(triple, ([before, after, last]) => {
        const stored = proposedByTwo(before, after, last);
        fc.pre(stored !== null);
        const edits = readEdits(stored, ANY_DEVICE);
        expect(textsOf(edits)).toEqual({ before, after: last });
        expect(decideEdits(edits, () => 'accept').text).toBe(last);
        expect(decideEdits(edits, () => 'reject').text).toBe(before);
      }),
      cases,
    );
  });

  it('what one chat decides leaves the edits of the other as they are, or is refused', () => {
    const author = fc.constantFrom<Author>('one', 'other');
    const choice = fc.constantFrom<Choice>('accept', 'reject');
    fc.assert(
      fc.property(triple, author, choice, ([before, after, last], chosen, made) => {
        const stored = proposedByTwo(before, after, last);
        fc.pre(stored !== null);
        const edits = readEdits(stored, ANY_DEVICE);
        const { text, refused } = decideEdits(edits, ({ id }) =>
          id.startsWith(chosen) ? made : 'keep',
        );
        if (refused.length > 0) {
          expect(text).toBe(stored);
          return;
        }
        const proposals = (note: string) =>
          editsOf(readEdits(note, ANY_DEVICE)).flatMap(({ id, lines, after: is, isStale }) =>
            id.startsWith(chosen) ? [] : [[id, lines.trimEnd(), is.trimEnd(), isStale]],
          );
        expect(proposals(text)).toEqual(proposals(stored));
      }),
      cases,
    );
  });

  it('what another chat applies directly below a pending edit is in the note, and the edit waits', () => {
    fc.assert(
      fc.property(beside, ({ kind, items, head, tail, ending, places }) => {
        const base = Array.from({ length: items + 1 }, (_, at) => kind(`Item ${String(at)}`));
        const at = 1 + (places[0] % base.length);
        const noteWith = (...added: readonly string[]) =>
          [head, ...base.slice(0, at), ...added.map(kind), ...base.slice(at), tail]
            .join('')
            .replace(/\n/g, ending);
        const [first] = [
          proposeText(readEdits(noteWith(), ANY_DEVICE), noteWith('Milk'), options()),
        ];
        const edits = readEdits(first?.text ?? '', ANY_DEVICE);
        const own = { ...options('other'), isOthers: () => true };
        const made = applyText(edits, noteWith('Milk', 'Butter'), own);
        expect(made?.proposed).toEqual([]);
        const now = readEdits(made?.text ?? '', ANY_DEVICE);
        expect(textsOf(now)).toEqual({
          before: noteWith('Butter'),
          after: noteWith('Milk', 'Butter'),
        });
      }),
      cases,
    );
  });
});
