import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { proposeText } from '#model/edit/cut-edits';
import { decideEdits, type EditChoiceMade } from '#model/edit/edit-decisions';
import { ANY_DEVICE, editsOf, printParts, readEdits, textsOf } from '#model/edit/note-edits';
import { decidePart, partsOfEdit } from '#model/edit/edit-parts';
import { note, options, pair } from './notes';

const many = { timeout: CASES_TIMEOUT_MS };

function proposed(before: string, after: string): string | null {
  return proposeText(readEdits(before, ANY_DEVICE), after, options())?.text ?? null;
}

describe('A pending edit in a note', many, () => {
  it('reading and printing any text returns the same text', () => {
    fc.assert(
      fc.property(fc.oneof(note, fc.string()), (text) => {
        expect(printParts(readEdits(text, ANY_DEVICE).parts)).toBe(text);
      }),
      cases,
    );
  });

  it('the note reads as both texts, byte for byte', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const text = proposed(before, after);
        fc.pre(text !== null);
        expect(textsOf(readEdits(text, ANY_DEVICE))).toEqual({ before, after });
      }),
      cases,
    );
  });

  it('accepting all edits leaves the text after, and rejecting all the text before', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const text = proposed(before, after);
        fc.pre(text !== null);
        const edits = readEdits(text, ANY_DEVICE);
        expect(decideEdits(edits, () => 'accept').text).toBe(after);
        expect(decideEdits(edits, () => 'reject').text).toBe(before);
      }),
      cases,
    );
  });

  it('deciding edits one by one in any order has the same result as deciding them at once', () => {
    const choices = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(pair, choices, fc.infiniteStream(fc.nat()), ([before, after], chosen, random) => {
        const text = proposed(before, after);
        fc.pre(text !== null);
        const edits = readEdits(text, ANY_DEVICE);
        const left = editsOf(edits).map(({ id }) => id);
        const choice = new Map<string, EditChoiceMade>(
          left.map((id, at) => [id, chosen[at % 30] === true ? 'accept' : 'reject']),
        );
        const atOnce = decideEdits(edits, ({ id }) => choice.get(id) ?? 'keep');
        let now = text;
        while (left.length > 0) {
          const [next] = left.splice((random.next().value ?? 0) % left.length, 1);
          const one = decideEdits(readEdits(now, ANY_DEVICE), ({ id }) =>
            id === next ? (choice.get(id) ?? 'keep') : 'keep',
          );
          expect(one.done).toEqual([next]);
          now = one.text;
        }
        expect(now).toBe(atOnce.text);
      }),
      cases,
    );
  });

  it('deciding an edit part by part has the same result as deciding it as a whole', () => {
    fc.assert(
      fc.property(
        pair,
        fc.constantFrom('accept', 'reject'),
        fc.infiniteStream(fc.nat()),
        ([before, after], choice, random) => {
          const text = proposed(before, after);
          fc.pre(text !== null);
          let now = text;
          for (let steps = 0; steps < 200; steps += 1) {
            const edits = readEdits(now, ANY_DEVICE);
            const open = editsOf(edits).flatMap((edit) =>
              partsOfEdit(edit).map((_, part) => ({ id: edit.id, part })),
            );
            const next = open[(random.next().value ?? 0) % open.length];
            if (!next) break;
            const one = decidePart(edits, next.id, next.part, choice);
            // The part can only be decided with the whole.
            now = one.ok
              ? one.text
              : decideEdits(edits, ({ id }) => (id === next.id ? choice : 'keep')).text;
          }
          const rest = decideEdits(readEdits(now, ANY_DEVICE), () => choice).text;
          expect(rest).toBe(choice === 'accept' ? after : before);
        },
      ),
      cases,
    );
  });

  it('a carriage return at the end of the note is text, and stays', () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const [before, after] = [`${one}\n\nEnd\r`, `${other}\n\nEnd\r`];
        const text = proposed(before, after);
        fc.pre(text !== null);
        const edits = readEdits(text, ANY_DEVICE);
        expect(textsOf(edits)).toEqual({ before, after });
        expect(decideEdits(edits, () => 'accept').text).toBe(after);
        expect(decideEdits(edits, () => 'reject').text).toBe(before);
      }),
      cases,
    );
  });

  it('an edit proposed below leaves a pending edit of the front matter as it is', () => {
    const before = '---\na: 1\n---\n\nBody one.\n';
    const text = proposed(before, before.replace('a: 1', 'a: 2')) ?? '';
    const after = '---\na: 2\n---\n\nBody two.\n';
    const made = proposeText(readEdits(text, ANY_DEVICE), after, options('own'));
    expect(made?.proposed).toEqual(['own-0001']);
    const now = readEdits(made?.text ?? '', ANY_DEVICE);
    expect(textsOf(now)).toEqual({ before, after });
    expect(editsOf(now).map(({ id }) => id)).toEqual(['edit-0001', 'own-0001']);
  });

  it('edits proposed in a long note leave an edit of another device as it is', () => {
    const text = Array.from({ length: 60 }, (_, at) => `Line ${String(at)} here.\n`).join('\n');
    const foreign = proposed(text, text.replace('Line 9 here', 'Line 9 there')) ?? '';
    const edits = readEdits(foreign, (id) => id !== 'edit-0001');
    const after = text.replace('Line 30', 'Row 30').replace('Line 50', 'Row 50');
    const made = proposeText(edits, after, options('own'));
    expect(made?.proposed).toEqual(['own-0001', 'own-0002']);
    const now = readEdits(made?.text ?? '', (id) => id !== 'edit-0001');
    expect(textsOf(now)).toEqual({ before: text, after });
    expect(editsOf(now).map(({ lines, isOwn }) => [lines, isOwn])).toEqual([
      ['Line 9 here.\n', false],
      ['Line 30 here.\n', true],
      ['Line 50 here.\n', true],
    ]);
  });
});
