/** A conversation as a list of messages: what was said, by whom, and with which tools. */
import { type Conversation, type Turn, validSteps, stepText } from './conversation';
import type { Source } from './request';

export interface Message {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly role: 'user' | 'agent';
  readonly text: string;
  /** Of the user's messages; how an agent's answer was asked for. */
  readonly source: Source;
  /** Names, each once, in the order of their first call. */
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly activeNote: string | null;
}

export function messagesOf(conversation: Conversation): Message[] {
  return conversation.turns.flatMap(messagesOfTurn);
}

export function messagesOfTurn(turn: Turn): Message[] {
  const { request: inbound, activeNote, model } = turn;
  const person = { role: 'user', tools: [], model: null, activeNote } as const;
  const agent = { role: 'agent', source: inbound.source, model, activeNote } as const;
  const messages: Message[] = [
    { ...person, id: turn.message, time: inbound.time, text: inbound.text, source: inbound.source },
    ...turn.answers.map(({ message, time, text, source }) => ({
      ...person,
      id: message,
      time,
      text,
      source,
    })),
  ];
  for (const step of validSteps(turn)) {
    for (const call of step.calls) {
      if (call.state !== 'finished' || call.result.details?.kind !== 'message') continue;
      messages.push({
        ...agent,
        id: call.id,
        time: call.ended,
        text: call.result.details.text,
        tools: [],
      });
    }
  }
  const text = turn.end ? turn.end.reply : validSteps(turn).map(stepText).filter(Boolean).at(-1);
  if (text) {
    const tools = [
      ...new Set(validSteps(turn).flatMap(({ calls }) => calls.map(({ part }) => part.name))),
    ];
    messages.push({
      ...agent,
      id: `${turn.id}.reply`,
      time: turn.ended ?? turn.started,
      text,
      tools,
    });
  }
  return messages.sort((a, b) => a.time - b.time);
}
