/** A conversation's file folded, in slices: a long one takes a while, and the screen must not stand still. */
import type { Conversation } from '#model/conversation';
import { emptyConversation, fold } from '#model/fold';
import type { ConversationId } from '#model/ids';
import { inSlices, type SlicedWork } from '#search/slices';
import type { Mend } from './lines';
import { migrate } from './migrations';
import { readLinesInSteps } from './record';

/** What was found of a file. */
export interface Damage {
  /** How many lines could not be read. */
  readonly damaged: number;
  readonly mend: Mend;
  /** Nothing could be read, or nothing is there. */
  readonly lost: boolean;
}

export interface ReadConversation extends Damage {
  readonly state: Conversation;
}

/** What the first line says; known from the index where that line is damaged. */
export type Origin = Pick<Conversation, 'device' | 'started'>;

/** Rejects for a version from the future; its `code` is EVERSION. */
export function readConversation(
  id: ConversationId,
  text: string,
  work: SlicedWork,
  origin?: Origin,
): Promise<ReadConversation> {
  return inSlices(readingSteps(id, text, origin), work);
}

function* readingSteps(
  id: ConversationId,
  text: string,
  origin: Origin | undefined,
): Generator<void, ReadConversation> {
  const { events, mend, damaged } = yield* readLinesInSteps(text);
  let state = emptyConversation(id);
  let misread = 0;
  for (const event of migrate(events)) {
    try {
      state = fold(state, event);
    } catch {
      // A damaged line may be whole JSON and yet not what its type says.
      misread += 1;
    }
    yield;
  }
  const { device, started } = state;
  return {
    state: {
      ...state,
      device: device || (origin?.device ?? device),
      started: started || (origin?.started ?? 0) || (events[0]?.time ?? 0),
    },
    damaged: damaged + misread,
    mend,
    lost: misread === events.length,
  };
}
