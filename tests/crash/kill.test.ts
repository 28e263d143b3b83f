/**
 * Kills the program at many moments of a turn and restarts it. The files must show that the request
 * was answered and every change made exactly once, and that no note was cut off or touched
 * otherwise.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Change, ChangeFate } from '#model/change';
import type { EventType } from '#model/event';
import { sampled } from '#tests/builders/sampled';
import { persistent, verdictOf, type PlannedCall } from '#workbench/model/scripted';
import { startModelServer, type ModelServer } from '#workbench/model/server';
import {
  Headless,
  INBOX,
  PLUGIN,
  isEvent,
  isReplyTo,
  linesOf,
  makeVault,
  namesIn,
  visibleFilesIn,
  readFileIn,
  recordedOf,
  until,
  type Line,
} from '#tests/headless/driver';

const LINE = '- oat milk, the one line of its kind';
const MARK = 'The mark stands in the middle.';
const CHANGED = 'Here the mark stood; it is gone.';
const paragraph = (number: number) =>
  `Paragraph ${number}: coûteux, 長い, 🙂 and so on and on.\n\n`;
const half = (from: number) =>
  Array.from({ length: 1600 }, (_, at) => paragraph(from + at)).join('');
const LARGE = `${half(0)}${MARK}\n\n${half(1600)}`;
// Characters of three bytes, so that chunks end within them.
const NEW = `# Plan\n\n${'計画は長い。'.repeat(120)}\n`;

const FILES = {
  'Inbox/Idea.md': '# Idea\n\nBeans in May.\n',
  'Lists/Shopping.md': '# Shopping\n\n- bread\n',
  'Notes/Large.md': LARGE,
  'Notes/Other.md': 'See [[Idea]] and [[Shopping]].\n',
};
const AFTER = {
  'Lists/Shopping.md': `# Shopping\n\n- bread\n${LINE}\n`,
  'Notes/Large.md': LARGE.replace(MARK, CHANGED),
  'Notes/New.md': NEW,
  'Notes/Other.md': FILES['Notes/Other.md'],
  'Projects/Idea.md': FILES['Inbox/Idea.md'],
};

const CALLS: readonly PlannedCall[] = [
  { name: 'list_files', input: { pattern: '*shopping*' } },
  { name: 'search_files', input: { pattern: 'bread' } },
  { name: 'read_file', input: { path: 'Lists/Shopping.md' } },
  {
    name: 'edit_file',
    input: { path: 'Lists/Shopping.md', edits: [{ position: 'end', content: LINE }] },
  },
  { name: 'write_file', input: { path: 'Notes/New.md', content: NEW } },
  {
    name: 'edit_file',
    input: { path: 'Notes/Large.md', edits: [{ old_text: MARK, new_text: CHANGED }] },
  },
  { name: 'move', input: { source: 'Inbox/Idea.md', destination: 'Projects/' } },
  { name: 'create_folder', input: { path: 'Archive/2026' } },
];
const DONE: PlannedCall = {
  name: 'done',
  input: { summary: 'All calls were made.', outcome: 'done' },
};
const LAST = CALLS.length + 1;

/**
 * Waits for a moment and kills the program. Takes the vault, because the moment may be a state of
 * the disk.
 */
type Strike = (headless: Headless, vault: string) => Promise<void>;
interface Moment {
  readonly name: string;
  readonly strike: Strike;
  /** Kills after the first restart, one for each further start. */
  readonly again?: readonly Strike[];
  readonly pieces?: { readonly bytes: number; readonly pauseMs: number };
  readonly perStep?: number;
}

const at = (fits: (line: Line) => boolean, delay?: number): Strike => {
  return (headless) => headless.killAt(fits, delay);
};
const inStep = (type: 'step-start' | 'step-end', step: number) =>
  isEvent(type, (event) => event.step === step);
const CALL_EVENTS = ['call-start', 'call-end'] as const;
/** Event of the n-th call of the script, if each step makes one call. */
const ofCall = (type: 'call-start' | 'call-end', number: number) =>
  isEvent(type, (event) => event.call.split('.')[1] === String(number));
