/** Blocks that fail on purpose while they are read, rendered, drawn or decorated. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decorate, showEmbedded } from '#components/message/markdown/decorate.ts';
import { DIALECT } from '#components/message/markdown/renderer.ts';
import { appendAll, Drawing, type DrawingHost } from '#components/message/markdown/patch-dom.ts';
import type { Ui } from '#ports/ui';
import { pageUi, type PageUi } from '#workbench/gallery/page-ui';
import { ReadText } from './whole';

const explode = (): never => {
  throw new TypeError('on purpose');
};

afterEach(() => vi.restoreAllMocks());

interface Drawn {
  readonly element: HTMLElement;
  /** The reported errors. */
  readonly reported: string[];
  readonly host: DrawingHost;
}

/** Streams an answer, finishes it and decorates it. */
async function draw(text: string, ui: Ui = pageUi()): Promise<Drawn> {
  const element = document.createElement('div');
  document.body.replaceChildren(element);
  const reported: string[] = [];
  const host: DrawingHost = { ui, report: (error) => void reported.push(String(error)) };
  const blocks = new ReadText((error) => reported.push(String(error)));
  const drawings = new Map<number, Drawing>();
  const show = () => {
    for (const block of blocks.list) {
      let drawing = drawings.get(block.index);
      if (!drawing) {
        drawing = new Drawing(element.appendChild(document.createElement('div')), host);
        drawings.set(block.index, drawing);
      }
      drawing.draw(block);
    }
  };
  for (let end = 7; end < text.length; end += 7) {
    blocks.update(text.slice(0, end), false);
    show();
  }
  blocks.update(text, true);
  show();
  await decorate(element, host);
  return { element, reported, host };
}

function texts(element: HTMLElement, selector: string): string[] {
  return [...element.querySelectorAll(selector)].map(({ textContent }) => textContent);
}

/** Checks that the text around the block is drawn and the failure was reported. */
function expectOthersDrawn({ element, reported }: Drawn): void {
  expect(texts(element, 'h1')).toEqual(['Before']);
  expect(texts(element, 'strong').at(-1)).toBe('after');
  expect(reported.length).toBeGreaterThan(0);
}

const around = (text: string) => `# Before\n\n${text}\n\nAnd **after**.`;

type Renderer = NonNullable<typeof DIALECT.renderer>;
type Method =
  'blockquote' | 'code' | 'codespan' | 'del' | 'hr' | 'html' | 'image' | 'link' | 'list';

const RENDERED: readonly (readonly [
  what: string,
  method: keyof Renderer & Method,
  text: string,
])[] = [
  ['list', 'list', '- one\n- two'],
  ['numbered list', 'list', '1. one\n2. two'],
  ['list of tasks', 'list', '- [ ] one\n- [x] two'],
  ['quote', 'blockquote', '> words'],
  ['callout', 'blockquote', '> [!note] Title\n> words'],
  ['block of code', 'code', '```js\nlet a;\n```'],
  ['diagram', 'code', '```mermaid\ngraph TD\nA --> B\n```'],
  ['piece of code in a line', 'codespan', 'a `b` c'],
  ['crossed-out word', 'del', 'a ~~b~~ c'],
  ['rule', 'hr', 'a\n\n---'],
  ['block of HTML', 'html', '<div>\nb\n</div>'],
  ['tag of HTML', 'html', 'a <b>c</b>'],
  ['picture', 'image', '![a](https://b.c/d.png)'],
  ['link', 'link', '[a](https://b.c)'],
];

const OWN_KINDS: readonly (readonly [what: string, name: string, text: string])[] = [
  ['note link', 'note-link', 'a [[Note]] b'],
  ['embed', 'note-link', '![[Note]]'],
  ['tag', 'tag', 'a #tag b'],
  ['formula in a line', 'formula', 'a $b$ c'],
  ['formula of its own', 'formula-block', '$$\na\n$$'],
  ['highlight', 'highlight', 'a ==b== c'],
  ['key', 'plain-mark', 'a <kbd>b</kbd> c'],
  ['footnote in a line', 'inline-footnote', 'a ^[b] c'],
  ['footnote reference', 'footnote-reference', 'a [^1] b\n\n[^1]: c'],
];

