import {
  getAllTags,
  getFrontMatterInfo,
  getLinkpath,
  moment,
  parseFrontMatterAliases,
  parseYaml,
  stringifyYaml,
} from 'obsidian';
import { indexed, linked, recounted } from '../notes';
import type { Question } from '../question';

export const metadataQuestions: readonly Question[] = [
  {
    name: 'getFileCache knows the headings of a note with their level and line',
    about: [
      ...['App.metadataCache', 'MetadataCache.getFileCache', 'CachedMetadata.headings'],
      ...['HeadingCache.heading', 'HeadingCache.level', 'CacheItem.position', 'Pos.start'],
      'Loc.line',
    ],
    async ask({ app }) {
      const file = await indexed(
        app,
        'A.md',
        '---\na: 1\n---\n# One\n\n```\n# no\n```\n## Two #\n',
      );
      const { headings = [] } = app.metadataCache.getFileCache(file) ?? {};
      return headings.map(({ heading, level, position }) => [heading, level, position.start.line]);
    },
    answer: [
      ['One', 1, 3],
      ['Two', 2, 8],
    ],
  },
  {
    name: 'getFileCache knows the properties of a note, and none where they are not valid',
    about: ['MetadataCache.getFileCache', 'CachedMetadata.frontmatter'],
    async ask({ app }) {
      const good = await indexed(app, 'A.md', '---\ntags: [x]\nnumber: 2\n---\n');
      const bad = await indexed(app, 'B.md', '---\na: [\n---\n');
      return [good, bad].map((file) => app.metadataCache.getFileCache(file)?.frontmatter ?? null);
    },
    answer: [{ tags: ['x'], number: 2 }, null],
  },
  {
    name: 'getFileCache knows nothing of a file that is no note (observed)',
    about: ['MetadataCache.getFileCache'],
    async ask({ app }) {
      return app.metadataCache.getFileCache(await app.vault.create('a.png', ''));
    },
    answer: null,
  },
  {
    name: 'changed is told with the note, its text and what is known of it now',
    about: ["MetadataCache.on('changed')", 'MetadataCache.getFileCache'],
    async ask({ app, plugin }) {
      const { metadataCache, vault } = app;
      const file = await indexed(app, 'A.md', '# One');
      const told = new Promise((resolve) => {
        plugin.registerEvent(
          metadataCache.on('changed', (changed, text, cache) => {
            const same = cache === metadataCache.getFileCache(file);
            resolve([changed === file, text, cache.headings?.[0]?.heading, same]);
          }),
        );
      });
      await vault.process(file, () => '# Two');
      return told;
    },
    answer: [true, '# Two', 'Two', true],
  },
  {
    name: 'changed is not told for a new name, and what is known goes with the note',
    about: ["MetadataCache.on('changed')", 'MetadataCache.getFileCache'],
    async ask({ app, plugin }) {
      const file = await indexed(app, 'A.md', '# One');
      const told: string[] = [];
      plugin.registerEvent(app.metadataCache.on('changed', ({ path }) => told.push(path)));
      await app.vault.rename(file, 'B.md');
      // Once a later note is indexed, an event for the rename would have arrived.
      await indexed(app, 'C.md', '');
      return [told, app.metadataCache.getFileCache(file)?.headings?.[0]?.heading];
    },
    answer: [['C.md'], 'One'],
  },
  {
    name: 'resolve is told after changed, once the links of the note are known',
    about: ["MetadataCache.on('resolve')", "MetadataCache.on('changed')"],
    async ask({ app, plugin }) {
      const { metadataCache, vault } = app;
      const file = await linked(app, 'A.md', 'None');
      const told: unknown[] = [];
      const done = new Promise((resolve) => {
        plugin.registerEvent(metadataCache.on('changed', ({ path }) => told.push(path)));
        plugin.registerEvent(
          metadataCache.on('resolve', ({ path }) => {
            told.push(path, metadataCache.unresolvedLinks[path]);
            resolve(told);
          }),
        );
      });
      await vault.process(file, () => '[[Nowhere]]');
      return done;
    },
    answer: ['A.md', 'A.md', { Nowhere: 1 }],
  },
  {
    name: 'resolvedLinks counts the links from each note to each file, by whole paths',
    about: ['MetadataCache.resolvedLinks'],
    async ask({ app }) {
      await app.vault.createFolder('x');
      await indexed(app, 'x/B.md', '');
      await app.vault.create('pic.png', '');
      await linked(app, 'A.md', '[[B]] [[x/B|b]] [md](x/B.md) ![[pic.png]] [web](https://b.md)');
      return app.metadataCache.resolvedLinks;
    },
    answer: { 'A.md': { 'x/B.md': 3, 'pic.png': 1 }, 'x/B.md': {} },
  },
  {
    name: 'unresolvedLinks counts the links that lead nowhere, by the name that is written',
    about: ['MetadataCache.unresolvedLinks'],
    async ask({ app }) {
      await linked(app, 'A.md', '[[Gone]] [[Gone#there|so]] [[far/Away]]');
      return app.metadataCache.unresolvedLinks;
    },
    answer: { 'A.md': { Gone: 2, 'far/Away': 1 } },
  },
  {
    name: 'getFileCache knows which items of lists are tasks, done or not',
    about: ['CachedMetadata.listItems', 'ListItemCache.task'],
    async ask({ app }) {
      const file = await indexed(app, 'A.md', '- one\n- [ ] two\n- [x] three\n');
      const { listItems = [] } = app.metadataCache.getFileCache(file) ?? {};
      return listItems.map(({ task }) => task ?? null);
    },
    answer: [null, ' ', 'x'],
  },
  {
    name: 'a link is written as the settings want it, by the shortest name that is clear',
    about: ['FileManager.generateMarkdownLink', 'App.fileManager'],
    async ask({ app }) {
      await app.vault.createFolder('x');
      const file = await app.vault.create('x/B.md', '');
      const link = (...rest: string[]) =>
        app.fileManager.generateMarkdownLink(file, 'A.md', ...rest);
      return [link(), link('#Top'), link('#Top', 'words'), link('', 'words')];
    },
    answer: ['[[B]]', '[[B#Top]]', '[[B#Top|words]]', '[[B|words]]'],
  },
  {
    name: 'moment writes a time in local time by a pattern',
    about: ['moment'],
    async ask() {
      return moment
        .unix(new Date(2026, 10, 22, 9, 5).getTime() / 1_000)
        .format('D MMMM YYYY, HH:mm');
    },
    answer: '22 November 2026, 09:05',
  },
  {
    name: 'properties are written one below the other, lists with an item a line',
    about: ['stringifyYaml'],
    async ask() {
      return stringifyYaml({ status: 'open', due: '2026-11-22', rank: 3, tags: ['a', 'b'] });
    },
    answer: 'status: open\ndue: 2026-11-22\nrank: 3\ntags:\n  - a\n  - b\n',
  },
  {
    name: 'the front matter of a text is found and read, and what is no YAML throws',
    about: [
      ...['getFrontMatterInfo', 'FrontMatterInfo.exists', 'FrontMatterInfo.frontmatter'],
      'parseYaml',
    ],
    async ask() {
      const read = (text: string): unknown => {
        const { exists, frontmatter } = getFrontMatterInfo(text);
        if (!exists) return 'none';
        try {
          return parseYaml(frontmatter);
        } catch {
          return 'no YAML';
        }
      };
      return [
        read('---\nday: 2026-11-22\nlist: [a, "b"]\n---\nText'),
        read('Text'),
        read('---\na: [\n---\n'),
      ];
    },
    answer: [{ day: '2026-11-22', list: ['a', 'b'] }, 'none', 'no YAML'],
  },
  {
    name: 'a link leads somewhere once its note is made, and nowhere once it is gone',
    about: ['MetadataCache.resolvedLinks'],
    async ask({ app }) {
      const { metadataCache, vault } = app;
      await linked(app, 'A.md', '[[B]]');
      const links = () => ({ ...metadataCache.resolvedLinks['A.md'] });
      const before = links();
      const found = recounted(app, 'A.md');
      const file = await vault.create('B.md', '');
      await found;
      const between = links();
      const lost = recounted(app, 'A.md');
      await vault.delete(file);
      await lost;
      return [before, between, links()];
    },
    answer: [{}, { 'B.md': 1 }, {}],
  },
  {
    name: 'getFileCache knows the links, embeds and links of properties of a note, as they are written',
    about: [
      ...['CachedMetadata.links', 'CachedMetadata.embeds', 'CachedMetadata.frontmatterLinks'],
      'Reference.link',
    ],
    async ask({ app }) {
      const text = '---\nup: "[[Top]]"\n---\n[[B#Head|shown]] ![[pic.png]] [C](C.md)';
      const file = await indexed(app, 'A.md', text);
      const cache = app.metadataCache.getFileCache(file);
      return [cache?.links, cache?.embeds, cache?.frontmatterLinks].map((found) =>
        found?.map(({ link }) => link),
      );
    },
    answer: [['B#Head', 'C.md'], ['pic.png'], ['Top']],
  },
  {
    name: 'getLinkpath gives the name in a link, and nothing for one within the note',
    about: ['getLinkpath'],
    ask: async () => ['Folder/B#Head', 'B#^block', 'B', '#Head'].map((link) => getLinkpath(link)),
    answer: ['Folder/B', 'B', 'B', ''],
  },
  {
    name: 'getFirstLinkpathDest finds the file that a name in a note leads to, or none',
    about: ['MetadataCache.getFirstLinkpathDest'],
    async ask({ app }) {
      await app.vault.createFolder('x');
      await linked(app, 'x/B.md', '');
      await linked(app, 'A.md', '');
      return ['B', 'x/B', 'b', 'Gone'].map(
        (name) => app.metadataCache.getFirstLinkpathDest(name, 'A.md')?.path ?? null,
      );
    },
    answer: ['x/B.md', 'x/B.md', 'x/B.md', null],
  },
  {
    name: 'getFileCache knows the tags of the text, and has none where there are none',
    about: ['CachedMetadata.tags'],
    async ask({ app }) {
      const some = await indexed(app, 'A.md', 'text #one #two/three\n');
      const none = await indexed(app, 'B.md', 'text\n');
      return [some, none].map(
        (file) => app.metadataCache.getFileCache(file)?.tags?.map(({ tag }) => tag) ?? null,
      );
    },
    answer: [['#one', '#two/three'], null],
  },
  {
    name: 'deleted tells the file that is gone from the cache',
    about: ["MetadataCache.on('deleted')"],
    async ask({ app, plugin }) {
      const file = await indexed(app, 'A.md', '#one');
      const gone = new Promise<string>((resolve) => {
        plugin.registerEvent(app.metadataCache.on('deleted', ({ path }) => resolve(path)));
      });
      await app.vault.delete(file);
      return gone;
    },
    answer: 'A.md',
  },
  {
    name: 'getAllTags gives the tags of text and properties, each with its sign',
    about: ['getAllTags'],
    async ask({ app }) {
      const file = await indexed(app, 'A.md', '---\ntags: [one, two]\n---\n#three/four and `#no`');
      const cache = app.metadataCache.getFileCache(file);
      return cache && getAllTags(cache)?.sort();
    },
    answer: ['#one', '#three/four', '#two'],
  },
  {
    name: 'parseFrontMatterAliases takes a list or a text, and gives null where there is none',
    about: ['parseFrontMatterAliases'],
    async ask() {
      return [
        parseFrontMatterAliases({ aliases: ['One', 'Two, three'] }),
        parseFrontMatterAliases({ aliases: 'One, Two' }),
        parseFrontMatterAliases({ alias: 'One' }),
        parseFrontMatterAliases({ title: 'x' }),
        parseFrontMatterAliases(null),
      ];
    },
    answer: [['One', 'Two, three'], ['One', 'Two'], ['One'], null, null],
  },
];