const whileNote = (name: string, isSo: (text: string | null) => boolean): Strike => {
  return async (headless, vault) => {
    await until(() => isSo(readFileIn(vault, name)), `${name} in the middle of its writing`);
    await headless.kill();
  };
};
const isEmpty = (text: string | null) => text === '';
const isBegun = (text: string | null) => text !== null && text !== '';
const isCut = (whole: string) => (text: string | null) =>
  isBegun(text) && text!.length < whole.length;

const single = (...types: EventType[]): Moment[] =>
  types.map((type) => ({ name: `at ${type}`, strike: at(isEvent(type)) }));
const delayed = (name: string, fits: (line: Line) => boolean, ...delays: number[]): Moment[] =>
  delays.map((delay) => ({ name: `${delay} ms after ${name}`, strike: at(fits, delay) }));

const SHOPPING = { bytes: 10, pauseMs: 40 };
const FRESH = { bytes: 500, pauseMs: 40 };
const BIG = { bytes: 30_001, pauseMs: 120 };

const MOMENTS: readonly Moment[] = [
  ...[0, 3].map((delay) => ({
    name: `${delay} ms after send, before its reply is seen`,
    strike: async (headless: Headless) => {
      await sleep(delay);
      await headless.kill();
    },
  })),
  { name: 'at the reply to send', strike: at(isReplyTo('send')) },
  ...single('conversation-start', 'prompt-set', 'turn-start'),
  ...[1, 4].map((step) => ({
    name: `at the start of step ${step}`,
    strike: at(inStep('step-start', step)),
  })),
  {
    name: 'when a step has said why',
    strike: at(isEvent('part-end', ({ step, part }) => step === 4 && part.type === 'text')),
  },
  {
    name: 'when a step has made its call',
    strike: at(isEvent('part-end', ({ step, part }) => step === 4 && part.type === 'call')),
  },
  ...[5, LAST].map((step) => ({
    name: `at the end of step ${step}`,
    strike: at(inStep('step-end', step)),
  })),
  ...[...CALLS, DONE].flatMap(({ name }, index) =>
    (name === 'list_files' || name === 'search_files' ? [] : CALL_EVENTS).map((type) => ({
      name: `at ${type} of call ${index + 1}, ${name}`,
      strike: at(ofCall(type, index + 1)),
    })),
  ),
  ...single('turn-end'),
  ...delayed('the end of the turn', isEvent('turn-end'), 2),
  ...delayed('the reply to send', isReplyTo('send'), 2, 12),
  ...delayed('the start of a small edit', ofCall('call-start', 4), 1, 4),
  ...delayed('the start of a new note', ofCall('call-start', 5), 3),
  ...delayed('the start of a large edit', ofCall('call-start', 6), 4, 12),
  ...delayed('the start of a move', ofCall('call-start', 7), 3),
  {
    name: 'at the first of several reads side by side',
    perStep: 3,
    strike: at(isEvent('call-start')),
  },
  {
    name: 'between two changes of one step',
    perStep: 6,
    strike: at(isEvent('call-end', ({ result }) => result.details?.kind === 'changes')),
  },
  {
    name: 'while a small note is empty',
    pieces: SHOPPING,
    strike: whileNote('Lists/Shopping.md', isEmpty),
  },
  {
    name: 'while a small note is half written',
    pieces: SHOPPING,
    strike: whileNote('Lists/Shopping.md', (text) => text!.length === 10),
  },
  {
    name: 'while a small note reads as before in the middle of its writing',
    pieces: { bytes: FILES['Lists/Shopping.md'].length, pauseMs: 60 },
    strike: async (headless, vault) => {
      await until(() => isEmpty(readFileIn(vault, 'Lists/Shopping.md')), 'the writing');
      await whileNote('Lists/Shopping.md', isBegun)(headless, vault);
    },
  },
  { name: 'while a new note is empty', pieces: FRESH, strike: whileNote('Notes/New.md', isEmpty) },
  {
    name: 'while a new note ends inside a sign',
    pieces: FRESH,
    strike: whileNote('Notes/New.md', (text) => text?.endsWith('\uFFFD') ?? false),
  },
  {
    name: 'while a large note is empty',
    pieces: BIG,
    strike: whileNote('Notes/Large.md', isEmpty),
  },
  {
    name: 'while a large note is half written',
    pieces: BIG,
    strike: whileNote('Notes/Large.md', isCut(LARGE)),
  },
  {
    name: 'while a large note is written, and while that is being finished',
    pieces: BIG,
    strike: whileNote('Notes/Large.md', isCut(LARGE)),
    again: [
      whileNote('Notes/Large.md', isEmpty),
      whileNote('Notes/Large.md', (text) => isCut(LARGE)(text) && text!.length > 60_000),
    ],
  },
  {
    name: 'again and again, at each change',
    strike: at(ofCall('call-start', 4)),
    again: [
      at(isEvent('call-end', ({ result }) => result.details?.kind === 'changes')),
      at(isEvent('call-start')),
      at(isEvent('step-end')),
      at(isEvent('call-start'), 4),
    ],
  },
];

