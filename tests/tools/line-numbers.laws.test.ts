/**
 * Whatever the order of tools, an edit by line number changes the line whose text was last shown under that number, or
 * nothing; and a note is overwritten only if all of its text was shown.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Mode } from '#model/settings';
import { memoryBench, type MemoryBench } from '#tests/builders/tools';
import { cases } from '#tests/cases';

const PATH = 'Notes/Plan.md';

/** Lines of everyday notes; a few of them occur often, as they do in real notes. */
const WORDS = ['bread', 'milk', 'eggs', 'Call Lisa', 'soil', ''] as const;
const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS.map((word) => `- ${word}`)) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }).map((number) => `- [ ] task ${number}`) },
  { weight: 2, arbitrary: fc.constantFrom('# Plan', '## Later', '## Soon', '') },
  { weight: 2, arbitrary: fc.constantFrom('| a | b |', '| - | - |', '> a quote', '[[Lisa]]') },
  { weight: 1, arbitrary: fc.constantFrom(`- ${'long '.repeat(120)}end`, '\u2028 odd', '- é 😀') },
);

const note = fc
  .record({
    lines: fc.array(line, { maxLength: 24 }),
    unique: fc.boolean(),
    front: fc.boolean(),
    ending: fc.constantFrom('\n', '\r\n'),
    isOpen: fc.boolean(),
    mark: fc.boolean(),
  })
  .map(({ lines, unique, front, ending, isOpen, mark }) => {
    const body = unique ? lines.map((each, at) => `${each} (${at})`) : lines;
    const all = [...(front ? ['---', 'tags:', '  - food', '---'] : []), ...body];
    const text = all.join(ending) + (isOpen || all.length === 0 ? '' : ending);
    return (mark && text !== '' ? '\uFEFF' : '') + text;
  });

/** A call of a model that uses the line numbers it saw; `number` picks one of them. */
type Wish =
  | { kind: 'look'; name: string; input: object }
  | { kind: 'write'; name: string; input: object }
  | { kind: 'replace' | 'delete' | 'insert'; number: number }
  | { kind: 'overwrite' };

const look = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 20 }))
    .map(([start, more]) => ({ path: PATH, start_line: start, end_line: start + more }))
    .map((input): Wish => ({ kind: 'look', name: 'read_file', input })),
  fc.constantFrom<Wish>(
    { kind: 'look', name: 'read_file', input: { path: PATH } },
    { kind: 'look', name: 'get_file_info', input: { path: PATH } },
    { kind: 'look', name: 'get_links', input: { path: PATH } },
    { kind: 'look', name: 'find_dead_links', input: {} },
    { kind: 'look', name: 'query_notes', input: { folder: 'Notes', tasks: 'open' } },
    { kind: 'look', name: 'search_vault', input: { query: 'bread' } },
    { kind: 'look', name: 'search_vault', input: { query: 'milk', include_content: true } },
  ),
  fc
    .constantFrom('bread', 'task', 'e', 'Later')
    .map((pattern): Wish => ({ kind: 'look', name: 'search_files', input: { pattern } })),
);
const write = fc.constantFrom<Wish>(
  { kind: 'write', name: 'update_properties', input: { path: PATH, set: { status: 'open' } } },
  { kind: 'write', name: 'update_properties', input: { path: PATH, remove: ['status'] } },
  { kind: 'write', name: 'add_tags', input: { path: PATH, tags: ['garden'] } },
  { kind: 'write', name: 'link_notes', input: { source: PATH, target: 'Lisa.md' } },
  {
    kind: 'write',
    name: 'edit_file',
    input: { path: PATH, edits: [{ old_text: 'bread', new_text: 'rye\n- rolls' }] },
  },
  {
    kind: 'write',
    name: 'edit_file',
    input: { path: PATH, edits: [{ position: 'start', content: 'First.\nSecond.' }] },
  },
);
const byLine = fc
  .record({
    kind: fc.constantFrom('replace', 'delete', 'insert'),
    number: fc.integer({ min: 1, max: 28 }),
  })
  .map((wish): Wish => wish as Wish);

type Action =
  | { do: 'step'; wishes: Wish[] }
  | { do: 'outside'; at: number; remove: number; add: string[] }
  | { do: 'revert' }
  | { do: 'restart' };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('step' as const),
      wishes: fc.array(
        fc.oneof(
          { weight: 4, arbitrary: look },
          { weight: 2, arbitrary: write },
          { weight: 5, arbitrary: byLine },
          { weight: 1, arbitrary: fc.constant<Wish>({ kind: 'overwrite' }) },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('outside' as const),
      at: fc.integer({ min: 0, max: 30 }),
      remove: fc.integer({ min: 0, max: 2 }),
      add: fc.array(line, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Action>({ do: 'revert' }, { do: 'restart' }) },
);

const isOpenText = (text: string) => !/^\uFEFF?$|\n$/.test(text);

/** @param isOpen whether the text ends without a final newline */
function linesOf(text: string, isOpen = isOpenText(text)): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return isOpen ? lines : lines.slice(0, -1);
}

/** What a careful reader of the results believes: the text last seen under each number. */
class Reader {
  /** Null: the number was named without its text. */
  readonly seen = new Map<number, string | null>();
  /** Lines of which the whole text was seen or written. */
  readonly known = new Set<string>();

