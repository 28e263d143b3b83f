/** What a message says, as plain text, for where it cannot be drawn. */
import { validSteps, stepText, type Turn } from '#model/conversation';
import type { Segment, TraceItem } from './segments';

export function plainSegment(segment: Segment): string {
  switch (segment.kind) {
    case 'text':
    case 'summary':
      return segment.text;
    case 'asked':
      return [segment.question, segment.answer?.text ?? ''].join('\n\n');
    case 'trace':
      return segment.items.map(plainItem).join('\n');
    case 'copy':
      return segment.paths.join('\n');
    case 'waiting':
      return segment.waiting.kind === 'question' ? segment.waiting.text : segment.waiting.title;
  }
}

export function plainItem(item: TraceItem): string {
  switch (item.kind) {
    case 'call':
      return item.call.part.name;
    case 'thinking':
      return item.text;
    case 'coming':
      return item.name;
  }
}

/** What the agent has said so far in a turn, with its reply. */
export function plainAnswer(turn: Turn): string {
  const said = validSteps(turn).flatMap((step) => [
    stepText(step),
    ...step.live.flatMap(({ type, text }) => (type === 'text' ? [text] : [])),
  ]);
  const reply = turn.end?.reply ?? '';
  const all = said.at(-1) === reply ? said : [...said, reply];
  return all.filter((text) => text.trim() !== '').join('\n\n');
}
