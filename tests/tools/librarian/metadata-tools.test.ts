/** Finding notes by what the host knows of them. */
import { describe, expect, it } from 'vitest';
import { BENCHES } from '#tests/builders/tools';
import { GRAPH } from './graph-vault';

const settings = { excludedFolders: ['Private'] };

describe.each(BENCHES)('%s', (_, open) => {
  const vault = () => open(GRAPH, { settings });

  describe('get_properties', () => {
    it('tells names, types and values, note by note, and what is wrong with some', async () => {
      await using bench = await vault();
      const paths = ['projects/garden', 'Notes/ערב.md', 'Notes/Broken.md', 'Media/map.png', 'Gone'];
      expect(await bench.says('get_properties', { paths })).toBe(
        [
          'Found as `Projects/Garden.md`.\nProjects/Garden.md',
          '  status (text): "open"',
          '  due (date): "2026-12-01"',
          '  rank (number): 3',
          '  people (list): ["[[Ines]]","Tamsin"]',
          '  tags (list): ["garden/beds","work"]',
          '  done (checkbox): false',
          '',
          'Notes/ערב.md\n  No properties.',
          '',
          'Notes/Broken.md\n  Its front matter is not valid YAML.',
          '',
          'Media/map.png is not a note, so it has no properties.',
          '',
          '`Gone` does not exist. No similar name was found. Look for a name with list_files, or for text with search_files.',
        ].join('\n'),
      );
    });

    it('fails where there is none to read, and for what is excluded as for what is not there', async () => {
      await using bench = await vault();
      expect(await bench.refuses('get_properties', { paths: ['Private/Diary.md'] })).toContain(
        'excluded',
      );
      expect(await bench.refuses('get_properties', { paths: [] })).toContain('not valid');
    });
  });

  describe('list_tags', () => {
    it('counts notes, nested tags below their parent, whatever the case', async () => {
      await using bench = await vault();
      expect(await bench.says('list_tags', {})).toBe(
        [
          '5 tags; 4 notes in the vault have tags. The number counts the notes with the tag or a tag below it.',
          '#food 1',
          '#garden 3',
          '  #garden/beds 2',
          '#work 1',
          '#旅行 1',
        ].join('\n'),
      );
    });

    it('finds by a part, and says when there is none', async () => {
      await using bench = await vault();
      expect(await bench.says('list_tags', { filter: '#BED' })).toMatch(/\n#garden\/beds 2$/);
      expect(await bench.says('list_tags', { filter: 'zz' })).toContain('None of the 5 tags');
      expect(await bench.says('list_tags', { filter: 'secret' })).toContain('None of');
    });
  });

  describe('query_notes', () => {
    it.each([
      [{ properties: { status: 'OPEN' } }, ['Projects/Garden.md']],
      [{ properties: { status: ['open', 'closed'] } }, ['Projects/Garden.md', 'Projects/Shed.md']],
      [{ properties: { people: 'Ines' } }, ['Projects/Garden.md']],
      [{ properties: { rank: { from: 4 } } }, ['Projects/Shed.md']],
      [{ properties: { due: { from: '2026-12', to: '2026' } } }, ['Projects/Garden.md']],
      [{ properties: { due: '*', empty: null } }, ['Projects/Garden.md', 'Projects/Shed.md']],
      [{ properties: { done: false } }, ['Projects/Garden.md']],
      [{ tags: ['garden'] }, ['Notes/Compost.md', 'Projects/Garden.md', 'Projects/Shed.md']],
      [{ tags: ['#Garden/Beds', 'work'] }, ['Projects/Garden.md']],
      [{ folder: 'notes', tags: ['旅行'] }, ['Notes/京都.md']],
      [{ links_to: '京都' }, ['Home.md', 'Notes/Compost.md']],
      [{ links_to: 'Home' }, ['Projects/Shed.md']],
      [{ tasks: 'open' }, ['Home.md', 'Projects/Garden.md']],
      [{ created: { from: '2020', to: '2020-12' } }, []],
      [
        { modified: { from: '2020' }, folder: 'Projects', sort: 'name' },
        ['Projects/Garden.md', 'Projects/Shed.md'],
      ],
    ])('finds by %j', async (query, paths) => {
      await using bench = await vault();
      const told = await bench.says('query_notes', query);
      const found = [...told.matchAll(/^(\S.*\.md) \(/gm)].map(([, path]) => path);
      expect(found.sort()).toEqual(paths);
    });

    it('shows the properties and tasks that were asked for, and how many there are', async () => {
      await using bench = await vault();
      expect(await bench.says('query_notes', { tasks: 'open', properties: { rank: 3 } })).toMatch(
        /^1 note, most recently changed first:\nProjects\/Garden\.md \(\d{4}-\d\d-\d\d; rank: 3\)\n {2}13: - \[ \] sow beans\n {2}14: - \[ \] soak them$/,
      );
      const cut = await bench.says('query_notes', { tags: ['garden'], limit: 1 });
      expect(cut).toContain(
        '3 notes, most recently changed first; showing 1. Narrow the query or raise limit.',
      );
      expect(await bench.says('query_notes', { tags: ['nope'] })).toContain(
        'None of 7 notes meets the condition.',
      );
    });

    it('says what is wrong with a day or a folder', async () => {
      await using bench = await vault();
      expect(await bench.refuses('query_notes', { created: { from: 'May' } })).toContain(
        'such as "2026',
      );
      expect(await bench.refuses('query_notes', { folder: 'Projcts' })).toContain('Close matches');
    });
  });

  describe('get_links', () => {
    it('shows both directions with lines, and what leads nowhere', async () => {
      await using bench = await vault();
      expect(await bench.says('get_links', { path: 'Projects/Garden.md' })).toBe(
        [
          'Projects/Garden.md',
          'Links to (1):',
          '- Notes/Compost.md (line 11)',
          'Broken links (2):',
          '- [[Ines]] (line 5)',
          '- [[Nowhere]] (line 11)',
          'Linked from (1):',
          '- Home.md (line 3)',
        ].join('\n'),
      );
    });

    it('goes on to what is two and three links away, each note once', async () => {
      await using bench = await vault();
      const told = await bench.says('get_links', {
        path: 'Projects/Shed',
        direction: 'out',
        depth: 3,
      });
      expect(told).toContain('2 links away from it (2):\n- Notes/京都.md\n- Projects/Garden.md\n');
      expect(told).toContain('3 links away from it (1):\n- Notes/Compost.md');
      const back = await bench.says('get_links', { path: '京都', direction: 'in', depth: 2 });
      expect(back).toContain(
        '2 links away towards it (2):\n- Projects/Garden.md\n- Projects/Shed.md',
      );
    });

    it('does not know of a link from what is excluded', async () => {
      await using bench = await vault();
      expect(await bench.says('get_links', { path: 'Home' })).not.toContain('Diary');
    });
  });

  describe('find_dead_links', () => {
    it('names note, line, link and what is nearly called so', async () => {
      await using bench = await vault();
      const told = (await bench.says('find_dead_links', {})).split('\n');
      expect(told[0]).toBe('4 links that lead nowhere:');
      expect(told.slice(1).sort()).toEqual([
        'Notes/京都.md:6: [[Nowhere]]',
        'Projects/Garden.md:11: [[Nowhere]]',
        'Projects/Garden.md:5: [[Ines]]',
        'Projects/Shed.md:9: [[Gardn]], close: Projects/Garden.md',
      ]);
      expect(await bench.says('find_dead_links', { path: 'Notes/Compost.md' })).toBe(
        'No broken links in 1 note in Notes/Compost.md.',
      );
      expect(await bench.says('find_dead_links', { limit: 2 })).toContain('; showing 2. ');
    });

    it('find_dead_links and get_links print links so that edit_file finds them', async () => {
      const links = [
        ...['[x](Lists/Shoping.md)', '![[pic.png]]', '[[Gardn#Tasks]]', '[[Gardn|beds]]'],
        ...['![a](<My plan.md>)', '[y](Lists/Gone%20note.md#Top)', '[z](Old_(1).md)'],
      ];
      await using bench = await open({ 'a.md': links.map((link) => `See ${link}.\n`).join('') });
      const dead = await bench.says('find_dead_links', {});
      const own = await bench.says('get_links', { path: 'a.md' });
      expect(dead).toContain('a.md:3: [[Gardn#Tasks]]; 4: [[Gardn|beds]]');
      for (const [place, link] of links.entries()) {
        expect(dead).toContain(`${place + 1}: ${link}`);
        expect(own).toContain(`- ${link} (line ${place + 1})`);
        await bench.says('edit_file', { path: 'a.md', edits: [{ old_text: link, new_text: '' }] });
      }
      expect(await bench.says('read_file', { path: 'a.md' })).not.toContain('](');
    });

    it('finds the notes that stand alone', async () => {
      await using bench = await vault();
      const told = (await bench.says('find_dead_links', { orphans: true })).split('\n');
      expect(told[0]).toContain('2 notes of 7 without a link from or to another');
      expect(told.slice(1).sort()).toEqual(['Notes/Broken.md', 'Notes/ערב.md']);
    });
  });

  describe('explore_structure', () => {
    it('draws the tree with counts and sizes', async () => {
      await using bench = await vault();
      const told = await bench.says('explore_structure', {});
      expect(told.split('\n').map((line) => line.replace(/, [\d.]+ (?:bytes|KB)/, ''))).toEqual([
        '/ (7 notes, 1 other file)',
        '  Media/ (1 file)',
        '  Notes/ (4 notes)',
        '  Old/ (empty)',
        '  Projects/ (2 notes)',
      ]);
    });

    it('tells what notes are about', async () => {
      await using bench = await vault();
      const told = await bench.says('explore_structure', { path: 'Projects', summaries: true });
      expect(told).toMatch(
        / {2}Garden\.md: Garden, \d{4}-\d\d-\d\d\n {2}Shed\.md: A shed\. #garden, /,
      );
      const one = await bench.says('explore_structure', { max_depth: 1, path: '/' });
      expect(one.split('\n')).toHaveLength(5);
      expect(await bench.refuses('explore_structure', { path: 'Home.md' })).toContain('is a file');
    });
  });
});
