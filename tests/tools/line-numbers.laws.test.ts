/**
 * Whatever tools were called before, an edit by line number changes the line last shown under that
 * number, or nothing. A note can be overwritten if and only if all of its text was shown.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeId } from '#model/ids';
import type { CallResult } from '#model/message';
import type { Mode } from '#model/setting-choices';
import { decideEdits } from '#model/edit/edit-decisions';
import { ANY_DEVICE, readEdits } from '#model/edit/note-edits';
import { undoChanges } from '#edits/undo';
import { chosenChanges } from '#edits/undo-plan';
import { memoryBench, type MemoryBench } from '#tests/builders/tools';
import { cases, CASES_TIMEOUT_MS, leastCount } from '#tests/cases';

const PATHS = ['Notes/Plan.md', 'Archive/Old/Plan.md'] as const;
const [PATH, OTHER_PATH] = PATHS;

/** Typical lines of notes. Some occur often, as in real notes. */
const WORDS = ['bread', 'milk', 'eggs', 'Call Lisa', 'soil', ''] as const;
const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS.map((word) => `- ${word}`)) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }).map((number) => `- [ ] task ${number}`) },
  { weight: 2, arbitrary: fc.constantFrom('# Plan', '## Later', '## Soon', '') },
  { weight: 2, arbitrary: fc.constantFrom('| a | b |', '| - | - |', '> a quote', '[[Lisa]]') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Setext', '===', '> quote', '    code', '[[Gone]] [x](No.md)'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        `- ${'long '.repeat(120)}end`,
        `bread ${'very long '.repeat(260)}task`,
        '\u2028 odd',
        '- é 😀',
      ],
    ),
  },
);

interface Note {
  readonly lines: readonly string[];
  readonly unique: boolean;
  readonly front: boolean;
  readonly ending: '\n' | '\r\n';
  readonly isOpen: boolean;
  readonly mark: boolean;
}

const note: fc.Arbitrary<Note> = fc.record({
  lines: fc.array(line, { maxLength: 24 }),
  unique: fc.boolean(),
  front: fc.boolean(),
  ending: fc.constantFrom('\n' as const, '\r\n' as const),
  isOpen: fc.boolean(),
  mark: fc.boolean(),
});

function textOfNote({ lines, unique, front, ending, isOpen, mark }: Note): string {
  const body = unique ? lines.map((each, at) => `${each} (${at})`) : lines;
  const all = [...(front ? ['---', 'tags:', '  - food', '---'] : []), ...body];
  const text = all.join(ending) + (isOpen || all.length === 0 ? '' : ending);
  return (mark && text !== '' ? '\uFEFF' : '') + text;
}

/** A call of the model; `number` is a line number. */
type Wish =
  | { kind: 'look'; name: string; input: object }
  | { kind: 'write'; name: string; input: object }
  | { kind: 'move' }
  | { kind: 'replace' | 'delete' | 'insert'; number: number; isSeen: boolean }
  | { kind: 'overwrite' };

const range = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 20 }))
  .map(([start, more]) => ({ path: PATH, start_line: start, end_line: start + more }))
  .map((input): Wish => ({ kind: 'look', name: 'read_file', input }));
