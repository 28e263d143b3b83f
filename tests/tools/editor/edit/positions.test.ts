import { describe, expect, it } from 'vitest';
import { after, at, notes, plan, problem } from './notes';

describe('The position `start`', () => {
  it.each([
    ['the first line without front matter', 'a\n', 'X\na\n'],
    ['below the front matter', '---\nk: 1\n---\na\n', '---\nk: 1\n---\nX\na\n'],
    ['below empty front matter', '---\n---\na\n', '---\n---\nX\na\n'],
    ['below front matter that ends the note', '---\nk: 1\n---', '---\nk: 1\n---\nX'],
    [
      'below the first closing line only',
      '---\nk: 1\n---\na\n---\nb\n',
      '---\nk: 1\n---\nX\na\n---\nb\n',
    ],
    ['above a rule further down', 'a\n\n---\n\nb\n---\n', 'X\na\n\n---\n\nb\n---\n'],
    ['above front matter that is never closed', '---\nk: 1\n', 'X\n---\nk: 1\n'],
    ['above a longer rule', '----\na\n---\n', 'X\n----\na\n---\n'],
    ['after a byte order mark', '\uFEFF---\nk: 1\n---\na', '\uFEFF---\nk: 1\n---\nX\na'],
    ['with CRLF', '---\r\nk: 1\r\n---\r\na\r\n', '---\r\nk: 1\r\n---\r\nX\r\na\r\n'],
    ['in an empty note', '', 'X'],
    ['in a note that is one newline', '\n', 'X\n\n'],
  ])('`start` is %s', (_, now, expected) => {
    expect(after(now, [at('start', 'X')], null)).toBe(expected);
  });
});

describe('The position `end`', () => {
  it.each([
    ['a final newline', 'a\n', 'a\nX\n'],
    ['no final newline', 'a', 'a\nX'],
    ['CRLF', 'a\r\nb\r\n', 'a\r\nb\r\nX\r\n'],
    ['CRLF and no final newline', 'a\r\nb', 'a\r\nb\r\nX'],
    ['only front matter', '---\nk: 1\n---', '---\nk: 1\n---\nX'],
    ['only a newline', '\n', '\nX\n'],
    ['nothing', '', 'X'],
    ['only a byte order mark', '\uFEFF', '\uFEFFX'],
  ])('`end` keeps the format of a note with %s', (_, now, expected) => {
    expect(after(now, [at('end', 'X')], null)).toBe(expected);
  });

  it('`end` keeps the format of the note even if the content ends in a newline', () => {
    expect(after('a', [at('end', 'X\n')], null)).toBe('a\nX');
    expect(after('a\n', [at('end', 'X\n')], null)).toBe('a\nX\n');
  });

  it('`end` keeps the final newline of the content in an empty note', () => {
    expect(after('', [at('end', 'X\n')], null)).toBe('X\n');
  });
});

