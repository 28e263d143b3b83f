/** Decides, revises and merges the edits of a note, beside edits that stay as they are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS, leastCount } from '#tests/cases';
import type { ProposalId } from '#model/ids';
import { applyText, proposeText } from '#model/edit/cut-edits';
import {
  chooseText,
  decideEdits,
  mergeNotes,
  placeOfEdit,
  reviseEdit,
  rewriteEdits,
  withoutDamaged,
} from '#model/edit/edit-decisions';
import {
  ANY_DEVICE,
  type EditedText,
  editsOf,
  holdsEdits,
  printParts,
  readEdits,
  textsOf,
} from '#model/edit/note-edits';
import { editedFrom, fragment, note, options, pair, triple } from './notes';

const many = { timeout: CASES_TIMEOUT_MS };

/** The note in which the change is proposed; null if a block has no place. */
function proposed(before: string, after: string): string | null {
  return proposeText(readEdits(before, ANY_DEVICE), after, options())?.text ?? null;
}

/** The user's own text has the line endings of the note, and ends with a whole line. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

/** The blocks of a text without the lines that they are about. */
function blocksIn(text: string): string[] {
  return readEdits(text, ANY_DEVICE).parts.flatMap(({ raw, edit }) =>
    edit ? [raw.slice(edit.fence, edit.end).trimEnd().replaceAll('\r\n', '\n')] : [],
  );
}

function idOf(edits: EditedText): ProposalId {
  const [first] = editsOf(edits);
  if (!first) throw new Error('The note has no edit.');
  return first.id;
}

describe('Revising an edit', many, () => {
  it('keeps its lines, its id and all other edits, and revising it back restores the same bytes', () => {
    let changed = 0;
    fc.assert(
      fc.property(pair, fc.nat(), fragment, ([before, after], which, given) => {
        const raw = proposed(before, after);
        const isCrlf = `${before}${after}`.includes('\r\n');
        const text = isCrlf ? given.replace(/\r?\n/g, '\r\n') : given;
        const edits = readEdits(raw ?? '', ANY_DEVICE);
        const own = editsOf(edits);
        const edit = own[which % Math.max(1, own.length)];
        const place = edit && placeOfEdit(edits, edit.id);
        if (raw === null || !place || holdsEdits(place.above + text + place.below)) return;
        const wanted = place.above + text + place.below;
        const closed = edits.isOpen ? wanted.replace(/\r?\n$/, '') : wanted;
        const done = reviseEdit(edits, edit.id, closed);
        if (!done.ok) return;
        changed += 1;
        const now = readEdits(done.text, ANY_DEVICE);
        expect(textsOf(now)).toEqual({ before, after: closed });
        const others = (each: typeof now) =>
          editsOf(each).map(({ id, lines, after: to }) =>
            id === edit.id ? [id, lines] : [id, lines, to],
          );
        expect(others(now)).toEqual(others(edits));
        const back = chooseText(now, edit.id, edit.after);
        if (back.ok) expect(back.text).toBe(raw);
      }),
      cases,
    );
    expect(changed).toBeGreaterThanOrEqual(leastCount(0.1));
  });

  const TEXT = '---\na: 1\n---\nOne.\n\nTwo.\n\nThree.\n';
  const edits = readEdits(proposed(TEXT, TEXT.replace('Two', 'Deux')) ?? '', ANY_DEVICE);
  const two = idOf(edits);
  const head = readEdits(proposed(TEXT, TEXT.replace('a: 1', 'a: 2')) ?? '', ANY_DEVICE);
  const stale = readEdits(printParts(edits.parts).replace('Two.\n', 'Zwei.\n'), ANY_DEVICE);
  it.each([
    [
      'outside',
      'other lines',
      reviseEdit(edits, two, TEXT.replace('One', 'Un').replace('Two', 'Deux')),
    ],
    ['same', 'the text that it replaces', chooseText(edits, two, 'Two.\n')],
    ['merged', 'a text that goes on in the lines below', chooseText(edits, two, '```\nDeux.\n')],
    [
      'too-long',
      'a text that no block can hold',
      chooseText(edits, two, `${'word '.repeat(8_000)}\n`),
    ],
    ['properties', 'properties that become text', chooseText(head, idOf(head), 'Text.\n')],
    ['stale', 'an edit whose words the user changed', chooseText(stale, two, 'Drei.\n')],
    ['gone', 'an edit that is not in the note', chooseText(head, 'edit-9999' as ProposalId, 'x\n')],
  ])('is refused as %s: %s', (reason, _, done) => {
    expect(done).toEqual({ ok: false, reason });
  });

  it('may make it shorter, longer, an addition or a deletion', () => {
    for (const text of ['2\n', 'Deux.\nTrois.\n', '']) {
      const done = chooseText(edits, two, text);
      const after = TEXT.replace('Two.\n', text);
      expect(done.ok && textsOf(readEdits(done.text, ANY_DEVICE))).toEqual({ before: TEXT, after });
    }
  });
});

