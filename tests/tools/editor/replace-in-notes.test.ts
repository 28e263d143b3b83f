import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { BENCHES, memoryBench } from '#tests/builders/tools';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';

const FILES = {
  'Work/A.md':
    '---\nurl: https://old.example/\n---\nSee https://old.example/ and `https://old.example/`.\n',
  'Work/B.md': '# B\r\n\r\n[x](https://old.example/a)\r\n',
  'Home/C.md': 'https://OLD.example/\n',
  'Home/D.md': 'Nothing here.\n',
  'Home/Secret.md': '#private https://old.example/\n',
  'Board.canvas': '{"nodes":[{"id":"a","type":"text","text":"https://old.example/"}]}',
};
const ADDRESS = { old_text: 'https://old.example/', new_text: 'https://new.example/' };

const tool = 'replace_in_notes';

describe.each(BENCHES)('replace_in_notes %s', (_, open) => {
  it('counts first, and then replaces as much in all notes', async () => {
    await using bench = await open(FILES, { settings: { excludedTag: 'private' } });
    const count = { replacements: [ADDRESS], count_only: true };
    expect(await bench.expectSuccess(tool, count)).toBe(
      [
        '"https://old.example/" occurs 4 times in 2 of 4 notes. Nothing was changed yet.',
        '  Work/A.md: 3',
        '  Work/B.md: 1',
        'Note: "https://old.example/" occurs 1 time in another case: "https://OLD.example/".',
        'Note: It also occurs in 1 file that is not a note, changed only if named in paths: Board.canvas.',
      ].join('\n'),
    );
    expect(await bench.textOf('Work/A.md')).toBe(FILES['Work/A.md']);
    expect(await bench.expectSuccess(tool, { replacements: [ADDRESS] })).toBe(
      [
        '4 passages in all. Replaced text in 2 notes:',
        '  Work/A.md: 3 passages',
        '  Work/B.md: 1 passage',
        '',
        'Work/A.md',
        '-   url: https://old.example/',
        '+2  url: https://new.example/',
        '',
        'Work/B.md',
        '-   [x](https://old.example/a)',
        '+3  [x](https://new.example/a)',
        'Note: "https://old.example/" occurs 1 time in another case: "https://OLD.example/".',
        'Note: It also occurs in 1 file that is not a note, changed only if named in paths: Board.canvas.',
      ].join('\n'),
    );
    expect(await bench.textOf('Work/A.md')).toBe(
      FILES['Work/A.md'].replaceAll('old.example', 'new.example'),
    );
    expect(await bench.textOf('Work/B.md')).toBe('# B\r\n\r\n[x](https://new.example/a)\r\n');
    expect(await bench.textOf('Home/C.md')).toBe(FILES['Home/C.md']);
    expect(await bench.textOf('Board.canvas')).toBe(FILES['Board.canvas']);
  });

  it('counts passages by what became of them', async () => {
    await using bench = await open({
      'A.md': 'old old\n',
      'B.md': 'old old\n',
      'Flow.md': 'old\n\n```mermaid\ngraph TD\n  old --> b\n  b --> old\n```\n',
    });
    const said = await bench.expectSuccess(tool, {
      replacements: [{ old_text: 'old', new_text: 'new' }],
    });
    expect(said).toContain('7 passages in all: 4 replaced, 3 only proposed. Replaced text in 2');
    expect(said).toContain('2 notes (2 passages each):\n  A.md\n  B.md\n');
    expect(said).toContain('Proposed to replace text in 1 note (3 passages).');
  });

  it('takes a hundred replacements, and says how to make more', async () => {
    await using bench = await open({ 'A.md': '1. 2. 3.\n' });
    const many = (count: number) => ({
      replacements: Array.from({ length: count }, (_, at) => ({
        ...{ old_text: `${at}.`, new_text: `${at}!` },
      })),
    });
    expect(await bench.expectFailure(tool, many(101))).toContain('split them over several');
    await bench.expectSuccess(tool, { ...many(100), whole_words: true });
    expect(await bench.textOf('A.md')).toBe('1! 2! 3!\n');
  });

  it('changes other files that are named, and only notes that meet the conditions', async () => {
    await using bench = await open(FILES);
    await bench.expectSuccess(tool, { replacements: [ADDRESS], paths: ['Board.canvas'] });
    expect(await bench.textOf('Board.canvas')).toContain('new.example');
    const where = { folder: 'Home' };
    expect(await bench.expectSuccess(tool, { replacements: [ADDRESS], where })).toBe(
      '"https://old.example/" occurs in none of 2 notes; nothing was changed.\n' +
        'Note: "https://old.example/" occurs 1 time in another case: "https://OLD.example/".',
    );
    expect(await bench.textOf('Work/B.md')).toBe(FILES['Work/B.md']);
    const input = { replacements: [ADDRESS], where, ignore_case: true };
    expect(await bench.expectSuccess(tool, input)).toContain('Changed 1 passage in Home/C.md.');
    expect(await bench.textOf('Home/C.md')).toBe('https://new.example/\n');
  });

  it('names what happens to each note, and to links whose names it changes', async () => {
    await using bench = await open({
      'Remote vault.md': '# Remote vault\n',
      'A.md': 'See [[Remote vault]].\n',
      'B.md': '---\nup: "[[Remote vault]]"\n---\n',
      'C.md': 'The Remote vault, remote vaults.\n',
      'D.md': '---\na: 1\n---\nRemote vault\n',
    });
    const said = await bench.expectSuccess(tool, {
      replacements: [
        { old_text: 'Remote vault', new_text: 'Cloud vault' },
        { old_text: 'remote vault', new_text: 'cloud vault' },
        { old_text: 'a: 1', new_text: 'a: [' },
      ],
    });
    expect(said).toContain('5 passages in all. Replaced text in 4 notes:');
    expect(said).toContain('  C.md: 2 passages');
    expect(said).toContain('Not done in 1 note:\n  D.md: ');
    expect(said).toContain(
      'Note: These links lead to no note now: [[Cloud vault]] in A.md, B.md. If the notes they led to are to have these names, rename them with move.',
    );
    expect(await bench.textOf('D.md')).toContain('a: 1\n---\nRemote vault');
  });
});

