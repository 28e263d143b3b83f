/** An answer to look at without a key, in the form in which every answer is kept. */
import * as t from '#messages/chat-messages';
import type { Turn } from '#model/conversation';
import type { EventDraft } from '#model/event';
import type { CallId, ConversationId, DeviceId, MessageId, RequestId, TurnId } from '#model/ids';
import { NO_USAGE, type Part } from '#model/message';
import { reduceAll } from '#model/reducer';
import { withoutSourceMarks } from '#text/source-marks';

const LIST = 'Lists/Shopping.md';

export const EXAMPLE_CHANGE = {
  path: LIST,
  before: t.exampleList,
  after: t.exampleListAfter,
} as const;

const conversation = 'example' as ConversationId;
const turn = 'example.1' as TurnId;
const requestId = 'example' as RequestId;
const MODEL = 'example';

/** @param now in milliseconds since 1970 */
export function exampleTurn(now: number): Turn | null {
  let time = now;
  const step = (number: number, parts: readonly Part[], stop: 'calls' | 'end'): EventDraft[] => [
    { type: 'step-start', turn, step: number, number, of: 25 },
    ...parts.map((part, index): EventDraft => ({
      type: 'part-end',
      turn,
      step: number,
      index,
      part,
    })),
    { type: 'step-end', turn, step: number, stop, usage: NO_USAGE },
  ];
  const call = (number: number): CallId => `${turn}.${number}.1` as CallId;
  const done = (number: number, path: string): EventDraft[] => [
    { type: 'call-start', turn, call: call(number) },
    {
      ...{ type: 'call-end', turn, call: call(number) },
      result: { text: '', failed: false, details: { kind: 'read', paths: [path] } },
    },
  ];
  const drafts: readonly EventDraft[] = [
    { type: 'conversation-start', version: 1, device: 'example' as DeviceId },
    {
      ...{ type: 'turn-start', turn, requestId, message: 'example.m' as MessageId },
      request: {
        ...{ id: requestId, time, text: t.exampleChange, source: 'typed', conversation },
        ...{ attachments: [], reply: { to: 'chat' } },
      },
      ...{ attempt: 1, mode: 'review', model: MODEL, context: '', activeNote: null },
    },
    ...step(
      1,
      [
        { type: 'text', text: t.exampleWhy },
        { type: 'call', wireId: 'w1', name: 'read_file', input: { path: LIST } },
      ],
      'calls',
    ),
    ...done(1, LIST),
    {
      ...{ type: 'passage-find', turn },
      passage: {
        ...{ kind: 'note', key: 'Shopping:1-2', path: LIST, first: 1, last: 2, heading: null },
        ...{ text: t.exampleList.trimEnd(), date: now, created: now, above: null, below: null },
      },
    },
    ...step(2, [{ type: 'text', text: t.exampleAnswer }], 'end'),
    {
      type: 'turn-end',
      turn,
      end: { kind: 'completed', outcome: 'done', reply: withoutSourceMarks(t.exampleAnswer) },
      usage: NO_USAGE,
    },
  ];
  const events = drafts.map((draft) => ({ ...draft, conversation, time: (time += 400) }));
  return reduceAll(conversation, events).turns[0] ?? null;
}
