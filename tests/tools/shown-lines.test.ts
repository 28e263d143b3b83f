/**
 * Which lines of a note count as shown: only those that a result contains, in the text it was made
 * from.
 */
import { describe, expect, it } from 'vitest';
import type { Settings } from '#model/settings';
import { memoryBench, type MemoryBench } from '#tests/builders/tools';
import type { CallResult } from '#model/message';
import { Lines } from '#tools/editor/edit/text-lines';
import { ShownNotes } from '#tools/shown-notes';

type Call = readonly [name: string, input: object];

/** Runs calls that the model wrote in one step, and returns their results. */
async function step(
  bench: MemoryBench,
  calls: readonly Call[],
  conversation = 'one',
): Promise<CallResult[]> {
  const results: CallResult[] = [];
  await bench.step(conversation, calls, async (result) => void results.push(result));
  return results;
}

async function says(bench: MemoryBench, ...call: Call): Promise<string> {
  const [result] = await step(bench, [call]);
  return result?.text ?? '';
}

const byLine = (path: string, position: string, content = 'new'): Call => [
  'edit_file',
  { path, edits: [{ position, content }] },
];
const read = (path: string): Call => ['read_file', { path }];
const overwrite = (path: string): Call => ['write_file', { path, content: 'All new.\n' }];

const numbered = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join('');

describe('Line numbers beyond the limit of a result', () => {
  /** Reads a note, then inserts a line above its text. */
  async function readThenMoved(path: string, text: string, others: Record<string, string> = {}) {
    const bench = memoryBench({ [path]: text, ...others });
    await step(bench, [read(path)]);
    await bench.notes.change(path, text, `Above.\n${text}`);
    return bench;
  }

  it('query_notes does not count tasks of notes beyond its limit as shown', async () => {
    const text = '- [ ] first\n- [ ] second\n';
    const bench = await readThenMoved('Z.md', text, { 'A.md': '- [ ] other\n' });
    const cut = await says(bench, 'query_notes', { tasks: 'open', limit: 1, sort: 'name' });
    expect(cut).not.toContain('Z.md');
    await step(bench, [byLine('Z.md', 'replace:2')]);
    expect(bench.notes.text('Z.md')).toBe('Above.\n- [ ] first\n\nnew\n');
  });

  it('link_notes does not count lines behind "and more" as shown', async () => {
    const text = Array.from({ length: 12 }, (_, at) => `[[Lisa]] ${at + 1}\n`).join('');
    const bench = await readThenMoved('A.md', text, { 'Lisa.md': '' });
    const found = await says(bench, 'link_notes', { source: 'A.md', target: 'Lisa' });
    expect(found).toContain('lines 2, 3, 4, 5, 6, 7, 8, 9 and more');
    const [result] = await step(bench, [byLine('A.md', 'replace:11')]);
    expect(result?.text).toContain('either could be meant');
    expect(bench.notes.text('A.md')).toBe(`Above.\n${text}`);
  });

  it('get_links does not count lines of links beyond its limit as shown', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `N${String(at + 1).padStart(2, '0')}`);
    const text = names.map((name) => `[[${name}]]\n`).join('');
    const others = Object.fromEntries(names.map((name) => [`${name}.md`, '']));
    const bench = await readThenMoved('A.md', text, others);
    const found = await says(bench, 'get_links', { path: 'A.md', direction: 'out' });
    expect(found).toContain('N50.md: [[N50]] (line 51)');
    expect(found).not.toContain('N55.md');
    const [result] = await step(bench, [byLine('A.md', 'replace:56')]);
    expect(result?.text).toContain('either could be meant');
    expect(bench.notes.text('A.md')).toBe(`Above.\n${text}`);
  });
});

