/** What is taken for a mark of a source, and what is left as a citation. */
import { expect, test } from 'vitest';
import { marksOfChat } from '#model/chat-marks';
import { citationsIn, withSourceFootnotes, withSourceLinks } from '#model/passage';
import { reduceAll } from '#model/reducer';
import { passageOf } from '#tests/builders/passages';
import { Script } from '#workbench/gallery/script';

/** The turns of a chat that has read a note. */
function turnsThatRead(path: string, text: string) {
  const script = new Script('a').ask('Why?').step().call('read_file', { path }, text).step();
  script
    .cite(passageOf(path, text, text))
    .say('So.')
    .done('So.');
  return reduceAll(script.id, script.events).turns;
}

const PATH = 'Literature/smith2020.md';

test.each(['Sleep helps memory.', 'See [@smith2020].', '@article{smith2020,'])(
  'a citation of a note that is named by its key stays in what is copied and saved (%s)',
  (shown) => {
    const text = 'Sleep helps memory [@smith2020].';
    const isMark = marksOfChat(() => turnsThatRead(PATH, shown));
    expect(withSourceLinks(text, [], isMark)).toBe(text);
    expect(withSourceFootnotes(text, [], isMark)).toBe(text);
    expect(citationsIn(text, [], isMark).wrong).toBe(0);
  },
);

test.each([
  ['[@Literature/smith2020]', PATH],
  ['[@literature/Smith2020.md]', PATH],
  ['[@smith2020.md]', PATH],
  ['[@smith2020:4]', PATH],
  ['[@smith2020: below]', 'Literature/smith2020: below.md'],
  ['[@Garden plan]', 'Garden plan.md'],
])('%s is a mark once %s was read, and one that names nothing leaves', (mark, path) => {
  const isMark = marksOfChat(() => turnsThatRead(path, 'Sleep helps memory.'));
  const text = `Sleep helps memory ${mark}.`;
  expect(withSourceLinks(text, [], isMark)).toBe('Sleep helps memory.');
  expect(citationsIn(text, [], isMark).wrong).toBe(1);
});

test.each(['[@Literature/smith2020]', '[@smith2020 p]', '[@smith2020:4 below]', '[@peas:4]'])(
  '%s is a citation if a note that was read has it',
  (citation) => {
    const turns = ['Literature/smith2020.md', 'smith2020 p.md'].flatMap((path) =>
      turnsThatRead(path, `Sleep _helps ${citation}_.`),
    );
    const text = `Sleep ${citation}.`;
    expect(
      withSourceLinks(
        text,
        [],
        marksOfChat(() => turns),
      ),
    ).toBe(text);
  },
);

test('a mark is judged by all that the chat has shown by now', () => {
  let turns = turnsThatRead(PATH, 'Sleep.');
  const isMark = marksOfChat(() => turns);
  const mark = { inner: 'Garden plan', lines: [] };
  expect(isMark(mark)).toBe(false);
  turns = [...turns, ...turnsThatRead('Garden plan.md', 'Sow in May.')];
  expect(isMark(mark)).toBe(true);
});
