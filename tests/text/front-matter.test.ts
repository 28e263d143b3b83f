import { describe, expect, test } from 'vitest';
import {
  findFrontMatter,
  frontMatterEnd,
  readYamlProperties,
  readPropertyLine,
  splitNote,
} from '#text/front-matter';

describe('splitNote', () => {
  test.each([
    ['---\na: 1\n---\n# Head\n', '---\na: 1\n---\n', 'a: 1\n'],
    ['---\r\na: 1\r\n---\r\nx', '---\r\na: 1\r\n---\r\n', 'a: 1\r\n'],
    ['\uFEFF---\na: 1\n---\nx', '\uFEFF---\na: 1\n---\n', 'a: 1\n'],
    ['--- \t\na: 1\n---  \nx', '--- \t\na: 1\n---  \n', 'a: 1\n'],
    ['---\n---\nx\n---\n', '---\n---\n', ''],
    ['---\n\n---', '---\n\n---', '\n'],
    ['---\na: 1\n---\r', '---\na: 1\n---\r', 'a: 1\n'],
    [
      '---\na: "---"\n----\n--- b\n---\nx',
      '---\na: "---"\n----\n--- b\n---\n',
      'a: "---"\n----\n--- b\n',
    ],
  ])('splitNote finds the front matter of %j', (text, head, yaml) => {
    expect(splitNote(text)).toEqual({ head, yaml, body: text.slice(head.length) });
    const { yamlStart, yamlEnd, end } = findFrontMatter(text) ?? {};
    expect([text.slice(yamlStart, yamlEnd), text.slice(0, end)]).toEqual([yaml, head]);
    expect(frontMatterEnd(text.split(/\r?\n/))).toBe(yaml.split('\n').length + 1);
  });

  test.each([
    '',
    '---',
    '---\n',
    '---\nnot closed\n',
    '\n---\na: 1\n---\n',
    ' ---\n---\n',
    '----\n---\n',
  ])('splitNote finds no front matter in %j', (text) => {
    expect(splitNote(text)).toEqual({ head: '', yaml: null, body: text });
    expect(frontMatterEnd(text.split('\n'))).toBe(0);
  });
});

describe('readPropertyLine', () => {
  test.each([
    ['a: 1', 'a', ' 1'],
    ['a:', 'a', ''],
    ['two words : x: y', 'two words', ' x: y'],
    ['"a: b": 1', 'a: b', ' 1'],
    ["'a' : 1", 'a', ' 1'],
    ['a:b: 1', 'a:b', ' 1'],
    ['-a: 1', '-a', ' 1'],
    // YAML needs a blank here, but a note with this line should stay hidden.
    ['tags:private', 'tags', 'private'],
  ])('readPropertyLine reads %j', (line, name, value) => {
    expect(readPropertyLine(line)).toEqual({ name, value });
  });

  test.each([
    '',
    '# a: 1',
    ' a: 1',
    '- a: 1',
    '{a: 1}',
    '[a]: 1',
    'words',
    ': 1',
    '? a: 1',
    '"a: 1',
  ])('readPropertyLine finds no property in %j', (line) => {
    expect(readPropertyLine(line)).toBeNull();
  });
});

test('readYamlProperties returns each property with the lines that belong to it', () => {
  expect(readYamlProperties('# Top\r\na: 1\n\nlist:\n- b: 1\n  c: 2\n# End\n')).toEqual({
    above: ['# Top\r\n'],
    properties: [
      { name: 'a', value: ' 1', lines: ['a: 1\n', '\n'] },
      { name: 'list', value: '', lines: ['list:\n', '- b: 1\n', '  c: 2\n', '# End\n'] },
    ],
  });
});
