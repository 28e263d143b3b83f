import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withSourceFootnotes, wordsQuoted } from '#model/passage';
import { checkQuotation } from '#model/passage-check';
import { savedSourcesIn } from '#model/saved-sources';
import { allSteps, pagePassage, passageOf } from '#tests/builders/passages';
import { cases } from '#tests/cases';

const HERBS = `# Herbs

## Sowing: when?
- [ ] Sow **basil** in May \\*indoors\\* #basil [[Soil|the soil]] ^basil
- Dill

## Harvest
${'Cut it often. '.repeat(40)}
It grows again.
`;
const basil = passageOf('Garden/Herbs.md', HERBS, HERBS.split('\n')[3] ?? '');
const harvest = passageOf('Garden/Herbs.md', HERBS, HERBS.split('\n').slice(7, 9).join('\n'));
const page = pagePassage();

const SAVED = withSourceFootnotes(
  `Sow it in May [@Herbs:4]. Cut it [@Herbs:8-9]. It likes warmth [@Growing basil:2].`,
  [basil, harvest, page],
);

test('the sources of a saved answer are read as they were written', () => {
  expect(savedSourcesIn(`# Answer\n\n${SAVED}\n`)).toMatchObject([
    {
      ...{ line: 5, name: 'Herbs' },
      place: { kind: 'note', link: 'Garden/Herbs', subpath: '#^basil' },
      quotation: 'Sow basil in May *indoors* #basil the soil ^basil',
    },
    { line: 6, place: { kind: 'note', link: 'Garden/Herbs', subpath: '#Harvest' } },
    {
      ...{ line: 7, name: 'Growing basil', quotation: 'Basil likes warmth.' },
      place: { kind: 'page', url: page.url },
    },
  ]);
});

test('other footnotes, and those in code, are no sources of answers', () => {
  const others = '[^1]: [[Herbs]]\n[^2]: “Words”\n[^3]: See [[Herbs]]: “Words”';
  expect(savedSourcesIn(`${others}\n\n\`\`\`\n${SAVED}\n\`\`\`\n`)).toEqual([]);
});

function checks(text: string) {
  return savedSourcesIn(SAVED).flatMap(({ place, quotation }) =>
    place.kind === 'note'
      ? [
          allSteps(
            checkQuotation({ text: quotation, subpath: place.subpath }, [
              { kind: 'text', path: 'Garden/Herbs.md', text },
            ]),
          ),
        ]
      : [],
  );
}

test('a quotation is unchanged while its words are in the note, in whatever lines', () => {
  expect(checks(HERBS)).toMatchObject([
    { kind: 'unchanged', first: 4, last: 4 },
    { kind: 'unchanged', first: 8, last: 8 },
  ]);
  expect(checks(`New.\n\n${HERBS}`)).toMatchObject([
    { kind: 'unchanged', first: 6 },
    { kind: 'unchanged', first: 10 },
  ]);
});

test('a quotation whose words have changed is shown with those that are there instead', () => {
  expect(checks(HERBS.replace('in May', 'in June').replace('often', 'seldom'))).toMatchObject([
    { kind: 'changed', first: 4, now: expect.stringContaining('in June') as string },
    { kind: 'changed', first: 8, now: expect.stringContaining('seldom') as string },
  ]);
  expect(checks('# Herbs\n\nNothing here.\n')).toEqual([
    { kind: 'gone', path: 'Garden/Herbs.md' },
    { kind: 'gone', path: 'Garden/Herbs.md' },
  ]);
});

test('words of a note that are also under another heading have moved if they are only there', () => {
  const check = (text: string) =>
    allSteps(
      checkQuotation({ text: 'call Bob', subpath: '#Friday' }, [
        { kind: 'text', path: 'Week.md', text },
      ]),
    );
  const week = '## Monday\n- call Bob\n\n## Friday\n- call Bob\n';
  expect(check(week)).toMatchObject({ kind: 'unchanged', first: 5 });
  expect(check(week.replace(/Bob\n$/, 'Ann\n'))).toMatchObject({ kind: 'moved', first: 2 });
});

const line = fc.constantFrom(
  ...['', 'a', 'a *b* c', '# c', '- [ ] d [[e|f]]', '    - g', '---', '> h', '| i | j |', '1. k'],
  ...['%% l\nm %% n', '<!-- o\np -->', 'q\u00a0 r', 'w '.repeat(200)],
);

test('lines of any note are found again by their words', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.array(line, { maxLength: 8 }),
      (above, own, below) => {
        const text = wordsQuoted(own.join('\n'));
        fc.pre(text !== '');
        const note = [...above, ...own, ...below].join('\n');
        const check = checkQuotation({ text, subpath: '' }, [
          { kind: 'text', path: 'N.md', text: note },
        ]);
        expect(allSteps(check)).toMatchObject({ kind: 'unchanged' });
      },
    ),
    cases,
  );
});
