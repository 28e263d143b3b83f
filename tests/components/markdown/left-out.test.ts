/** What is left out of the package that cleans changes nothing of what it lets through. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import own from 'dompurify';
import * as picture from '#components/message/markdown/picture.ts';
import { wholeHtml } from '#components/message/markdown/reading.ts';
import * as sanitised from '#components/message/markdown/sanitise.ts';
import { HOSTILE } from '#tests/hostile-markdown';

/** The same package, but not shortened on its way. */
const all = createRequire(import.meta.url)('dompurify') as typeof own;
let whole: typeof picture & typeof sanitised;

beforeAll(async () => {
  vi.doMock('dompurify', () => ({ default: all }));
  vi.resetModules();
  whole = {
    ...(await import('#components/message/markdown/picture.ts')),
    ...(await import('#components/message/markdown/sanitise.ts')),
  };
});

afterAll(() => vi.doUnmock('dompurify'));

const GOOD = [
  wholeHtml(
    '# A\n\n[x](https://ok.example "t") [[Note]] #tag ==m== $a$ ~~d~~\n\n- [x] b\n\n> [!note]- c',
  ),
  '<svg viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg"><style>.a{fill:red}</style><g class="a">' +
    '<path d="M0 0" marker-end="url(#m)"/><foreignObject><div>x</div></foreignObject><feBlend/></g></svg>',
  '<math><mi>x</mi><mo>=</mo><semantics><mn>1</mn></semantics></math>',
  '<mjx-container jax="SVG" tabindex="0" data-x="1"><mjx-math class="MJX-TEX no">x</mjx-math></mjx-container>',
  '<div is="x-y" id="body" name="cookie" data-note="a" aria-label="b" title=" t ">x</div>',
  '<template shadowrootmode="open"><b>x</b></template><form><input name="attributes"></form>',
  '<svg><g id="body" clip-path="odd:thing" fill="a/>" mask=" javascript:x">{{x}}</g><!-- <b> --></svg>',
  '<p>{{x}} <%= y %> ${z}</p>',
  '  lines <b>and</b>\n spaces  ',
  '',
];

function written(node: Node | null): string {
  const holder = document.createElement('div');
  if (node) holder.append(node);
  return holder.innerHTML;
}

function element(html: string): HTMLElement {
  const made = document.createElement('mjx-container');
  made.innerHTML = html;
  return made;
}

test.each([...GOOD, ...HOSTILE])('lets the same through of %j', (html) => {
  for (const each of [html, `<svg><g>${html}</g></svg>`, `<math><mtext>${html}</mtext></math>`]) {
    expect(written(sanitised.sanitise(each, window))).toBe(written(whole.sanitise(each, window)));
    expect(written(picture.cleanDiagram(each, window))).toBe(
      written(whole.cleanDiagram(each, window)),
    );
    const [formula, other] = [element(each), element(each)];
    expect(written(picture.cleanFormula(formula, window))).toBe(
      written(whole.cleanFormula(other, window)),
    );
  }
});

test('what is compared is not the same', () => {
  expect(String(own.clearConfig)).toHaveLength('function() {}'.length);
  expect(String(all.clearConfig).length).toBeGreaterThan(20);
  expect(whole.cleanDiagram).not.toBe(picture.cleanDiagram);
  expect(written(picture.cleanDiagram(GOOD[1]!, window))).toContain('<path');
});
