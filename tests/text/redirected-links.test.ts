import { describe, expect, it } from 'vitest';
import { linkPlacesIn } from '#text/link-places';
import { type Redirect, redirectCards, redirectLinks } from '#text/redirected-links';

const NEW = '# New\n\n## Kept\n\n## Parent\n\n### Child\n\nA block. ^id\n';

function redirect(more: Partial<Redirect> = {}): Redirect {
  return {
    isOld: (name) => /^(?:Old|Sub\/Old)(?:\.md)?$/i.test(name),
    ...{ oldSubpath: '', name: 'New', path: 'Sub/New.md', isSame: false },
    ...{ subpath: '', places: linkPlacesIn(NEW) },
    ...more,
  };
}

const redirected = (text: string, more: Partial<Redirect> = {}) =>
  redirectLinks(text, redirect(more)).text;

describe('redirected links', () => {
  it.each([
    ['[[Old]] and ![[old|300]]', '[[New]] and ![[New|300]]'],
    ['[[Old.md|words]] [[Older]] [[Old', '[[New|words]] [[Older]] [[Old'],
    ['| [[Old\\|a]] |', '| [[New\\|a]] |'],
    ['[words](Old.md) [w](<Sub/Old.md> "t")', '[words](New.md) [w](<New.md> "t")'],
    ['[![[Old]]](Old.md)', '[![[New]]](New.md)'],
    ['`[[Old]]` and\n\n```\n[[Old]]\n```\n', '`[[Old]]` and\n\n```\n[[Old]]\n```\n'],
    ['a\r\n[[Old]]\r\n', 'a\r\n[[New]]\r\n'],
    ['\uFEFF[[Old#Kept]] [[Old#Gone]]', '\uFEFF[[New#Kept]] [[New]]'],
    ['[[#Kept]]', '[[#Kept]]'],
  ])('a redirect of a note turns %j into %j', (text, after) => {
    expect(redirected(text)).toBe(after);
  });

  it.each([
    ['up: "[[Old]]"', 'up: "[[New\'s (1)]]"'],
    ["up: '[[Old]]' # [[Old]]", "up: '[[New''s (1)]]' # [[Old]]"],
    ['up: ["[[Old|a \\"b\\"]]", \'[[Other]]\']', 'up: ["[[New\'s (1)|a \\"b\\"]]", \'[[Other]]\']'],
    ['up: "see [[Old]]"\nat: [[Old]]', 'up: "see [[Old]]"\nat: [[Old]]'],
    ['up: "\\u005b[Old]]"', 'up: "\\u005b[New\'s (1)]]"'],
  ])('a redirect turns the properties %j into %j', (yaml, after) => {
    const more = { name: "New's (1)", path: "New's (1).md" };
    expect(redirected(`---\n${yaml}\n---\n[a](Old.md)\n`, more)).toBe(
      `---\n${after}\n---\n[a](New's%20%281%29.md)\n`,
    );
  });

  it.each([
    [
      'See [[Old]], [[old.md]] and [[Sub/Old]].',
      'See [[New#Parent|Old]], [[New#Parent|old]] and [[New#Parent|Old]].',
    ],
    ['[[Old|words]] [[Old|]]', '[[New#Parent|words]] [[New#Parent|]]'],
    ['![[Old]] ![[Old|300]]', '![[New#Parent]] ![[New#Parent|300]]'],
    ['[[Old#Kept]] [[Old#Gone]]', '[[New#Kept]] [[New#Parent]]'],
    ['[Old](Old.md) ![a](Old.md)', '[Old](New.md#Parent) ![a](New.md#Parent)'],
    [
      '| a | b |\n| - | - |\n| [[Old]] | x |\n\nx | [[Old]]',
      '| a | b |\n| - | - |\n| [[New#Parent\\|Old]] | x |\n\nx | [[New#Parent|Old]]',
    ],
    ['| [[Old]] | x |\r\n| - | - |\r\n', '| [[New#Parent\\|Old]] | x |\r\n| - | - |\r\n'],
    ['---\nup: "[[Old]]"\n---\n', '---\nup: "[[New#Parent|Old]]"\n---\n'],
  ])('a redirect of a note to a heading turns %j into %j', (text, after) => {
    expect(redirected(text, { subpath: '#Parent' })).toBe(after);
  });

  it('a redirect within the note of the new place names no file, and no words that are shown anyway', () => {
    const more = { subpath: '#Parent', isSame: true };
    expect(redirected('[[Old]] [a](Old.md)', more)).toBe('[[#Parent|Old]] [a](#Parent)');
    const named = { ...more, isOld: (name: string) => name === 'Parent' };
    expect(redirected('[[Parent]]', named)).toBe('[[#Parent]]');
  });

  it('a redirect to a block keeps the words that readers saw', () => {
    const more = { subpath: '#^id' };
    expect(redirected('[[Old]] ![[Old]] [[Old|x]]', more)).toBe(
      '[[New#^id|Old]] ![[New#^id]] [[New#^id|x]]',
    );
    const heading = { ...more, oldSubpath: '#Was' };
    expect(redirected('[[Old#Was]] ![[Old#Was]]', heading)).toBe('[[New#^id|Was]] ![[New#^id]]');
  });

  it.each([
    ['[[Old#Was]] [[Old#Other]] [[Old]]', '[[New#Parent]] [[Old#Other]] [[Old]]'],
    ['[[Old#Top#was]] [[Old#Was#Child]]', '[[New#Parent]] [[New#Parent#Child]]'],
    ['[[Old#Was#Gone]]', '[[New#Parent]]'],
    ['[a](Old.md#Was) [a](Old.md#W%61s)', '[a](New.md#Parent) [a](New.md#Parent)'],
  ])('a redirect of a heading turns %j into %j', (text, after) => {
    expect(redirected(text, { oldSubpath: '#Was', subpath: '#Parent' })).toBe(after);
  });

  it('a redirect of a block changes links to this block only', () => {
    const more = { oldSubpath: '#^Old-id', subpath: '#^id' };
    expect(redirected('[[Old#^old-id]] [[Old#^old]] [a](Old.md#^old-id)', more)).toBe(
      '[[New#^id]] [[Old#^old]] [a](New.md#^id)',
    );
  });

  it('a link within the note stays one, if the new place is in the same note', () => {
    const more = { isOld: (name: string) => name === '', oldSubpath: '#Was', subpath: '#Kept' };
    expect(redirected('[[#Was]] [a](#Was)', { ...more, isSame: true })).toBe(
      '[[#Kept]] [a](#Kept)',
    );
    expect(redirected('[[#Was]] [a](#Was)', more)).toBe('[[New#Kept]] [a](New.md#Kept)');
    expect(redirected('[[#Was]]', { ...more, isSame: true, subpath: '' })).toBe('[[New]]');
  });

  it('a redirect counts the links, and names those whose place the new file does not have', () => {
    expect(redirectLinks('[[Old]] [[Old#Gone|x]] [[Other]]', redirect())).toEqual({
      ...{ text: '[[New]] [[New|x]] [[Other]]', count: 2, lost: ['[[Old#Gone|x]]'] },
    });
  });

  it('a redirect changes the cards of a canvas, and keeps every other byte', () => {
    const canvas =
      '{\n\t"nodes":[\n\t\t{"id":"a","type":"text","text":"See [[Old]]\\n\\u00e9 \\"[w](Old.md)\\"","x":1},\n' +
      '\t\t{"id":"b","type":"file","file":"Sub\\/Old.md","x":2},\n' +
      '\t\t{"type":"file","file":"Sub/Old.md","subpath":"#Kept"},\n' +
      '\t\t{"type":"file","file":"Old.md"}, {"type":"group","label":"[[Old]]"}\n' +
      '\t],\n\t"edges":[{"label":"[[Old]]","file":"Sub/Old.md"}]\n}';
    expect(
      redirectCards(canvas, (path) => path === 'Sub/Old.md', redirect({ subpath: '#Parent' })),
    ).toEqual({
      text:
        '{\n\t"nodes":[\n\t\t{"id":"a","type":"text","text":"See [[New#Parent|Old]]\\n\\u00e9 \\"[w](New.md#Parent)\\"","x":1},\n' +
        '\t\t{"id":"b","type":"file","file":"Sub/New.md","subpath":"#Parent","x":2},\n' +
        '\t\t{"type":"file","file":"Sub/New.md","subpath":"#Kept"},\n' +
        '\t\t{"type":"file","file":"Old.md"}, {"type":"group","label":"[[Old]]"}\n' +
        '\t],\n\t"edges":[{"label":"[[Old]]","file":"Sub/Old.md"}]\n}',
      count: 4,
      lost: [],
    });
  });
});
