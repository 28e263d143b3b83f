import { describe, expect, it } from 'vitest';
import { BENCHES, memoryBench } from '#tests/builders/tools';
import { expectReadable } from '#tests/builders/readable';
import { canvas, FIXTURE, longNote } from '#tests/tools/fixture-vault';

const MEDIA = {
  ...FIXTURE,
  'Media/leaflet.pdf': '%PDF-1.7 << /Type /Pages >> << /Type /Page >> << /Type/Page >>',
  'Media/song.mp3': Uint8Array.of(0xff, 0xfb, 0x90, 0),
  'Media/torn.jpg': Uint8Array.of(0, 0, 0, 0),
};

describe.each(BENCHES)('read_file %s', (_, open) => {
  it('read_file shows numbered lines with their range and the total', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('read_file', { path: 'Lists/Shopping.md' })).toBe(
      'Lists/Shopping.md (lines 1-3 of 3)\n1: - bread\n2: - butter\n3: - cheese',
    );
    // Line breaks and the byte order mark are not part of a line.
    expect(await bench.expectSuccess('read_file', { path: 'Notes/Compost.md' })).toBe(
      'Notes/Compost.md (lines 1-5 of 5)\n1: # Compost\n2: \n3: Turn it.\n4: \n5: Again.',
    );
    expect(await bench.expectSuccess('read_file', { path: 'Notes/Straße.md' })).toBe(
      'Notes/Straße.md (lines 1-4 of 4)\n1: # Straße\n2: \n3: Eins\n4: Zwei',
    );
    expect(await bench.expectSuccess('read_file', { path: 'Notes/Empty.md' })).toBe(
      'Notes/Empty.md is empty (0 lines).',
    );
    expect(await bench.expectSuccess('read_file', { path: 'Notes/Blank.md' })).toBe(
      'Notes/Blank.md (lines 1-2 of 2)\n1: \n2: ',
    );
  });

  it.each([
    ['lists/SHOPPING.md', 'Lists/Shopping.md'],
    ['Shopping', 'Lists/Shopping.md'],
    ['[[Shopping]]', 'Lists/Shopping.md'],
    ['love apples', 'Notes/Tomatoes.md'],
    ['Notes\\京都の苔', 'Notes/京都の苔.md'],
  ])('read_file resolves %s and names the path it found', async (raw, path) => {
    await using bench = await open(FIXTURE);
    const text = await bench.expectSuccess('read_file', { path: raw });
    expect(text).toMatch(new RegExp(`^Found as \`${path}\`\\.\n${path} \\(lines 1-`));
  });

  it('read_file names the call that continues a long note', async () => {
    await using bench = await open(FIXTURE);
    const shown: string[] = [];
    let input: object | null = { path: 'Notes/Long.md' };
    for (let calls = 0; input && calls < 3; calls += 1) {
      const text: string = await bench.expectSuccess('read_file', input);
      expect(text.length).toBeLessThan(101_000);
      shown.push(...[...text.matchAll(/^\d+: (.*)$/gm)].map((match) => match[1] ?? ''));
      const next = /. Continue with read_file (\{.*\})\)$/.exec(text)?.[1];
      input = next ? (JSON.parse(next) as object) : null;
    }
    expect(shown).toEqual(longNote.split('\n').slice(0, 6_000));
    const end = { path: 'Notes/Long.md', start_line: 59_999 };
    expect(await bench.expectSuccess('read_file', end)).toBe(
      'Notes/Long.md (lines 59999-60000 of 60000)\n59999: Line 59999 of a long note, with words to it.\n60000: Line 60000 of a long note, with words to it.',
    );
    expect(
      await bench.expectFailure('read_file', { path: 'Notes/Long.md', start_line: 60_001 }),
    ).toBe(
      'Notes/Long.md has 60000 lines, so there is no line 60001. Read it with read_file {"path":"Notes/Long.md"}.',
    );
    expect(
      await bench.expectSuccess('read_file', { path: 'Notes/Long.md', start_line: 2, end_line: 2 }),
    ).toContain(
      '2 of 60000)\n2: Line 2 of a long note, with words to it.\n(59998 more lines. Continue',
    );
  });

  it('read_file cuts a long line between characters and says how much is left', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('read_file', { path: 'Notes/One line.md' })).toMatch(
      / … \(13,003 more characters in this line; search_files shows passages of it\)$/,
    );
    const emoji = await bench.expectSuccess('read_file', { path: 'Emoji 👩‍🚀' });
    expect(emoji).toMatch(/ … \(50[01] more characters/);
    // No lone surrogate.
    expect(emoji).not.toMatch(/\p{Cs}/u);
  });

  it('read_file divides its limits evenly among several files', async () => {
    await using bench = await open(FIXTURE, { settings: { readLines: 100 } });
    const paths = ['Notes/Long.md', 'Shopping', 'nope', 'Media/data.bin', 'Notes/Long.md'];
    const sections = (await bench.expectSuccess('read_file', { paths })).split('\n\n');
    expect(sections).toHaveLength(5);
    expect(sections[0]).toMatch(/^Notes\/Long.md \(lines 1-20 of 60000\)\n/);
    expect(sections[0]).toMatch(
      /Continue with read_file \{"path":"Notes\/Long.md","start_line":21\}\)$/,
    );
    expect(sections[1]).toMatch(
      /^Found as `Lists\/Shopping.md`\.\n.*\n1: - bread\n2: - butter\n3: /,
    );
    expect(sections[2]).toBe(
      '`nope` does not exist. No similar name was found. Look for a name with list_files, or for text with search_files.',
    );
    expect(sections[3]).toMatch(
      /^`Media\/data\.bin` is not UTF-8 text.* It is a bin file of 5 bytes, last/,
    );
    expect(sections[4]).toMatch(/^Notes\/Long.md \(lines 1-20 of 60000\)/);
    expect(await bench.expectFailure('read_file', { paths: ['nope', 'nor this'] })).toContain(
      '`nor this`',
    );
  });

  it('read_file stays within the character limit for any number of files', async () => {
    await using bench = await open(FIXTURE, { settings: { readCharacters: 10_000 } });
    const text = await bench.expectSuccess('read_file', { paths: Array(10).fill('Notes/Long.md') });
    expect(text.length).toBeLessThan(13_000);
    expect(text.match(/Continue with/g)).toHaveLength(10);
  });

  it('read_file describes a canvas by its cards and arrows, and shows its lines on request', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('read_file', { path: 'Boards/Beds.canvas' })).toBe(
      [
        'Boards/Beds.canvas',
        'Canvas with 4 cards and 2 arrows.',
        '[1] text: **Bed A**',
        '    Broad beans',
        '[2] file: Notes/Tomatoes.md',
        '[3] group: Later, holds [4]',
        '[4] web page: https://example.org/',
        'Arrows:',
        '[1] -> [2]: then',
        '[2] -> (a card that is gone)',
        '(This describes the file. To change it, read its own text with read_file {"path":"Boards/Beds.canvas","start_line":1})',
      ].join('\n'),
    );
    // Card numbers are not line numbers, so no position can refer to them.
    const edit = { position: 'replace:1', content: 'x' };
    expect(
      await bench.expectFailure('edit_file', { path: 'Boards/Beds.canvas', edits: [edit] }),
    ).toContain('no line of');
    const raw = await bench.expectSuccess('read_file', {
      path: 'Boards/Beds.canvas',
      start_line: 1,
    });
    expect(raw).toBe(`Boards/Beds.canvas (lines 1-1 of 1)\n1: ${canvas}`);
    expect(await bench.expectSuccess('read_file', { path: 'Broken.canvas' })).toContain(
      '1: {"nodes": [',
    );
    expect(await bench.expectSuccess('read_file', { path: 'Projects.base' })).toContain(
      '1: views:',
    );
  });

  it('read_file shows images and PDFs by their content, alone and among notes', async () => {
    await using bench = await open(MEDIA);
    const one = await bench.call('read_file', { path: 'photo' });
    expect(one.text).toBe(
      'Found as `Media/photo.png`.\nMedia/photo.png is a picture of 12 bytes, shown here.',
    );
    expect(one.shown).toMatchObject([{ path: 'Media/photo.png', type: 'image/png', size: 12 }]);
    const paths = ['Media/leaflet.pdf', 'Lists/Shopping.md', 'Media/torn.jpg'];
    const several = await bench.call('read_file', { paths });
    expect(several.text).toMatch(
      /^Media\/leaflet\.pdf is a PDF of 62 bytes, shown here\.\n\nLists\/Shopping\.md \(/,
    );
    expect(several.text).toContain('Media/torn.jpg has the name of a picture or PDF');
    expect(several.shown).toMatchObject([
      { path: 'Media/leaflet.pdf', type: 'application/pdf', tokens: 5_000 },
    ]);
  });

  it.each([
    [{ path: 'Plan' }, /^`Plan` matches several: `Home\/Plan.md`, `Work\/Plan.md`\. Call again/],
    [{ path: 'Notes' }, /^`Notes` is a folder\. Expected the path of a file\.$/],
    [{ path: '/' }, /is the vault's root/],
    [{ path: 'Lists/Shoping.md' }, /does not exist\. Close matches: `Lists\/Shopping.md`\.$/],
    [{ path: 'Notes/Latin1.md' }, /not UTF-8 text.* It is a note of 5 bytes, last changed 2026-/],
    [
      { path: 'torn.jpg' },
      /^Media\/torn\.jpg has the name of a picture or PDF, but its content is neither/,
    ],
    [{ path: 'song' }, /^Found as `Media\/song.mp3`\.\n.*It is a mp3 file of 4 bytes/],
    [{}, /Give either path \(one file\) or paths/],
    [{ path: 'a', paths: ['b'] }, /Give either path/],
    [{ paths: [] }, /paths: Expected at least 1 item/],
    [{ paths: Array(11).fill('a') }, /paths: Expected at most 10 items/],
    [{ path: 'a', start_line: 0 }, /start_line: Expected at least 1/],
    [{ path: 'a', start_line: 3, end_line: 2 }, /start_line must not be greater than end_line/],
    [{ paths: ['a'], start_line: 1 }, /work with path, not with paths/],
    [{ path: 'a', lines: 3 }, /Unrecognized key: "lines"/],
    [{ path: 7 }, /path: Expected string.*\nA valid input is, for example: \{"path":/],
  ])('read_file answers %j with what would work', async (input, expected) => {
    await using bench = await open(MEDIA);
    const text = await bench.expectFailure('read_file', input);
    expect(text).toMatch(expected);
    expectReadable(text);
  });
});

describe('read_file', () => {
  it('read_file shows unsaved changes of the user', async () => {
    const bench = memoryBench(FIXTURE);
    bench.notes.type('Lists/Shopping.md', '- bread\n- figs\n');
    expect(await bench.expectSuccess('read_file', { path: 'Lists/Shopping.md' })).toBe(
      'Lists/Shopping.md (lines 1-2 of 2, with changes that are not saved yet)\n1: - bread\n2: - figs',
    );
  });

  it('read_file reports an error of the file system in a sentence', async () => {
    const bench = memoryBench(FIXTURE);
    bench.notes.refuseAll({ kind: 'disk', detail: 'EACCES: permission denied', full: false });
    expect(await bench.expectFailure('read_file', { path: 'Lists/Shopping.md' })).toMatch(
      /^The file system refused `Lists\/Shopping.md`: EACCES: permission denied\b/,
    );
  });
});

describe('read_file with a folder or glob', () => {
  const FILES = {
    'Lists/A.md': 'a1\na2\n',
    'Lists/B [x].md': 'b\n',
    'Lists/deep/C.md': 'c1\nc2\nc3\n',
    'Lists/D.png': 'x',
    'Lists/E.md': '---\ntags: [private]\n---\nsecret\n',
    'Other.md': 'other\n',
    'Templates/Lists.md': 'The template of a list.\n',
  };
  const settings = { excludedTag: 'private' };

  it('read_file reads a folder by path and counts files without text', async () => {
    await using bench = memoryBench(FILES, { settings });
    expect(await bench.expectSuccess('read_file', { path: 'Lists/' })).toBe(
      [
        '3 notes by path, and 1 file without text:',
        'Lists/A.md (lines 1-2 of 2)\n1: a1\n2: a2',
        'Lists/B [x].md (lines 1-1 of 1)\n1: b',
        'Lists/deep/C.md (lines 1-3 of 3)\n1: c1\n2: c2\n3: c3',
      ].join('\n\n'),
    );
    const edits = [{ position: 'replace:2', content: 'a3' }];
    await bench.expectSuccess('edit_file', { path: 'Lists/A.md', edits });
  });

  it('read_file takes a name with brackets as a file if there is one', async () => {
    await using bench = memoryBench(FILES, { settings });
    const told = await bench.expectSuccess('read_file', { path: 'Lists/B [x].md' });
    expect(told).toMatch(/^Lists\/B/);
    expect(await bench.expectSuccess('read_file', { path: 'Lists/{A,E}*' })).toMatch(/^1 note by/);
    expect(await bench.expectFailure('read_file', { path: 'Lits/' })).toContain('"Lists/"');
    expect(await bench.expectFailure('read_file', { path: '.obsidian/' })).toContain('.obsidian');
  });

  it('the calls that continue a folder together read each note once', async () => {
    await using bench = memoryBench(FILES, { settings: { ...settings, readLines: 3 } });
    let input: object = { path: 'Lists/' };
    const read: string[] = [];
    for (let calls = 0; calls < 9; calls += 1) {
      const told = await bench.expectSuccess('read_file', input);
      read.push(...(told.match(/^Lists\/.*(?= \(lines)/gm) ?? []));
      const next = /Continue with read_file (\{.*\})\)$/.exec(told)?.[1];
      if (next === undefined) break;
      input = JSON.parse(next) as object;
    }
    expect(read).toEqual(['Lists/A.md', 'Lists/B [x].md', 'Lists/deep/C.md']);
  });
});

it('list_files and get_file_info name the variables of templates', async () => {
  const files = { 'Templates/Meeting.md': '# {{title}}\n{{date:YYYY}} {{guest}} {{guest}}\n' };
  await using bench = memoryBench(files, { settings: { templateFolder: 'Templates' } });
  expect(await bench.expectSuccess('list_files', { path: 'Templates' })).toMatch(
    / with \{\{title\}\}, \{\{date\}\}, \{\{guest\}\}$/,
  );
  expect(await bench.expectSuccess('get_file_info', { path: 'Meeting' })).toContain(
    'Variables of the template: title, date, guest\n',
  );
});