describe('Line numbers of the text that was shown', () => {
  it('get_file_info shows current lines of headings even if the index is behind', async () => {
    const saved = '# Plan\n\n## Later\n\n- milk\n';
    const bench = memoryBench({ 'A.md': saved });
    // The text is not saved yet, so the index still has the heading in line 3.
    bench.notes.type('A.md', '# Plan\n\n- Later: eggs\n- milk\n\n## Later\n');
    const info = await says(bench, 'get_file_info', { path: 'A.md' });
    expect(info).toContain('  6: ## Later');
    expect(info).not.toContain('  3: ## Later');
  });

  it('open_note counts the new number of a moved line as shown', async () => {
    const bench = memoryBench({ 'A.md': numbered(6) });
    await step(bench, [read('A.md')]);
    await bench.notes.change('A.md', numbered(6), `Above.\n${numbered(6)}`);
    expect(await says(bench, 'open_note', { path: 'A.md', line: 3 })).toContain('line 4');
    // Line 4 was "line 4" when it was read.
    const [result] = await step(bench, [byLine('A.md', 'replace:4')]);
    expect(result?.text).toContain('either could be meant');
  });

  it('write_file counts line numbers in its refusal as shown', async () => {
    const bench = memoryBench({ 'A.md': numbered(9) });
    await step(bench, [['read_file', { path: 'A.md', start_line: 2, end_line: 4 }]]);
    await bench.notes.change('A.md', numbered(9), `Above.\n${numbered(9)}`);
    expect(await says(bench, ...overwrite('A.md'))).toContain('you have seen lines 3-5 of 10');
    // Line 4 was "line 4" when it was read, but is "line 3" in the refusal.
    const [result] = await step(bench, [byLine('A.md', 'replace:4')]);
    expect(result?.text).toContain('either could be meant');
  });

  it('edit_file shows no line number that its own edit makes wrong', async () => {
    const bench = memoryBench({ 'A.md': numbered(6) });
    await step(bench, [read('A.md')]);
    await bench.notes.change('A.md', numbered(6), `Above.\n${numbered(6)}`);
    const edits = [
      { position: 'start', content: 'One.\nTwo.' },
      { position: 'replace:4', content: 'new' },
    ];
    const result = await says(bench, 'edit_file', { path: 'A.md', edits });
    expect(result).toContain('line 4 had moved');
    expect(result).toContain('+8  new');
  });
});

describe('Line numbers in a refusal', () => {
  it('edit_file counts the current lines in its refusal as shown', async () => {
    const bench = memoryBench({ 'A.md': numbered(6) });
    await step(bench, [read('A.md')]);
    const now = `Above.\n${numbered(6).replace('line 3', 'line three')}`;
    await bench.notes.change('A.md', numbered(6), now);
    const refusal = await says(bench, ...byLine('A.md', 'replace:3'));
    expect(refusal).toContain('4: line three');
    // Line 4 was "line 4" when it was read, but is "line three" in the refusal.
    await step(bench, [byLine('A.md', 'replace:4')]);
    expect(bench.notes.text('A.md')).toBe(now.replace('line three', 'new'));
  });

  it('link_notes counts no line as shown in a refusal that names none', async () => {
    const bench = memoryBench({ 'A.md': '```\ncode\n', 'Lisa.md': '' });
    const link = { source: 'A.md', target: 'Lisa.md' };
    const [end, passage] = await step(bench, [
      ['link_notes', link],
      ['link_notes', { ...link, context: 'code' }],
    ]);
    expect(`${end?.text}${passage?.text}`).not.toMatch(/\d/);
    const [result] = await step(bench, [byLine('A.md', 'insert:2')]);
    expect(result?.failed).toBe(true);
    expect(bench.notes.text('A.md')).toBe('```\ncode\n');
  });
});

describe('A call whose result the model never got', () => {
  it('a note whose reading was stopped does not count as shown', async () => {
    const bench = memoryBench({ 'A.md': numbered(3), 'B.md': numbered(3) });
    await bench.stopped('one', ['read_file', { paths: ['A.md', 'B.md'] }]);
    const refused = await step(bench, [overwrite('A.md'), byLine('B.md', 'replace:2')]);
    expect(refused.map(({ failed }) => failed)).toEqual([true, true]);
    expect(bench.notes.text('A.md')).toBe(numbered(3));
  });
});