const whole = fc.constant<Wish>({ kind: 'look', name: 'read_file', input: { path: PATH } });
const look = fc.oneof(
  range,
  fc.constantFrom<Wish>(
    { kind: 'look', name: 'read_file', input: { path: PATH } },
    { kind: 'look', name: 'read_file', input: { paths: ['Lisa.md', PATH] } },
    { kind: 'look', name: 'get_file_info', input: { path: PATH } },
    { kind: 'look', name: 'get_links', input: { path: PATH } },
    { kind: 'look', name: 'get_links', input: { path: 'Lisa.md', direction: 'in' } },
    { kind: 'look', name: 'find_dead_links', input: {} },
    { kind: 'look', name: 'query_notes', input: { tasks: 'open' } },
    { kind: 'look', name: 'query_notes', input: { tasks: 'open', limit: 1, sort: 'name' } },
    { kind: 'look', name: 'search_vault', input: { query: 'bread' } },
    { kind: 'look', name: 'search_vault', input: { query: 'milk', include_content: true } },
    { kind: 'look', name: 'search_files', input: { pattern: 'e', max_results: 2 } },
    { kind: 'look', name: 'search_files', input: { pattern: 'task', context_lines: 0 } },
    { kind: 'look', name: 'get_context', input: {} },
    { kind: 'look', name: 'open_note', input: { path: PATH, line: 3 } },
  ),
  fc
    .constantFrom('bread', 'task', 'e', 'Later')
    .map((pattern): Wish => ({ kind: 'look', name: 'search_files', input: { pattern } })),
);
const edit = (...edits: object[]): Wish => ({
  kind: 'write',
  name: 'edit_file',
  input: { path: PATH, edits },
});
const write = fc.constantFrom<Wish>(
  { kind: 'write', name: 'update_properties', input: { path: PATH, set: { status: 'open' } } },
  { kind: 'write', name: 'update_properties', input: { path: PATH, remove: ['status'] } },
  { kind: 'write', name: 'add_tags', input: { path: PATH, tags: ['garden'] } },
  { kind: 'write', name: 'link_notes', input: { source: PATH, target: 'Lisa.md' } },
  {
    kind: 'write',
    name: 'link_notes',
    input: { source: PATH, target: 'Lisa.md', text: 'her', context: 'eggs' },
  },
  edit({ old_text: 'bread', new_text: 'rye\n- rolls' }),
  edit({ old_text: 'e', new_text: 'E', replace_all: true }),
  edit({ position: 'start', content: 'First.\nSecond.' }),
  edit({ position: 'end-of:## Later', content: '- [ ] later' }),
  { kind: 'move' },
);
/** `isSeen` replaces the number by one that was shown, if any was. */
const byLine = fc
  .record({
    kind: fc.constantFrom('replace', 'delete', 'insert'),
    number: fc.integer({ min: 1, max: 28 }),
    isSeen: fc.nat(3).map((one) => one > 0),
  })
  .map((wish): Wish => wish as Wish);

type Action =
  | { do: 'step'; wishes: Wish[] }
  | { do: 'outside'; at: number; remove: number; add: string[] }
  | { do: 'decide'; which: number; choice: 'accept' | 'reject' | 'amend' }
  | { do: 'revert' | 'undo' | 'move' | 'lf' }
  | { do: 'conversation' | 'restart' | 'compact' };

const outside = fc.record({
  do: fc.constant('outside' as const),
  at: fc.integer({ min: 0, max: 30 }),
  remove: fc.integer({ min: 0, max: 2 }),
  add: fc.array(line, { maxLength: 2 }),
});
const stepOf = (...wishes: fc.WeightedArbitrary<Wish>[]) =>
  fc.record({
    do: fc.constant('step' as const),
    wishes: fc.array(fc.oneof(...wishes), { minLength: 1, maxLength: 3 }),
  });
const step = stepOf(
  { weight: 4, arbitrary: look },
  { weight: 2, arbitrary: whole },
  { weight: 2, arbitrary: write },
  { weight: 6, arbitrary: byLine },
  { weight: 1, arbitrary: fc.constant<Wish>({ kind: 'overwrite' }) },
);
const byUser = fc.constantFrom<Action>(
  { do: 'revert' },
  { do: 'undo' },
  { do: 'undo' },
  { do: 'move' },
  { do: 'lf' },
);
const memory = fc.constantFrom<Action>(
  { do: 'conversation' },
  { do: 'restart' },
  { do: 'compact' },
);
const decision = fc.record({
  do: fc.constant('decide' as const),
  which: fc.nat(3),
  choice: fc.constantFrom('accept' as const, 'reject' as const, 'amend' as const),
});

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 12, arbitrary: step },
  { weight: 4, arbitrary: outside },
  { weight: 3, arbitrary: byUser },
  { weight: 2, arbitrary: decision },
  { weight: 2, arbitrary: memory },
);

const withoutMark = (text: string) => text.replace(/^\uFEFF/, '');

const isOpenText = (text: string) => !/^\uFEFF?$|\n$/.test(text);

/** @param isOpen whether the text ends without a final newline */
function linesOf(text: string, isOpen = isOpenText(text)): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return isOpen ? lines : lines.slice(0, -1);
}

