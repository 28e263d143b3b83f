import fc from 'fast-check';
import { assert, describe, expect, it } from 'vitest';
import { BENCHES, memoryBench } from '#tests/builders/tools';
import { cases } from '#tests/cases';
import { ANY_DEVICE, editsOf, readEdits } from '#model/edit/note-edits';
import { withProperties } from '#tools/editor/property-changes';
import { parseYaml, stringifyYaml } from '#workbench/obsidian/metadata/front-matter';

const NOTE = `---
# What it is
status: open # for now
"due date": 2026-12-01
tags:
- garden/beds
- work

Rank: 3
text: |
  two
  lines
---
# Garden

Body with #inline.
`;
const FILES = {
  'Garden.md': NOTE,
  'Plain.md': '# Plain\n\nText.\n',
  'Windows.md': '---\r\na: 1\r\n---\r\nText\r\n',
  'Broken.md': '---\na: [\n---\nText\n',
  'Flow.md': '---\n{a: 1}\n---\nText\n',
  'Words.md': '---\ntags: one, two\n---\n',
  'map.png': Uint8Array.of(1),
};

describe.each(BENCHES)('Property tools %s', (_, open) => {
  const textOf = async (bench: Awaited<ReturnType<typeof open>>, path: string) => {
    const read = await bench.notes.read(path);
    return read.ok ? read.value.text : '';
  };

  describe('update_properties', () => {
    it('update_properties keeps the order, comments and format of everything else', async () => {
      await using bench = await open(FILES);
      const told = await bench.expectSuccess('update_properties', {
        path: 'garden',
        set: { STATUS: 'done', rank: 4, next: ['a: b', 'c'], empty: null },
        remove: ['due date', 'gone'],
      });
      expect(told).toContain('Changed properties of Garden.md:');
      expect(told).toContain('  status (text): "done", was "open"\n  Rank (number): 4, was 3\n');
      expect(told).toContain('  due date: removed, was "2026-12-01"');
      expect(await textOf(bench, 'Garden.md')).toBe(
        NOTE.replace('status: open # for now\n"due date": 2026-12-01\n', 'status: done # for now\n')
          .replace('Rank: 3', 'Rank: 4')
          .replace('  lines\n', '  lines\nnext:\n  - "a: b"\n  - c\nempty: null\n'),
      );
    });

    it('update_properties changes the end of a long value', async () => {
      await using bench = await open(FILES);
      const guests = Array.from({ length: 40 }, (_, at) => `Guest number ${at}`);
      await bench.expectSuccess('update_properties', { path: 'Plain', set: { guests } });
      const more = [...guests, 'One more'];
      const told = await bench.expectSuccess('update_properties', {
        ...{ path: 'Plain', set: { guests: more } },
      });
      expect(told).toContain('Changed properties of');
      expect(await textOf(bench, 'Plain.md')).toContain('  - One more\n');
      const again = { path: 'Plain', set: { guests: more } };
      expect(await bench.expectSuccess('update_properties', again)).toContain('already');
    });

    it('update_properties creates missing front matter, and keeps line endings', async () => {
      await using bench = await open(FILES);
      await bench.expectSuccess('update_properties', { path: 'Plain', set: { a: true } });
      expect(await textOf(bench, 'Plain.md')).toBe('---\na: true\n---\n# Plain\n\nText.\n');
      await bench.expectSuccess('update_properties', {
        path: 'Windows',
        set: { b: ['x'] },
        remove: ['a'],
      });
      expect(await textOf(bench, 'Windows.md')).toBe('---\r\nb:\r\n  - x\r\n---\r\nText\r\n');
    });

    it('update_properties says nothing about moved lines that were never shown', async () => {
      await using bench = await open(FILES);
      const input = { path: 'Plain.md', set: { a: 1 } };
      expect(await bench.expectSuccess('update_properties', input)).not.toContain('moved');
    });

    it('update_properties keeps a list a list', async () => {
      await using bench = await open(FILES);
      await bench.expectSuccess('update_properties', { path: 'Garden', set: { tags: 'one' } });
      expect(await textOf(bench, 'Garden.md')).toContain('tags:\n- one\n\nRank');
    });

    it.each([{ set: { status: 'open' } }, { remove: ['nothing'] }])(
      'update_properties says that %j changes nothing',
      async (input) => {
        await using bench = await open(FILES);
        const told = await bench.expectSuccess('update_properties', { path: 'Garden', ...input });
        expect(told).toContain('nothing was changed');
        expect(await textOf(bench, 'Garden.md')).toBe(NOTE);
      },
    );

    it.each([
      [{ path: 'Broken', set: { a: 1 } }, 'not valid YAML'],
      [{ path: 'Flow', set: { a: 2 } }, 'in an unusual way'],
      [{ path: 'map.png', set: { a: 1 } }, 'is not a note'],
      [{ path: 'Garden' }, 'Give set, remove or rename'],
      [{ path: 'Garden', set: { 'a\nb': 1 } }, 'not valid'],
    ])('update_properties refuses %j', async (input, why) => {
      await using bench = await open(FILES);
      expect(await bench.expectFailure('update_properties', input)).toContain(why);
      expect(await textOf(bench, 'Garden.md')).toBe(NOTE);
      expect(await textOf(bench, 'Flow.md')).toBe(FILES['Flow.md']);
    });

    // For thousands of such lines, a parser takes seconds.
    it.each([
      ['many properties', (at: number) => `p${at}: 1\n`, 2_100],
      ['keys within keys', (at: number) => `${' '.repeat(at)}?\n`, 60],
      ['many anchors', (at: number) => `k${at}: &a${at} [1, *a${at}]\n`, 60],
    ])('front matter with %s is not read', async (_, line, count) => {
      const front = Array.from({ length: count }, (__, at) => line(at)).join('');
      const note = `---\n${front}---\nText\n`;
      await using bench = await open({ 'Long.md': note });
      const why = 'too long or too intricate to be read';
      expect(await bench.expectSuccess('get_properties', { paths: ['Long'] })).toContain(why);
      const change = { path: 'Long', set: { a: 1 } };
      expect(await bench.expectFailure('update_properties', change)).toContain(why);
      expect(await textOf(bench, 'Long.md')).toBe(note);
    });
  });

  // Each as it is, the call, and as it becomes; only what was asked for differs.
  it.each([
    ['tags: [2024, reading]', ['new'], 'tags: [2024, reading, new]'],
    [
      'tags: [1e3, 0x1F, true, null, {a: 1}, [b, c]] # mixed',
      ['new'],
      'tags: [1e3, 0x1F, true, null, {a: 1}, [b, c], new] # mixed',
    ],
    ['tags: [ "a b", \'c\', "d, e]" ]', ['new'], 'tags: [ "a b", \'c\', "d, e]", new ]'],
    ['tags: []', ['one', 'two'], 'tags: [one, two]'],
    ['tags: [a,]', ['new'], 'tags: [a, new,]'],
    [
      'tags: [\n  a, # first\n  b # last\n]',
      ['new'],
      'tags: [\n  a, # first\n  b, # last\n  new\n]',
    ],
    ['tags: [\n  a,\n  b,\n]', ['new'], 'tags: [\n  a,\n  b,\n  new,\n]'],
    ['tags:\n  [a, b]', ['new'], 'tags:\n  [a, b, new]'],
    [
      'tags: # mine\n    -   2024\n    # about b\n    -   "b" # why\n\n# below',
      ['new'],
      'tags: # mine\n    -   2024\n    # about b\n    -   "b" # why\n    -   new\n\n# below',
    ],
    ['tags:\n- a\n- k: v\n  w: x\n-', ['new'], 'tags:\n- a\n- k: v\n  w: x\n-\n- new'],
    ['tags: &t [a]', ['new'], 'tags: &t [a, new]'],
    ['Tags: [a]', ['new'], 'Tags: [a, new]'],
    ['"tags" : [a]', ['new'], '"tags" : [a, new]'],
    ['tags:', ['new'], 'tags:\n  - new'],
    ['tags: # later', ['new'], 'tags: # later\n  - new'],
    ['tags: null # none', ['new'], 'tags: # none\n  - new'],
    ['tags: 1e3 # odd', ['new'], 'tags: # odd\n  - 1e3\n  - new'],
    ["tags: 'a'", ['new'], "tags:\n  - 'a'\n  - new"],
    ['tags: a, b # text', ['new'], 'tags: # text\n  - a\n  - b\n  - new'],
    ['tags: "#a #b"', ['new'], 'tags:\n  - "#a"\n  - "#b"\n  - new'],
    ['tags: |\n  a\n  b', ['new'], 'tags:\n  - a\n  - b\n  - new'],
    ['tag: a', ['new'], 'tag: a\ntags:\n  - new'],
  ])('add_tags keeps all entries of %j', async (yaml, tags, wanted) => {
    for (const [mark, ending] of [
      ['', '\n'],
      ['\uFEFF', '\r\n'],
    ] as const) {
      const note = (front: string) =>
        mark + `---\n${front}\n---\nBody ---\n`.replaceAll('\n', ending);
      await using bench = await open({ 'A.md': note(yaml) });
      await bench.expectSuccess('add_tags', { path: 'A', tags });
      expect(await textOf(bench, 'A.md')).toBe(note(wanted));
    }
  });

  it.each([
    ['status: open # waiting', { status: 'done' }, 'status: done # waiting'],
    ['status:   "open"   # waiting', { status: 'done' }, 'status:   "done"   # waiting'],
    ["status: 'it''s'", { status: "isn't" }, "status: 'isn''t'"],
    ['status: "open"', { status: 3 }, 'status: 3'],
    ['status: # unknown', { status: 'open' }, 'status: open # unknown'],
    ['status: open # waiting', { status: ['a', 'b: c'] }, 'status: # waiting\n  - a\n  - "b: c"'],
    ['status: open # waiting', { status: 'one\ntwo' }, 'status: |- # waiting\n  one\n  two'],
    ['status: a #b', { status: 'c' }, 'status: c #b'],
    ['status: a#b', { status: 'c' }, 'status: c'],
    ['status: one\n  two # both', { status: 'c' }, 'status: c # both'],
    ['status:\n  open # waiting', { status: 'done' }, 'status:\n  done # waiting'],
    ['text: | # long\n  one\n  # two\n\n# three', { text: 'c' }, 'text: c # long\n\n# three'],
    ['text: "a\n  # b"', { text: 'c' }, 'text: "c"'],
    ['map:\n  a: 1\n  b: 2\n# below', { map: 1 }, 'map: 1\n# below'],
    ['list: [a, 2, "c"]', { list: ['b', 2, 'c', 'd: e'] }, 'list: [b, 2, "c", "d: e"]'],
    ['list: [a, 2, "c"]', { list: [2] }, 'list: [2]'],
    ['list: [a, 2, "c"]', { list: ['c'] }, 'list: ["c"]'],
    ['list: [a, 2, "c"]', { list: ['new', 'a', 2, 'c'] }, 'list: [new, a, 2, "c"]'],
    [
      'list: [\n  a, # one\n  b, # two\n  c # three\n]',
      { list: ['a', 'c'] },
      'list: [\n  a, # one\n  c # three\n]',
    ],
    ['list: [\n  a, # one\n  b # two\n]', { list: ['a'] }, 'list: [\n  a # one\n]'],
    ['list: [a, b]', { list: [] }, 'list: []'],
    [
      'list:\n- a # one\n# about\n- 1e3\n- "c"',
      { list: ['x', 1000] },
      'list:\n- x # one\n# about\n- 1e3',
    ],
    ['list:\n- a\n- b', { list: ['b'] }, 'list:\n- b'],
    ['list:\n- a\n- b', { list: ['b', 'a'] }, 'list:\n- b\n- a'],
    ['list: # mine\n- a\n- b\n# below', { list: [] }, 'list: [] # mine\n# below'],
    ['list: [a, b] # mine', { list: null }, 'list: null # mine'],
  ])('update_properties changes of %j only what %j asks for', async (yaml, set, wanted) => {
    const note = (front: string) => `---\nabove: [1,  2]\n${front}\nbelow: "x"   # y\n---\nBody\n`;
    await using bench = await open({ 'A.md': note(yaml) });
    await bench.expectSuccess('update_properties', { path: 'A', set });
    expect(await textOf(bench, 'A.md')).toBe(note(wanted));
  });

  it.each([
    ['tags: &t [a]\nmore: *t', 'add_tags', { tags: ['new'] }],
    ['base: &b a\nmore: *b', 'update_properties', { remove: ['base'] }],
  ])('%j is kept, and the answer says what works', async (yaml, tool, input) => {
    const note = `---\n${yaml}\n---\n`;
    await using bench = await open({ 'A.md': note });
    const told = await bench.expectFailure(tool, { path: 'A', ...input });
    expect(told).toContain('Nothing was changed; read it with read_file and use edit_file.');
    expect(await textOf(bench, 'A.md')).toBe(note);
  });

  it('update_properties removes a property with its comment and keeps its neighbors', async () => {
    const text = 'gone: |\n  # one\n  two\n\n# About b\nb: 1 # c\n';
    await using bench = await open({ 'A.md': `---\n${text}---\n` });
    await bench.expectSuccess('update_properties', { path: 'A', remove: ['gone'] });
    expect(await textOf(bench, 'A.md')).toBe('---\n\n# About b\nb: 1 # c\n---\n');
  });

  it.each([
    [
      'l:\n  # on a\n  - a\n  # on b\n  - b\n',
      ['c', 'a', 'b'],
      'l:\n  - c\n  # on a\n  - a\n  # on b\n  - b\n',
    ],
    [
      'l:\n  - a # on a\n  # on b\n  - b\n',
      ['a', 'c', 'b'],
      'l:\n  - a # on a\n  - c\n  # on b\n  - b\n',
    ],
    ['l:\n  - a # on a\n  - b # on b\n', ['b'], 'l:\n  - b # on b\n'],
    ['l: [a, # on a\n  b, # on b\n  c]\n', ['b', 'c'], 'l: [\n  b, # on b\n  c]\n'],
    ['l: [a, b, # on b\n  c]\n', ['a', 'c'], 'l: [a, \n  c]\n'],
    ['l: [a, b, # on b\n  c]\n', ['b', 'c'], 'l: [b, # on b\n  c]\n'],
  ])('a comment in a list stays with its entry: %j becomes %j', async (yaml, list, after) => {
    await using bench = await open({ 'A.md': `---\n${yaml}---\n` });
    await bench.expectSuccess('update_properties', { path: 'A', set: { l: list } });
    expect(await textOf(bench, 'A.md')).toBe(`---\n${after}---\n`);
  });

  it('a value that contains itself is read without it, and can be replaced', async () => {
    const files = { 'Loop.md': '---\nloop: &a [1, *a]\nmap: &b {in: {deep: *b}}\n---\nText\n' };
    await using bench = await open(files);
    expect(await bench.expectSuccess('get_properties', { paths: ['Loop'] })).toContain(
      '  loop (list): [1,null]\n  map (object): {"in":{"deep":null}}',
    );
    const query = { properties: { loop: 1 } };
    expect(await bench.expectSuccess('query_notes', query)).toContain('Loop.md');
    await bench.expectSuccess('update_properties', { path: 'Loop', set: { loop: 2 } });
    expect(await textOf(bench, 'Loop.md')).toBe(files['Loop.md'].replace('[1, *a]', '[2]'));
  });

  describe('add_tags', () => {
    it('add_tags skips tags that the note already has in its text or properties', async () => {
      await using bench = await open(FILES);
      const told = await bench.expectSuccess('add_tags', {
        path: 'Garden',
        tags: ['#new', 'INLINE', 'Work', 'garden', 'new'],
      });
      expect(told).toContain('Tagged Garden.md with #new #garden. It already had #INLINE #Work.');
      expect(await textOf(bench, 'Garden.md')).toContain(
        'tags:\n- garden/beds\n- work\n- new\n- garden\n\nRank',
      );
    });

    it('add_tags turns a comma-separated string into a list, and creates missing front matter', async () => {
      await using bench = await open(FILES);
      await bench.expectSuccess('add_tags', { path: 'Words', tags: ['three'] });
      expect(await textOf(bench, 'Words.md')).toBe(
        '---\ntags:\n  - one\n  - two\n  - three\n---\n',
      );
      await bench.expectSuccess('add_tags', { path: 'Plain', tags: ['旅行', 'a/b-c_1'] });
      expect(await textOf(bench, 'Plain.md')).toMatch(
        /^---\ntags:\n {2}- 旅行\n {2}- a\/b-c_1\n---\n#/,
      );
    });

    it.each(['two words', '2026', 'a#b', '', 'a//b', '/a', 'a,b', '"a"'])(
      'add_tags refuses %j as a tag',
      async (tag) => {
        await using bench = await open(FILES);
        expect(await bench.expectFailure('add_tags', { path: 'Garden', tags: [tag] })).toContain(
          "can't be a tag",
        );
        expect(await textOf(bench, 'Garden.md')).toBe(NOTE);
      },
    );
  });
});

