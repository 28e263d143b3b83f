import { expect, test } from 'vitest';
import { decorate } from '#components/message/markdown/decorate.ts';
import { toMarkdown } from '#components/message/markdown/to-markdown.ts';
import { longAnswer } from '#tests/bench/streaming/answer';
import { drawWhole, hostOf, wholeHtml } from './whole';

async function copied(text: string): Promise<string> {
  const element = document.createElement('div');
  document.body.replaceChildren(element);
  drawWhole(element, text);
  await decorate(element, hostOf());
  return toMarkdown(element);
}

test.each([
  '# One\n\n### Three',
  'A **bold** and *slanted* line, ~~gone~~, ==marked==, `code` and <kbd>K</kbd>.',
  '[[Note]], [[Note#Heading|words]], ![[Picture.png]] and #tag/below',
  '[words](https://a.b/c?d=e), https://a.b/c and ![A map](https://a.b/map.png)',
  'One\nline below',
  '- a\n- b\n  - c\n  - d\n- e',
  '- a\n\n- b',
  '- [x] done\n- [ ] open',
  '3. three\n4. four\n   - deep',
  '> quoted\n>\n> - list',
  '> [!warning] Mind **this**\n> one\n>\n> two',
  '> [!tip]- Folded\n> away',
  '| a | b |\n| --- | ---: |\n| 1 | `x` |',
  '```js\nconst a = 1;\n\nb();\n```',
  '````\n```\n````',
  '``a ` b``'.replace(/``/g, '`` ').replace(/ $/, '').replace(/`` $/, ' ``'),
  'So $a_1$:\n\n$$\n\\frac{1}{2}\n$$',
  '```mermaid\ngraph TD\nA --> B\n```',
  'A claim[^1].\n\n[^1]: Its *source*.',
  'A claim^[Its *source* in [[Note|a note]].], and one more^["so"].\n\n- in a list^[too]',
  '---',
])('copying drawn text returns its Markdown: %j', async (text) => {
  const markdown = await copied(text);
  expect(wholeHtml(markdown)).toBe(wholeHtml(text));
});

test('copying a long answer returns Markdown that reads like the answer', async () => {
  const text = longAnswer(20_000);
  const lines = (markdown: string) => {
    const element = document.createElement('div');
    drawWhole(element, markdown);
    return [...element.children].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
  };
  expect(lines(await copied(text))).toEqual(lines(text));
});
