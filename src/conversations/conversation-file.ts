/**
 * The file format of a conversation: one event per line, with the version in the first line. Lines
 * are only appended, so a torn or damaged line loses only that line.
 */
import type { Event, EventType } from '#model/event';
import type { ConversationId, DeviceId } from '#model/ids';
import {
  bytesOf,
  CUT_MARK,
  linesIn,
  parseJson,
  type TornLineRepair,
  tornLineRepair,
} from '#ports/line-file';
import { splitsPair } from '#text/shorten';
import * as t from '#messages/notice-messages';
import type { Conversation } from '#model/conversation';
import { Reduction } from '#model/reducer';
import { inSlices, type Slices } from '#ports/slices';

export const CONVERSATION_VERSION = 1;

export interface ReadLines {
  readonly events: readonly Event[];
  /**
   * Number of unreadable lines. A line whose write was interrupted does not count, because it was
   * never acknowledged.
   */
  readonly damaged: number;
  readonly repair: TornLineRepair;
}

export function readLines(text: string): ReadLines {
  const steps = readLinesInSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** An event as it was saved, and what its device signed it with. */
export interface SignedLine {
  readonly event: Event;
  readonly signature: unknown;
}

/** All readable events, or those whose lines have this word. */
export function signedLines(text: string, word = ''): SignedLine[] {
  return [...linesIn(text)]
    .filter((line) => line.includes(word))
    .flatMap((line) => signedLine(line) ?? []);
}

function signedLine(line: string): SignedLine | null {
  const saved = parseJson(line);
  if (!isEvent(saved)) return null;
  const { signature, ...event } = saved as Event & { readonly signature?: unknown };
  return { event: event, signature };
}

/** Like `readLines`, one line per step. */
export function* readLinesInSteps(text: string): Generator<void, ReadLines> {
  const events: Event[] = [];
  let damaged = 0;
  for (const line of linesIn(text)) {
    const read = signedLine(line);
    if (read) events.push(read.event);
    else damaged += 1;
    yield;
  }
  const repair = tornLineRepair(text);
  return { events, damaged: damaged - (repair === CUT_MARK ? 1 : 0), repair };
}

const MAX_COUNTED_CHARS = 100_000;

/** Counts the bytes of a long text as a file, some of it per step. */
export function* bytesInSteps(text: string): Generator<void, number> {
  let bytes = 0;
  for (let start = 0; start < text.length;) {
    const limit = start + MAX_COUNTED_CHARS;
    const end = splitsPair(text, limit) ? limit + 1 : limit;
    bytes += bytesOf(text.slice(start, end));
    start = end;
    yield;
  }
  return bytes;
}

function isEvent(event: unknown): event is Event {
  if (typeof event !== 'object' || event === null) return false;
  const { type, time } = event as { type?: unknown; time?: unknown };
  if (typeof type !== 'string' || typeof time !== 'number') return false;
  // A damaged type may be a name that every object has, such as `__proto__`.
  const needed = (Object.hasOwn(NEEDED, type) && NEEDED[type as EventType]) || [];
  if (!needed.every((name) => (event as Record<string, unknown>)[name] != null)) return false;
  return textsOf(event as Event).every((text) => typeof text === 'string');
}

/** What is read as text wherever it is shown. */
function textsOf(event: Event): readonly unknown[] {
  if (event.type === 'passage-find') return [event.passage.key, event.passage.text];
  return event.type === 'part-end' && event.part.type === 'text' ? [event.part.text] : [];
}

/**
 * Fields without which an event is rejected, because the state reduced from it would break its
 * readers.
 */
const NEEDED: Readonly<Partial<Record<EventType, readonly string[]>>> = {
  'conversation-start': ['version', 'device'],
  'fork-set': ['parent', 'before', 'message'],
  'turn-start': ['turn', 'requestId', 'message', 'request'],
  'step-start': ['step'],
  'part-end': ['part'],
  'passage-find': ['passage'],
  'step-end': ['usage'],
  'step-void': ['failure'],
  'call-end': ['result'],
  'step-note': ['text'],
  'interaction-start': ['interaction'],
  'interaction-end': ['resolution'],
  'answer-end': ['message', 'text', 'source'],
  'steer-join': ['turn', 'step', 'message', 'request'],
  'turn-end': ['end'],
  'compaction-end': ['summary'],
  'edits-decide': ['path', 'change', 'decisions', 'problems'],
  'change-undo': ['undos', 'changes', 'undone', 'left'],
  'title-set': ['title'],
  'summary-set': ['summary'],
};

/** Migrations by version, each to the next version. */
const STEPS: Readonly<Record<number, (events: readonly Event[]) => readonly Event[]>> = {};

/** @throws for a newer version, whose events must not be guessed at; its `code` is EVERSION */
export function migrate(events: readonly Event[]): readonly Event[] {
  const [first] = events;
  const written: number = first?.type === 'conversation-start' ? first.version : 1;
  // If the first line is lost or damaged, assume the oldest version.
  let version = written >= 1 ? Math.floor(written) : 1;
  if (version > CONVERSATION_VERSION) {
    throw Object.assign(
      new Error(`The conversation was written by a newer version of Parley (form ${version}).`),
      { code: 'EVERSION' },
    );
  }
  let migrated = events;
  for (; version < CONVERSATION_VERSION; version += 1)
    migrated = STEPS[version]?.(migrated) ?? migrated;
  return migrated;
}

const CONVERSATION = /^(conversation-[\w-]+)\.jsonl$/;
const INDEX = /^index-.+\.jsonl$/;

/** Checks an id, because ids also come from outside and this one becomes a path. */
export function isConversationId(id: string): id is ConversationId {
  return CONVERSATION.test(conversationFile(id));
}

export function conversationFile(id: string): string {
  return `${id}.jsonl`;
}

/** Null if the file is not a conversation. */
export function conversationIn(name: string): ConversationId | null {
  return (CONVERSATION.exec(name)?.[1] ?? null) as ConversationId | null;
}

export function conversationIndexFile(device: DeviceId): string {
  return `index-${device}.jsonl`;
}

export function isIndexFile(name: string): boolean {
  return INDEX.test(name);
}

/** The first form had a single index for all devices. */
export const FIRST_INDEX = 'index.jsonl';

/** File for what a device stores about conversations, mostly those of other devices. */
export function marksFile(device: DeviceId): string {
  return `marks-${device}.jsonl`;
}

/** Damage found in a conversation file. */
export interface Damage {
  /** Number of unreadable lines. */
  readonly damaged: number;
  readonly repair: TornLineRepair;
  /** True if the file has no readable line. */
  readonly lost: boolean;
}

export interface ReadConversation extends Damage {
  readonly state: Conversation;
}

/** The content of the first line. The index knows it too, in case that line is damaged. */
export type FileOrigin = Pick<Conversation, 'device' | 'started'>;

/** Rejects for a newer version; its `code` is EVERSION. */
export function readConversation(
  id: ConversationId,
  text: string,
  slices: Slices,
  origin?: FileOrigin,
): Promise<ReadConversation> {
  return inSlices(readingSteps(id, text, origin), slices);
}

function* readingSteps(
  id: ConversationId,
  text: string,
  origin: FileOrigin | undefined,
): Generator<void, ReadConversation> {
  const { events, repair, damaged } = yield* readLinesInSteps(text);
  const reduction = new Reduction(id);
  let misread = 0;
  for (const event of migrate(events)) {
    try {
      reduction.take(event);
    } catch {
      // A damaged line may be valid JSON and still not match its event type.
      misread += 1;
    }
    yield;
  }
  const state = reduction.state();
  const { device, started } = state;
  return {
    state: {
      ...state,
      device: device || (origin?.device ?? device),
      started: started || (origin?.started ?? 0) || (events[0]?.time ?? 0),
    },
    damaged: damaged + misread,
    repair,
    lost: misread === events.length,
  };
}

export class DamageReports {
  readonly #report: (sentence: string) => void;
  readonly #reported = new Set<string>();

  constructor(report: (sentence: string) => void) {
    this.#report = report;
  }

  damaged(path: string, { damaged, lost }: Damage): void {
    if (damaged === 0) return;
    this.#once(lost ? t.nothingReadable(path) : t.linesLeftOut(path, damaged));
  }

  unreadable(path: string, error: unknown): void {
    const { code } = error as { code?: unknown };
    if (code === 'EVERSION') return this.newer(path);
    this.#once(t.fileUnreadable(path, detailOf(error)));
  }

  currentUnreadable(error: unknown): void {
    this.#once(t.lastChatUnreadable(detailOf(error)));
  }

  newer(path: string): void {
    this.#once(t.fileOfNewerVersion(path));
  }

  rebuilt(path: string, count: number): void {
    this.#once(t.indexRebuilt(path, count));
  }

  marks(path: string, count: number): void {
    this.#once(t.marksLeftOut(path, count));
  }

  marksUnreadable(path: string, error: unknown): void {
    this.#once(t.marksUnreadable(path, detailOf(error)));
  }

  #once(sentence: string): void {
    if (this.#reported.has(sentence)) return;
    this.#reported.add(sentence);
    this.#report(sentence);
  }
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
