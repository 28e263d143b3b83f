import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NotePassage } from '#model/passage';
import * as passageCheck from '#model/passage-check';
import type { NoteToday } from '#model/passage-check';
import { allSteps, passageOf } from '#tests/builders/passages';
import { cases } from '#tests/cases';

const HERBS = `# Herbs

## Sowing
Parsley is sown in March.
Basil is sown in May, indoors.
Dill is sown in April.

## Harvest
Cut basil often.
`;
const BASIL = 'Basil is sown in May, indoors.';
const basil = passageOf('Herbs.md', HERBS, BASIL);

function checkPassage(passage: NotePassage, notes: readonly NoteToday[]) {
  return allSteps(passageCheck.checkPassage(passage, notes));
}

function today(text: string, path = 'Herbs.md', isGuess?: true): NoteToday {
  return { kind: 'text', path, text, ...(isGuess && { isGuess }) };
}

describe('a passage of a note', () => {
  test.each([
    ['as it was', HERBS, { kind: 'unchanged', first: 5, last: 5 }],
    ['with other line endings', HERBS.replaceAll('\n', '\r\n'), { kind: 'unchanged', first: 5 }],
    ['below new lines', `A new line.\n${HERBS}`, { kind: 'moved', first: 6, last: 6 }],
    [
      'under another heading',
      HERBS.replace(`${BASIL}\n`, '').concat(`${BASIL}\n`),
      { kind: 'moved', first: 9 },
    ],
    [
      'with another month',
      HERBS.replace('May', 'June'),
      { kind: 'changed', first: 5, last: 5, now: 'Basil is sown in June, indoors.' },
    ],
    [
      'rewritten in other words',
      HERBS.replace(BASIL, 'Wait for the warm months.'),
      { kind: 'changed', first: 5, now: 'Wait for the warm months.' },
    ],
    [
      'changed and moved',
      `${HERBS.replace(`${BASIL}\n`, '')}\nBasil is sown in June, indoors.\n`,
      { kind: 'changed', first: 10, now: 'Basil is sown in June, indoors.' },
    ],
    ['deleted beside similar lines', HERBS.replace(`${BASIL}\n`, ''), { kind: 'gone' }],
    ['in an empty note', '', { kind: 'gone', path: 'Herbs.md' }],
  ] as const)('is found %s', (_, text, check) => {
    expect(checkPassage(basil, [today(text)])).toMatchObject(check);
  });
});

describe('the note of a passage', () => {
  const other = today('Something else.\n');
  test('is the likeliest that still has its text', () => {
    const renamed = today(HERBS, 'Kitchen herbs.md');
    expect(checkPassage(basil, [other, renamed])).toEqual({
      ...{ kind: 'moved', path: 'Kitchen herbs.md', first: 5, last: 5 },
    });
  });

  test('is guessed only for the same text', () => {
    const changed = today(HERBS.replace('May', 'June'), 'Old/Herbs.md', true);
    expect(checkPassage(basil, [changed])).toEqual({ kind: 'gone', path: null });
    expect(checkPassage(basil, [other, changed])).toEqual({ kind: 'gone', path: 'Herbs.md' });
    expect(checkPassage(basil, [today(HERBS, 'Old/Herbs.md', true)])).toMatchObject({
      ...{ kind: 'moved', path: 'Old/Herbs.md' },
    });
  });

  test('is named as hidden or unreadable before any guess', () => {
    const guess = today(HERBS, 'Old/Herbs.md', true);
    const unreadable = { kind: 'unreadable', path: 'Herbs.md' } as const;
    expect(checkPassage(basil, [{ kind: 'hidden' }, guess])).toEqual({ kind: 'hidden' });
    expect(checkPassage(basil, [unreadable, guess])).toEqual(unreadable);
    expect(checkPassage(basil, [])).toEqual({ kind: 'gone', path: null });
  });
});

test('a passage with a block id is where the id is, whatever its words are', () => {
  const note = 'Sow basil in May. ^basil\n\nCut it.\n';
  const named = passageOf('Herbs.md', note, 'Sow basil in May. ^basil');
  const now = `New.\n\nCut it.\n\nPlant it out when it is warm. ^basil\n`;
  expect(checkPassage(named, [today(now)])).toMatchObject({ kind: 'changed', first: 5, last: 5 });
});

test('a long passage that was cut is compared as far as it was kept', () => {
  const cut = { ...basil, text: BASIL.slice(0, 12), isCut: true as const };
  expect(checkPassage(cut, [today(HERBS)])).toMatchObject({ kind: 'unchanged' });
  expect(checkPassage(cut, [today(HERBS.replace('Basil', 'Cress'))])).toMatchObject({
    kind: 'changed',
  });
});

test('a passage that changed behind its cut is not the same', () => {
  const lines = Array.from({ length: 100 }, (_, at) => `Line ${at} has a few words of its own.`);
  const note = lines.join('\n');
  const cut: NotePassage = {
    ...passageOf('Long.md', note, note),
    ...{ text: note.slice(0, 2_000), isCut: true, whole: passageCheck.linesHash(lines) },
  };
  expect(checkPassage(cut, [today(note, 'Long.md')])).toMatchObject({ kind: 'unchanged' });
  for (const changed of [note.replace('Line 90 has', 'Line 90 had'), note.slice(0, 2_100)])
    expect(checkPassage(cut, [today(changed, 'Long.md')])).toMatchObject({ kind: 'changed' });
});

test('a line that was replaced is changed, although another has the words that it had', () => {
  const own = passageOf(
    'Week.md',
    '## Monday\n- call Ann\n\n## Friday\n- call Bob\n',
    '- call Bob',
  );
  const week = (friday: string) => `## Monday\n- call Bob\n\n## Friday\n${friday}`;
  expect(checkPassage(own, [today(week('- call Bob\n'), 'Week.md')])).toMatchObject({ first: 5 });
  expect(checkPassage(own, [today(week('- nothing\n'), 'Week.md')])).toMatchObject({
    ...{ kind: 'changed', first: 5, now: '- nothing' },
  });
  expect(checkPassage(own, [today(week('- think\n- call Bob\n'), 'Week.md')])).toMatchObject({
    ...{ kind: 'moved', first: 6 },
  });
  expect(checkPassage(own, [today(week(''), 'Week.md')])).toMatchObject({
    kind: 'moved',
    first: 2,
  });
});

const line = fc.constantFrom('', 'a', 'b', '# c', '- d e', 'f g h', '---');

test('a passage is unchanged where its lines are, and intact exactly where the note has them', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.array(line, { minLength: 1, maxLength: 3 }).filter((own) => own.at(-1) !== ''),
      fc.array(line, { maxLength: 12 }),
      fc.array(line, { maxLength: 20 }),
      (above, own, below, now) => {
        const note = [...above, ...own, ...below].join('\n');
        const passage = passageOf('N.md', note, own.join('\n'));
        expect(checkPassage(passage, [today(note, 'N.md')])).toMatchObject({ kind: 'unchanged' });
        const check = checkPassage(passage, [today(now.join('\n'), 'N.md')]);
        const isIntact = check.kind === 'unchanged' || check.kind === 'moved';
        const lines = passage.text.split('\n');
        const places = now.flatMap((_, at) =>
          lines.every((each, more) => now[at + more] === each) ? [at + 1] : [],
        );
        if (isIntact) expect(places).toContain(check.first);
        // The same words elsewhere are others if its place has something else.
        else if (places.length > 0) expect(check.kind).toBe('changed');
        if (check.kind === 'changed')
          expect(now.slice(check.first - 1, check.last).join('\n')).toBe(check.now);
      },
    ),
    cases,
  );
});