/** What a careful reader of the results knows: the text last seen under each number. */
class Reader {
  /** Null if the number was shown without its text. */
  readonly seen = new Map<number, string | null>();
  /** Lines that were seen or written in full. */
  readonly known = new Set<string>();

  /** What each result printed, in order; kept with the conversation. */
  #prints: { path: string; text: string; of: Reader }[] = [];

  /** The text that the results of this step show, and the line numbers they show with text. */
  #shown = { text: '', numbers: new Set<number>() };

  beginStep(): void {
    this.#shown = { text: '', numbers: new Set() };
  }

  /**
   * @param path the note that the reader follows; a result may also be about others
   * @param text of the note at the time of the result
   */
  read(result: string, path: string, text: string): void {
    if (text !== this.#shown.text) this.#shown = { text, numbers: new Set() };
    this.#readRows(result, path);
    const of = new Reader();
    of.#readRows(result, path);
    if (of.seen.size > 0) this.#prints.push({ path, text: withoutMark(text), of });
    const { length } = linesOf(text);
    // If every line was shown, no other line number exists.
    if (length === 0 || ![...Array(length).keys()].every((at) => this.#shown.numbers.has(at + 1)))
      return;
    for (const number of this.seen.keys()) if (number > length) this.seen.delete(number);
  }

  #readRows(result: string, path: string): void {
    let isOther = false;
    for (const row of result.split('\n')) {
      const [, number, text] =
        /^[ >+]? *(\d+): (.*)$/s.exec(row) ?? /^[ +] *(\d+) {2}(.*)$/s.exec(row) ?? [];
      if (number !== undefined && text !== undefined) {
        if (isOther) continue;
        this.seen.set(Number(number), text);
        this.#shown.numbers.add(Number(number));
        this.known.add(text);
        continue;
      }
      const header = /^(?:.*: )?((?:Notes|Archive|Lisa)[\w/]*\.md) \(/.exec(row)?.[1];
      if (header !== undefined) isOther = header !== path;
      if (header !== undefined && !row.includes(', line ')) continue;
      const named = [...row.matchAll(/[(,] ?lines? ([\d, ]+)/g)].map(([, each]) => each).join(',');
      const listed =
        (named || null) ?? /\.md:([\d,]+):/.exec(row)?.[1] ?? /at line (\d+)/.exec(row)?.[1] ?? '';
      for (const each of listed.match(/\d+/g) ?? []) this.name(Number(each));
      const known = /you have seen lines? ([\d, -]+)/.exec(row)?.[1] ?? '';
      for (const [, from, to = from] of known.matchAll(/(\d+)(?:-(\d+))?/g)) {
        for (let each = Number(from); each <= Number(to); each += 1) this.name(each);
      }
    }
  }

  /** Nothing that was printed before counts any more. */
  forget(path: string): void {
    this.seen.clear();
    this.#prints.push({ path, text: '\0', of: new Reader() });
  }

  /** What it knows after a restart: what was printed last, if that is of the note as it is. */
  restarted(path: string, text: string): Reader {
    const last = this.#prints.findLastIndex(
      (each) => each.path !== path || each.text !== withoutMark(text),
    );
    const reader = new Reader();
    for (const { of } of this.#prints.slice(last + 1)) {
      for (const [number, line] of of.seen) {
        if (line === null) reader.name(number);
        else reader.seen.set(number, line);
      }
      for (const line of of.known) reader.known.add(line);
    }
    reader.#prints = this.#prints;
    return reader;
  }

  /** A number without text does not replace the text seen under it before. */
  name(number: number): void {
    if (!this.seen.has(number)) this.seen.set(number, null);
  }

  copy(): Reader {
    const copy = new Reader();
    for (const [number, text] of this.seen) copy.seen.set(number, text);
    for (const text of this.known) copy.known.add(text);
    return copy;
  }
}

function seenNumber(wish: Wish, { seen }: Reader): Wish {
  if (!('number' in wish) || !wish.isSeen || seen.size === 0) return wish;
  return { ...wish, number: [...seen.keys()][wish.number % seen.size] ?? wish.number };
}

const isCut = (text: string) => /…|characters\]/.test(text);

/** Whether a line, from 0, is the one that was shown. */
function isSeen(seen: string | null | undefined, lines: readonly string[], at: number): boolean {
  if (seen === undefined) return false;
  if (seen === null || isCut(seen)) return true;
  // An outline shows a heading that is underlined as if it began with "#".
  const isUnderlined = /^(?:=+|-+) *$/.test(lines[at + 1] ?? '');
  const shown = isUnderlined ? seen.replace(/^#+ (?!#)/, '') : seen;
  return [seen.trim(), shown.trim()].includes(lines[at]?.trim() ?? '\0');
}

/** The lines, from 0, at which this edit makes one text of the other, but for added blank lines. */
function placesOf(
  kind: 'replace' | 'delete' | 'insert',
  call: string,
  was: readonly string[],
  is: readonly string[],
): number[] {
  const [, { edits }] = JSON.parse(call) as [string, { edits: { content?: string }[] }];
  const added = edits.flatMap(({ content }) => content ?? []);
  const cut = kind === 'insert' ? 0 : 1;
  return Array.from({ length: was.length + 1 - cut }, (_, at) => at).filter((at) =>
    isButForBlanks([...was.slice(0, at), ...added, ...was.slice(at + cut)], is),
  );
}

function isButForBlanks(lines: readonly string[], is: readonly string[]): boolean {
  const plain = (line: string | undefined) => line?.replace(/^\uFEFF/, '');
  let next = 0;
  for (const line of is) {
    if (next < lines.length && plain(line) === plain(lines[next])) next += 1;
    else if (plain(line)?.trim() !== '') return false;
  }
  return next === lines.length;
}

/** Runs actions on a note and checks each edit by line number. */
class Trial {
  readonly #bench: MemoryBench;
  #path: string = PATH;
  #conversation = 0;
  #reader = new Reader();
  #made = 0;
  /** Path of the note at the last restart, after which the model has not gone on; or else null. */
  #restartedAt: string | null = null;
  readonly #earlier: string[];
  /** Numbers of notes that were overwritten, and of refusals to do so. */
  overwritten = 0;
  refused = 0;
  /** Number of successful edits by line. */
  edited = 0;

  /** @param isExact true if all lines differ, so that it is certain which of them were shown */
  constructor(
    panelMode: Mode,
    text: string,
    readonly isExact: boolean,
  ) {
    const files = { 'Archive/Old/A.md': '- [ ] task\n', [PATH]: text, 'Lisa.md': '# Lisa\n' };
    this.#bench = memoryBench(files, { settings: { panelMode } });
    this.#earlier = [text];
  }

  async run(actions: readonly Action[]): Promise<void> {
    for (const each of actions) await this.#act(each);
  }

  async #act(each: Action): Promise<void> {
    const { notes } = this.#bench;
    const raw = notes.text(this.#path);
    const change = (text: string) => notes.change(this.#path, raw, text);
    switch (each.do) {
      case 'step':
        return this.#step(each.wishes);
      case 'outside':
        return this.#outside(each, raw);
      case 'decide': {
        const { which, choice } = each;
        let count = 0;
        const { text } = decideEdits(readEdits(raw, ANY_DEVICE), ({ after }) => {
          count += 1;
          if (count !== which + 1) return 'keep';
          return choice === 'amend' ? { amend: `Amended.\n${after}` } : choice;
        });
        await change(text);
        return;
      }
      case 'revert':
        await change(this.#earlier[0] ?? raw);
        return;
      case 'lf':
        await change(raw.replaceAll('\r\n', '\n'));
        return;
      case 'undo':
        return this.#undo();
      case 'move':
        await notes.move(this.#path, this.#path === PATH ? OTHER_PATH : PATH);
        return this.#findPath();
      case 'conversation':
        this.#conversation += 1;
        break;
      case 'restart':
        this.#bench.restart();
        this.#restartedAt ??= this.#path;
        return;
      case 'compact':
        this.#bench.compact(this.#name);
    }
    this.#reader = new Reader();
  }

  get #name(): string {
    return `conversation-${this.#conversation}`;
  }

  #findPath(): void {
    this.#path = PATHS.find((path) => this.#bench.notes.get(path)) ?? PATH;
  }

  async #outside({ at, remove, add }: Extract<Action, { do: 'outside' }>, raw: string) {
    if (raw.includes('ai-edit')) return;
    const lines = raw.split('\n');
    const unique = this.isExact ? add.map((each) => `${each} [${(this.#made += 1)}]`) : add;
    // "---" occurs twice in front matter, so it is not certain which one was shown.
    const front = this.isExact ? Math.max(0, lines.indexOf('---', 1) + 1) : 0;
    lines.splice(Math.min(Math.max(at, front), lines.length), remove, ...unique);
    // Without its last line, a text does not end with half of a line ending.
    await this.#bench.notes.change(this.#path, raw, lines.join('\n').replace(/\r$/, ''));
  }

  async #undo(): Promise<void> {
    const { changeLog, notes, metadata } = this.#bench;
    const list = await changeLog.changes();
    const last = list.all().findLast(({ act }) => act === null);
    if (!last) return;
    const chosen = chosenChanges(
      { change: last.id },
      list,
      (path) => notes.get(path) !== undefined,
    );
    if (typeof chosen === 'string') return;
    const mintChange = () => `undo-${(this.#made += 1)}` as ChangeId;
    await undoChanges(chosen, list, {
      ...{ changeLog, notes, metadata, mintChange },
      now: () => 1,
    });
    this.#findPath();
  }

  #call(wish: Wish): [string, object] {
    const path = this.#path;
    switch (wish.kind) {
      case 'look':
      case 'write':
        return [wish.name, JSON.parse(JSON.stringify(wish.input).replaceAll(PATH, path)) as object];
      case 'move':
        return ['move', { source: path, destination: path === PATH ? OTHER_PATH : PATH }];
      case 'overwrite':
        return ['write_file', { path, content: `All new ${(this.#made += 1)}.\n` }];
      default: {
        const content = wish.kind === 'delete' ? {} : { content: `Made ${(this.#made += 1)}.` };
        return [
          'edit_file',
          { path, edits: [{ position: `${wish.kind}:${wish.number}`, ...content }] },
        ];
      }
    }
  }

  async #step(all: readonly Wish[]): Promise<void> {
    const path = this.#restartedAt;
    if (path !== null) {
      // The note is compared when the model goes on; the user may have changed it until then.
      this.#reader = this.#reader.restarted(path, await this.#bench.textOf(this.#path));
      this.#restartedAt = null;
    }
    // After a move, calls with the old path would mean a note that does not exist.
    const move = all.findIndex(({ kind }) => kind === 'move');
    const before = this.#reader.copy();
    const wishes = (move < 0 ? all : all.slice(0, move + 1)).map((wish) =>
      seenNumber(wish, before),
    );
    this.#earlier.push(this.#bench.notes.text(this.#path));
    this.#reader.beginStep();
    let text = await this.#bench.textOf(this.#path);
    const calls = wishes.map((wish) => this.#call(wish));
    this.#bench.activeNote = this.#path;
    await this.#bench.step(this.#name, calls, async (result, index) => {
      this.#findPath();
      const now = await this.#bench.textOf(this.#path);
      const wish = wishes[index];
      if (wish) this.#judge(wish, JSON.stringify(calls[index]), result, [text, now], before);
      text = now;
    });
  }

  #judge(
    wish: Wish,
    what: string,
    result: CallResult,
    [text, now]: readonly [string, string],
    before: Reader,
  ): void {
    const was = linesOf(text);
    // Deleting the only line of a text without a final newline leaves an empty text, not an empty
    // line.
    const is =
      /^\uFEFF?$/.test(now) && was.length < 2
        ? []
        : linesOf(now, isOpenText(now) || isOpenText(text));
    if (wish.kind === 'overwrite') this.#judgeOverwriting(was, what, result, before);
    if (result.failed) expect(now, `${what} failed`).toBe(text);
    else if ('number' in wish) {
      this.edited += 1;
      const seen = before.seen.get(wish.number);
      // The position after the last line that was shown follows that line.
      const isBelow = wish.kind === 'insert' && seen === undefined;
      const [shown, shift] = isBelow ? [before.seen.get(wish.number - 1), 1] : [seen, 0];
      const places = placesOf(wish.kind, what, was, is);
      const place = places.find((at) => isSeen(shown, was, at - shift)) ?? places[0];
      expect(place, `${what} changed other lines: ${JSON.stringify([was, is])}`).toBeDefined();
      if (was.length === 0) expect(wish, what).toMatchObject({ kind: 'insert', number: 1 });
      else {
        expect(shown, `${what} although the number was never shown`).not.toBe(undefined);
        expect(isSeen(shown, was, (place ?? 0) - shift), `${what}: ${was.join('|')}`).toBe(true);
      }
    }
    if (!result.failed && wish.kind === 'overwrite') {
      // Line numbers of a text that the model itself replaced mean nothing.
      before.seen.clear();
      this.#reader.forget(this.#path);
    }
    this.#reader.read(result.text, this.#path, now);
    if (result.failed || wish.kind === 'look') return;
    // The model knows what it wrote, unless it replaced a line that it did not know.
    const knew = (one: string) => wish.kind === 'overwrite' || before.known.has(one);
    const made = linesOf(now);
    const isNew = (at: number) => made[at] !== undefined && !was.includes(made[at]);
    const replacedAt = (at: number): string[] => {
      if (was.length !== made.length) return was.filter((one) => !made.includes(one));
      let [from, to] = [at, at + 1];
      while (isNew(from - 1)) from -= 1;
      while (isNew(to)) to += 1;
      return was.slice(from, to);
    };
    for (const [at, one] of made.entries()) {
      if (!isNew(at) || !replacedAt(at).every(knew)) continue;
      before.known.add(one);
      this.#reader.known.add(one);
    }
  }

  #judgeOverwriting(
    was: readonly string[],
    what: string,
    result: CallResult,
    before: Reader,
  ): void {
    const unknown = was.filter((one) => !before.known.has(one));
    if (!result.failed) {
      this.overwritten += 1;
      expect(unknown, `${what} lost lines that were never shown`).toEqual([]);
      return;
    }
    this.refused += 1;
    if (this.isExact && new Set(was).size === was.length) {
      expect(unknown, `${what} was refused: ${result.text}`).not.toEqual([]);
    }
  }
}

