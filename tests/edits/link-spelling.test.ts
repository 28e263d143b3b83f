import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { respellLinks } from '#edits/link-rewrites';
import { cases } from '../cases';

const PATH = 'In/My idea.md';
const before = (text: string) => ({ path: 'B.md', before: text });

describe('respellLinks', () => {
  it.each([
    // Text after the move was undone, text before the move, and expected text.
    ['[[My idea]]', '[[In/My idea]]', '[[In/My idea]]'],
    ['[[In/My idea|it]]', '[[My idea|it]]', '[[My idea|it]]'],
    ['![[My idea#Part]] x', '![[In/My idea#Part]] x', '![[In/My idea#Part]] x'],
    ['[it](My%20idea.md)', '[it](In/My%20idea.md)', '[it](In/My%20idea.md)'],
    ['[it](<My idea.md>)', '[it](<My idea.md>)', '[it](<My idea.md>)'],
    ['[it](./In/My%20idea.md#Part)', '[it](My%20idea.md#Part)', '[it](My%20idea.md#Part)'],
    ['mine [[My idea]] mine', '[[in/my idea]]', 'mine [[in/my idea]] mine'],
    ['[[My idea]] [[Other]]', '[[In/My idea]] [[x/Other]]', '[[In/My idea]] [[Other]]'],
  ])('respellLinks restores %s to its spelling in %s', (now, then, expected) => {
    expect(respellLinks(now, before(then), PATH)).toBe(expected);
  });

  it.each([
    ['one was added', '[[My idea]] [[My idea]]', '[[In/My idea]]'],
    ['one was removed', '[[My idea]]', '[[In/My idea]] [[In/My idea]]'],
    ['it has another alias', '[[My idea|mine]]', '[[In/My idea|it]]'],
    ['it leads to another note of that name', '[[Out/My idea]]', '[[In/My idea]]'],
    ['it is of another kind', '[[My idea]]', '[My idea](In/My%20idea.md)'],
  ])('respellLinks leaves a link unchanged if %s', (_, now, then) => {
    expect(respellLinks(now, before(then), PATH)).toBe(now);
  });

  it('respellLinks changes nothing but the spelling of the moved path', () => {
    const piece = fc.constantFrom(
      '[[My idea',
      ']]',
      '[[In/',
      '|x',
      '](My%20idea.md)',
      '[',
      'a\n',
      '%',
      '#',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const bare = (value: string) => value.replace(/(?:In\/)?My(?: |%20)idea/g, '*');
    fc.assert(
      fc.property(text, text, (now, then) => {
        expect(bare(respellLinks(now, before(then), PATH))).toBe(bare(now));
      }),
      cases,
    );
  });
});