describe('What the model knows of its own changes', () => {
  it('write_file refuses to overwrite lines that the user typed during an earlier write', async () => {
    const bench = memoryBench({ 'A.md': 'one\ntwo\n' });
    await step(bench, [read('A.md')]);
    const typed = typeInNextChange(bench, 'A.md', (text) => `${text}Typed by the user.\n`);
    const [first] = await step(bench, [['write_file', { path: 'A.md', content: 'ONE\ntwo\n' }]]);
    expect(typed.done).toBe(true);
    expect(first?.failed).toBe(false);
    expect(bench.notes.text('A.md')).toBe('ONE\ntwo\nTyped by the user.\n');
    const [second] = await step(bench, [overwrite('A.md')]);
    expect(second?.text).toContain('you have seen lines 1-2 of 3');
    expect(bench.notes.text('A.md')).toContain('Typed by the user.');
  });

  it('write_file refuses to overwrite unknown lines of which only a part was replaced', async () => {
    const text = Array.from({ length: 400 }, (_, at) => `milk and secret ${at + 1}\n`).join('');
    const bench = memoryBench({ 'A.md': text });
    const edits = [{ old_text: 'milk', new_text: 'oat milk', replace_all: true }];
    const [edited] = await step(bench, [['edit_file', { path: 'A.md', edits }]]);
    expect(edited?.text).not.toContain('secret 399');
    const [result] = await step(bench, [overwrite('A.md')]);
    expect(result?.failed).toBe(true);
    expect(bench.notes.text('A.md')).toContain('secret 399');
  });

  it('write_file refuses to overwrite a long line of which only a part was replaced', async () => {
    const bench = memoryBench({ 'A.md': `${'left '.repeat(300)}milk ${'right '.repeat(300)}\n` });
    const edits = [{ old_text: 'milk', new_text: 'oat milk' }];
    await step(bench, [['edit_file', { path: 'A.md', edits }]]);
    const [result] = await step(bench, [overwrite('A.md')]);
    expect(result?.failed).toBe(true);
  });

  it.each<[string, Call]>([
    ['edit_file', ['edit_file', { path: 'A.md', edits: [{ old_text: 'one', new_text: 'ONE' }] }]],
    ['search_files', ['search_files', { pattern: 'one' }]],
    ['search_vault', ['search_vault', { query: 'one', include_content: true }]],
  ])(
    'write_file overwrites a note with a byte order mark that %s showed in full',
    async (_, call) => {
      const bench = memoryBench({ 'A.md': '\uFEFFone\ntwo\n' });
      await step(bench, [call]);
      const [result] = await step(bench, [overwrite('A.md')]);
      expect(result?.text).toContain('Replaced the text of A.md');
    },
  );

  it('write_file overwrites lines that the model wrote in full', async () => {
    const bench = memoryBench({ 'A.md': 'one\ntwo\n' });
    await step(bench, [read('A.md')]);
    const edits = [{ position: 'insert:2', content: numbered(300) }];
    await step(bench, [['edit_file', { path: 'A.md', edits }]]);
    const [result] = await step(bench, [overwrite('A.md')]);
    expect(result?.failed).toBe(false);
  });
});

describe('What the model knows after a search', () => {
  it.each([
    ['at the end of the note', 'one\r\ntwo\r', 'one'],
    ['before a line ending', 'one\r\ntwo\r\r\n', 'one\\n'],
  ])(
    'write_file overwrites a note with a carriage return %s after a search and a read',
    async (_place, text, pattern) => {
      const bench = memoryBench({ 'A.md': text });
      await step(bench, [
        ['search_files', { pattern }],
        ['read_file', { path: 'A.md', start_line: 2 }],
      ]);
      const [result] = await step(bench, [overwrite('A.md')]);
      expect(result).toMatchObject({ failed: false });
      expect(bench.notes.text('A.md')).toBe('All new.\n');
    },
  );

  it('lines that were shown stay known when a search of a newer text makes their numbers useless', () => {
    const shown = new ShownNotes();
    const notes = (key: number) => shown.during(`step ${key}`);
    notes(1).show('A.md', 'one\ntwo\n', [
      [1, 'one'],
      [2, 'two'],
    ]);
    notes(2).loseNumbers('A.md');
    // More texts than are remembered, each of which shows only its own first line.
    for (let key = 3; key < 40; key += 1) {
      notes(key).show('A.md', `${key}\none\ntwo\n`, [[1, `${key}`]]);
    }
    expect(notes(40).of('A.md').textsOf(2)).toEqual([]);
    expect(notes(40).of('A.md').unknownIn(new Lines('one\ntwo\n'))).toEqual([]);
  });
});

