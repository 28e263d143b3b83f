/**
 * A small file beside the conversations that says which there are: a line each time something of it changed, the last
 * one counting. It can be lost: the conversations themselves hold all of it.
 */
import type { Conversation } from '#model/conversation';
import type { ConversationId, DeviceId } from '#model/ids';
import { isSpoken } from '#model/inbound';

export interface IndexLine {
  readonly version: 1;
  readonly id: ConversationId;
  readonly device: DeviceId;
  readonly title: string;
  readonly started: number;
  readonly updated: number;
  readonly ended: number | null;
  /** When something was asked in it by voice for the last time. */
  readonly lastSpoken: number | null;
}

export function indexLine(conversation: Conversation): IndexLine {
  const { id, device, title, started, updated, ended, turns } = conversation;
  const spoken = turns.findLast(({ inbound }) => isSpoken(inbound.source));
  const lastSpoken = spoken?.inbound.time ?? null;
  return { version: 1, id, device, title, started, updated, ended, lastSpoken };
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
