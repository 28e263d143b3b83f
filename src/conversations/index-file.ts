/**
 * A small file beside the conversations that says which there are: a line each time something of it changed, the last
 * one counting. It can be lost: the conversations themselves hold all of it.
 */
import type { Conversation } from '#model/conversation';
import type { ConversationId } from '#model/ids';

export interface IndexLine {
  readonly version: 1;
  readonly id: ConversationId;
  readonly title: string;
  readonly started: number;
  readonly updated: number;
  readonly ended: number | null;
}

export function indexLine(conversation: Conversation): IndexLine {
  const { id, title, started, updated, ended } = conversation;
  return { version: 1, id, title, started, updated, ended };
}

export function readIndex(text: string): Map<ConversationId, IndexLine> {
  const lines = new Map<ConversationId, IndexLine>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const entry = JSON.parse(line) as IndexLine;
      if (entry.version === 1 && typeof entry.id === 'string') lines.set(entry.id, entry);
    } catch {
      // A torn line; an earlier or later one of the same conversation serves.
    }
  }
  return lines;
}