describe('The position of a heading', () => {
  const now = '# Plan\n\n## Tools ##\n- saw\n\n## Time\nnoon\n';

  it('content goes directly below or above the heading', () => {
    expect(after(now, [at('after:## Tools', '- axe')])).toContain('## Tools ##\n- axe\n- saw');
    expect(after(now, [at('before:## Time', 'x\n')])).toContain('\n\nx\n## Time\nnoon');
  });

  it('a heading is found with closing hashes, trailing spaces, or without hashes', () => {
    for (const name of ['## Tools ##', '##  Tools  ', 'Tools', ' ## Tools'])
      expect(after(now, [at(`after:${name}`, 'x')])).toContain('## Tools ##\nx\n- saw');
  });

  it('a heading may be the last line, without a newline', () => {
    expect(after('a\n## End', [at('after:## End', 'x')])).toBe('a\n## End\nx');
  });

  it('a heading may differ in quotes, which the result mentions', () => {
    expect(after('## It’s on\n', [at("after:## It's on", 'x')])).toBe('## It’s on\nx\n');
    expect(notes('## It’s on\n', [at("after:## It's on", 'x')])).toContain(
      'ignoring differences in quotes',
    );
  });

  it('a heading of another level is a different heading', () => {
    const text = problem('# A\n### A b\n', [at('after:## A b', 'x')]);
    expect(text).toContain('there is no heading `## A b`. The headings are:\n1: # A\n2: ### A b');
    expect(after('# A\n## A\n', [at('after:## A', 'x')])).toBe('# A\n## A\nx\n');
  });

  it('a heading that occurs twice is refused with its lines', () => {
    const text = problem('## A\nx\n## A\ny\n', [at('after:## A', 'z')]);
    expect(text).toContain('1: ## A\n2: x\n3: ## A\n4: y');
    expect(text).toContain('`insert:2`');
    expect(problem('# A\n## A\n', [at('after:A', 'z')])).toContain('1: # A\n2: ## A');
  });

  it('`end-of` inserts before blank lines and the next heading of the same level', () => {
    const note = '# A\n\n## B\n- b\n\n### C\nc\n\n\n## D\n';
    const added = (heading: string) => after(note, [at(`end-of:${heading}`, 'x')], null);
    expect(added('## B')).toBe(note.replace('c\n', 'c\nx\n'));
    expect(added('### c')).toBe(note.replace('c\n', 'c\nx\n'));
    expect(added('## D')).toBe(`${note}x\n`);
    expect(added('# A')).toBe(`${note}x\n`);
    expect(after('## B', [at('end-of:B', 'x')])).toBe('## B\nx');
  });

  it('a missing heading is refused with a limited list of the headings', () => {
    const many = Array.from({ length: 100 }, (_, index) => `# H${index}`).join('\n');
    const text = problem(many, [at('after:# Nope', 'z')]);
    expect(text).toContain('1: # H0\n');
    expect(text).toContain('… and 70 more');
    expect(problem('plain\n', [at('after:# Nope', 'z')])).toContain('no headings at all');
  });

  it.each([
    ['fenced code', '```md\n## A\n```\n'],
    ['code fenced by tildes around other fences', '~~~\n```\n## A\n~~~\n'],
    ['a longer fence around a shorter one', '````\n```\n## A\n```\n````\n'],
    ['code that is never closed', 'a\n\n```\n## A\n'],
    ['front matter', '---\n## A\n---\n'],
    ['an Obsidian comment', 'a %%\n## A\n%% b\n'],
    ['an HTML comment', '<!-- a\n## A\n-->\n'],
    ['indented code', '    ## A\n'],
    ['a tag', '##A\n'],
  ])('a line inside %s is not a heading', (_, now) => {
    expect(problem(now, [at('after:## A', 'z')])).toContain('there is no heading `## A`');
  });

  it.each([
    ['a comment that ends on its line', 'x %%y%%\n## A\n'],
    ['two percent signs that nothing closes', '50 %% off\n## A\n'],
    ['percent signs in code', 'use `%%` here\n## A\nand `%%`\n'],
    ['a fence quoted in a line', 'use ``` here\n## A\n'],
    ['closed code', '```\n# x\n```\n## A\n'],
    ['an unfinished front matter', '---\n## A\n'],
  ])('a heading is found after %s', (_, now) => {
    expect(after(now, [at('after:## A', 'z')])).toContain('## A\nz\n');
  });

  it('a heading can be used without reading the note', () => {
    expect(after(now, [at('after:## Tools', 'x')], null)).toContain('## Tools ##\nx\n');
  });

  it('a heading is found in another case if it is the only one with these words', () => {
    expect(after('## Later\n', [at('before:## LATER', 'x')], null)).toBe('x\n## Later\n');
    expect(problem('## A b\n## A B\n', [at('after:## a b', 'x')])).toContain('occurs 2 times');
  });
});

