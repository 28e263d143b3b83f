/**
 * Reads a conversation file and reduces its events in time slices, because a long one would block
 * the UI.
 */
import * as t from '#model/messages/notice-messages';
import type { Conversation } from '#model/conversation';
import type { ConversationId } from '#model/ids';
import { emptyConversation, reduce } from '#model/reducer';
import { inSlices, type SlicedWork } from '#search/slices';
import { migrate, readLinesInSteps } from './conversation-file';
import type { TornLineRepair } from './line-file';

/** Damage found in a conversation file. */
export interface Damage {
  /** Number of unreadable lines. */
  readonly damaged: number;
  readonly repair: TornLineRepair;
  /** True if the file has no readable line. */
  readonly lost: boolean;
}

export interface ReadConversation extends Damage {
  readonly state: Conversation;
}

/** The content of the first line. The index knows it too, in case that line is damaged. */
export type FileOrigin = Pick<Conversation, 'device' | 'started'>;

/** Rejects for a newer version; its `code` is EVERSION. */
export function readConversation(
  id: ConversationId,
  text: string,
  work: SlicedWork,
  origin?: FileOrigin,
): Promise<ReadConversation> {
  return inSlices(readingSteps(id, text, origin), work);
}

function* readingSteps(
  id: ConversationId,
  text: string,
  origin: FileOrigin | undefined,
): Generator<void, ReadConversation> {
  const { events, repair, damaged } = yield* readLinesInSteps(text);
  let state = emptyConversation(id);
  let misread = 0;
  for (const event of migrate(events)) {
    try {
      state = reduce(state, event);
    } catch {
      // A damaged line may be valid JSON and still not match its event type.
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
    repair,
    lost: misread === events.length,
  };
}

export class DamageReports {
  readonly #report: (sentence: string) => void;
  readonly #reported = new Set<string>();

  constructor(report: (sentence: string) => void) {
    this.#report = report;
  }

  damaged(path: string, { damaged, lost }: Damage): void {
    if (damaged === 0) return;
    this.#once(
      lost
        ? t.nothingReadable(path)
        : `${lines(damaged)} of ${path} could not be read and left out. The file was kept as it is.`,
    );
  }

  unreadable(path: string, error: unknown): void {
    const { code } = error as { code?: unknown };
    if (code === 'EVERSION') return this.newer(path);
    this.#once(t.fileUnreadable(path, detailOf(error)));
  }

  newer(path: string): void {
    this.#once(t.fileOfNewerVersion(path));
  }

  madeAnew(path: string, count: number): void {
    this.#once(
      `${lines(count)} of ${path} could not be read. The list was made anew from the conversations, and the damaged file was kept as ${path}.damaged.`,
    );
  }

  marks(path: string, count: number): void {
    this.#once(
      `${lines(count)} of ${path} could not be read: a deletion, or a title, pin or archive of another device’s conversation, may be missing. The file was kept as it is.`,
    );
  }

  marksUnreadable(path: string, error: unknown): void {
    this.#once(t.marksUnreadable(path, detailOf(error)));
  }

  #once(sentence: string): void {
    if (this.#reported.has(sentence)) return;
    this.#reported.add(sentence);
    this.#report(sentence);
  }
}

function lines(count: number): string {
  return count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`;
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
