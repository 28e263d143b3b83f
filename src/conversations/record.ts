/**
 * The saved form of a conversation: one event a line, the first line naming the version. Lines are only ever appended,
 * so a torn or damaged line costs that line and no more.
 */
import type { Event } from '#model/event';

export const CONVERSATION_VERSION = 1;

export interface ReadLines {
  readonly events: readonly Event[];
  /** How many lines could not be read. */
  readonly damaged: number;
  /** The file ends in the middle of a line; the next append has to begin a new one. */
  readonly torn: boolean;
}

export function eventLine(event: Event): string {
  return `${JSON.stringify(event)}\n`;
}

export function readLines(text: string): ReadLines {
  const events: Event[] = [];
  let damaged = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const event = parseEvent(line);
    if (event) events.push(event);
    else damaged += 1;
  }
  return { events, damaged, torn: text !== '' && !text.endsWith('\n') };
}

function parseEvent(line: string): Event | null {
  try {
    const event: unknown = JSON.parse(line);
    const isEvent =
      typeof event === 'object' &&
      event !== null &&
      typeof (event as { type?: unknown }).type === 'string' &&
      typeof (event as { time?: unknown }).time === 'number';
    return isEvent ? (event as Event) : null;
  } catch {
    return null;
  }
}
