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
  ])('plainText turns %j into %j', (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });
});
