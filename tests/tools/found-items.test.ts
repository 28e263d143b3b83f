/** What a call found is in its details, so that the user can open it. */
import { describe, expect, test } from 'vitest';
import { foundItems, foundText } from '#messages/result-text';
import { memoryBench } from '#tests/builders/tools';

const FILES = {
  'Lists/Shopping.md': '# Shopping\n\n- [ ] oat milk 📅 2026-12-01\n- bread #food\n',
  'Plan.md': '---\nstatus: open\n---\n[[Lists/Shopping#Shopping|list]] [[Gone]]\n',
  'Private/Milk.md': 'Milk and [[Plan]] #secret\n',
  'Hidden.md': '---\ntags: [private]\nstatus: open\n---\n- [ ] milk [[Nowhere]]\n',
};

const settings = { excludedFolders: ['Private'], excludedTag: 'private' };

describe('What the user sees of a result', () => {
  test.each([
    ['search_files', { pattern: 'milk' }, ['Lists/Shopping.md:3: - [ ] oat milk 📅 2026-12-01']],
    [
      'search_files',
      { pattern: 'shop', output: 'paths' },
      ['Plan.md: 2 matches', 'Lists/Shopping.md: 1 match'],
    ],
    ['search_vault', { query: 'milk' }, ['Lists/Shopping.md:3: - [ ] oat milk 📅 2026-12-01']],
    ['query_notes', { properties: { status: '*' } }, ['Plan.md: status: "open"']],
    ['query_notes', { tasks: 'open' }, ['Lists/Shopping.md:3: - [ ] oat milk 📅 2026-12-01']],
    ['list_files', { pattern: 'L*' }, ['Lists/']],
    ['list_tags', {}, ['#food: 1 note']],
    [
      'get_links',
      { path: 'Plan' },
      ['Lists/Shopping.md: [[Lists/Shopping#Shopping|list]]', 'Plan.md:4: [[Gone]]'],
    ],
    ['find_dead_links', {}, ['Plan.md:4: [[Gone]]']],
    ['read_file', { path: 'Plan' }, ['Plan.md']],
  ])('%s %j shows what it found, and nothing that is hidden', async (tool, input, found) => {
    await using bench = memoryBench(FILES, { settings });
    const result = await bench.call(tool, input);
    expect(foundItems(result).items.map(foundText)).toEqual(found);
  });

  test('a result shows fifty things at most, and says that there are more', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.md`, 'milk\n']));
    await using bench = memoryBench(files);
    const all = foundItems(await bench.call('list_files', {}));
    expect(all).toMatchObject({ isCut: true, items: { length: 50 } });
    const few = foundItems(await bench.call('search_files', { pattern: 'milk', max_results: 5 }));
    expect(few).toMatchObject({ isCut: true, items: { length: 5 } });
  });

  test('a long line is cut around the match', async () => {
    await using bench = memoryBench({
      'a.md': `${'word '.repeat(200)}milk${' word'.repeat(200)}\n`,
    });
    const [item] = foundItems(await bench.call('search_files', { pattern: 'milk' })).items;
    expect(item?.text?.length).toBeLessThan(130);
    expect(item?.text).toContain('milk');
  });
});

describe('Pages of a search', () => {
  test('the pages of a search together show each matching line once', async () => {
    const line = (at: number) => (at % 3 === 0 ? `milk ${at}` : `other ${at}`);
    const text = Array.from({ length: 90 }, (_, at) => line(at)).join('\n');
    await using bench = memoryBench({ 'a.md': text, 'b.md': text });
    for (const context_lines of [0, 1, 2]) {
      const seen: string[] = [];
      for (let offset = 0; offset < 60; offset += 7) {
        const search = { pattern: 'milk', max_results: 7, offset, context_lines };
        const told = await bench.expectSuccess('search_files', search);
        seen.push(...(told.match(/^>\d+: .*/gm) ?? []));
      }
      expect(seen).toHaveLength(60);
      expect(new Set(seen).size).toBe(30);
    }
    const search = { pattern: 'milk', max_results: 7, offset: 56 };
    const last = await bench.expectSuccess('search_files', search);
    expect(last).not.toContain('Continue');
    const past = await bench.expectSuccess('search_files', { pattern: 'milk', offset: 60 });
    expect(past).toContain('Nothing is left after the first 60: 60 matching lines in 2 files.');
  });

  test('a search for notes counts matches in each, and continues', async () => {
    await using bench = memoryBench({ 'a.md': 'x x\nx\n', 'b.md': 'x\n', 'c.md': 'y\n' });
    const search = { pattern: 'x', output: 'paths', max_results: 1 };
    const first = await bench.expectSuccess('search_files', search);
    expect(first).toBe(
      '4 matches in 2 files (3 searched), most recently changed first.\nb.md (1)\n(Shown: 1-1 of 2 files. Continue with offset 1.)',
    );
    const second = await bench.expectSuccess('search_files', { ...search, offset: 1 });
    expect(second).toMatch(/\na\.md \(3\)$/);
  });
});
