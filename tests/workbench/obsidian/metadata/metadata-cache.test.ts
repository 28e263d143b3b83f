import type { CachedMetadata } from 'obsidian';
import { describe, expect, test } from 'vitest';
import { parseNote } from '#workbench/obsidian/metadata/note-parser';
import { nextEvent, openHost, type TestHost } from '#tests/builders/workbench-host';

function cacheOf(host: TestHost, path: string): CachedMetadata {
  const cache = host.app.metadataCache.getCache(path);
  if (!cache) throw new Error(`Nothing is known of ${path}`);
  return cache;
}

/** The text that a position points at. */
function at(
  text: string,
  item: { position: { start: { offset: number }; end: { offset: number } } },
) {
  return text.slice(item.position.start.offset, item.position.end.offset);
}

describe('parsing a note', () => {
  const text = [
    '---',
    'tags: [one, two]',
    'related: "[[Other|there]]"',
    '---',
    '# First #',
    '',
    'A [[Link#Part|shown]] and ![[pic.png]] and [text](Some%20note.md), not [web](https://x.y).',
    'Tagged #tag/sub, #ünïcode and not #123 or a#b or `#code`.',
    '',
    '```js',
    '# no heading, #no-tag, [[no link]]',
    '```',
    '## Second',
    '- [ ] open',
    '  - [x] done ^item',
    '- plain',
    '',
    'Last words. ^last',
  ].join('\n');
  const cache = parseNote(text);

  test('the parsed note has its front matter, position and links', () => {
    expect(cache.frontmatter).toEqual({ tags: ['one', 'two'], related: '[[Other|there]]' });
    expect(cache.frontmatterLinks).toEqual([
      { key: 'related', link: 'Other', original: '[[Other|there]]', displayText: 'there' },
    ]);
    const position = cache.frontmatterPosition;
    expect(position && at(text, { position })).toBe(text.split('\n').slice(0, 4).join('\n'));
  });

  test('the parsed note has its headings, but none from code blocks', () => {
    expect(cache.headings?.map(({ heading, level }) => [heading, level])).toEqual([
      ['First', 1],
      ['Second', 2],
    ]);
    expect(cache.headings?.[1]?.position.start).toEqual({
      line: 12,
      col: 0,
      offset: text.indexOf('## Second'),
    });
  });

  test('the parsed note has links, embeds and tags with their positions', () => {
    expect(cache.links?.map(({ link, displayText }) => [link, displayText])).toEqual([
      ['Link#Part', 'shown'],
      ['Some note.md', 'text'],
    ]);
    expect(cache.embeds?.map(({ link }) => link)).toEqual(['pic.png']);
    expect(cache.tags?.map(({ tag }) => tag)).toEqual(['#tag/sub', '#ünïcode']);
    for (const link of cache.links ?? []) expect(at(text, link)).toBe(link.original);
    for (const tag of cache.tags ?? []) expect(at(text, tag)).toBe(tag.tag);
  });

  test('the parsed note has list items with their task state and parent', () => {
    expect(cache.listItems?.map(({ task, parent }) => [task, parent])).toEqual([
      [' ', -13],
      ['x', 13],
      [undefined, -13],
    ]);
  });

  test('the parsed note has block ids and sections', () => {
    expect(Object.keys(cache.blocks ?? {})).toEqual(['item', 'last']);
    expect(cache.sections?.map(({ type }) => type)).toEqual([
      'yaml',
      'heading',
      'paragraph',
      'code',
      'heading',
      'list',
      'paragraph',
    ]);
  });

  test.each([
    ['| [[A\\|b]] | ![[p.png\\|9]] |', ['A'], ['p.png'], []],
    ['``a ` [[No]]`` [[Yes]] #tag', ['Yes'], [], ['#tag']],
    ['``[[Yes]]` #tag', ['Yes'], [], ['#tag']],
    ['```#no `` [[No]]``` `[[No]]` [[Yes]]', ['Yes'], [], []],
    ['[a](<b c.md>) [d](e(f).md) ![g](h.png)', ['b c.md', 'e(f).md'], ['h.png'], []],
  ])('the line %s has its links, embeds and tags outside of code', (line, links, embeds, tags) => {
    const found = parseNote(line);
    expect((found.links ?? []).map(({ link }) => link)).toEqual(links);
    expect((found.embeds ?? []).map(({ link }) => link)).toEqual(embeds);
    expect((found.tags ?? []).map(({ tag }) => tag)).toEqual(tags);
  });

  test('code goes on over the lines of a paragraph, and not over those of other blocks', () => {
    const linksOf = (note: string) => parseNote(note).links?.map(({ link }) => link);
    expect(linksOf('`[[A]]\n[[B]]` [[C]]')).toEqual(['C']);
    expect(linksOf('`[[A]]\n\n[[B]]` [[C]]')).toEqual(['A', 'B', 'C']);
    expect(linksOf('- `[[A]]\n- [[B]]`')).toEqual(['A', 'B']);
    expect(linksOf('| `[[A]] |\n| - |\n| [[B]]` |')).toEqual(['A', 'B']);
  });

  test('a note with broken front matter parses without it', () => {
    const broken = parseNote('---\n: [\n---\n# Head');
    expect(broken.frontmatter).toBeUndefined();
    expect(broken.headings).toHaveLength(1);
  });

  test('offsets are correct in text with Windows line endings', () => {
    const windows = '---\r\na: 1\r\n---\r\n# Head\r\n[[x]]\r\n';
    const found = parseNote(windows);
    expect(found.frontmatter).toEqual({ a: 1 });
    expect(found.headings?.[0]?.heading).toBe('Head');
    expect(found.links?.[0] && at(windows, found.links[0])).toBe('[[x]]');
  });

  test('a note has the same sections with Windows line endings', () => {
    const lines = ['> # A', 'b', '', '- c', '# D', 'e', '', 'f', 'g', '===', '~~~', '', '~~~'];
    const [unix, windows] = ['\n', '\r\n'].map((end) => parseNote(lines.join(end)));
    expect(windows?.headings?.map(({ heading }) => heading)).toEqual(['D', 'f g']);
    const shape = (note = unix) =>
      note?.sections?.map(({ type, position: { start, end } }) => [type, start.line, end.line]);
    expect(shape(windows)).toEqual(shape(unix));
  });
});

