import {
  getAllTags,
  getFrontMatterInfo,
  getLinkpath,
  moment,
  parseFrontMatterAliases,
  parseYaml,
  stringifyYaml,
} from 'obsidian';
import { createIndexed, createLinked, linksResolved } from '../notes';
import type { ContractQuestion } from '../question';

export const metadataQuestions: readonly ContractQuestion[] = [
  {
    name: 'getFileCache returns the headings of a note with their level and line',
    about: [
      ...['App.metadataCache', 'MetadataCache.getFileCache', 'CachedMetadata.headings'],
      ...['HeadingCache.heading', 'HeadingCache.level', 'CacheItem.position', 'Pos.start'],
      'Loc.line',
    ],
    async ask({ app }) {
      const file = await createIndexed(
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
    name: 'a wikilink may have code in its heading, and code may hold no wikilink',
    about: ['MetadataCache.getFileCache', 'CachedMetadata.links'],
    async ask({ app }) {
      const file = await createIndexed(app, 'A.md', '## Use `go`\n\n[[#Use `go`|x]] `[[#a]]`\n');
      return app.metadataCache.getFileCache(file)?.links?.map(({ link }) => link);
    },
    answer: ['#Use `go`'],
  },
  {
    name: 'getFileCache returns the properties of a note, and none if they are invalid',
    about: ['MetadataCache.getFileCache', 'CachedMetadata.frontmatter'],
    async ask({ app }) {
      const good = await createIndexed(app, 'A.md', '---\ntags: [x]\nnumber: 2\n---\n');
      const bad = await createIndexed(app, 'B.md', '---\na: [\n---\n');
      return [good, bad].map((file) => app.metadataCache.getFileCache(file)?.frontmatter ?? null);
    },
    answer: [{ tags: ['x'], number: 2 }, null],
  },
  {
    name: 'getFileCache returns null for a file that is not a note (observed)',
    about: ['MetadataCache.getFileCache'],
    async ask({ app }) {
      return app.metadataCache.getFileCache(await app.vault.create('a.png', ''));
    },
    answer: null,
  },
  {
    name: 'changed is triggered with the file, its text and its new metadata',
    about: ["MetadataCache.on('changed')", 'MetadataCache.getFileCache'],
    async ask({ app, plugin }) {
      const { metadataCache, vault } = app;
      const file = await createIndexed(app, 'A.md', '# One');
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
    name: 'renaming a note keeps its metadata and does not trigger changed',
    about: ["MetadataCache.on('changed')", 'MetadataCache.getFileCache'],
    async ask({ app, plugin }) {
      const file = await createIndexed(app, 'A.md', '# One');
      const told: string[] = [];
      plugin.registerEvent(app.metadataCache.on('changed', ({ path }) => told.push(path)));
      await app.vault.rename(file, 'B.md');
      // Once a later note is indexed, an event for the rename would have arrived.
      await createIndexed(app, 'C.md', '');
      return [told, app.metadataCache.getFileCache(file)?.headings?.[0]?.heading];
    },
    answer: [['C.md'], 'One'],
  },
  {
    name: 'resolve is triggered after changed, when the note’s links are resolved',
    about: ["MetadataCache.on('resolve')", "MetadataCache.on('changed')"],
    async ask({ app, plugin }) {
      const { metadataCache, vault } = app;
      const file = await createLinked(app, 'A.md', 'None');
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
    name: 'resolve is triggered for a note whose link leads elsewhere since another file was created, renamed or deleted',
    about: ["MetadataCache.on('resolve')", 'MetadataCache.unresolvedLinks'],
    async ask({ app, plugin }) {
      const { metadataCache, vault, fileManager } = app;
      const linking = await createLinked(app, 'A.md', '[[B]]');
      const resolved = (isBroken: boolean) =>
        new Promise<boolean>((resolve) => {
          const ref = metadataCache.on('resolve', ({ path }) => {
            const isNow = 'B' in (metadataCache.unresolvedLinks[path] ?? {});
            if (path !== linking.path || isNow !== isBroken) return;
            metadataCache.offref(ref);
            resolve(isNow);
          });
          plugin.registerEvent(ref);
        });
      const told: boolean[] = [];
      const after = async (change: () => Promise<unknown>, isBroken: boolean) => {
        const telling = resolved(isBroken);
        await change();
        told.push(await telling);
      };
      const file = () => vault.getFileByPath('B.md')!;
      await after(() => vault.create('B.md', ''), false);
      await after(() => vault.rename(file(), 'C.md'), true);
      await after(() => fileManager.renameFile(vault.getFileByPath('C.md')!, 'B.md'), false);
      await after(() => vault.delete(file()), true);
      return told;
    },
    answer: [false, true, false, true],
  },
  {
    name: 'resolvedLinks counts the links from each note to each file by full path',
    about: ['MetadataCache.resolvedLinks'],
    async ask({ app }) {
      await app.vault.createFolder('x');
      await createIndexed(app, 'x/B.md', '');
      await app.vault.create('pic.png', '');
      await createLinked(
        app,
        'A.md',
        '[[B]] [[x/B|b]] [md](x/B.md) ![[pic.png]] [web](https://b.md)',
      );
      return app.metadataCache.resolvedLinks;
    },
    answer: { 'A.md': { 'x/B.md': 3, 'pic.png': 1 }, 'x/B.md': {} },
  },
  {
    name: 'unresolvedLinks counts dead links by their name as written',
    about: ['MetadataCache.unresolvedLinks'],
    async ask({ app }) {
      await createLinked(app, 'A.md', '[[Gone]] [[Gone#there|so]] [[far/Away]]');
      return app.metadataCache.unresolvedLinks;
    },
    answer: { 'A.md': { Gone: 2, 'far/Away': 1 } },
  },
  {
    name: 'getFileCache returns which list items are tasks and their state',
    about: ['CachedMetadata.listItems', 'ListItemCache.task'],
    async ask({ app }) {
      const file = await createIndexed(app, 'A.md', '- one\n- [ ] two\n- [x] three\n');
      const { listItems = [] } = app.metadataCache.getFileCache(file) ?? {};
      return listItems.map(({ task }) => task ?? null);
    },
    answer: [null, ' ', 'x'],
  },
  {
    name: 'generateMarkdownLink returns the shortest unambiguous link in the user’s link format',
    about: ['FileManager.generateMarkdownLink', 'App.fileManager'],
    ownVault: 'It depends on a setting of the app.',
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
    name: 'moment formats a time in the local time zone',
    about: ['moment'],
    async ask() {
      return moment
        .unix(new Date(2026, 10, 22, 9, 5).getTime() / 1_000)
        .format('D MMMM YYYY, HH:mm');
    },
    answer: '22 November 2026, 09:05',
  },
  {
    name: 'stringifyYaml writes one property per line and one list item per line',
    about: ['stringifyYaml'],
    async ask() {
      return stringifyYaml({ status: 'open', due: '2026-11-22', rank: 3, tags: ['a', 'b'] });
    },
    answer: 'status: open\ndue: 2026-11-22\nrank: 3\ntags:\n  - a\n  - b\n',
  },
  {
    name: 'getFrontMatterInfo finds the front matter, and parseYaml throws for invalid YAML',
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
    name: 'resolvedLinks is updated when a link’s target is created or deleted',
    about: ['MetadataCache.resolvedLinks'],
    async ask({ app }) {
      const { metadataCache, vault } = app;
      const { path } = await createLinked(app, 'A.md', '[[B]]');
      const links = () => ({ ...metadataCache.resolvedLinks[path] });
      const before = links();
      const found = linksResolved(app, 'A.md');
      const file = await vault.create('B.md', '');
      await found;
      const between = links();
      const lost = linksResolved(app, 'A.md');
      await vault.delete(file);
      await lost;
      return [before, between, links()];
    },
    answer: [{}, { 'B.md': 1 }, {}],
  },
  {
    name: 'getFileCache returns links, embeds and front matter links as written',
    about: [
      ...['CachedMetadata.links', 'CachedMetadata.embeds', 'CachedMetadata.frontmatterLinks'],
      'Reference.link',
    ],
    async ask({ app }) {
      const text = '---\nup: "[[Top]]"\n---\n[[B#Head|shown]] ![[pic.png]] [C](C.md)';
      const file = await createIndexed(app, 'A.md', text);
      const cache = app.metadataCache.getFileCache(file);
      return [cache?.links, cache?.embeds, cache?.frontmatterLinks].map((found) =>
        found?.map(({ link }) => link),
      );
    },
    answer: [['B#Head', 'C.md'], ['pic.png'], ['Top']],
  },
  {
    name: 'getFileCache returns a link with an escaped bar in a table, and none from code spans of any length',
    about: ['CachedMetadata.links', 'Reference.link'],
    async ask({ app }) {
      const text = '| [[A\\|b]] |\n| --- |\n\n``a ` [[No]]`` [[B]] [c](<C d.md>)';
      const file = await createIndexed(app, 'N.md', text);
      return app.metadataCache.getFileCache(file)?.links?.map(({ link }) => link);
    },
    answer: ['A', 'B', 'C d.md'],
  },
  {
    name: 'getLinkpath returns a link’s path without its subpath',
    about: ['getLinkpath'],
    ask: async () => ['Folder/B#Head', 'B#^block', 'B', '#Head'].map((link) => getLinkpath(link)),
    answer: ['Folder/B', 'B', 'B', ''],
  },
  {
    name: 'getFirstLinkpathDest returns the file for a link path, or null',
    about: ['MetadataCache.getFirstLinkpathDest'],
    async ask({ app }) {
      await app.vault.createFolder('x');
      await createLinked(app, 'x/B.md', '');
      await createLinked(app, 'A.md', '');
      return ['B', 'x/B', 'b', 'Gone'].map(
        (name) => app.metadataCache.getFirstLinkpathDest(name, 'A.md')?.path ?? null,
      );
    },
    answer: ['x/B.md', 'x/B.md', 'x/B.md', null],
  },
  {
    name: 'getFileCache returns the tags in the text, or undefined if there are none',
    about: ['CachedMetadata.tags'],
    async ask({ app }) {
      const some = await createIndexed(app, 'A.md', 'text #one #two/three\n');
      const none = await createIndexed(app, 'B.md', 'text\n');
      return [some, none].map(
        (file) => app.metadataCache.getFileCache(file)?.tags?.map(({ tag }) => tag) ?? null,
      );
    },
    answer: [['#one', '#two/three'], null],
  },
  {
    name: 'resolved is triggered once the metadata of every new note is known',
    about: ['MetadataCache.getFileCache'],
    async ask({ app: { metadataCache, vault }, plugin }) {
      const paths = ['A.md', 'B.md'];
      const known = () =>
        paths.filter((path) => {
          const file = vault.getFileByPath(path);
          return file && metadataCache.getFileCache(file)?.frontmatter;
        });
      const resolved = new Promise((resolve) => {
        plugin.registerEvent(
          metadataCache.on('resolved', () => {
            if (known().length === paths.length) resolve(known());
          }),
        );
      });
      await Promise.all(paths.map((path) => vault.create(path, '---\ntags: [one]\n---\n')));
      return resolved;
    },
    answer: ['A.md', 'B.md'],
  },
  {
    name: 'deleted is triggered with the deleted file',
    about: ["MetadataCache.on('deleted')"],
    async ask({ app, plugin }) {
      const file = await createIndexed(app, 'A.md', '#one');
      const gone = new Promise<string>((resolve) => {
        plugin.registerEvent(app.metadataCache.on('deleted', ({ path }) => resolve(path)));
      });
      await app.vault.delete(file);
      return gone;
    },
    answer: 'A.md',
  },
  {
    name: 'getAllTags returns the tags of text and properties, each with a leading #',
    about: ['getAllTags'],
    async ask({ app }) {
      const file = await createIndexed(
        app,
        'A.md',
        '---\ntags: [one, two]\n---\n#three/four and `#no`',
      );
      const cache = app.metadataCache.getFileCache(file);
      return cache && getAllTags(cache)?.sort();
    },
    answer: ['#one', '#three/four', '#two'],
  },
  {
    name: 'parseFrontMatterAliases accepts a list or a string, and returns null without aliases',
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
