/** Which of many conversations are shown in a list. */
import type { ConversationSummary } from '../conversation-summary';
import type { ConversationId } from '../ids';
import type { Source } from '../inbound';

/** `null`: whatever it is. */
export interface ConversationFilter {
  /** `waiting`: for the person; `edits`: some wait to be reviewed. */
  readonly state: 'waiting' | 'edits' | 'archived' | 'deleted' | null;
  readonly source: Source | null;
  /** The name of a tool that was called. */
  readonly tool: string | null;
  /** The path of a note that was changed. */
  readonly note: string | null;
}

export const NO_FILTER: ConversationFilter = { state: null, source: null, tool: null, note: null };

/** What conversations themselves don't tell. */
export interface Known {
  /** In which edits wait for the person. */
  readonly edits: ReadonlyMap<ConversationId, unknown>;
  /** That changed the filter's note, under whatever name it had then. */
  readonly touched: ReadonlySet<ConversationId>;
}

export function filterCount(filter: ConversationFilter): number {
  return Object.values(filter).filter((each) => each !== null).length;
}

export function passes(
  { id, sources, tools, notes, openTurn, archived }: ConversationSummary,
  { state, source, tool, note }: ConversationFilter,
  { edits, touched }: Known,
): boolean {
  if (source !== null && !sources.includes(source)) return false;
  if (tool !== null && !tools.includes(tool)) return false;
  if (note !== null && !touched.has(id) && !notes.includes(note)) return false;
  switch (state) {
    case 'waiting':
      return openTurn === 'waiting';
    case 'edits':
      return edits.has(id);
    case 'archived':
      return archived;
    default:
      return true;
  }
}