describe('A position by line number', () => {
  const now = 'one\ntwo\nthree\nfour\n';

  it.each([
    ['insert:1', 'x\none\ntwo\nthree\nfour\n'],
    ['insert:3', 'one\ntwo\nx\nthree\nfour\n'],
    ['insert:5', 'one\ntwo\nthree\nfour\nx\n'],
    ['replace:2', 'one\nx\nthree\nfour\n'],
    ['replace:2-3', 'one\nx\nfour\n'],
    ['replace:4', 'one\ntwo\nthree\nx\n'],
    ['replace: 2 – 3 ', 'one\nx\nfour\n'],
  ])('`%s` keeps line endings and the final newline', (position, expected) => {
    expect(after(now, [at(position, 'x')])).toBe(expected);
    expect(after(now, [at(position, 'x\n')])).toBe(expected);
    expect(after(now.trimEnd(), [at(position, 'x')])).toBe(expected.trimEnd());
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    expect(after(crlf(now), [at(position, 'x')])).toBe(crlf(expected));
  });

  it('`replace` can replace one line by several', () => {
    expect(after(now, [at('replace:2', 'x\n\ny')])).toBe('one\nx\n\ny\nthree\nfour\n');
  });

  it('`delete` removes lines', () => {
    expect(after(now, [at('delete:1')])).toBe('two\nthree\nfour\n');
    expect(after(now, [at('delete:2-3')])).toBe('one\nfour\n');
    expect(after(now, [at('delete:1-4', '')])).toBe('');
  });

  it('`delete` removes the last line of a note without a final newline', () => {
    expect(after('one\ntwo', [at('delete:2')])).toBe('one');
    expect(after('one\r\ntwo', [at('delete:2')])).toBe('one');
    expect(after('one\ntwo', [at('delete:2'), at('end', 'x')])).toBe('one\nx');
  });

  it('U+2028 and a lone CR do not end a line', () => {
    expect(after('a\u2028b\nc\rd\ne\n', [at('replace:2', 'x')])).toBe('a\u2028b\nx\ne\n');
  });

  it('a byte order mark stays at the beginning of the note', () => {
    expect(after('\uFEFFa\nb\n', [at('replace:1', 'x')])).toBe('\uFEFFx\nb\n');
    expect(after('\uFEFFa\nb\n', [at('insert:1', 'x')])).toBe('\uFEFFx\na\nb\n');
  });

  it('each line keeps its line ending in a note with mixed ones', () => {
    expect(after('a\r\nb\nc\r\n', [at('replace:2', 'x')])).toBe('a\r\nx\nc\r\n');
  });

  it('a line number beyond the note is refused with the last one possible', () => {
    expect(problem(now, [at('insert:6', 'x')])).toContain(
      'had 4 lines when you saw it; the last place is `insert:5`',
    );
    expect(problem(now, [at('replace:3-9', 'x')])).toContain('`replace:3-4`');
    expect(problem(now, [at('delete:9')])).toContain('`delete:4`');
    expect(problem('', [at('delete:1')])).toContain('First call read_file');
  });

  it('a line number needs the note to be read first', () => {
    for (const edit of [at('insert:1', 'x'), at('replace:1', 'x'), at('delete:1')])
      expect(problem(now, [edit], null)).toContain('was shown to you in this conversation');
  });
});

describe('An invalid position', () => {
  it.each([
    ['middle', 'Valid positions are `start`, `end`'],
    ['', 'Valid positions are'],
    ['insert', 'as in `insert:12`'],
    ['insert:two', 'as in `insert:12`'],
    ['insert:1-2', 'as in `insert:12`'],
    ['insert:0', 'counted from 1'],
    ['replace:0-2', 'counted from 1'],
    ['replace:', '`replace:12-14`'],
    ['replace:1-2-3', '`replace:12-14`'],
    ['replace:-1', '`replace:12-14`'],
    ['replace:3-1', '`replace:1-3`'],
    ['after:', 'names no heading'],
    ['after:##', 'names no heading'],
    ['start:1', 'Valid positions are'],
  ])('the position `%s` is refused with a valid one', (position, told) => {
    expect(problem('a\nb\nc\n', [at(position, 'x')])).toContain(told);
  });

  it.each(['start', 'end', 'insert:1', 'replace:1', 'after:# A', 'before:# A'])(
    'the position `%s` needs content',
    (position) => {
      expect(problem('# A\n', [at(position)])).toContain('`content` is missing');
      expect(problem('# A\n', [at(position, '')])).toContain('`content` is empty');
    },
  );

  it('the problem says how to leave an empty line or to delete lines', () => {
    expect(problem('a\n', [at('replace:1', '')])).toContain('use `delete:1`');
    expect(after('a\nb\n', [at('replace:1', '\n')])).toBe('\nb\n');
    expect(after('a\nb\n', [at('insert:2', '\n')])).toBe('a\n\nb\n');
  });

  it('`delete` refuses content', () => {
    expect(problem('a\nb\n', [at('delete:1-2', 'x')])).toContain('use `replace:1-2`');
  });

  it('a replacement that changes nothing is refused', () => {
    expect(problem('a\nb\n', [at('replace:1', 'a')])).toContain('already reads like that');
    expect(plan('a\nb\n', [at('replace:1', 'a '), at('end', 'x')]).ok).toBe(true);
  });
});