describe('Notes moved by the user or another conversation', () => {
  const files = { 'A.md': '- bread\n- milk\n', 'C.md': '- milk\n- eggs\n' };

  it('a note that the user moved to a known path does not count as shown', async () => {
    const bench = memoryBench(files);
    await step(bench, [read('A.md')]);
    await bench.notes.move('A.md', 'B.md');
    await bench.notes.move('C.md', 'A.md');
    const [result] = await step(bench, [byLine('A.md', 'replace:2')]);
    expect(result?.text).toContain('no line of `A.md` was shown');
    expect(bench.notes.text('A.md')).toBe(files['C.md']);
  });

  it('a note that the user moved keeps its line numbers', async () => {
    const bench = memoryBench({ 'In/A.md': files['A.md'] });
    await step(bench, [read('In/A.md')]);
    await bench.notes.move('In', 'Out');
    await bench.notes.change('Out/A.md', files['A.md'], `Above.\n${files['A.md']}`);
    await step(bench, [byLine('Out/A.md', 'replace:2')]);
    expect(bench.notes.text('Out/A.md')).toBe('Above.\n- bread\n\nnew\n');
  });

  it('a note that another conversation moved to a known path does not count as shown', async () => {
    const bench = memoryBench(files);
    await step(bench, [read('A.md')]);
    const moves: Call[] = [
      ['move', { source: 'A.md', destination: 'B.md' }],
      ['move', { source: 'C.md', destination: 'A.md' }],
    ];
    await step(bench, moves, 'two');
    const [result] = await step(bench, [overwrite('A.md')]);
    expect(result?.failed).toBe(true);
    await step(bench, [byLine('B.md', 'replace:2')]);
    expect(bench.notes.text('B.md')).toBe('- bread\n\nnew\n');
  });

  it('a note that was deleted and created again does not count as shown', async () => {
    const bench = memoryBench(files);
    await step(bench, [read('A.md')]);
    await bench.notes.trash('A.md');
    bench.notes.put('A.md', files['A.md']);
    const [result] = await step(bench, [byLine('A.md', 'replace:2')]);
    expect(result?.text).toContain('no line of `A.md` was shown');
  });
});

describe('A call that is approved late', () => {
  const settings: Partial<Settings> = { tools: { edit_file: 'ask' } };

  it('edit_file uses the lines that were shown before it was called, even if it is approved late', async () => {
    const bench = memoryBench({ 'A.md': numbered(4) }, { settings });
    await bench.expectSuccess(...read('A.md'));
    await bench.notes.change('A.md', numbered(4), `Above.\n${numbered(4)}`);
    const card = await bench.approvalOf(...byLine('A.md', 'replace:2'));
    // This shows the same lines under other numbers.
    await bench.expectSuccess(...read('A.md'));
    await bench.confirm(card, 'allow-once');
    expect(bench.notes.text('A.md')).toBe('Above.\nline 1\nnew\nline 3\nline 4\n');
  });
});

describe('Shown lines after compaction', () => {
  it('notes shown before a compaction have to be read again', async () => {
    const bench = memoryBench({ 'A.md': numbered(3) });
    await step(bench, [read('A.md')]);
    bench.compact('one');
    const refused = await step(bench, [byLine('A.md', 'replace:2'), overwrite('A.md')]);
    expect(refused.map(({ failed }) => failed)).toEqual([true, true]);
    await step(bench, [read('A.md')]);
    await step(bench, [byLine('A.md', 'replace:2')]);
    expect(bench.notes.text('A.md')).toBe('line 1\nnew\nline 3\n');
  });
});

