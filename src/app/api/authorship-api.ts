/** Finds out what the agent wrote of a note, from the change log. */
import { AuthorshipReplay } from '#edits/authorship';
import type { ChangeList } from '#edits/change-list';
import type { ChangeLog } from '#edits/change-log';
import { type FiledChange, hasTakenEffect } from '#edits/change-log-index';
import type { ChangeId } from '#model/ids';
import type { AuthoredRange } from '#model/pending-edit';
import { Slices } from '#ports/slices';
import type { AuthorshipPort } from '#ports/app/edits-port';
import type { Clock } from '#ports/clock';
import { PathCache } from '#ports/path-cache';

export interface AuthorshipApiDeps {
  readonly changeLog: ChangeLog;
  readonly clock: Pick<Clock, 'now' | 'pause'>;
}

/** Older changes are not replayed, so that their words count as the user's. */
const MAX_REPLAYED_BYTES = 20_000_000;
/** Changes read from the change log at once. */
const BATCH = 25;
/** Replays to keep, for notes that are open beside each other. */
const MAX_REPLAYS = 4;

export class AuthorshipApi implements AuthorshipPort {
  readonly #deps: AuthorshipApiDeps;
  readonly #replays = new PathCache<Promise<AuthorshipReplay>>(MAX_REPLAYS);

  constructor(deps: AuthorshipApiDeps) {
    this.#deps = deps;
  }

  /** @throws if the change log cannot be read */
  async ranges(path: string, text: string): Promise<readonly AuthoredRange[]> {
    const list = await this.#deps.changeLog.changes();
    const changes = replayed(list.ofNote(path));
    if (changes.length === 0) return [];
    const replay = await this.#replay(path, changes, list);
    return replay.ranges(path, text).flatMap((range) => {
      const change = list.get(range.change);
      if (!change) return [];
      const { time, origin } = change;
      const { conversation, turn } = origin;
      return [{ ...range, time, conversation, turn }];
    });
  }

  #replay(
    path: string,
    changes: readonly FiledChange[],
    list: ChangeList,
  ): Promise<AuthorshipReplay> {
    const stamp = changes.map(({ id, fate }) => `${id} ${fate ?? ''}`).join('\n');
    const known = this.#replays.get(path, stamp);
    if (known) return known;
    const replay = this.#read(changes, list);
    this.#replays.set(path, stamp, replay);
    // What failed is read again the next time.
    replay.catch(() => this.#replays.delete(path));
    return replay;
  }

  /** @param changes oldest first */
  async #read(changes: readonly FiledChange[], list: ChangeList): Promise<AuthorshipReplay> {
    const { changeLog, clock } = this.#deps;
    const slices = new Slices(clock);
    const undone = changes.flatMap(({ act, about }) => (act === 'undo' ? about : []));
    const proposing = (id: Parameters<ChangeList['proposing']>[0]) =>
      list.proposing(id)?.id ?? null;
    const replay = new AuthorshipReplay(proposing, new Set(undone as ChangeId[]));
    for (let at = 0; at < changes.length; at += BATCH) {
      const batch = changes.slice(at, at + BATCH);
      const texts = await changeLog.read(batch);
      for (const { id } of batch) {
        const change = texts.get(id);
        if (slices.isDue) await slices.pause();
        if (change) replay.take(change);
      }
    }
    return replay;
  }
}

/**
 * The changes to replay, oldest first.
 *
 * @param all newest first
 */
function replayed(all: readonly FiledChange[]): FiledChange[] {
  const chosen: FiledChange[] = [];
  let bytes = 0;
  for (const change of all) {
    if (!hasTakenEffect(change)) continue;
    bytes += change.size;
    if (bytes > MAX_REPLAYED_BYTES) break;
    chosen.push(change);
  }
  return chosen.reverse();
}