describe('links', () => {
  test('a link resolves to the exact path first, then to the nearest note with that name', async () => {
    await using host = await openHost({
      'A.md': '',
      'sub/A.md': '',
      'sub/deep/B.md': '',
      'other/B.md': '',
      'pic.png': '',
    });
    const { metadataCache } = host.app;
    const find = (link: string, from: string) =>
      metadataCache.getFirstLinkpathDest(link, from)?.path ?? null;
    expect(find('A', 'sub/deep/B.md')).toBe('A.md');
    expect(find('sub/A', 'A.md')).toBe('sub/A.md');
    expect(find('B', 'sub/A.md')).toBe('sub/deep/B.md');
    expect(find('b.MD', 'other/x.md')).toBe('other/B.md');
    expect(find('../A.md', 'sub/deep/B.md')).toBe('sub/A.md');
    expect(find('/B', 'A.md')).toBeNull();
    expect(find('pic.png', 'A.md')).toBe('pic.png');
    expect(find('', 'A.md')).toBe('A.md');
    expect(find('Nowhere', 'A.md')).toBeNull();
  });

  test('resolved and unresolved links are counted by source and target', async () => {
    await using host = await openHost({
      'A.md': '[[B]] [[B|b]] [[Gone]] [[constructor]] [[#Here]]',
      'B.md': '',
    });
    const { resolvedLinks, unresolvedLinks } = host.app.metadataCache;
    expect(resolvedLinks).toEqual({ 'A.md': { 'B.md': 2 }, 'B.md': {} });
    expect(unresolvedLinks).toEqual({ 'A.md': { Gone: 1, constructor: 1 }, 'B.md': {} });
  });

  test('links are resolved again when a note is created, deleted or renamed', async () => {
    await using host = await openHost({ 'A.md': '[[B]]' });
    const { metadataCache, vault } = host.app;
    const links = () => [
      metadataCache.resolvedLinks['A.md'],
      metadataCache.unresolvedLinks['A.md'],
    ];
    /** The links right after the change, and when `resolve` is triggered. */
    const around = async (change: () => Promise<unknown>) => {
      const resolved = nextEvent(metadataCache, 'resolve', (each) => each === linking);
      await change();
      const before = links();
      await resolved;
      return [before, links()];
    };
    const linking = vault.getFileByPath('A.md');
    const [broken, leading] = [
      [{}, { B: 1 }],
      [{ 'B.md': 1 }, {}],
    ];
    expect(await around(() => vault.create('B.md', ''))).toEqual([broken, leading]);
    const file = vault.getFileByPath('B.md')!;
    expect(await around(() => vault.rename(file, 'C.md'))).toEqual([leading, broken]);
    expect(await around(() => vault.rename(file, 'B.md'))).toEqual([broken, leading]);
    expect(await around(() => vault.delete(file))).toEqual([leading, broken]);
  });

  test("generated links follow the vault's link settings", async () => {
    await using host = await openHost({ 'x/A.md': '', 'y/A.md': '', 'y/B.md': '', 'y/p.png': '' });
    const { vault, fileManager, metadataCache } = host.app;
    const link = (path: string, ...rest: [string?, string?]) => {
      const file = vault.getFileByPath(path);
      return file && fileManager.generateMarkdownLink(file, 'x/From.md', ...rest);
    };
    expect(link('y/B.md')).toBe('[[B]]');
    expect(link('y/A.md')).toBe('[[y/A]]');
    expect(link('y/B.md', '#Head', 'alias')).toBe('[[B#Head|alias]]');
    expect(link('y/p.png')).toBe('![[p.png]]');
    (vault as unknown as { setConfig(key: string, value: unknown): void }).setConfig(
      'newLinkFormat',
      'relative',
    );
    expect(link('y/B.md')).toBe('[[../y/B]]');
    const file = vault.getFileByPath('y/B.md');
    expect(file && metadataCache.fileToLinktext(file, 'y/C.md')).toBe('B');
  });

  test('backlinks of a note include the original link text', async () => {
    await using host = await openHost({ 'A.md': 'x [[B]]', 'B.md': '' });
    const cache = host.app.metadataCache as unknown as {
      getBacklinksForFile(file: unknown): { data: Map<string, { original: string }[]> };
    };
    const { data } = cache.getBacklinksForFile(host.app.vault.getFileByPath('B.md'));
    expect([...data].map(([path, links]) => [path, links[0]?.original])).toEqual([
      ['A.md', '[[B]]'],
    ]);
  });
});