describe('Deciding an edit', many, () => {
  const LIST = 'One.\n\nTwo.\n\nThree.\n';
  const raw = proposed(LIST, LIST.replace('Two', 'Deux')) ?? '';

  it('refuses a text of the user that would itself be read as an edit', () => {
    const refused = decideEdits(readEdits(raw, ANY_DEVICE), () => ({
      amend: `Zwei.\n${blocksIn(raw)[0]}\n`,
    }));
    expect(refused).toEqual({
      ...{ text: raw, done: [] },
      refused: [{ id: editsOf(readEdits(raw, ANY_DEVICE))[0]?.id, reason: 'holds-edit' }],
    });
  });

  it('puts whole lines of the user in its place, and its own text as if it was accepted', () => {
    const amended = (text: string) =>
      decideEdits(readEdits(raw, ANY_DEVICE), () => ({ amend: text })).text;
    expect(amended('Zwei.')).toBe(LIST.replace('Two', 'Zwei'));
    expect(amended('Zwei.\nDrei.')).toBe(LIST.replace('Two.', 'Zwei.\nDrei.'));
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const text = proposed(before, after);
        fc.pre(text !== null);
        const own = readEdits(text, ANY_DEVICE);
        const { text: kept, refused } = decideEdits(own, ({ after: to }) => ({ amend: to }));
        // Only a text that would be read as an edit itself is refused.
        fc.pre(refused.every(({ reason }) => reason !== 'holds-edit'));
        expect(plain(kept)).toBe(plain(after));
      }),
      cases,
    );
  });

  it('can be decided without the edit below it, in whose lines the user has typed', () => {
    const text = (...words: string[]) => words.map((word) => `A ${word} line stays.\n`).join('\n');
    const raw = proposed(text('red', 'old'), text('grey', 'new')) ?? '';
    const typed = raw.replace('A old line stays.', 'Well, a old line stays.');
    const { text: half, refused } = decideEdits(readEdits(typed, ANY_DEVICE), ({ after }) =>
      after.includes('grey') ? 'accept' : 'keep',
    );
    expect(refused).toEqual([]);
    const whole = decideEdits(readEdits(half, ANY_DEVICE), () => 'accept');
    expect(whole).toMatchObject({ text: text('grey', 'new').replace('A new', 'Well, a new') });
  });

  it('of the properties is refused if the user has changed the same one, and can be rejected or amended', () => {
    const top = (a: number) => `---\na: ${a}\nb: 1\n---\nText.\n`;
    const text = (proposed(top(1), top(2)) ?? '').replace('a: 1\nb', 'a: 9\nb');
    const own = readEdits(text, ANY_DEVICE);
    expect(editsOf(own).map(({ isStale }) => isStale)).toEqual([true]);
    expect(decideEdits(own, () => 'accept').text).toBe(text);
    expect(decideEdits(own, () => 'reject').text).toBe(top(9));
    expect(decideEdits(own, () => ({ amend: top(3).replace('Text.\n', '') })).text).toBe(top(3));
  });
});

