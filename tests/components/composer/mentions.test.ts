import { describe, expect, test } from 'vitest';
import { mentionsFor } from '#components/composer/mentions.ts';
import { pageUi } from '#workbench/gallery/page-ui';
import { scriptedComposing } from '#workbench/gallery/scripted-composing';

const composing = scriptedComposing({
  files: [
    'Old/Shop talk.md',
    'Lists/Shopping.md',
    'Workshop.md',
    'Shopping/Old list.md',
    'map.png',
  ],
  folders: ['Lists', 'Shopping'],
  tags: [
    { tag: 'garden', notes: 7 },
    { tag: 'shop/garden', notes: 1 },
  ],
  headings: { 'Lists/Shopping.md': ['Today', 'Later', 'Later'] },
});
const { fuzzy } = pageUi();
const found = (query: string) => mentionsFor(query, composing, fuzzy);
const words = async (query: string) => (await found(query)).map((each) => each.words);

describe('mentions', () => {
  test('mentions list the most recently modified notes if nothing is typed', async () => {
    expect((await words('')).slice(0, 3)).toEqual([
      '[[Shop talk]]',
      '[[Shopping]]',
      '[[Workshop]]',
    ]);
  });

  test('mentions rank names that begin with the text, then names that contain it, then paths', async () => {
    const names = await words('shop');
    expect(names.slice(0, 3).sort()).toEqual(['Shopping/', '[[Shop talk]]', '[[Shopping]]']);
    expect(names.slice(3)).toEqual(['[[Workshop]]', '[[Old list]]']);
  });

  test('mentions rank what a person would expect for a short word', async () => {
    const garden = scriptedComposing({
      files: [
        'Notes/Broad beans.md',
        'Lists/Todo.md',
        'Lists/Shopping.md',
        'Seeds/Seed order.md',
        'Tom/Letter.md',
        'Notes/Green tomatoes.md',
        'Notes/Tomatoes.md',
        'Notes/Customs.md',
        'People/Tom.md',
      ],
      folders: ['Tom'],
    });
    const offered = (await mentionsFor('tom', garden, fuzzy)).map((each) => each.words);
    expect(offered).toEqual([
      '[[Tom]]',
      'Tom/',
      '[[Tomatoes]]',
      '[[Green tomatoes]]',
      '[[Customs]]',
      '[[Letter]]',
    ]);
    expect(await mentionsFor('md', garden, fuzzy)).toEqual([]);
  });

  test('mentions rank folders among files, each by the newest file in it', async () => {
    const vault = scriptedComposing({
      files: [
        'Plugin security.md',
        'A/Plugins/One.md',
        'Plug.md',
        'Old plugins.md',
        'B/Plugins/Two.md',
      ],
      folders: ['A', 'A/Plugins', 'B', 'B/Plugins'],
    });
    const offered = (await mentionsFor('plugi', vault, fuzzy)).map((each) => each.words);
    expect(offered).toEqual([
      '[[Plugin security]]',
      'A/Plugins/',
      'B/Plugins/',
      '[[Old plugins]]',
      '[[One]]',
      '[[Two]]',
    ]);
    const exact = await mentionsFor(
      'plugins',
      scriptedComposing({ files: ['A/x.md', 'Plugins.md'], folders: ['A', 'Plugins'] }),
      fuzzy,
    );
    expect(exact.map((each) => each.words)).toEqual(['[[Plugins]]', 'Plugins/']);
  });

  test('mentions match letters in order only from the beginning of a word', async () => {
    const notes = scriptedComposing({ files: ['Shopping list.md', 'Todo.md', 'Old shoes.md'] });
    const offered = async (query: string) =>
      (await mentionsFor(query, notes, fuzzy)).map((each) => each.words);
    expect(await offered('spl')).toEqual(['[[Shopping list]]']);
    expect(await offered('do')).toEqual(['[[Todo]]']);
    expect(await offered('dsh')).toEqual([]);
  });

  test('mentions match words of folder and name in any order', async () => {
    expect(await words('shopping lists')).toEqual(['[[Shopping]]']);
  });

  test('mentions highlight the matched part of the name', async () => {
    const [first] = await found('pping');
    expect(first).toMatchObject({ marks: [[3, 8]] });
  });

  test('mentions offer tags after #, and headings after a name and #', async () => {
    expect(await words('#gard')).toEqual(['#garden', '#shop/garden']);
    expect(await words('shopping#')).toEqual(['[[Shopping#Today]]', '[[Shopping#Later]]']);
    expect(await found('shopping#lat')).toMatchObject([
      { attachment: { kind: 'note', path: 'Lists/Shopping.md', heading: 'Later' } },
    ]);
  });

  test('mentions are empty if nothing matches', async () => {
    expect(await words('qqq')).toEqual([]);
    expect(await words('#qqq')).toEqual([]);
  });
});

test('mentions rank only a few candidates in a vault of any size', async () => {
  const files = Array.from({ length: 14_000 }, (_, at) => `Folder ${at % 90}/A note ${at}.md`);
  let looks = 0;
  const counting = (typed: string) => {
    const find = fuzzy(typed);
    return (text: string) => {
      looks += 1;
      return find(text);
    };
  };
  const items = await mentionsFor('note', scriptedComposing({ files }), counting);
  expect(items).toHaveLength(30);
  expect(looks).toBeLessThan(1_000);
});
