import { describe, expect, test } from 'vitest';
import { appendText, nameForText, plainText } from '#text/plain-text';

describe('appendText', () => {
  test.each([
    ['nothing yet', '', 'New.'],
    ['a line without an end', 'Old.', '\n\nNew.'],
    ['a line with its end', 'Old.\n', '\nNew.'],
    ['an empty line', 'Old.\n\n', 'New.'],
    ['several empty lines', 'Old.\n\n\n', 'New.'],
    ['nothing but room', '\n\n', 'New.'],
  ])('appendText starts a new paragraph after %s', (_, note, added) => {
    expect(appendText(note, 'New.')).toBe(added);
  });
});

describe('nameForText', () => {
  test.each([
    ['# Trips in spring\n\nThree of them.', 'Trips in spring'],
    ['Three trips.\n\n## By month\n', 'By month'],
    ['Added **milk** to [[Lists/Shopping|the list]].', 'Added milk to the list'],
    ['See [the timetable](https://a.example/b), and `x`.', 'See the timetable, and x'],
    ['Is 3/4 of it "done"? a:b|c#d', 'Is 3 4 of it done a b c d'],
    ['---\n\n- [ ] …\n\n1. First', 'First'],
    ['```sh\n# install\n```\n\nPlan\n===\n', 'Plan'],
    ['> - [ ] Buy milk', 'Buy milk'],
    ['Bed 2 has sun[^bean-beds-3-eq5f]. Water it[^1]', 'Bed 2 has sun. Water it'],
    ['---\ntags: [a]\n---\nText', 'Text'],
    ['...', 'Answer'],
    ['', 'Answer'],
    ['.hidden', 'hidden'],
    [`${'word '.repeat(40)}`, `${'word '.repeat(16)}`.trim()],
    ['أضفت الحليب', 'أضفت الحليب'],
  ])('nameForText turns %j into %j', (text, name) => {
    expect(nameForText(text)).toBe(name);
  });
});

describe('plainText', () => {
  test.each([
    ['```sh\n# install **all**\n- x\n```', '# install **all**\n- x'],
    ['````\n```\n````\n# After', '```\nAfter'],
    ['> ~~~\n> a\n\n- [x] b', 'a\n✓ b'],
    ['1. [x] a\n2. [ ] b\n3. c', '1. ✓ a\n2. b\n3. c'],
    ['> [!note|wide]- Plan\n> text', 'Plan\ntext'],
    ['## Plan ##', 'Plan'],
    ['- - -\na', 'a'],
    ['**Milk** is on _the_ list, ~~eggs~~ ==too==.', 'Milk is on the list, eggs too.'],
    ['***Both*** and __bold__', 'Both and bold'],
    ['## Shopping\n\nMilk', 'Shopping\nMilk'],
    ['- Milk\n- [ ] Eggs\n- [x] Bread\n  * Rye', '• Milk\n• Eggs\n✓ Bread\n• Rye'],
    ['1. First\n2. Second', '1. First\n2. Second'],
    ['See [the list](Lists/Shopping.md "title") now', 'See the list now'],
    ['See [a (b)](x(y)z)!', 'See a (b)!'],
    ['See [[Lists/Shopping]] and [[Notes/Tea|the tea]]', 'See Lists/Shopping and the tea'],
    ['![[photo.png]] ![Alt](a.png)', 'photo.png Alt'],
    ['[text][ref] and a note[^1]', 'text and a note'],
    ['> quoted\n> > twice', 'quoted\ntwice'],
    ['> [!tip] Careful\n> Hot', 'Careful\nHot'],
    ['```js\nlet a = 1;\n```', 'let a = 1;'],
    ['Run `a*b*c` and `[[x]]`', 'Run a*b*c and [[x]]'],
    ['| a | b |\n|---|---|\n| 1 | **2** |', 'a, b\n1, 2'],
    ['| a | b |\n| --- | :-: |\n| 1 | 2', 'a, b\n1, 2'],
    ['One\n\n---\n\n* * *\nTwo', 'One\nTwo'],
    ['a\\*b\\* \\<c\\>', 'a*b* <c>'],
    ['2 * 3 * 4 = 24, 5*6*7 and snake_case_name', '2 * 3 * 4 = 24, 5*6*7 and snake_case_name'],
    ['One<br>two <b>three</b> <!-- not\nthis -->', 'One\ntwo three'],
    ['%%hidden%%Seen', 'Seen'],
    ['<https://example.org/a> <me@example.org>', 'https://example.org/a me@example.org'],
    ['Fish &amp; chips &lt;now&gt;', 'Fish & chips <now>'],
    ['Replace <title> with <New title>', 'Replace <title> with <New title>'],
    ['if a < b and c > d -> e', 'if a < b and c > d -> e'],
    ['a <<x>> c <', 'a <<x>> c <'],
    ['Left \u202eright\u202c\u0007', 'Left right'],
    ['', ''],
  ])('plainText turns %j into %j', (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });
});
