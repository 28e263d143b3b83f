/** The model marks where its claims come from; what it was shown there becomes part of the turn. */
import { expect, test } from 'vitest';
import { segmentsOf } from '#components/message/turn-segments.ts';
import type { Passage } from '#model/passage';
import { answers, call, says, scriptedModel, USAGE, words } from '#tests/builders/model-stream';
import { beginTurn } from '#tests/builders/turns';
import { ShownNotes } from '#tools/shown-notes';

const basil: Passage = {
  ...{ kind: 'note', key: 'Herbs:4-4', path: 'Garden/Herbs.md', first: 4, last: 4 },
  ...{ heading: 'Sowing', date: 0, created: 0, above: null, below: null },
  text: 'Basil is sown in May.',
};
const passages = { [basil.key]: basil };

function textsOf(turn: Parameters<typeof segmentsOf>[0]): string[] {
  return segmentsOf(turn).flatMap((each) => (each.kind === 'text' ? each.text : []));
}

test('a passage is part of the turn once, as soon as its mark is complete', async () => {
  const pieces = ['In May [@He', 'rbs:4', ']. Really [@Herbs:4]', '. Blue [@Herbs:9].'];
  const text = pieces.join('');
  const model = scriptedModel([
    ...pieces.map((piece) => ({
      ...({ type: 'delta', index: 0, delta: { type: 'text', text: piece } } as const),
    })),
    { type: 'part', index: 0, part: { type: 'text', text } },
    { type: 'end', stop: 'end', usage: USAGE },
  ]);
  const turn = await beginTurn({ model, passages });
  expect(await turn.run()).toMatchObject({ reply: 'In May. Really. Blue.' });
  const told = turn.events.map(({ type }) => type);
  expect(told.indexOf('passage-find')).toBe(told.indexOf('part-delta') + 2);
  expect(told.filter((type) => type === 'passage-find')).toHaveLength(1);
  expect(turn.turn.passages).toEqual([basil]);
  expect(textsOf(turn.turn)).toEqual([text]);
});

test('the marks of a summary count, and the reply has none', async () => {
  const summary = 'Basil is sown in May [@Herbs:4].';
  const model = scriptedModel(answers([words('I look.'), call('done', { summary })]));
  const turn = await beginTurn({ model, passages });
  expect(await turn.run()).toMatchObject({ reply: 'Basil is sown in May.' });
  expect(turn.turn.passages).toEqual([basil]);
  expect(textsOf(turn.turn).at(-1)).toBe(summary);
});

test('what the model wrote goes back to it unchanged', async () => {
  const text = 'In May [@Herbs:4].';
  const model = scriptedModel(says(text), says('Yes.'));
  const turn = await beginTurn({ model, passages });
  await turn.run();
  await turn.next('Sure?');
  await turn.run();
  expect(JSON.stringify(model.requests[1]?.history)).toContain(text);
});

const HERBS = '# Herbs\n\n## Sowing\nBasil: May\nDill: April\n';

function shown(): ShownNotes {
  const notes = new ShownNotes();
  notes.during('first').show('Garden/Herbs.md', HERBS, [
    [4, 'Basil: May'],
    [5, null],
  ]);
  return notes;
}

test('a passage has only lines whose words were shown before the step that names them', () => {
  const notes = shown();
  const named = (name: string, first: number, last = first, step = 'second') => {
    const found = notes.during(step).passage(name, first, last);
    return found && [found.path, found.first, found.last];
  };
  for (const name of ['Garden/Herbs.md', 'Garden/Herbs', 'Herbs', 'herbs.md'])
    expect(named(name, 4), name).toEqual(['Garden/Herbs.md', 4, 4]);
  expect(named('Herbs', 3, 5)).toEqual(['Garden/Herbs.md', 4, 4]);
  expect(named('Herbs', 5)).toBeNull();
  expect(named('Soil', 4)).toBeNull();
  // A folder in which no note was shown.
  expect(named('Kitchen/Herbs.md', 4)).toBeNull();
  expect(named('Herbs', 4, 4, 'first')).toBeNull();
});

test('a name of two notes whose lines were both shown names nothing; a path names one', () => {
  const notes = shown();
  notes.during('first').show('Kitchen/Herbs.md', 'a\nb\nc\nd\n', [[4, 'd']]);
  const later = notes.during('second');
  expect(later.passage('Herbs', 4, 4)).toBeNull();
  expect(later.passage('Kitchen/Herbs', 4, 4)?.lines.text).toBe('a\nb\nc\nd\n');
});

test('the lines of a note that has changed since are those that were shown', () => {
  const notes = shown();
  const changed = HERBS.replace('May', 'June');
  notes.during('second').show('Garden/Herbs.md', changed, [[1, '# Herbs']]);
  const third = notes.during('third');
  expect(third.passage('Herbs', 4, 4)?.lines.text).toBe(HERBS);
  expect(third.passage('Herbs', 1, 1)?.lines.text).toBe(changed);
});