describe('Content inserted into a list', () => {
  it.each([
    ['takes the bullet of the list', '* a\n* b\n', '- c', '* a\n* b\n* c\n'],
    ['goes on with its numbers', '1. a\n2. b\n', '- c\n- d', '1. a\n2. b\n3. c\n4. d\n'],
    ['goes on with a long number', '2026. a\n', '- c', '2026. a\n2027. c\n'],
    ['follows an empty item', '-\n', '* c', '-\n- c\n'],
    [
      'is a task where the list is of tasks',
      '- [x] a\n- [ ] b\n',
      '- c',
      '- [x] a\n- [ ] b\n- [ ] c\n',
    ],
    ['keeps its own checkbox', '+ [ ] a\n', '- [x] b', '+ [ ] a\n+ [x] b\n'],
    ['keeps what is nested in it', '* a\n', '- b\n  - c', '* a\n* b\n  - c\n'],
    ['stays a paragraph', '* a\n', 'words', '* a\nwords\n'],
    [
      'is a row of the table above',
      '| a |\n| - |\n| b |\n',
      '| c |',
      '| a |\n| - |\n| b |\n| c |\n',
    ],
  ])('the content %s', (_, list, content, expected) => {
    const note = `# A\n${list}\n# B\n`;
    expect(after(note, [at('end-of:# A', content)], null)).toBe(`# A\n${expected}\n# B\n`);
  });

  it('content stays as it is where there is no list', () => {
    expect(after('# A\nwords\n', [at('after:# A', '* x')], null)).toBe('# A\n* x\nwords\n');
    expect(notes('# A\n* a\n', [at('end', '- b')], null)).toBe(
      'edit 1 took on the style of the list',
    );
  });
});

describe('Text in an empty section', () => {
  it.each([
    ['## A\n\ntext\n\n## B\n', '## A\n\ntext\n\n## B\n\nX\n'],
    ['## A\n\ntext\n\n## B\n\n## C\n', '## A\n\ntext\n\n## B\n\nX\n\n## C\n'],
    ['## A\r\n\r\n## B\r\n', '## A\r\n\r\n## B\r\n\r\nX\r\n'],
  ])('is apart from its heading in %o', (now, expected) => {
    expect(after(now, [at('after:## B', 'X')], null)).toBe(expected);
    expect(after(now, [at('end-of:## B', 'X')], null)).toBe(expected);
  });

  it('is directly below its heading if other headings have their text there', () => {
    expect(after('## A\ntext\n\n## B\n', [at('end-of:## B', 'X')], null)).toBe(
      '## A\ntext\n\n## B\nX\n',
    );
  });
});

describe('A list item that the note has already', () => {
  it('is added, and named in a note', () => {
    const added = plan('- milk\n- eggs\n', [at('end', '- rice\n- milk')], null);
    expect(added).toMatchObject({
      after: '- milk\n- eggs\n- rice\n- milk\n',
      notes: ['edit 1 adds again what the note had already: "- milk" (line 1)'],
    });
  });
});