it('edit_file refuses line numbers of a canvas, and names the call that shows them', async () => {
  const bench = memoryBench({ 'A.canvas': '{\n"nodes":[],\n"edges":[]\n}' });
  await step(bench, [read('A.canvas')]);
  const refused = await says(bench, ...byLine('A.canvas', 'replace:2'));
  const call = /read_file (\{.*\})/.exec(refused)?.[1] ?? '';
  await step(bench, [['read_file', JSON.parse(call) as object]]);
  await step(bench, [byLine('A.canvas', 'replace:2', '"nodes":[{}],')]);
  expect(bench.notes.text('A.canvas')).toBe('{\n"nodes":[{}],\n"edges":[]\n}');
});

/** Changes the note during its next write, as if the user typed. */
function typeInNextChange(bench: MemoryBench, path: string, type: (text: string) => string) {
  const typed = { done: false };
  const change = bench.notes.change.bind(bench.notes);
  bench.notes.change = async (at, before, after) => {
    if (!typed.done && at === path) {
      typed.done = true;
      bench.notes.put(path, type(before));
    }
    return change(at, before, after);
  };
  return typed;
}

describe('Line numbers after a restart', () => {
  const text = '# List\n\n- eggs\n- milk\n- rye\n';

  async function restarted(calls: readonly Call[], files: Record<string, string> = {}) {
    const bench = memoryBench({ 'A.md': text, ...files });
    for (const each of calls) await step(bench, [each]);
    bench.restart();
    return bench;
  }

  it('an edit uses the lines that were read, and a note read whole can be overwritten', async () => {
    const bench = await restarted([read('A.md')]);
    await step(bench, [byLine('A.md', 'replace:4', '- oats')]);
    expect(bench.notes.text('A.md')).toBe('# List\n\n- eggs\n- oats\n- rye\n');
    await step(bench, [read('A.md')]);
    bench.restart();
    await step(bench, [overwrite('A.md')]);
    expect(bench.notes.text('A.md')).toBe('All new.\n');
  });

  it('an edit follows its line when the note changes after the restart', async () => {
    const bench = await restarted([read('A.md')]);
    await step(bench, [['list_files', {}]]);
    await bench.notes.change('A.md', text, `Above.\n${text}`);
    await step(bench, [byLine('A.md', 'replace:4', '- oats')]);
    expect(bench.notes.text('A.md')).toBe('Above.\n# List\n\n- eggs\n- oats\n- rye\n');
  });

  it('lines that were cut, not printed, or replaced by the model do not count as known', async () => {
    const some: Call = ['read_file', { path: 'A.md', start_line: 3, end_line: 3 }];
    const bench = await restarted([some]);
    expect(await says(bench, ...byLine('A.md', 'replace:4'))).toContain('shown to you');
    expect(await says(bench, ...overwrite('A.md'))).toContain('you have seen line 3 of 5');
    const own = await restarted([read('A.md'), overwrite('A.md')]);
    await own.notes.change('A.md', 'All new.\n', text);
    expect(await says(own, ...byLine('A.md', 'replace:4'))).toContain('shown to you');
  });

  it('an edit is refused if the note changed in between, or another may stand at its path', async () => {
    const bench = await restarted([read('A.md')]);
    await bench.notes.change('A.md', text, `Above.\n${text}`);
    expect(await says(bench, ...byLine('A.md', 'replace:4'))).toContain('shown to you');
    const moved = memoryBench({ 'A.md': text, 'B.md': text.replace('eggs', 'ham') });
    await step(moved, [read('A.md')]);
    await step(moved, [read('B.md')]);
    await moved.notes.change('B.md', moved.notes.text('B.md'), text);
    await moved.notes.move('A.md', 'Old.md');
    await moved.notes.move('B.md', 'A.md');
    moved.restart();
    expect(await says(moved, ...byLine('A.md', 'replace:3'))).toContain('shown to you');
  });
});