describe('metadata events', () => {
  test('the old metadata is served until a changed note has been parsed again', async () => {
    await using host = await openHost({ 'A.md': '# One' });
    const file = host.app.vault.getFileByPath('A.md');
    if (!file) throw new Error('No note');
    expect(cacheOf(host, 'A.md').headings?.[0]?.heading).toBe('One');
    const changed = nextEvent(host.app.metadataCache, 'changed');
    await host.app.vault.modify(file, '# Two');
    expect(cacheOf(host, 'A.md').headings?.[0]?.heading).toBe('One');
    const [told, text, cache] = await changed;
    expect([told, text]).toEqual([file, '# Two']);
    expect(cache).toBe(cacheOf(host, 'A.md'));
    expect(cacheOf(host, 'A.md').headings?.[0]?.heading).toBe('Two');
  });

  test('creating a note triggers resolve for it and resolved for the vault', async () => {
    await using host = await openHost({ 'A.md': '' });
    const { metadataCache, vault } = host.app;
    const resolved = nextEvent(metadataCache, 'resolve', (file) => {
      return (file as { path: string }).path === 'B.md';
    });
    const all = nextEvent(metadataCache, 'resolved');
    await vault.create('B.md', '[[A]]');
    await resolved;
    await all;
    expect(metadataCache.resolvedLinks['B.md']).toEqual({ 'A.md': 1 });
  });

  test('renaming a note keeps its metadata', async () => {
    await using host = await openHost({ 'A.md': '# One' });
    const file = host.app.vault.getFileByPath('A.md');
    const cache = cacheOf(host, 'A.md');
    if (file) await host.app.vault.rename(file, 'B.md');
    expect(cacheOf(host, 'B.md')).toBe(cache);
    expect(host.app.metadataCache.getCache('A.md')).toBeNull();
  });

  test('deleting a note triggers deleted with its last metadata', async () => {
    await using host = await openHost({ 'A.md': '# One' });
    const file = host.app.vault.getFileByPath('A.md');
    const cache = cacheOf(host, 'A.md');
    const deleted = nextEvent(host.app.metadataCache, 'deleted');
    if (file) await host.app.vault.delete(file);
    expect(await deleted).toEqual([file, cache]);
  });
});

describe('parsing a hostile note', () => {
  test.each([
    ['a heading of blanks', (size: number) => `# ${' '.repeat(size)}x`],
    ['display texts that no brackets end', (size: number) => `${'[[a|'.repeat(size)}]`],
    ['link targets that no bracket ends', (size: number) => '[](<'.repeat(size)],
    ['brackets that nothing closes', (size: number) => '[['.repeat(size)],
    ['code spans of growing length', (size: number) => codeSpans(size)],
    ['many items in one item', (size: number) => `- a\n${'  - b\n'.repeat(size)}`],
    ['blank lines in a list', (size: number) => `- a${'\n'.repeat(size)}- b`],
    ['block ids in one line', (size: number) => ' ^a'.repeat(size)],
  ])('%s takes work in proportion to its size', (_, make) => {
    // Square work on 200,000 characters would take minutes.
    for (const size of [10, 1_000, 200_000]) expect(parseNote(make(size))).toBeTypeOf('object');
  });

  test('a heading loses its closing marks, and only those after a blank', () => {
    const headings = ['# A #', '# A ##  ', '# A#', '# #', '## C# ', '# A # b'].join('\n');
    expect(parseNote(headings).headings?.map(({ heading }) => heading)).toEqual([
      'A',
      'A',
      'A#',
      '#',
      'C#',
      'A # b',
    ]);
  });

  test('an item is nested in the nearest item above it that is indented less', () => {
    const items = parseNote('- a\n    - b\n  - c\n      - d\n- e\n  - f\n').listItems ?? [];
    expect(items.map(({ parent }) => parent)).toEqual([-1, 0, 0, 2, -1, 4]);
  });
});

/** Runs of backticks, none of which is as long as another. */
function codeSpans(size: number): string {
  let text = '';
  for (let length = 1; text.length < size; length += 1) text += `${'`'.repeat(length)} `;
  return text;
}