describe('a block that cannot be rendered', () => {
  test.each(RENDERED)(
    '%s that cannot be rendered is plain text, and other blocks are drawn',
    async (_, method, text) => {
      vi.spyOn(DIALECT.renderer as Required<Pick<Renderer, Method>>, method).mockImplementation(
        explode,
      );
      const drawn = await draw(around(text));
      expectOthersDrawn(drawn);
      expect(texts(drawn.element, '.parley-plain').join('\n')).toContain(text.split('\n\n').at(-1));
    },
  );

  test.each(OWN_KINDS)(
    '%s with a failing part is plain text, and other blocks are drawn',
    async (_, name, text) => {
      const renderers = DIALECT.extensions?.renderers ?? {};
      vi.spyOn(renderers as Record<string, () => string>, name).mockImplementation(explode);
      const drawn = await draw(around(text));
      expectOthersDrawn(drawn);
      expect(texts(drawn.element, '.parley-plain').join('\n')).toContain(text.split('\n\n')[0]);
    },
  );

  test('a heading that cannot be rendered is plain text, and other blocks are drawn', async () => {
    vi.spyOn(DIALECT.renderer as Required<Renderer>, 'heading').mockImplementation(explode);
    const { element } = await draw('## Title\n\nAnd **after**.');
    expect(texts(element, '.parley-plain')).toEqual(['## Title']);
    expect(texts(element, 'strong')).toEqual(['after']);
  });

  test('a paragraph that cannot be rendered is plain text, and other blocks are drawn', async () => {
    vi.spyOn(DIALECT.renderer as Required<Renderer>, 'paragraph').mockImplementation(explode);
    const { element } = await draw('# Before\n\nOne **two**\nthree.\n\n- item');
    expect(texts(element, '.parley-plain')).toEqual(['One **two**\nthree.']);
    expect(texts(element, 'h1, li')).toEqual(['Before', 'item']);
  });

  test('a table that cannot be rendered is plain text, and other blocks are drawn', async () => {
    vi.spyOn(DIALECT.renderer as Required<Renderer>, 'table').mockImplementation(explode);
    const drawn = await draw(around('| a |\n| - |\n| 1 |'));
    expectOthersDrawn(drawn);
    expect(texts(drawn.element, '.parley-plain')).toEqual(['| a |\n| - |\n| 1 |']);
  });

  test('a footnote that cannot be rendered is plain text, and the text above is drawn', async () => {
    const renderers = DIALECT.extensions?.renderers ?? {};
    vi.spyOn(renderers as Record<string, () => string>, 'footnote').mockImplementation(explode);
    const { element } = await draw('A **claim**[^1].\n\n[^1]: Its source.');
    expect(texts(element, 'strong')).toEqual(['claim']);
    expect(texts(element, '.footnotes .parley-plain')).toEqual(['[^1]: Its source.']);
  });
});

type Reader = Required<NonNullable<typeof DIALECT.tokenizer>>;
type Reads =
  'blockquote' | 'code' | 'codespan' | 'fences' | 'html' | 'link' | 'list' | 'table' | 'tag';

/** Fails only for the block in the middle, like hostile text. */
const READ: readonly (readonly [what: string, method: Reads, text: string, begins: string])[] = [
  ['list', 'list', '- one\n- two', '- one'],
  ['quote', 'blockquote', '> words', '> words'],
  ['callout', 'blockquote', '> [!note] Title\n> words', '> [!note]'],
  ['block of code', 'fences', '```js\nlet a;\n```', '```js'],
  ['block of HTML', 'html', '<div>\nb\n</div>', '<div>'],
  ['table', 'table', '| a |\n| - |\n| 1 |', '| a |'],
  ['link', 'link', '[a](https://b.c)', '[a]'],
  ['picture', 'link', '![a](https://b.c/d.png)', '![a]'],
  ['piece of code in a line', 'codespan', 'a `b` c', '`b`'],
  ['tag of HTML', 'tag', 'a <b>c</b>', '<b>'],
];

describe('a block that cannot be read', () => {
  test.each(READ)(
    '%s that cannot be read is plain text, and other blocks are drawn',
    async (_, method, text, begins) => {
      const tokenizer = DIALECT.tokenizer as Reader;
      const original = tokenizer[method].bind(tokenizer) as (src: string) => undefined;
      vi.spyOn(tokenizer, method).mockImplementation((src: string) =>
        src.startsWith(begins) ? explode() : original(src),
      );
      const drawn = await draw(around(text));
      expectOthersDrawn(drawn);
      expect(texts(drawn.element, '.parley-plain')).toEqual([text]);
    },
  );

  test('a list with an item that cannot be read is plain text as a whole', async () => {
    const tokenizer = DIALECT.tokenizer as Reader;
    const original = tokenizer.heading.bind(tokenizer);
    vi.spyOn(tokenizer, 'heading').mockImplementation((src) =>
      src.startsWith('# bad') ? explode() : original(src),
    );
    const { element } = await draw('First.\n\n- # bad\n- b\n\n- c\n\nLast.');
    expect(texts(element, '.parley-plain')).toEqual(['- # bad\n- b\n\n- c']);
    expect(texts(element, 'p:not(.parley-plain)')).toEqual(['First.', 'Last.']);
  });
});

