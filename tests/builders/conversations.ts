/** Conversations of one device in an in-memory store; several devices can share the store. */
import type { ConversationLog } from '#conversations/conversation-log';
import { Conversations } from '#conversations/repository';
import type { Event, TurnEnd } from '#model/event';
import {
  type ConversationId,
  type DeviceId,
  type RequestId,
  type MessageId,
  type TurnId,
  callId,
} from '#model/ids';
import type { RequestSource } from '#model/request';
import type { CallDetails } from '#model/message';
import { testClock, type TestClock } from './fake-clock';
import { fakeSigner } from './fake-signer';
import type { MemoryStore } from './fake-storage';

export const FOLDER = 'c';

export interface Device {
  readonly all: Conversations;
  readonly clock: TestClock;
  readonly reported: readonly string[];
  readonly told: readonly Event[];
}

/** One process of a device. Another process on the same store finds the files of this one. */
export function openDevice(store: MemoryStore, name = 'desk', clock = testClock()): Device {
  const reported: string[] = [];
  const told: Event[] = [];
  const all = new Conversations({
    store,
    folder: FOLDER,
    device: `device-${name}` as DeviceId,
    signer: fakeSigner(),
    clock,
    report: (sentence) => void reported.push(sentence),
  });
  all.subscribe((event) => void told.push(event));
  return { all, clock, reported, told };
}

export function conversationId(name: string): ConversationId {
  return `conversation-${name}` as ConversationId;
}

export function pathOf(name: string): string {
  return `${FOLDER}/conversation-${name}.jsonl`;
}

export interface Exchange {
  readonly userText?: string;
  /** The final answer; '' for none. */
  readonly reply?: string;
  /** Text before the calls, in place of `reply` in the step. */
  readonly onTheWay?: string;
  readonly source?: RequestSource;
  /** Calls by tool name, each with the details of its result. */
  readonly calls?: Readonly<Record<string, CallDetails>>;
  /** Leaves the turn open: not ended, or waiting for the answer to a question. */
  readonly left?: 'running' | 'waiting';
}

let exchanges = 0;

/** Records one turn; it starts and ends one second apart. */
export async function exchange(
  log: ConversationLog,
  clock: TestClock,
  {
    userText: person = 'Add milk.',
    reply = 'Added.',
    onTheWay = '',
    source = 'typed',
    calls = {},
    left,
  }: Exchange = {},
): Promise<TurnId> {
  exchanges += 1;
  const turn = `turn-${exchanges}` as TurnId;
  const entry = `request-${exchanges}` as RequestId;
  await clock.advance(1_000);
  await log.append({
    ...{
      type: 'turn-start',
      turn,
      requestId: entry,
      attempt: 1,
      mode: 'apply',
      model: 'm',
      context: '',
    },
    message: `message-${exchanges}` as MessageId,
    activeNote: null,
    request: {
      ...{ id: entry, time: clock.now(), text: person, source, conversation: log.state.id },
      ...{ attachments: [], reply: { to: 'chat' } },
    },
  });
  const inStep = { turn, step: 1 } as const;
  await log.append({ type: 'step-start', ...inStep, number: 1, of: 10 });
  const said = onTheWay || reply;
  await log.append({ type: 'part-end', ...inStep, index: 0, part: { type: 'text', text: said } });
  const names = Object.keys(calls).concat(left === 'waiting' ? ['ask_user'] : []);
  for (const [at, name] of names.entries()) {
    const part = { type: 'call', wireId: `w${at}`, name, input: {} } as const;
    await log.append({ type: 'part-end', ...inStep, index: at + 1, part });
  }
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  await log.append({ type: 'step-end', ...inStep, stop: 'end', usage });
  for (const [at, details] of Object.values(calls).entries()) {
    const result = { text: 'The text of a result.', failed: false, details };
    await log.append({ type: 'call-end', turn, call: callId(turn, 1, at + 1), result });
  }
  if (left === 'waiting') {
    const call = callId(turn, 1, names.length);
    const asked = { turn, call, asked: clock.now(), expires: clock.now() + 3_600_000 };
    const question = { text: 'Which?', choices: [], allowFreeText: true } as const;
    const waiting = {
      kind: 'question',
      id: `interaction-${exchanges}` as never,
      ...asked,
      ...question,
    };
    await log.append({ type: 'interaction-start', turn, interaction: waiting as never });
  }
  if (left) return turn;
  await clock.advance(1_000);
  const end: TurnEnd = { kind: 'completed', outcome: 'done', reply };
  await log.append({ type: 'turn-end', turn, end, usage });
  return turn;
}

/** Begins a conversation and records these turns. */
export async function converse(
  { all, clock }: Device,
  name: string,
  ...said: Exchange[]
): Promise<ConversationLog> {
  await clock.advance(1_000);
  const log = await all.begin(conversationId(name));
  for (const each of said) await exchange(log, clock, each);
  return log;
}