const one = (old_text: string, new_text: string) => ({ replacements: [{ old_text, new_text }] });

test.each<[string, object, string]>([
  [
    'overlapping replacements',
    {
      replacements: [
        { old_text: 'Not', new_text: 'x' },
        { old_text: 'Nothing', new_text: 'y' },
      ],
    },
    'Edits 1 and 2 overlap',
  ],
  [
    'a text that is not there',
    one('None', 'x'),
    '"None" occurs in none of 4 notes; nothing was changed.',
  ],
  [
    'a pattern without matches but empty ones',
    { ...one('q*', 'y'), regex: true },
    'Matches that are empty, or stay the same, are not replaced.',
  ],
  [
    'a pattern that is no pattern',
    { ...one('(', 'y'), regex: true },
    'is not a valid regular expression',
  ],
  ['a group that is not there', { ...one('a', '$1'), regex: true }, 'the pattern has no group'],
  ['the same text', one('a', 'a'), 'old_text and new_text are the same'],
  [
    'a note that is not there',
    { ...one('a', 'b'), paths: ['Gone.md'] },
    '`Gone.md` does not exist',
  ],
  [
    'paths and conditions',
    { ...one('a', 'b'), paths: ['A.md'], where: { folder: 'Work' } },
    'Give paths or where',
  ],
  [
    'whole words of a pattern',
    { ...one('a', 'b'), regex: true, whole_words: true },
    'whole_words is for plain text',
  ],
  [
    'an ai-edit block',
    one(
      'Nothing here.',
      '```ai-edit\n{"id":"abcdef12","type":"add","after":"x\\n"}\n```\n#ai_edit',
    ),
    'the text holds an ai-edit block',
  ],
])('replace_in_notes changes nothing for %s', async (_name, input, reason) => {
  await using bench = memoryBench(FILES);
  expect((await bench.call(tool, input)).text).toContain(reason);
  for (const [path, text] of Object.entries(FILES)) {
    const read = await bench.notes.read(path);
    expect(read.ok && read.value.text).toBe(text);
  }
});

const word = fc.constantFrom('a', 'b', 'ab', 'A', ' ', '\n', '- ', '#', '$', '😀', '[[a]]', '`a`');
const noteText = fc.array(word, { maxLength: 12 }).map((all) => all.join(''));
const wanted = fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
const ending = fc.constantFrom('\n', '\r\n');
const vault = fc.array(fc.tuple(noteText, ending), { minLength: 1, maxLength: 5 });

/** Counts by a scan of its own. */
function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = 0; at + part.length <= text.length;) {
    if (text.slice(at, at + part.length) === part) {
      count += 1;
      at += part.length;
    } else at += 1;
  }
  return count;
}

test.each(['apply', 'review'] as const)(
  'replace_in_notes counts what a plain scan counts, and equals calls of edit_file one after the other (%s)',
  async (panelMode) => {
    await fc.assert(
      fc.asyncProperty(vault, wanted, noteText, async (notes, old_text, new_text) => {
        fc.pre(old_text !== new_text && old_text.trim() !== '');
        const files = Object.fromEntries(
          notes.map(([text, end], at) => [`N${at}.md`, text.replaceAll('\n', end)]),
        );
        const paths = Object.keys(files);
        await using many = memoryBench(files, { settings: { panelMode } });
        await using single = memoryBench(files, { settings: { panelMode } });
        const replacements = [{ old_text, new_text }];
        const counts = await many.expectSuccess(tool, { replacements, count_only: true });
        const expected = paths.flatMap((path) => {
          const count = countOf(files[path]!.replaceAll('\r\n', '\n'), old_text);
          return count > 0 ? [`  ${path}: ${count}`] : [];
        });
        expect(counts.split('\n').filter((line) => line.startsWith('  '))).toEqual(expected);
        await many.call(tool, { replacements });
        for (const path of paths) {
          if (!files[path]!.replaceAll('\r\n', '\n').includes(old_text)) continue;
          await single.call('edit_file', {
            path,
            edits: [{ old_text, new_text, replace_all: true }],
          });
        }
        for (const path of paths) {
          expect(await many.textOf(path)).toBe(await single.textOf(path));
          const [ours, theirs] = [await many.notes.read(path), await single.notes.read(path)];
          const plain = (read: typeof ours) =>
            read.ok ? read.value.text.replace(/"id":"[^"]*"/g, '"id":""') : '';
          expect(plain(ours)).toBe(plain(theirs));
        }
      }),
      cases,
    );
  },
  CASES_TIMEOUT_MS,
);

test('only links that are broken after all notes are changed are named', async () => {
  await using bench = memoryBench({
    'A.md': '## Old name\n',
    'B.md': '[[A#Old name]]\n',
    'C.md': '[[A#old NAME]]\n',
  });
  const replacements = [{ old_text: 'Old name', new_text: 'New name' }];
  const said = await bench.expectSuccess(tool, { replacements });
  expect(said).toContain('1 link in C.md leads to the heading "Old name", which is gone.');
  expect(await bench.textOf('B.md')).toBe('[[A#New name]]\n');
});