describe('Properties', () => {
  it('properties are changed at once in review mode, and not at all in read-only mode', async () => {
    const bench = memoryBench(FILES, { settings: { panelMode: 'review' } });
    await bench.expectSuccess('add_tags', { path: 'Plain', tags: ['now'] });
    expect(bench.notes.text('Plain.md')).toMatch(/^---\ntags:\n {2}- now\n---\n# Plain/);
    await bench.expectSuccess('edit_file', {
      path: 'Plain',
      edits: [{ old_text: 'Text.', new_text: 'More.' }],
    });
    const proposed = bench.notes.text('Plain.md');
    expect(proposed).toContain('```ai-edit');
    await bench.expectSuccess('update_properties', { path: 'Plain', set: { status: 'open' } });
    expect(bench.notes.text('Plain.md')).toBe(
      proposed.replace('  - now\n---', '  - now\nstatus: open\n---'),
    );
    const reading = memoryBench(FILES, { settings: { panelMode: 'read-only' } });
    expect(await reading.expectFailure('add_tags', { path: 'Plain', tags: ['x'] })).toContain(
      'Read only',
    );
  });

  it.each(['tags: [start]', 'tags: a', 'tags: a, b # c', 'tags:\n- 2024', 'Tags: # none', 'x: 1'])(
    'add_tags and a longer list for %j are additions and nothing else',
    async (yaml) => {
      const files = { 'A.md': `---\n${yaml}\nlist: [1, b]\n---\n` };
      const calls = [
        ['add_tags', { path: 'A', tags: ['new'] }],
        ['update_properties', { path: 'A', set: { list: [1, 'b', 'c'], more: 1 } }],
      ] as const;
      for (const [tool, input] of calls) {
        const adding = memoryBench(files, { settings: { allowReplace: false } });
        await adding.expectSuccess(tool, input);
        const replacing = memoryBench(files, { settings: { allowAdd: false } });
        expect(await replacing.expectFailure(tool, input)).toContain('do not allow adding');
        expect(replacing.notes.text('A.md')).toBe(files['A.md']);
      }
      const shorter = { path: 'A', set: { list: ['b'] } };
      const bench = memoryBench(files, { settings: { allowReplace: false } });
      expect(await bench.expectFailure('update_properties', shorter)).toContain('do not allow');
    },
  );

  it('a property change applies to both sides of a pending edit of the front matter', async () => {
    const bench = memoryBench(FILES, { settings: { panelMode: 'review' } });
    await bench.expectSuccess('edit_file', {
      path: 'Garden',
      edits: [{ old_text: 'status: open # for now', new_text: 'status: done' }],
    });
    expect(bench.notes.text('Garden.md')).toContain('"before":"---\\n');
    await bench.expectSuccess('update_properties', { path: 'Garden', set: { Rank: 9 } });
    const raw = bench.notes.text('Garden.md');
    expect(raw).toMatch(/^---\n# What it is\nstatus: open # for now\n[^]*?\nRank: 9\n/);
    expect(await bench.expectSuccess('read_file', { path: 'Garden' })).toMatch(
      /status: done[^]*Rank: 9/,
    );
    const [edit] = editsOf(readEdits(raw, ANY_DEVICE));
    expect(edit?.lines).toContain('Rank: 9');
    expect(edit?.after).toContain('status: done\n');
    expect(edit?.after).toContain('Rank: 9\n');
  });

  const name = fc.constantFrom('a', 'b', 'due date', 'x-y', 'Ünder', '旅');
  const value = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }),
  );
  const values = fc.dictionary(name, value, { maxKeys: 5 });

  it('withProperties gives the wanted values after any change, and keeps the text below', () => {
    fc.assert(
      fc.property(values, values, fc.array(name), (before, set, remove) => {
        const yaml = Object.keys(before).length > 0 ? stringifyYaml(before) : '';
        const text = `---\n${yaml}---\nBody\n---\nb: no\n`;
        const wanted = { ...before, ...set };
        const gone = remove.filter((key) => !Object.hasOwn(set, key));
        for (const key of gone) delete wanted[key];
        const changes = [...Object.entries(set), ...gone.map((key) => [key, undefined] as const)];
        const after = withProperties(
          text,
          changes.map(([key, to]) => ({ name: key, from: before[key], to })),
          (key, to) => stringifyYaml({ [key]: to }),
        );
        assert(after !== null);
        expect(after.endsWith('---\nBody\n---\nb: no\n')).toBe(true);
        const inside = after.slice(4, after.indexOf('---\nBody'));
        expect(parseYaml(inside) ?? {}).toEqual(wanted);
      }),
      cases,
    );
  });
});
