/** Tools that find notes by metadata from the host. */
import { describe, expect, it } from 'vitest';
import { BENCHES } from '#tests/builders/tools';
import { GRAPH } from './graph-vault';

const settings = { excludedFolders: ['Private'] };

describe.each(BENCHES)('Metadata tools %s', (_, open) => {
  const vault = () => open(GRAPH, { settings });

  describe('get_properties', () => {
    it('get_properties returns names, types and values of each note, or what is wrong with it', async () => {
      await using bench = await vault();
      const paths = ['projects/garden', 'Notes/ערב.md', 'Notes/Broken.md', 'Media/map.png', 'Gone'];
      expect(await bench.expectSuccess('get_properties', { paths })).toBe(
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

    it('get_properties fails if no note can be read, or if no path is given', async () => {
      await using bench = await vault();
      expect(
        await bench.expectFailure('get_properties', { paths: ['Private/Diary.md'] }),
      ).toContain('excluded');
      expect(await bench.expectFailure('get_properties', { paths: [] })).toContain('not valid');
    });
  });

  describe('list_tags', () => {
    it('list_tags counts notes ignoring case, with nested tags below their parent', async () => {
      await using bench = await vault();
      expect(await bench.expectSuccess('list_tags', {})).toBe(
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

    it('list_tags filters by a part of the name, and says that no tag matches', async () => {
      await using bench = await vault();
      expect(await bench.expectSuccess('list_tags', { filter: '#BED' })).toMatch(
        /\n#garden\/beds 2$/,
      );
      expect(await bench.expectSuccess('list_tags', { filter: 'zz' })).toContain(
        'None of the 5 tags',
      );
      expect(await bench.expectSuccess('list_tags', { filter: 'secret' })).toContain('None of');
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
    ])('query_notes finds notes by %j', async (query, paths) => {
      await using bench = await vault();
      const told = await bench.expectSuccess('query_notes', query);
      const found = [...told.matchAll(/^(\S.*\.md) \(/gm)].map(([, path]) => path);
      expect(found.sort()).toEqual(paths);
    });

    it('query_notes finds a property with a time by its day', async () => {
      const front = (due: string) => `---\ndue: ${due}\n---\n`;
      const times = [
        '2026-11-30',
        '2026-11-30T09:15',
        '2026-11-30 09:15:10',
        '2026-11-3',
        '2026-12',
      ];
      const files = times.map((due, at) => [`${at}.md`, front(due)] as const);
      await using bench = await open(Object.fromEntries(files));
      const query = { properties: { due: '2026-11-30' } };
      expect(await bench.expectSuccess('query_notes', query)).toMatch(/^3 notes/);
    });

    it('query_notes shows the requested properties and tasks, and the total', async () => {
      await using bench = await vault();
      expect(
        await bench.expectSuccess('query_notes', { tasks: 'open', properties: { rank: 3 } }),
      ).toMatch(
        /^1 note, most recently changed first:\nProjects\/Garden\.md \(\d{4}-\d\d-\d\d; rank: 3\)\n {2}13: - \[ \] sow beans\n {2}14: {3}- \[ \] soak them$/,
      );
      const cut = await bench.expectSuccess('query_notes', { tags: ['garden'], limit: 1 });
      expect(cut).toContain(
        '3 notes, most recently changed first; showing 1. Narrow the query or raise limit.',
      );
      expect(await bench.expectSuccess('query_notes', { tags: ['nope'] })).toContain(
        'None of 7 notes meets the condition.',
      );
    });

    it('query_notes shows further properties, and headings with their lines', async () => {
      await using bench = await vault();
      const query = { properties: { rank: 3 }, show: ['Rank', 'status', 'headings'] };
      const told = await bench.expectSuccess('query_notes', query);
      expect(told).toMatch(/; Rank: 3; status: "open"\)\n {2}9: # Garden$/);
    });

    it('query_notes finds tasks by their due dates, with their headings and indents', async () => {
      await using bench = await open({
        'a.md':
          '# Home\n\n- [ ] rent 📅 2026-12-01\n\n## Garden\n\n- [ ] dig [due:: 2026-12-03]\n\t- [ ] turn 🔁 every week 📅 2026-12-03\n- [x] sow 📅 2026-12-03\n- [ ] rest\n',
        'b.md': '- [ ] later (due:: 2027-01-01)\n- [-] never ⏫ ⏳ 2026-12-03\n',
      });
      const query = { due: { from: '2026-12-02', to: '2026-12' }, show: ['headings'] };
      const told = await bench.expectSuccess('query_notes', query);
      expect(told.split('\n').slice(2)).toEqual([
        '  5: ## Garden',
        '  7: - [ ] dig [due:: 2026-12-03]',
        '  8: \t- [ ] turn 🔁 every week 📅 2026-12-03',
      ]);
      const edits = [{ position: 'replace:8', content: '\t- [x] turn' }];
      await bench.expectSuccess('edit_file', { path: 'a.md', edits });
      const day = { from: '2026-12-03', to: '2026-12-03' };
      const never = { tasks: 'canceled', due: day, priority: 'high' };
      expect(await bench.expectSuccess('query_notes', never)).toMatch(
        /\n {2}2: - \[-\] never [^\n]+$/,
      );
      expect(await bench.expectSuccess('query_notes', { priority: 'high' })).not.toContain('never');
    });

    it('query_notes explains an invalid date and an unknown folder', async () => {
      await using bench = await vault();
      expect(await bench.expectFailure('query_notes', { created: { from: 'May' } })).toContain(
        'such as "2026',
      );
      expect(await bench.expectFailure('query_notes', { folder: 'Projcts' })).toContain(
        'Close matches',
      );
    });
  });

  describe('get_links', () => {
    it('get_links shows links in both directions with lines, and broken links', async () => {
      await using bench = await vault();
      expect(await bench.expectSuccess('get_links', { path: 'Projects/Garden.md' })).toBe(
        [
          'Projects/Garden.md',
          'Links to (1):',
          '- Notes/Compost.md: [[Compost]] (line 11), [[Compost#Turning|again]] (line 11)',
          'Broken links (2):',
          '- [[Ines]] (line 5)',
          '- [[Nowhere]] (line 11)',
          'Linked from (1):',
          '- Home.md: [[Garden]] (line 3)',
        ].join('\n'),
      );
    });

    it('get_links lists notes that are two and three links away, each once', async () => {
      await using bench = await vault();
      const told = await bench.expectSuccess('get_links', {
        path: 'Projects/Shed',
        direction: 'out',
        depth: 3,
      });
      expect(told).toContain('2 links away from it (2):\n- Notes/京都.md\n- Projects/Garden.md\n');
      expect(told).toContain('3 links away from it (1):\n- Notes/Compost.md');
      const back = await bench.expectSuccess('get_links', {
        path: '京都',
        direction: 'in',
        depth: 2,
      });
      expect(back).toContain(
        '2 links away, toward it (2):\n- Projects/Garden.md\n- Projects/Shed.md',
      );
    });

    it('get_links leaves out links from excluded notes', async () => {
      await using bench = await vault();
      expect(await bench.expectSuccess('get_links', { path: 'Home' })).not.toContain('Diary');
    });
  });

  describe('find_dead_links', () => {
    it('find_dead_links lists note, line, link and similar names', async () => {
      await using bench = await vault();
      const told = (await bench.expectSuccess('find_dead_links', {})).split('\n');
      expect(told[0]).toBe('4 links that lead nowhere:');
      expect(told.slice(1).sort()).toEqual([
        'Notes/京都.md:6: [[Nowhere]]',
        'Projects/Garden.md:11: [[Nowhere]]',
        'Projects/Garden.md:5: [[Ines]]',
        'Projects/Shed.md:9: [[Gardn]], close: Projects/Garden.md',
      ]);
      expect(await bench.expectSuccess('find_dead_links', { path: 'Notes/Compost.md' })).toBe(
        'No broken links in 1 note in Notes/Compost.md.',
      );
      expect(await bench.expectSuccess('find_dead_links', { limit: 2 })).toContain('; showing 2. ');
    });

    it('find_dead_links and get_links print links as written, so that edit_file finds them', async () => {
      const links = [
        ...['[x](Lists/Shoping.md)', '![[pic.png]]', '[[Gardn#Tasks]]', '[[Gardn|beds]]'],
        ...['![a](<My plan.md>)', '[y](Lists/Gone%20note.md#Top)', '[z](Old_(1).md)'],
      ];
      await using bench = await open({ 'a.md': links.map((link) => `See ${link}.\n`).join('') });
      const dead = await bench.expectSuccess('find_dead_links', {});
      const own = await bench.expectSuccess('get_links', { path: 'a.md' });
      expect(dead).toContain('a.md:3: [[Gardn#Tasks]]; 4: [[Gardn|beds]]');
      for (const [place, link] of links.entries()) {
        expect(dead).toContain(`${place + 1}: ${link}`);
        expect(own).toContain(`${link} (line ${place + 1})`);
        await bench.expectSuccess('edit_file', {
          path: 'a.md',
          edits: [{ old_text: link, new_text: '' }],
        });
      }
      expect(await bench.expectSuccess('read_file', { path: 'a.md' })).not.toContain('](');
    });

    it('find_dead_links finds links to missing headings and blocks, and each link once', async () => {
      await using bench = await open({
        'a.md': '[[b#Top]] [[b#Gone]] [[b#^id]] [[b#^none]] [[#Own]] [[Gardn]] [x](Gardn.md)\n',
        'b.md': '# Top\n\nText. ^id\n',
      });
      const told = await bench.expectSuccess('find_dead_links', {});
      expect(told.split('\n')).toEqual([
        '5 links that lead nowhere:',
        'a.md:1: [[Gardn]]; 1: [x](Gardn.md)',
        'a.md:1: [[b#Gone]], no such heading in b.md',
        'a.md:1: [[b#^none]], no such block in b.md',
        'a.md:1: [[#Own]], no such heading in a.md',
      ]);
    });

    it('find_dead_links suggests visible notes by their aliases', async () => {
      const settings = { excludedTag: 'hidden', excludedFolders: ['Secret'] };
      const files = {
        'Links.md': '[[Seed plan]] [[Love aples]] [[Moon]]\n',
        'A.md': '---\naliases:\n  - Seed plan\n  - 2027\n---\n',
        'B.md': '---\nalias: Seed plan, Love apples\n---\n',
        'C.md': '---\naliases: [Moon]\ntags: [hidden]\n---\n',
        'Secret/D.md': '---\naliases: [Moon]\n---\n',
      };
      await using bench = await open(files, { settings });
      expect((await bench.expectSuccess('find_dead_links', {})).split('\n').slice(1)).toEqual([
        'Links.md:1: [[Seed plan]], close: A.md (alias "Seed plan"), B.md (alias "Seed plan")',
        'Links.md:1: [[Love aples]], close: B.md (alias "Love apples")',
        'Links.md:1: [[Moon]]',
      ]);
    });

    it('find_dead_links counts links to missing media in one line, and lists those of one note', async () => {
      const pictures = [1, 2, 3].map((at) => `![[${at}.png]] ![[${at}.png]]`).join(' ');
      const files = { 'a.md': `${pictures} [[Gone]] [[Gone]]\n`, 'b.md': pictures, '4.png': '' };
      await using bench = await open(files);
      expect((await bench.expectSuccess('find_dead_links', {})).split('\n')).toEqual([
        '2 links that lead nowhere:',
        'a.md:1: [[Gone]]',
        'Besides, 12 links in 2 files to pictures and other media that are not in the vault: 1.png, 2.png, 3.png. With the path of a file they are listed.',
      ]);
      const own = await bench.expectSuccess('find_dead_links', { path: 'a.md' });
      expect(own).toContain('8 links in a.md that lead nowhere:');
      expect(own).toContain('a.md:1: ![[1.png]], close: 4.png');
    });

    it('find_dead_links suggests notes of the same folders first, and no other files', async () => {
      await using bench = await open({
        'no/a.md': '[[Hagearbeide]] [[Filtre#`kart`]] [[Filtre#Wikilenk]] [[Filtre#Bare her]]\n',
        'en/Hagearbeid.md': '',
        'no/Hagearbeidet.md': '',
        'no/Hagearbeid.png': '',
        'no/Filtre.md': '# Wikilenker\n\n# `kart`\n',
        'no/Andre.md': '# Bare her\n',
        'en/Andre.md': '# Bare her\n',
      });
      expect((await bench.expectSuccess('find_dead_links', {})).split('\n')).toEqual([
        '3 links that lead nowhere:',
        'no/a.md:1: [[Hagearbeide]], close: no/Hagearbeidet.md, en/Hagearbeid.md',
        'no/a.md:1: [[Filtre#Wikilenk]], no such heading in no/Filtre.md, close: #Wikilenker',
        'no/a.md:1: [[Filtre#Bare her]], no such heading in no/Filtre.md; no/Andre.md has it',
      ]);
    });

    it('find_dead_links finds notes without any link', async () => {
      await using bench = await vault();
      const told = (await bench.expectSuccess('find_dead_links', { orphans: true })).split('\n');
      expect(told[0]).toContain('2 notes of 7 without a link from or to another');
      expect(told.slice(1).sort()).toEqual(['Notes/Broken.md', 'Notes/ערב.md']);
    });
  });

  describe('explore_structure', () => {
    it('explore_structure shows the folder tree with counts and sizes', async () => {
      await using bench = await vault();
      const told = await bench.expectSuccess('explore_structure', {});
      expect(told.split('\n').map((line) => line.replace(/, [\d.]+ (?:bytes|KB)/, ''))).toEqual([
        '/ (7 notes, 1 other file)',
        '  Media/ (1 file)',
        '  Notes/ (4 notes)',
        '  Old/ (empty)',
        '  Projects/ (2 notes)',
      ]);
    });

    it('explore_structure summarizes notes, and refuses a file', async () => {
      await using bench = await vault();
      const told = await bench.expectSuccess('explore_structure', {
        path: 'Projects',
        summaries: true,
      });
      expect(told).toMatch(
        / {2}Garden\.md: Garden, \d{4}-\d\d-\d\d\n {2}Shed\.md: A shed\. #garden, /,
      );
      const one = await bench.expectSuccess('explore_structure', { max_depth: 1, path: '/' });
      expect(one.split('\n')).toHaveLength(5);
      expect(await bench.expectFailure('explore_structure', { path: 'Home.md' })).toContain(
        'is a file',
      );
    });
  });
});
