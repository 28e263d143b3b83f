import { describe, expect, test } from 'vitest';
import { hasTag } from '#text/tags';
import { textHasTag } from '#policy/hidden-notes';

describe('a note with the hidden tag', () => {
  test.each([
    'Text #private.',
    '#private',
    'Text\n#Private/Health more',
    'In (#private) brackets',
    '---\ntags: private\n---\n',
    '---\ntags: [work, "private"]\n---\n',
    '---\ntags:\n  - work\n  - "#private"\n---\n',
    '---\ntag: work, private\n---\n',
    // YAML reads these as other properties, or not at all.
    '---\ntags:private, a:b\n---\n',
    '---\ntags:[private, "a:b"]\n---\n',
    '---\n"tags ": private\n---\n',
    '---\n"tags: private\n---\n',
    '---\nTAGS:\n- private/health\ntitle: x\n---\n',
    '\uFEFF---\r\ntags: private\r\n---\r\n',
    '```js\nx\n```\n#private',
    '```\nnot closed #private',
    // A quote mark within code closes nothing.
    '```\n> ```\nx\n```\n#private\n```\ny\n```\n',
    '> ```\n\n#private\n\n```\nx\n```\n',
    // Other parsers may read indented lines as text.
    '# Log\n    #private',
    'a[^1]\n\n[^1]: b\n\n    #private',
    '<details>\n#private\n</details>',
  ])('%j has the tag', (text) => {
    expect(textHasTag(text, 'private')).toBe(true);
  });

  test.each([
    'Text private.',
    'See #privately and #my-private and #privat',
    'A link to x.md#private',
    '`#private`',
    '```\n#private\n```\n',
    '---\ntitle: private\ntags: [work]\n---\n',
    '---\ntags: [work]\naliases: private\n---\n',
    '',
  ])('%j does not have the tag', (text) => {
    expect(textHasTag(text, 'private')).toBe(false);
  });

  test('the tag is recognized in any script and Unicode form', () => {
    expect(textHasTag('#Prive\u0301', 'privé')).toBe(true);
    expect(textHasTag('#私的', '私的')).toBe(true);
  });

  test('no note has the tag if none is set', () => {
    expect(textHasTag('# Heading #private', '')).toBe(false);
    expect(hasTag(['#private'], '')).toBe(false);
  });
});
