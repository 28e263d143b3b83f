import { describe, expect, test } from 'vitest';
import { decorate } from '#components/message/markdown/decorate.ts';
import { cleanDiagram, cleanFormula } from '#components/message/markdown/sanitize.ts';
import { pageUi } from '#workbench/gallery/page-ui';
import { drawWhole, hostOf } from './whole';

async function decorated(text: string, ui = pageUi()): Promise<HTMLElement> {
  const element = document.createElement('div');
  document.body.replaceChildren(element);
  const host = hostOf(ui);
  drawWhole(element, text, host);
  await decorate(element, host);
  return element;
}

describe('decorating finished blocks', () => {
  test('formulas are drawn and keep their source', async () => {
    const element = await decorated('It is $a^2$.');
    const math = element.querySelector<HTMLElement>('.math');
    expect(math?.querySelector('mjx-container')).not.toBeNull();
    expect(math?.dataset['source']).toBe('$a^2$');
  });

  test('code is highlighted with unchanged text', async () => {
    const element = await decorated('```js\nconst a = "1"; // one\n```');
    const code = element.querySelector('code');
    expect(code?.textContent).toBe('const a = "1"; // one\n');
    expect(code?.querySelector('.token.keyword')?.textContent).toBe('const');
    expect(element.querySelector('pre')?.className).toBe('language-js is-loaded');
  });

  test('code in an unknown language and invalid formulas or diagrams stay plain', async () => {
    const ui = pageUi();
    ui.formula = async () => null;
    const element = await decorated('```klingon\na\n```\n\n```mermaid\nno diagram\n```\n\n$a$', ui);
    expect([...element.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual([
      'a\n',
      'no diagram\n',
    ]);
    expect(element.querySelector('.math')?.textContent).toBe('$a$');
    expect(element.querySelector('.mermaid')).toBeNull();
  });

  test('diagrams are drawn next to their source in their own container', async () => {
    const element = await decorated('```mermaid\ngraph TD\nA[One] --> B[Two]\n```');
    const place = element.querySelector('.mermaid');
    expect(place?.shadowRoot?.querySelector('svg')?.textContent).toContain('One');
    expect(place?.childNodes).toHaveLength(0);
    expect(element.querySelector('pre')?.hidden).toBe(true);
  });

  test('each element is decorated once, however often it is requested', async () => {
    const ui = pageUi();
    let drawn = 0;
    const { formula } = ui;
    ui.formula = (...given) => {
      drawn += 1;
      return formula(...given);
    };
    const element = await decorated('$a$', ui);
    await decorate(element, hostOf(ui));
    expect(drawn).toBe(1);
  });

  test.each([
    '$\\href{javascript:alert(1)}{x}$',
    '$$\n\\gdef\\frac{x}\n$$',
    '$\\newcommand{\\a}{b}$',
    '$\\renewenvironment{a}{b}{c}$',
    '$\\let\\a\\b$',
    '$\\mmlToken{mtext}[style="position:fixed"]{Allow once}$',
    '$\\bbox[background:url(https://a.b/c.png)]{x}$',
    '$\\unicode[https://a.b/c.woff]{x41}$',
    '$\\class{mod-cta}{x}$',
    '$\\cssId{app}{x}$',
    '$\\require{html}$',
    '$\\includegraphics{https://a.b/c.png}$',
  ])('a formula that would affect others stays source text: %s', async (text) => {
    const element = await decorated(text);
    expect(element.querySelector('.math')?.textContent).toBe(text);
  });

  test('formulas that only look dangerous are drawn', async () => {
    const element = await decorated('$\\left(a\\right)$ and $\\text{class}$');
    expect(element.querySelectorAll('mjx-container')).toHaveLength(2);
  });
});

/** Styles that would draw over other text or imitate a control. */
const ESCAPING: readonly string[] = [
  'display',
  'transform',
  'translate',
  'scale',
  'rotate',
  'box-shadow',
  'outline',
  'filter',
  'float',
  'clip-path',
  'mask',
  'opacity',
  'cursor',
  'content',
  'animation',
  'transition',
  'zoom',
  'overflow',
  'text-shadow',
  'text-indent',
  'line-height',
  'letter-spacing',
  'word-spacing',
  'white-space',
  'pointer-events',
  'contain',
  'perspective',
  'columns',
  'order',
  'flex',
  'grid-area',
  'max-width',
  'background',
  'background-image',
  'list-style',
  'border-image',
  'border-radius',
  'inset',
  'top',
  'position',
  'z-index',
  'visibility',
  'all',
  'text-decoration',
  'offset',
  'right',
  'user-select',
  'margin',
  'margin-top',
  'margin-left',
  'vertical-align',
];

const ESCAPING_VALUES: Readonly<Record<string, string>> = {
  margin: '-40em',
  'margin-top': '-500px',
  'margin-left': '-4em',
  'vertical-align': '-90em',
};

describe("output of the host's renderers is sanitized", () => {
  test('a diagram has nothing that loads or links', () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><style>@import "https://a.b"</style>
      <style>.node{fill:red}</style><a href="https://a.b"><text onclick="x()">One</text></a>
      <image href="https://a.b/c.png"/><rect style="fill:url(https://a.b)" fill="url(#own)"/>
      <foreignObject><img src="https://a.b/c.png"></foreignObject><script>x()</script></svg>`;
    const holder = document.createElement('div');
    holder.append(cleanDiagram(svg, window));
    expect(holder.innerHTML).not.toMatch(/a\.b|onclick|script|<a\b|image|foreignObject/i);
    expect(holder.querySelector('rect')?.getAttribute('fill')).toBe('url(#own)');
    expect(holder.innerHTML).toContain('.node{fill:red}');
    expect(holder.textContent).toContain('One');
  });

  test.each(ESCAPING)('a formula cannot draw over other text by its style: %s', (name) => {
    const formula = document.createElement('mjx-container');
    const value = ESCAPING_VALUES[name] ?? '1px';
    formula.innerHTML = `<mjx-c style="color: red; ${name}: ${value}; font-size: 70%">x</mjx-c>`;
    const clean = cleanFormula(formula, window) as HTMLElement;
    const style = clean.querySelector('mjx-c')?.getAttribute('style') ?? '';
    // A style that leaves its place goes as a whole.
    expect(['', 'color: red; font-size: 70%;']).toContain(style);
  });

  test('a formula has no ids, links or positions', () => {
    const formula = document.createElement('mjx-container');
    formula.className = 'MathJax mod-cta';
    formula.innerHTML =
      '<mjx-math id="app" class="mjx-n parley-copy" style="position:fixed" space="3"><a href="x:y">z</a><mjx-c style="font-size:70%" onclick="x()"></mjx-c></mjx-math>';
    const clean = cleanFormula(formula, window) as HTMLElement;
    expect(clean.outerHTML).toBe(
      '<mjx-container class="MathJax"><mjx-math class="mjx-n" space="3">z<mjx-c style="font-size:70%;"></mjx-c></mjx-math></mjx-container>',
    );
  });
});
