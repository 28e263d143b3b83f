/** What the index says of one conversation. It can be lost: the conversation's own file holds all of it. */
import type { Conversation } from '#model/conversation';
import { summaryOf, type ConversationSummary } from '#model/conversation-summary';
import type { DeviceId } from '#model/ids';
import { isConversationId } from './files';

export const INDEX_VERSION = 2;

export type IndexLine = ConversationSummary & {
  readonly version: typeof INDEX_VERSION;
  /** Of the conversation's file when this was written: where it has another size, the line is out of date. */
  readonly bytes: number;
};

/** Out of date whatever the file's size. */
const UNKNOWN_BYTES = -1;

export function indexLine(conversation: Conversation, bytes: number): IndexLine {
  return { version: INDEX_VERSION, ...summaryOf(conversation), bytes };
}

/** Null where it is no line of an index. */
export function migrateIndexLine(saved: Readonly<Record<string, unknown>>): IndexLine | null {
  const { version, id, title, started, updated, ended, device, lastSpoken } = saved;
  const isLine =
    typeof id === 'string' &&
    isConversationId(id) &&
    typeof title === 'string' &&
    typeof started === 'number' &&
    typeof updated === 'number' &&
    (ended === null || typeof ended === 'number');
  if (!isLine) return null;
  // Before there were forks, nothing was said of them.
  const line = { forks: [], ...saved };
  if (version === INDEX_VERSION) return isWhole(line) ? (line as unknown as IndexLine) : null;
  if (version !== 1) return null;
  return {
    ...{ version: INDEX_VERSION, id, title, started, updated, ended },
    // The first form says nothing of the rest: the conversation's own file will tell.
    device: (typeof device === 'string' ? device : '') as DeviceId,
    titledBy: 'first-message',
    summary: null,
    endReason: null,
    pinned: false,
    archived: false,
    forks: [],
    lastSpoken: typeof lastSpoken === 'number' ? lastSpoken : null,
    sources: [],
    messages: 0,
    tools: [],
    notes: [],
    openTurn: null,
    bytes: UNKNOWN_BYTES,
  };
}

function isWhole(line: Record<string, unknown>) {
  const { device, bytes, messages, sources, tools, notes, forks } = line;
  return (
    typeof device === 'string' &&
    typeof bytes === 'number' &&
    typeof messages === 'number' &&
    [sources, tools, notes, forks].every(Array.isArray)
  );
}
