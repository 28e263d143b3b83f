import { describe, expect, it } from 'vitest';
import { resultText } from '#messages/result-text';
import { localEngine } from '#tests/builders/search-engines';
import { BENCHES, memoryBench, type ToolBench } from '#tests/builders/tools';

const GARDEN = {
  'Compost.md':
    '---\naliases: [Humus, Crème brûlée]\ntags: [garden/beds]\nstatus: mulching\n---\n# Compost\n\nIntro.\n\n## Turning\n\nTurn the heap in spring.\nWarmth means it works.\n\n## Feeding\n\nPeelings, no meat.\n',
  'Plans/Spring.md': 'Sow beans. Turn the compost heap. #garden\n',
  'Plans/Budget.md': 'Money for seeds, tools and one more compost bin.\n',
  'Plans/Autumn.md': '```\n# compost here\n```\nLeaves.\n',
  'Notes/京都.md': '# 京都\n\n苔寺は京都市にある。\n',
  'Notes/ערב.md': 'שָׁלוֹם עולם\n',
  'Notes/Code.md': `${'filler line\n'.repeat(300)}The needle is here.\n${'more lines\n'.repeat(300)}`,
  'Notes/Empty.md': '',
  'Private/Diary.md': 'compost compost compost secretive\n',
  'Hidden.md': '#private compost compost secretive\n',
  'data.csv': 'compost,heap\n',
} as const;

const settings = { excludedFolders: ['Private'] };

it('search_vault says that it has not searched all notes yet, and searches them when repeated', async () => {
  await using bench = memoryBench(GARDEN, { settings, engine: localEngine(1_000) });
  const search = () => bench.expectSuccess('search_vault', { query: 'budget giraffe' });
  const told = [await search(), await search(), await search(), await search()];
  const searched = told.map((each) =>
    Number(/\((\d+) notes? searched\)|of (\d+) for/.exec(each)?.slice(1).join('')),
  );
  expect(searched).toEqual([...searched].sort((a, b) => a - b));
  expect(told[0]).toMatch(/^Some notes were not searched, because they are not indexed yet\. /);
  expect(told[0]).toMatch(/No note searched contains .*giraffe/);
  expect(told.at(-1)).not.toContain('not indexed yet');
  expect(searched.at(-1)).toBeGreaterThan(searched[0]!);
  expect(told.at(-1)).toMatch(/^No note contains .*giraffe/m);
});

it('search_vault tells the user, too, that it has left notes out', async () => {
  await using bench = memoryBench(GARDEN, { settings, engine: localEngine(1_000) });
  const shown: string[] = [];
  await bench.step('c', [['search_vault', { query: 'giraffe' }]], async (result) => {
    shown.push(resultText(result));
  });
  expect(shown.join()).toMatch(/^Nothing found; \d+ notes? not searched yet$/);
});