describe.concurrent('Killing the program during a turn', () => {
  test.each(sampled(MOMENTS, 3))(
    'a turn is completed exactly once when the program is killed $name',
    async (moment) => {
      await oneOfTwo(() => killAndGoOn(moment));
    },
  );
});

const SEND = JSON.stringify({ cmd: 'send', text: 'Put my notes in order.' });

describe('Killing the program during a move', () => {
  const filler = 'Much else, in 長い lines, and [another](Lists/Shopping.md).\n'.repeat(400);
  const linked = (place: string) =>
    `[[${place}]] first.\n${filler}Then [[${place}|mine]], and at last:\n\n[[${place}]]`;
  const files = { ...FILES, 'Notes/Linked.md': linked('Inbox/Idea') };
  const move = CALLS.filter(({ name }) => name === 'move');

  test.each([
    ['while a note that links to it is empty', isEmpty],
    ['while a note that links to it is half written', isCut(linked('Idea'))],
    ['when all links are written', (text: string | null) => text === linked('Idea')],
  ] as const)('a move is completed when the program is killed %s', async (_name, isSo) => {
    const server = await startModelServer({ respond: persistent(move) });
    const vault = makeVault(files);
    const pieces = { bytes: 10_001, pauseMs: 40 };
    const first = await Headless.start(vault, { apiUrl: server.url, pieces });
    first.write(SEND);
    await whileNote('Notes/Linked.md', (text) => text !== linked('Inbox/Idea') && isSo(text))(
      first,
      vault,
    );
    // A kill after the last link may come after the end of the call, which the file shows.
    const wasRecorded = recordedOf(vault, 'call-end').length > 0;
    const last = await Headless.start(vault, { apiUrl: server.url });
    await last.settled();
    const { 'Notes/Linked.md': now, ...others } = visibleFilesIn(vault);
    const { 'Inbox/Idea.md': idea, ...rest } = FILES;
    expect(others).toEqual({ ...rest, 'Projects/Idea.md': idea });
    const isRewritten = now === linked('Idea');
    expect(isRewritten || now === linked('Inbox/Idea')).toBe(true);
    const [result] = recordedOf(vault, 'call-end').map((event) => event.result.text);
    expect(result).toMatch(
      wasRecorded ? /^Moved Inbox\/Idea\.md/ : /^Done: move had changed Inbox\/Idea\.md/,
    );
    expect(result?.includes('Notes/Linked.md')).toBe(!isRewritten);
    expect(recordedOf(vault, 'turn-end')).toHaveLength(1);
    expect(server.violations).toEqual([]);
    await server.close();
  });
});

async function killAndGoOn({ strike, again = [], pieces, perStep = 1 }: Moment): Promise<void> {
  const server = await startModelServer({ respond: persistent(CALLS, { perStep }) });
  try {
    const vault = makeVault(FILES);
    const options = { apiUrl: server.url, settings: { stepsPerTurn: 30 } };
    const slow = { ...options, ...(pieces ? { pieces } : {}) };
    const first = await Headless.start(vault, slow);
    first.write(SEND);
    await strike(first, vault);
    for (const next of again) await next(await Headless.launch(vault, slow), vault);
    const last = await Headless.start(vault, options);
    // A client repeats its request if it got no reply and the request was not saved.
    const isKnown = namesIn(vault, INBOX).length > 0 || recordedOf(vault, 'turn-start').length > 0;
    if (!isKnown) {
      expect(first.lines.some(isReplyTo('send'))).toBe(false);
      last.write(SEND);
    }
    const state = await last.settled();
    expect(state.problems).toEqual([]);
    last.endInput();
    expect(await last.ended).toBe(0);
    expect(last.errors).toBe('');
    judge(vault, server);
  } finally {
    await server.close();
  }
}

