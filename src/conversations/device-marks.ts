/**
 * What this device stores about conversations outside their files: deletions, and the title, pin
 * and archive state of other devices' conversations, whose files it must not write. The file cannot
 * be rebuilt, so it is append-only.
 */
import type { Conversation } from '#model/conversation';
import type { ConversationId } from '#model/ids';
import type { Storage } from '#ports/storage';
import type { SliceClock } from '#ports/slices';
import { isConversationId } from './conversation-file';
import { LineFile } from '#ports/line-file';

export interface DeviceMark {
  readonly version: 1;
  readonly id: ConversationId;
  readonly title?: string;
  readonly pinned?: boolean;
  readonly archived?: boolean;
  /** When the conversation was deleted, in milliseconds since 1970. */
  readonly removed?: number;
}

type Marked = Pick<Conversation, 'title' | 'titledBy' | 'pinned' | 'archived'>;

export class DeviceMarks {
  readonly #file: LineFile<DeviceMark>;
  #loading: Promise<void> | null = null;

  constructor(store: Storage, path: string, clock: SliceClock) {
    this.#file = new LineFile({ store, path, clock, version: 1, migrate: markOf });
  }

  get path(): string {
    return this.#file.path;
  }

  get damaged(): number {
    return this.#file.damaged;
  }

  /** Reads the file once. Reads it again if it could not be read before. */
  load(): Promise<void> {
    const loading = (this.#loading ??= this.#file.load());
    loading.catch(() => (this.#loading = null));
    return loading;
  }

  /** When the conversation was deleted here, or null. */
  removed(id: ConversationId): number | null {
    return this.#file.get(id)?.removed ?? null;
  }

  /** Applies this device's marks to a conversation of another device. */
  seen<Value extends Marked>(id: ConversationId, value: Value): Value {
    const mark = this.#file.get(id);
    if (!mark) return value;
    const { title, pinned, archived } = mark;
    return {
      ...value,
      ...(title === undefined ? {} : { title, titledBy: 'user' }),
      ...(pinned === undefined ? {} : { pinned }),
      ...(archived === undefined ? {} : { archived }),
    };
  }

  /** Resolves when the marks are on disk. A `removed` of null takes a deletion back. */
  async set(
    ids: readonly ConversationId[],
    change: Partial<Pick<DeviceMark, 'title' | 'pinned' | 'archived'>> & {
      removed?: number | null;
    },
  ): Promise<void> {
    const marks = ids.map((id) => {
      const { removed, ...rest } = { ...this.#file.get(id), ...change };
      return { ...rest, version: 1, id, ...(removed == null ? {} : { removed }) } as const;
    });
    await this.#file.put(marks, { flush: true });
  }
}

function markOf(saved: Readonly<Record<string, unknown>>): DeviceMark | null {
  const { version, id, title, pinned, archived, removed } = saved;
  const fits = (value: unknown, type: string) => value === undefined || typeof value === type;
  const isMark =
    version === 1 &&
    typeof id === 'string' &&
    isConversationId(id) &&
    fits(title, 'string') &&
    fits(pinned, 'boolean') &&
    fits(archived, 'boolean') &&
    fits(removed, 'number');
  return isMark ? (saved as unknown as DeviceMark) : null;
}