async function pathsFor(bench: ToolBench, input: object): Promise<string[]> {
  const told = await bench.expectSuccess('search_vault', input);
  return [...told.matchAll(/^(\S.*\.md) \(\d/gm)].map(([, path]) => path ?? '');
}

describe.each(BENCHES)('search_vault %s', (_, open) => {
  const vault = () => open(GARDEN, { settings });

  it('search_vault finds notes by the name of a property', async () => {
    await using bench = await open({
      'Ana.md': '---\nphone: "123"\n---\nHi.\n',
      'Ben.md': '---\nphone:\n  - "45"\ntags: [x]\n---\nHi.\n',
      'Eve.md': 'Hi.\n',
    });
    expect((await pathsFor(bench, { query: 'phone' })).sort()).toEqual(['Ana.md', 'Ben.md']);
  });

  it('search_vault shows the best passage of each note, with its heading and totals', async () => {
    await using bench = await vault();
    const told = await bench.expectSuccess('search_vault', { query: 'turn compost heap' });
    expect(told.replaceAll(/2026-\d\d-\d\d/g, 'DAY')).toBe(
      [
        '4 notes of 8 for "turn compost heap" (2 with every word), best first.',
        '',
        'Compost.md (DAY)',
        '>10: ## Turning',
        ' 11: ',
        '>12: Turn the heap in spring.',
        '',
        'Plans/Spring.md (DAY)',
        '>1: Sow beans. Turn the compost heap. #garden',
        '',
        'Plans/Autumn.md (DAY)',
        '>2: # compost here',
        '',
        'Plans/Budget.md (DAY)',
        '>1: Money for seeds, tools and one more compost bin.',
      ].join('\n'),
    );
    expect(await bench.expectSuccess('search_vault', { query: 'peelings' })).toMatch(
      /\nCompost\.md \(\S+; below "Feeding", line 15\)\n>17: Peelings, no meat\.$/,
    );
  });

  it.each([
    [{ query: 'compost' }, 'Compost.md'],
    [{ query: 'humus' }, 'Compost.md'],
    [{ query: 'creme brulee' }, 'Compost.md'],
    [{ query: 'feeding' }, 'Compost.md'],
    [{ query: 'beds' }, 'Compost.md'],
    [{ query: 'peel' }, 'Compost.md'],
    [{ query: 'peelnigs' }, 'Compost.md'],
    [{ query: '苔寺' }, 'Notes/京都.md'],
    [{ query: '苔' }, 'Notes/京都.md'],
    [{ query: 'שלום' }, 'Notes/ערב.md'],
    [{ query: 'empty' }, 'Notes/Empty.md'],
    [{ query: 'compost', folder: 'plans' }, 'Plans/Autumn.md'],
    [{ query: 'compost', tags: ['garden'], folder: 'Plans' }, 'Plans/Spring.md'],
    [{ query: 'compost money' }, 'Plans/Budget.md'],
  ])('search_vault for %j ranks %s first', async (input, path) => {
    await using bench = await vault();
    expect((await pathsFor(bench, input))[0]).toBe(path);
  });

  it('search_vault finds properties, and shows aliases with the title', async () => {
    await using bench = await vault();
    const found = await bench.expectSuccess('search_vault', { query: 'mulching' });
    expect(found).toMatch(/^1 note of 8 .*\n\n.*\n>\d+: .*mulching/i);
    const told = await bench.expectSuccess('search_vault', { query: 'humus' });
    expect(told).toContain('>2: aliases: [Humus, Crème brûlée]\n 6: # Compost');
  });

  it('search_vault says which words no note contains', async () => {
    await using bench = await vault();
    expect(await bench.expectSuccess('search_vault', { query: 'copmost xylophone' })).toContain(
      '(0 with every word), best first.\nNo note contains "xylophone".\nNo note contains "copmost"; similar words were used: compost.\n',
    );
    expect(await bench.expectSuccess('search_vault', { query: 'xylophone', folder: 'Plans' })).toBe(
      'No note contains a word of "xylophone" (3 notes searched).\nTry other words for it, or leave out folder and tags if you gave them. search_files finds parts of words, list_files finds names.',
    );
  });

  it.each([
    ['machine learning', '> [!warning] Deadline\n', /^No note .* \(1 note searched\)/],
    ["today's tasks", "his grandmother's village\n", /^No note .* \(1 note searched\)/],
    ["today's tasks", 'tasks of today\n', /^1 note of 1 for "today's tasks" \(all with every/],
  ])('search_vault matches %j in %j only by its words', async (query, note, expected) => {
    await using bench = await open({ 'a.md': note });
    expect(await bench.expectSuccess('search_vault', { query })).toMatch(expected);
  });

  it('search_vault finds notes that contain only one of many words', async () => {
    const words = ['apple', 'birch', 'cedar', 'daisy', 'elder', 'fern', 'grape', 'hazel'];
    await using bench = await open(
      Object.fromEntries(words.map((word) => [`${word}s.md`, `${word} tree\n`])),
    );
    expect(await bench.expectSuccess('search_vault', { query: words.join(' ') })).toMatch(
      /^8 notes of 8 .* \(0 with every word\)/,
    );
  });

  it('search_vault with include_content shows more of each note, and the call that continues', async () => {
    await using bench = await vault();
    const needle = { query: 'needle', include_content: true };
    const told = await bench.expectSuccess('search_vault', needle);
    expect(told).toContain('\n301: The needle is here.\n302: more lines\n');
    expect(told).toMatch(
      /\n\(lines 301-\d+ of 601; continue with read_file \{"path":"Notes\/Code\.md","start_line":\d+\}\)$/,
    );
    expect(
      await bench.expectSuccess('search_vault', { query: 'feeding', include_content: true }),
    ).toContain('\n1: ---\n2: aliases');
  });

  it('search_vault shows at most the given number of notes, and the total', async () => {
    await using bench = await vault();
    const told = await bench.expectSuccess('search_vault', { query: 'compost', limit: 2 });
    expect(told).toContain(
      '\n\n(Shown: 2 of 4 notes. Raise limit, or narrow with more words, folder or tags.)',
    );
  });

  it('keyword search ignores hidden notes when ranking', async () => {
    await using bench = await vault();
    const { 'Private/Diary.md': _diary, 'Hidden.md': _hidden, ...seen } = GARDEN;
    await using without = await open(seen, { settings });
    for (const query of ['compost', 'secretive', 'turn compost heap', 'compst', 'secret']) {
      const told = await bench.expectSuccess('search_vault', { query });
      expect(told).toBe(await without.expectSuccess('search_vault', { query }));
      expect(told).not.toMatch(/Diary|Hidden/);
    }
  });

  it.each([
    [{ query: '' }, /query: Expected at least 1 character/],
    [{ query: '🎉 !' }, /no letter or number.*search_files/],
    [{ query: 'a', by: 'meaning' }, /embedding endpoint.*settings.*Call again without by/],
    [{ query: 'a', folder: 'Plns' }, /Close matches/],
    [{ query: 'a', folder: 'Private' }, /excluded/],
    [{ query: 'a', limit: 99 }, /limit: Expected at most 50/],
  ])('search_vault answers %j with what would work', async (input, expected) => {
    await using bench = await vault();
    expect(await bench.expectFailure('search_vault', input)).toMatch(expected);
  });

  it('search_vault searches the text with pending edits, and numbers its lines', async () => {
    await using bench = await open({ 'a.md': 'one\ntwo\n' }, { settings: { panelMode: 'review' } });
    expect(await bench.expectSuccess('search_vault', { query: 'zebra' })).toMatch(/^No note/);
    await bench.expectSuccess('read_file', { path: 'a.md' });
    await bench.expectSuccess('edit_file', {
      path: 'a.md',
      edits: [{ old_text: 'one\n', new_text: 'zero\nzebra\n' }],
    });
    expect(await bench.expectSuccess('search_vault', { query: 'zebra' })).toContain('>2: zebra');
    expect(await bench.expectSuccess('search_vault', { query: 'before' })).toMatch(/^No note/);
  });
});

describe('search_vault', () => {
  it('search_vault hides a note as soon as the excluded tag is typed into it', async () => {
    const bench = memoryBench({ 'a.md': 'apple\n', 'b.md': 'apple\n' });
    expect(await pathsFor(bench, { query: 'apple' })).toEqual(['a.md', 'b.md']);
    bench.notes.type('a.md', 'apple #private\n');
    expect(await bench.expectSuccess('search_vault', { query: 'apple' })).toMatch(/^1 note of 1 /);
    bench.settings = { ...bench.settings, excludedTag: '' };
    expect(await bench.expectSuccess('search_vault', { query: 'apple' })).toMatch(/^2 notes of 2 /);
  });

  it('search_vault answers several concurrent calls over many notes', async () => {
    const notes = Array.from({ length: 300 }, (_, at) => [`${at}.md`, `note number${at} apple\n`]);
    const bench = memoryBench(Object.fromEntries(notes) as Record<string, string>);
    const told = await Promise.all(
      ['apple', 'number7', 'number299', 'apple'].map((query) =>
        bench.expectSuccess('search_vault', { query, limit: 1 }),
      ),
    );
    expect(told.map((each) => /^[\d,]+ notes?/.exec(each)?.[0])).toEqual([
      ...['300 notes', '11 notes', '1 note', '300 notes'],
    ]);
  });
});