  read(result: string): void {
    for (const row of result.split('\n')) {
      const [, number, text] =
        /^[ >+]? *(\d+): (.*)$/s.exec(row) ?? /^[ +] *(\d+) {2}(.*)$/s.exec(row) ?? [];
      if (number !== undefined && text !== undefined) {
        this.seen.set(Number(number), text);
        this.known.add(text.trim());
        continue;
      }
      const listed =
        /[(,] ?lines? ([\d, ]+)/.exec(row)?.[1] ?? /\.md:([\d,]+):/.exec(row)?.[1] ?? '';
      for (const each of listed.match(/\d+/g) ?? []) this.seen.set(Number(each), null);
    }
  }

  copy(): Reader {
    const copy = new Reader();
    for (const [number, text] of this.seen) copy.seen.set(number, text);
    for (const text of this.known) copy.known.add(text);
    return copy;
  }
}

const isCut = (text: string) => /…|characters\]/.test(text);

/** That the line that stood at this place is the one that was seen under the number. */
function expectSeen(seen: string | null | undefined, was: string | undefined, what: string): void {
  expect(seen, `${what} although the number was never shown`).not.toBe(undefined);
  if (seen === null || seen === undefined || isCut(seen)) return;
  expect(was?.trim(), what).toBe(seen.trim());
}

async function check(bench: MemoryBench, actions: readonly Action[]): Promise<void> {
  let conversation = 0;
  let reader = new Reader();
  let made = 0;
  const earlier = [bench.notes.text(PATH)];
  for (const each of actions) {
    if (each.do === 'restart') {
      conversation += 1;
      reader = new Reader();
      continue;
    }
    const raw = bench.notes.text(PATH);
    if (each.do === 'revert') {
      await bench.notes.change(PATH, raw, earlier[0] ?? raw);
      continue;
    }
    if (each.do === 'outside') {
      if (raw.includes('ai-edit')) continue;
      const lines = raw.split('\n');
      lines.splice(Math.min(each.at, lines.length), each.remove, ...each.add);
      await bench.notes.change(PATH, raw, lines.join('\n'));
      continue;
    }
    earlier.push(raw);
    const before = reader.copy();
    let text = await bench.textOf(PATH);
    const calls = each.wishes.map((wish): [string, object] => {
      switch (wish.kind) {
        case 'look':
        case 'write':
          return [wish.name, wish.input];
        case 'overwrite':
          return ['write_file', { path: PATH, content: `All new ${(made += 1)}.\n` }];
        default: {
          const content = wish.kind === 'delete' ? {} : { content: `Made ${(made += 1)}.` };
          const edits = [{ position: `${wish.kind}:${wish.number}`, ...content }];
          return ['edit_file', { path: PATH, edits }];
        }
      }
    });
    await bench.step(`conversation-${conversation}`, calls, async (result, index) => {
      const wish = each.wishes[index];
      const now = await bench.textOf(PATH);
      const was = linesOf(text);
      // An empty text is one empty line where the last line of an open text was deleted.
      const is =
        /^\uFEFF?$/.test(now) && was.length < 2
          ? []
          : linesOf(now, isOpenText(now) || isOpenText(text));
      const what = JSON.stringify(calls[index]);
      if (result.failed) expect(now, `${what} failed`).toBe(text);
      else if (wish?.kind === 'overwrite') {
        for (const one of was) {
          expect([...before.known], `${what} lost a line that was never shown`).toContain(
            one.trim(),
          );
        }
      } else if (wish && 'number' in wish) {
        const first = was.findIndex((one, at) => one !== is[at]);
        const at = first < 0 ? was.length : first;
        const seen = before.seen.get(wish.number);
        // Behind the last line that was shown, a place goes with that line.
        const isBelow = wish.kind === 'insert' && seen === undefined;
        if (was.length === 0) expect(wish, what).toMatchObject({ kind: 'insert', number: 1 });
        else if (isBelow) expectSeen(before.seen.get(wish.number - 1), was[at - 1], what);
        else expectSeen(seen, was[at], what);
        expect(is.length - was.length, what).toBe(
          wish.kind === 'replace' ? 0 : wish.kind === 'insert' ? 1 : -1,
        );
      }
      if (!result.failed && wish?.kind === 'overwrite') {
        // Numbers of a text that it replaced itself mean nothing to the model.
        before.seen.clear();
        reader.seen.clear();
      }
      reader.read(result.text);
      if (!result.failed && (wish?.kind === 'write' || wish?.kind === 'overwrite')) {
        // What the model wrote itself it knows.
        for (const one of is) if (!was.includes(one)) before.known.add(one.trim());
        for (const one of is) if (!was.includes(one)) reader.known.add(one.trim());
      }
      if (!result.failed && wish && 'number' in wish) {
        for (const one of is) if (!was.includes(one)) before.known.add(one.trim());
      }
      text = now;
    });
  }
}

test.each<Mode>(['apply', 'review'])(
  'in %s mode, an edit by line number changes the line that was last shown under that number, or nothing',
  async (panelMode) => {
    await fc.assert(
      fc.asyncProperty(note, fc.array(action, { minLength: 2, maxLength: 12 }), (text, actions) =>
        check(
          memoryBench({ [PATH]: text, 'Lisa.md': '# Lisa\n' }, { settings: { panelMode } }),
          actions,
        ),
      ),
      cases,
    );
  },
);