function judge(vault: string, server: ModelServer): void {
  expect(visibleFilesIn(vault)).toEqual(AFTER);
  expect(namesIn(vault, 'Archive')).toEqual(['2026']);
  expect(namesIn(vault, INBOX)).toEqual([]);
  expect(server.violations).toEqual([]);

  const starts = recordedOf(vault, 'turn-start');
  const ends = recordedOf(vault, 'turn-end');
  expect(starts).toHaveLength(1);
  expect(ends.map(({ turn, end }) => ({ turn, end }))).toEqual([
    {
      turn: starts[0]?.turn,
      end: { kind: 'completed', outcome: 'done', reply: 'All calls were made.' },
    },
  ]);

  for (const [index, { name, input }] of [...CALLS, DONE].entries()) {
    const verdicts = verdictsOn(vault, name, input);
    expect({ index, verdicts: verdicts.filter((verdict) => verdict !== 'not done') }).toEqual({
      index,
      verdicts: ['done'],
    });
    expect(verdicts.at(-1)).toBe('done');
  }
  expect(changesDone(vault)).toEqual([
    'create Notes/New.md',
    'folder Archive/2026',
    'move Inbox/Idea.md',
    'write Lists/Shopping.md',
    'write Notes/Large.md',
  ]);
}

/**
 * Result of a call each time the model made it, in order. Fails unless each run has exactly one
 * result.
 */
function verdictsOn(vault: string, name: string, input: unknown): string[] {
  const asked = recordedOf(vault, 'part-end');
  const stands = new Set(recordedOf(vault, 'step-end').map(({ step }) => step));
  const voided = new Set(recordedOf(vault, 'step-void').map(({ step }) => step));
  const starts = recordedOf(vault, 'call-start');
  const ends = recordedOf(vault, 'call-end');
  return asked.flatMap(({ turn, step, index, part }) => {
    if (part.type !== 'call' || part.name !== name) return [];
    if (JSON.stringify(part.input) !== JSON.stringify(input)) return [];
    const own = (event: { call: string }) => event.call === `${turn}.${step}.${index}`;
    const isMeant = stands.has(step) && !voided.has(step);
    const results = ends.filter(own);
    expect({ started: starts.filter(own).length, results: results.length }).toEqual(
      isMeant ? { started: 1, results: 1 } : { started: 0, results: 0 },
    );
    return results.map(({ result }) => verdictOf({ text: result.text, isError: result.failed }));
  });
}

type ChangeLogLine =
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'fate'; readonly change: string; readonly fate: ChangeFate };

/** Changes that were applied, by their last fate in the change log. */
function changesDone(vault: string): string[] {
  // Skips the index, which is in the same folder.
  const names = namesIn(vault, `${PLUGIN}/ledger`).filter((name) => /\.\d+\.jsonl$/.test(name));
  const lines = names.flatMap((name) =>
    wholeLines(readFileIn(vault, `${PLUGIN}/ledger/${name}`) ?? ''),
  );
  const fates = new Map<string, ChangeFate>();
  for (const line of lines) if (line.type === 'fate') fates.set(line.change, line.fate);
  return lines
    .flatMap((line) => (line.type === 'change' ? [line.change] : []))
    .filter(({ id }) => /^(done|finished-now)$/.test(fates.get(id) ?? ''))
    .map(({ kind, path }) => `${kind} ${path}`)
    .sort();
}

/**
 * Lines of a change log file, without torn ones. A line contains two whole notes, so a kill may
 * tear it.
 */
function wholeLines(text: string): ChangeLogLine[] {
  return text.split('\n').flatMap((line) => {
    try {
      return linesOf<ChangeLogLine>(line);
    } catch {
      return [];
    }
  });
}

let free = 2;
const queue: (() => void)[] = [];

/**
 * Limits the tests to two at a time, because more processes than cores only slow each other down.
 */
async function oneOfTwo(work: () => Promise<void>): Promise<void> {
  if (free === 0) await new Promise<void>((resolve) => queue.push(resolve));
  else free -= 1;
  try {
    await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  }
}
