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
  ])('a formula that would affect others stays source text: %s', async (text) => {
    const element = await decorated(text);
    expect(element.querySelector('.math')?.textContent).toBe(text);
  });

  test('formulas that only look dangerous are drawn', async () => {
    const element = await decorated('$\\left(a\\right)$ and $\\text{class}$');
    expect(element.querySelectorAll('mjx-container')).toHaveLength(2);
  });
});

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

  test('a formula has no ids, links or positions', () => {
    const formula = document.createElement('mjx-container');
    formula.className = 'MathJax mod-cta';
    formula.innerHTML =
      '<mjx-math id="app" class="mjx-n parley-copy" style="position:fixed" space="3"><a href="x:y">z</a><mjx-c style="font-size:70%" onclick="x()"></mjx-c></mjx-math>';
    const clean = cleanFormula(formula, window) as HTMLElement;
    expect(clean.outerHTML).toBe(
      '<mjx-container class="MathJax"><mjx-math class="mjx-n" space="3">z<mjx-c style="font-size:70%"></mjx-c></mjx-math></mjx-container>',
    );
  });
});