describe('a block that cannot be drawn', () => {
  test('code whose copy button fails is plain text', async () => {
    const drawn = await draw(around('```js\nlet a;\n```'), breaking('setIcon'));
    expectOthersDrawn(drawn);
    expect(texts(drawn.element, '.parley-plain')).toEqual(['```js\nlet a;\n```']);
    expect(drawn.reported.length).toBeGreaterThan(0);
  });

  test('a block that failed is drawn once that is possible', () => {
    const element = document.createElement('div');
    const ui = pageUi();
    const { setIcon } = ui;
    const drawing = new Drawing(element, { ui, report: () => undefined });
    ui.setIcon = explode;
    drawing.draw({ html: '<pre><code>a</code></pre>', raw: '    a' });
    expect(texts(element, '.parley-plain')).toEqual(['    a']);
    ui.setIcon = setIcon;
    drawing.draw({ html: '<pre><code>ab</code></pre>', raw: '    ab' });
    expect(texts(element, 'pre')).toEqual(['ab']);
    expect(element.querySelector('.parley-plain')).toBeNull();
  });

  test('more nodes can be appended than one call takes arguments', () => {
    const nodes = Array.from({ length: 200_000 }, () => document.createTextNode('a'));
    const holder = document.createDocumentFragment();
    appendAll(holder, nodes);
    expect(holder.textContent).toHaveLength(200_000);
  });
});

describe('a block that cannot be decorated', () => {
  test.each<[what: string, verb: keyof Ui, text: string, shown: string]>([
    ['formula', 'formula', '$a$', '$a$'],
    ['formula of its own', 'formula', '$$\na\n$$', '$$\na\n$$'],
    ['block of code', 'codePieces', '```js\nlet a;\n```', 'let a;'],
    ['diagram', 'diagram', '```mermaid\ngraph TD\nA --> B\n```', 'graph TD\nA --> B'],
  ])(
    '%s that cannot be decorated stays plain, and other blocks are decorated',
    async (...given) => {
      const [, verb, text, shown] = given;
      const other = verb === 'formula' ? '```js\nlet b;\n```' : 'It is $b$.';
      const drawn = await draw(`${around(text)}\n\n${other}`, breaking(verb));
      expectOthersDrawn(drawn);
      expect(drawn.element.textContent).toContain(shown);
      expect(drawn.element.querySelector('mjx-container, .token.keyword')).not.toBeNull();
    },
  );

  test('a callout whose icon fails keeps its text, and other blocks are drawn', async () => {
    const drawn = await draw(around('> [!note] Title\n> words'), breaking('setIcon'));
    expectOthersDrawn(drawn);
    expect(drawn.reported).toHaveLength(1);
    expect(texts(drawn.element, '.callout-title-inner, .callout-content')).toEqual([
      'Title',
      expect.stringContaining('words'),
    ]);
  });
});

describe('an embedded note', () => {
  async function shown(note: string, ui: PageUi = pageUi()) {
    const drawn = await draw('![[Note]]', ui);
    ui.files.set('Note', { kind: 'note', text: note });
    const button = drawn.element.querySelector<HTMLElement>('.parley-embed');
    if (button) await showEmbedded(button, drawn.host);
    return { ...drawn, ui };
  }

  test('an embedded note shows a block that cannot be rendered as plain text and draws the others', async () => {
    vi.spyOn(DIALECT.renderer as Required<Renderer>, 'table').mockImplementation(explode);
    const drawn = await shown(around('| a |\n| - |\n| 1 |'));
    expectOthersDrawn(drawn);
    expect(texts(drawn.element, '.parley-embedded .parley-plain')).toEqual(['| a |\n| - |\n| 1 |']);
  });

  test('an embedded note shows what nests too deep as plain text and draws the others', async () => {
    const { element, reported } = await shown(around(`${'> '.repeat(3_000)}x`));
    expect(texts(element, '.parley-embedded h1')).toEqual(['Before']);
    expect(texts(element, '.parley-embedded strong')).toEqual(['after']);
    expect(texts(element, '.parley-plain')[0]).toHaveLength(6_001);
    expect(reported).toEqual([]);
  });

  test('an embedded note that cannot be loaded opens in its own pane', async () => {
    const { element, reported, ui } = await shown('words', breaking('embedded'));
    expect(ui.asked).toContainEqual(['openNote', 'Note', 'here']);
    expect(texts(element, '.parley-embed')).toEqual(['Note']);
    expect(reported).toHaveLength(1);
  });
});

/** Host functions of which one fails. */
function breaking(verb: keyof Ui): PageUi {
  return { ...pageUi(), [verb]: explode };
}
