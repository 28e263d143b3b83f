import { expect, test } from 'vitest';
import { citationsIn, type Passage, withSourceFootnotes, withSourceLinks } from '#model/passage';
import { pagePassage, passageOf } from '#tests/builders/passages';
import { sourceLinesIn } from '#text/source-marks';

const words = '- Basil is sown **in May** #basil, see [[Soil]] ^basil';
const sowing = passageOf('Garden/Herbs.md', `# Herbs\n\n## Sowing: when?\n${words}\n`, words);
const harvest = passageOf('Harvest.md', 'Cut basil\noften.\n', 'Cut basil\noften.');
const again: Passage = { ...sowing, key: 'Garden/Herbs.md:4-4' };
const passages = [sowing, harvest, again];

const ANSWER =
  'Cut it often [@Harvest:1-2]. Sow it in May [@Herbs:4], not earlier [@Garden/Herbs.md:4]. It is blue [@Herbs:9] [@Herbs:4 below].';

test('sources have numbers in the order of the text, and claims from the same lines share one', () => {
  const { sources, wrong, numberOf } = citationsIn(ANSWER, passages);
  expect(sources).toEqual([harvest, sowing]);
  expect(wrong).toBe(2);
  expect(sourceLinesIn(ANSWER).map(numberOf)).toEqual([1, 2, 2, null]);
});

test('two readings of one page keep their own words', () => {
  const first = pagePassage({ key: 'shop.example-1aa:2-2', text: 'It costs 10.' });
  const second = pagePassage({ key: 'shop.example-2bb:2-2', text: 'It costs 12.' });
  const text = 'It was 10 [@shop.example-1aa:2]. It is 12 [@shop.example-2bb:2].';
  expect(citationsIn(text, [first, second]).sources).toEqual([first, second]);
});

test('a copied answer has links to the block, the heading or the note', () => {
  const heading = { ...sowing, text: 'Basil is sown in May.' };
  expect(withSourceLinks('May [@Herbs:4]. Often [@Harvest:1-2].', [heading, harvest])).toBe(
    'May ([[Garden/Herbs#Sowing when?|Herbs]]). Often ([[Harvest]]).',
  );
  expect(withSourceLinks('May [@Herbs:4].', [sowing])).toBe('May ([[Garden/Herbs#^basil|Herbs]]).');
});

test('a saved answer has footnotes whose words are neither links, tags nor block ids', () => {
  const saved = withSourceFootnotes(ANSWER, passages);
  const [, harvestLabel, herbsLabel] =
    /\[\^(harvest-1-[0-9a-z]+)\].*?\[\^(herbs-4-[0-9a-z]+)\]/.exec(saved) ?? [];
  expect(saved).toBe(
    `Cut it often[^${harvestLabel}]. Sow it in May[^${herbsLabel}], not earlier[^${herbsLabel}]. It is blue.

[^${harvestLabel}]: [[Harvest]]: “Cut basil often.”
[^${herbsLabel}]: [[Garden/Herbs#^basil|Herbs]]: “Basil is sown in May \\#basil, see Soil \\^basil”`,
  );
});

test('an answer without sources is saved as it is', () => {
  expect(withSourceFootnotes('It is blue [@Herbs:9].', passages)).toBe('It is blue.');
});

test('the sources of pages are links to them, in which no title or URL means anything else', () => {
  const page = pagePassage({
    ...{ key: 'example.com:2-2', title: '[Basil](x) & more', url: 'https://example.com/a(b) c' },
  });
  const answer = 'It likes warmth [@example.com:2].';
  const link = '[Basil & more](https://example.com/a%28b%29%20c)';
  expect(withSourceLinks(answer, [page])).toBe(`It likes warmth (${link}).`);
  expect(withSourceFootnotes(answer, [page])).toContain(`]: ${link}: “Basil likes warmth.”`);
});