describe('A note with edits that the agent changes again', many, () => {
  it('keeps its text before when another text is proposed, and has no block left for the text before', () => {
    fc.assert(
      fc.property(triple, ([before, after, third]) => {
        const raw = proposed(before, after);
        fc.pre(raw !== null);
        const same = proposeText(readEdits(raw, ANY_DEVICE), after, options('same'));
        expect(same).toEqual({ text: raw, proposed: [] });
        const made = proposeText(readEdits(raw, ANY_DEVICE), third, options('next'));
        if (made)
          expect(textsOf(readEdits(made.text, ANY_DEVICE))).toEqual({ before, after: third });
        const back = proposeText(readEdits(raw, ANY_DEVICE), before, options('back'));
        expect(back?.text).toBe(before);
      }),
      cases,
    );
  });

  it('reads as an applied text once all edits are accepted', () => {
    fc.assert(
      fc.property(triple, ([before, after, third]) => {
        const raw = proposed(before, after);
        fc.pre(raw !== null);
        const made = applyText(readEdits(raw, ANY_DEVICE), third, options('next'));
        if (made) expect(textsOf(readEdits(made.text, ANY_DEVICE)).after).toBe(third);
        expect(applyText(readEdits(before, ANY_DEVICE), after, options())?.text).toBe(after);
      }),
      cases,
    );
  });

  it('keeps every byte if no link is renamed', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const raw = proposed(before, after);
        fc.pre(raw !== null);
        expect(rewriteEdits(readEdits(raw, ANY_DEVICE), (text) => text)).toBe(raw);
      }),
      cases,
    );
  });

  it('follows the host, which renames a link and its text in the lines of an edit', () => {
    const before = 'See [Old](In/Old.md) here.\n';
    const raw = proposed(before, 'See [Old](In/Old.md) there.\n') ?? '';
    const renamed = raw.replace(before, 'See [New](New.md) here.\n');
    const rewrite = (text: string) => text.replaceAll('In/Old.md', 'Out/New.md');
    const [edit] = editsOf(
      readEdits(rewriteEdits(readEdits(renamed, ANY_DEVICE), rewrite), ANY_DEVICE),
    );
    expect(edit).toMatchObject({ isStale: false, lines: 'See [New](New.md) here.\n' });
    expect(edit?.after).toBe('See [Old](New.md) there.\n');
  });

  it('has an edit for each of many changes in a long note', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `Line ${at} of a long note.\n\n`);
    const before = lines.join('');
    const after = lines.map((each, at) => (at % 10 === 0 ? `New ${each}` : each)).join('');
    const own = readEdits(proposed(before, after) ?? '', ANY_DEVICE);
    expect(editsOf(own)).toHaveLength(30);
    expect(textsOf(own)).toEqual({ before, after });
  });
});

describe('Merging two changes of a note with edits', many, () => {
  it('keeps the blocks of one side and the text that is typed on the other', () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(pair, place, ([base, after], along) => {
        const blocks = proposed(base, after);
        fc.pre(blocks !== null);
        const at = Math.round(along * base.length);
        const typed = `${base.slice(0, at)}<typed>${base.slice(at)}`;
        for (const [mine, theirs] of [
          [blocks, typed],
          [typed, blocks],
        ] as const) {
          const { text, conflicts } = mergeNotes(base, mine, theirs);
          if (conflicts.length > 0) continue;
          expect(text).toContain('<typed>');
          for (const block of blocksIn(blocks))
            expect(text.replaceAll('\r\n', '\n')).toContain(block);
        }
      }),
      cases,
    );
  });

  it('never changes a block, however the text around it changes', () => {
    const given = pair.chain(([base, after]) =>
      fc.tuple(fc.constant(base), fc.constant(after), editedFrom(base)),
    );
    fc.assert(
      fc.property(given, note, ([base, after, other], unlike) => {
        const blocks = proposed(base, after);
        fc.pre(blocks !== null);
        for (const theirs of [other, unlike]) {
          const { text } = mergeNotes(base, blocks, theirs);
          for (const each of blocksIn(text)) expect(blocksIn(blocks)).toContain(each);
        }
      }),
      cases,
    );
  });
});

describe('Removing a damaged edit', () => {
  const json = '{"id":"abc123","type":"add","after":"New.\\n"}';
  const whole = `Text.\n\n\`\`\`ai-edit\n${json}\n\`\`\`\n#ai_edit\n\nMore.\n`;

  it.each([
    ['text within the fence', whole.replace('\n#ai_edit', '').replace(json, `${json}\nTyped.`)],
    ['text within the fence and the tag', whole.replace(json, `${json}\nTyped.`)],
    ['text above its JSON', whole.replace(json, `Typed.\n${json}`)],
  ])('leaves %s, and no fence', (_, damaged) => {
    expect(withoutDamaged(damaged)).toBe('Text.\n\nTyped.\n\nMore.\n');
  });

  it('leaves a block of code that its open fence has taken in', () => {
    const code = '\n```js\ncode\n```\n';
    const damaged = whole.replace('```\n#ai_edit\n', code);
    expect(withoutDamaged(damaged)).toBe(`Text.\n\n${code}\nMore.\n`);
  });
});
