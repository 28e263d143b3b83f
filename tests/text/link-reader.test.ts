import { describe, expect, test } from 'vitest';
import {
  blankLinks,
  findLinks,
  linkPath,
  linksIn,
  linkText,
  parseLink,
  readWikiLink,
  retargetLinks,
  withoutLinks,
} from '#text/link-reader';

const partsOf = (text: string) =>
  findLinks(text).map((link) => [text.slice(link.from, link.to), linkPath(link), linkText(link)]);

describe('findLinks', () => {
  test.each([
    ['[[Note]]', 'Note', 'Note'],
    ['![[Note#Part#Deep|it]]', 'Note', 'it'],
    ['[[Note#Part]]', 'Note', 'Note > Part'],
    ['[[Note#^id]]', 'Note', 'Note > id'],
    ['[[#Part]]', '', 'Part'],
    ['[[Note|a | b]]', 'Note', 'a | b'],
    ['[[Note|]]', 'Note', 'Note'],
    // In a table, the bar is escaped.
    [String.raw`[[Note\|it]]`, 'Note', 'it'],
    [String.raw`[[Note#Part\|it]]`, 'Note', 'it'],
    ['[it](Note.md)', 'Note.md', 'it'],
    ['![it](a%20b.png "Title")', 'a b.png', 'it'],
    ['[it](<My note.md#Part> (x))', 'My note.md', 'it'],
    ['[it](A_(b_(c)).md)', 'A_(b_(c)).md', 'it'],
    ['[it](a\n "b")', 'a', 'it'],
    ['[it](a%2Cb%23c.md#d%20e)', 'a,b#c.md', 'it'],
    [String.raw`[it](a\(b\_c.md)`, 'a(b_c.md', 'it'],
    ['[it](50%.md)', '50%.md', 'it'],
    ['[a [b] c](x)', 'x', 'a [b] c'],
  ])('findLinks reads %j', (link, path, shown) => {
    expect(partsOf(`a ${link} b`)).toEqual([[link, path, shown]]);
    expect(partsOf(`[${link}${link}`)).toEqual([
      [link, path, shown],
      [link, path, shown],
    ]);
  });

  test.each([
    '[[a',
    '[[a\nb]]',
    '[[a[b]]',
    String.raw`\[[a]]`,
    String.raw`\[a](b)`,
    String.raw`[a\](b)`,
    '[a] (b)',
    '[a][b]',
    // CommonMark allows no blanks in an address without angle brackets.
    '[a](b c)',
    '[a](b',
    '[a](<b)',
    '[a\n\nb](c)',
    '](c)',
  ])('findLinks finds no link in %j', (text) => {
    expect(findLinks(text)).toEqual([]);
  });

  test('findLinks finds a link inside the text of an embed, and an embed inside the text of a link', () => {
    expect(partsOf('[![a](b.png)](c)').map(([, path]) => path)).toEqual(['b.png', 'c']);
    expect(partsOf('![[a](b)](c)').map(([, path]) => path)).toEqual(['b', 'c']);
  });

  test('findLinks finds no link around another link', () => {
    expect(partsOf('[a [b](c) d](e)').map(([, path]) => path)).toEqual(['c']);
    expect(partsOf('[a [[b]] d](e)').map(([, path]) => path)).toEqual(['b']);
    expect(partsOf(']([[b]])').map(([, path]) => path)).toEqual(['b']);
  });
});

test('parseLink accepts a text that is one link', () => {
  expect(parseLink(' ![[a#b|c]]\n')).toMatchObject({ target: 'a', subpath: '#b', text: 'c' });
  expect(parseLink('[![a](b)](c)')).toMatchObject({ target: 'c', isWiki: false });
  for (const text of ['', 'a', '[[a]] b', 'a [[b]]', '[[a]][[b]]'])
    expect(parseLink(text)).toBeNull();
});

test('readWikiLink reads the link at the start of a text', () => {
  expect(readWikiLink('[[a]] [[b]]')).toMatchObject({ target: 'a', to: 5 });
  for (const text of [' [[a]]', '[a](b)', '[[a']) expect(readWikiLink(text)).toBeNull();
});

test('linksIn skips code, addresses outside the vault, and front matter without quotes', () => {
  const text =
    '---\na: "[[Up]]"\nb: [[No]]\n---\n`[[No]]` [[In#Part]] [x](https://a.b)\n```\n[[No]]\n```\n';
  expect(linksIn(text)).toEqual([
    { line: 2, name: 'Up', written: '[[Up]]', heading: '' },
    { line: 5, name: 'In', written: '[[In#Part]]', heading: '#part' },
  ]);
  // The written form includes inline code, so that an edit finds it.
  expect(linksIn('[`a`](b.md)')).toMatchObject([{ written: '[`a`](b.md)' }]);
});

test('withoutLinks keeps what a reader sees', () => {
  expect(withoutLinks('![[a]], [[b|c]], [d](e_(f)) and [![g](h)](i) [j](k l)')).toBe(
    'a, c, d and g [j](k l)',
  );
});

test('blankLinks keeps the columns', () => {
  expect(blankLinks('a [![b](c)](d) [[e|f]] g')).toBe(`a ${' '.repeat(12)} ${' '.repeat(7)} g`);
});

test('retargetLinks replaces only targets', () => {
  const text = '[[a#b|c]] [![a](a)](<a#b>) [a](a "a")';
  expect(retargetLinks(text, ({ target }) => target + target)).toBe(
    '[[aa#b|c]] [![a](aa)](<aa#b>) [a](aa "a")',
  );
});
