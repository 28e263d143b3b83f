/** What a run of a task left behind: notes, change log and events. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Event, EventOf, EventType, TurnEnd } from '#model/event';
import type { Approval } from '#model/interaction';
import { callId } from '#model/ids';
import { addUsage, NO_USAGE, type Usage } from '#model/message';
import type { NoteChange, PendingNote } from '#model/pending-edit';
import type { Files } from './task';

export interface RunCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** What the model reads as the result. */
  readonly text: string;
}

export interface Outcome {
  readonly before: Files;
  readonly after: Files;
  /** Paths that the user typed into. */
  readonly typed: readonly string[];
  /** Changes by path, newest first. */
  readonly changes: Readonly<Record<string, readonly NoteChange[]>>;
  readonly pending: readonly PendingNote[];
  /** How the last turn ended; null if it is open. */
  readonly end: TurnEnd | null;
  /** What the user read as the answer of the last turn: its messages and its reply. */
  readonly answer: string;
  /** Each with its choices. */
  readonly questions: readonly string[];
  readonly approvals: readonly Approval[];
  readonly calls: readonly RunCall[];
  readonly steps: number;
  readonly usage: Usage;
  readonly kills: number;
}

type FromEvents = Pick<
  Outcome,
  'end' | 'answer' | 'questions' | 'approvals' | 'calls' | 'steps' | 'usage'
>;

export function outcomeOfEvents(events: readonly Event[]): FromEvents {
  const last = ofType(events, 'turn-start').at(-1)?.turn;
  const inLast = events.filter((event) => 'turn' in event && event.turn === last);
  const end = ofType(inLast, 'turn-end').at(-1)?.end ?? null;
  const interactions = ofType(events, 'interaction-start').map(({ interaction }) => interaction);
  const ends = ofType(events, 'turn-end');
  return {
    end,
    answer: answerOf(inLast, end),
    questions: interactions.flatMap((each) =>
      each.kind === 'question' ? [[each.text, ...each.choices].join('\n')] : [],
    ),
    approvals: interactions.filter((each): each is Approval => each.kind === 'approval'),
    calls: callsOf(events),
    steps: ofType(events, 'step-end').length,
    usage: ends.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
  };
}

function answerOf(events: readonly Event[], end: TurnEnd | null): string {
  const sent = ofType(events, 'call-end').flatMap(({ result }) =>
    result.details?.kind === 'message' ? [result.details.text] : [],
  );
  const asked = ofType(events, 'interaction-start').flatMap(({ interaction }) =>
    interaction.kind === 'question' ? [interaction.text] : [],
  );
  return [...sent, ...asked, end?.reply ?? ''].filter((text) => text !== '').join('\n');
}

function callsOf(events: readonly Event[]): RunCall[] {
  const parts = ofType(events, 'part-end');
  return ofType(events, 'call-end').flatMap(({ turn, call, result }) => {
    const found = parts.find(
      (event) => event.turn === turn && call === callId(turn, event.step, event.index),
    );
    if (found?.part.type !== 'call') return [];
    return [
      { name: found.part.name, input: found.part.input, failed: result.failed, text: result.text },
    ];
  });
}

/** Events of all conversation files of the vault, in the order of time. */
export function recordedEvents(vault: string): Event[] {
  const folder = path.join(vault, '.obsidian/plugins/parley/conversations');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^conversation-.*\.jsonl$/.test(name))
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
    .flatMap(parsed)
    .sort((a, b) => a.time - b.time);
}

/** A kill may cut the last line of a file. */
function parsed(line: string): Event[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Event];
  } catch {
    return [];
  }
}

/** Texts of all files that are not hidden. */
export function visibleFiles(vault: string): Files {
  return Object.fromEntries(
    readdirSync(vault, { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(path.sep).join('/'))
      .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
      .filter((name) => statSync(path.join(vault, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(path.join(vault, name), 'utf8')]),
  );
}

function ofType<Type extends EventType>(events: readonly Event[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}