const MODES: readonly Mode[] = ['apply', 'review'];

test.each(MODES)(
  'in %s mode, an edit by line number changes the line last shown under that number, or nothing',
  async (mode) => {
    let withEdit = 0;
    const actions = fc.array(action, { minLength: 4, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(note, actions, async (made, acts) => {
        const trial = new Trial(mode, textOfNote(made), false);
        await trial.run(acts);
        if (trial.edited > 0) withEdit += 1;
      }),
      cases,
    );
    // The law says nothing about refused edits. Measured: 53 % of 16,000 cases have an edit.
    expect(withEdit).toBeGreaterThanOrEqual(leastCount(0.48));
  },
  CASES_TIMEOUT_MS,
);

test.each(MODES)(
  'in %s mode, a note can be overwritten if and only if the model knows each of its lines in full',
  async (mode) => {
    let withOverwritten = 0;
    let withRefused = 0;
    const often = stepOf(
      { weight: 6, arbitrary: look },
      { weight: 3, arbitrary: whole },
      { weight: 3, arbitrary: range },
      { weight: 2, arbitrary: write },
      { weight: 1, arbitrary: byLine },
      { weight: 5, arbitrary: fc.constant<Wish>({ kind: 'overwrite' }) },
    );
    const each = fc.oneof(
      { weight: 10, arbitrary: often },
      { weight: 3, arbitrary: outside },
      { weight: 1, arbitrary: byUser },
      { weight: 1, arbitrary: memory },
    );
    const actions = fc.array(each, { minLength: 4, maxLength: 12 });
    const unique = note.map((made) => ({ ...made, unique: true, front: false }));
    await fc.assert(
      fc.asyncProperty(unique, actions, async (made, acts) => {
        const trial = new Trial(mode, textOfNote(made), true);
        await trial.run(acts);
        if (trial.overwritten > 0) withOverwritten += 1;
        if (trial.refused > 0) withRefused += 1;
      }),
      cases,
    );
    // Each half of the law needs cases. Measured: 48 % of 16,000 cases have a note that was
    // overwritten, and 68 % one that was not.
    expect(withOverwritten).toBeGreaterThanOrEqual(leastCount(0.43));
    expect(withRefused).toBeGreaterThanOrEqual(leastCount(0.6));
  },
  CASES_TIMEOUT_MS,
);
