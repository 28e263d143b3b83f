/**
 * The repository of conversations: lists, opens, forks, searches, marks, deletes and expires them.
 */
import { forkEvents } from '#model/conversation-fork';
import { ConversationSearch, type LoadConversation } from './conversation-search';
import type { Conversation, Turn } from '#model/conversation';
import { isFromMcpClient } from '#model/conversation-summary';
import type { Event, EventDraft } from '#model/event';
import type { ConversationId, DeviceId } from '#model/ids';
import type { ForkFrom } from '#model/request';
import type { Clock } from '#ports/clock';
import type {
  ConversationHistory,
  HistorySearchOptions,
  HistorySearchResult,
  ListedConversation,
} from '#ports/app/conversations-port';
import { jsonLine } from '#ports/line-file';
import type { Signer } from '#ports/device-key';
import { SerialQueues } from '#ports/serial-queue';
import type { Storage } from '#ports/storage';
import { inSlices, Slices } from '#ports/slices';
import { ConversationIndex, indexLine, type IndexLine } from './conversation-index';
import {
  conversationFile,
  isConversationId,
  marksFile,
  migrate,
  readLinesInSteps,
  signedLines,
  DamageReports,
  type FileOrigin,
  readConversation,
} from './conversation-file';
import { ConversationLog, type ConversationLogOptions, OpenLogs } from './conversation-log';
import { DeviceMarks } from './device-marks';

/** How long a deletion can be taken back. */
export const RESTORE_WINDOW_MS = 24 * 60 * 60_000;

export type DeletedConversation = { readonly removed: number | null };

/**
 * Limit for conversations that contain only calls of MCP clients. Clients may begin any number of
 * them, and they must not push out the user's.
 */
const MAX_MCP_CONVERSATIONS = 200;

/**
 * Selects the conversations whose files may be removed: deleted long enough ago, or beyond the
 * number to keep.
 *
 * @param own the conversations of this device
 * @param kept how many of the newest ended conversations to keep; pinned ones are always kept
 */
export function removableConversations<Each extends ListedConversation & DeletedConversation>(
  own: readonly Each[],
  kept: number,
  now: number,
): Each[] {
  // A conversation with an open turn has not ended, even if it was marked as ended or deleted.
  const closed = own.filter(({ openTurn }) => openTurn === null);
  const deleted = closed.filter(
    ({ removed }) => removed !== null && now - removed >= RESTORE_WINDOW_MS,
  );
  const old = closed
    .filter(({ ended, pinned, removed }) => ended !== null && !pinned && removed === null)
    .sort((a, b) => b.updated - a.updated);
  return [
    ...deleted,
    ...old.filter((each) => !isOfProgram(each)).slice(kept),
    ...old.filter(isOfProgram).slice(Math.min(kept, MAX_MCP_CONVERSATIONS)),
  ];
}

function isOfProgram({ sources }: ListedConversation): boolean {
  return sources.length > 0 && sources.every((source) => source === 'mcp');
}

export interface ConversationsOptions {
  readonly store: Storage;
  /** Vault-relative. */
  readonly folder: string;
  readonly device: DeviceId;
  readonly signer: Signer;
  readonly clock: Pick<Clock, 'now' | 'pause'>;
  /** Reports a damaged file to the user. */
  report(sentence: string): void;
}

type ConversationListener = (event: Event, conversation: Conversation) => void;

/** Events that do not change the index line before their turn ends. */
const WITHIN_TURNS = new Set<Event['type']>([
  'part-delta',
  'step-start',
  'part-end',
  'step-end',
  'step-void',
  'step-note',
  'retry-start',
  'call-start',
  'call-progress',
  'call-end',
]);

export class Conversations implements ConversationHistory {
  readonly #options: ConversationsOptions;
  readonly #listeners = new Set<ConversationListener>();
  readonly #reports: DamageReports;
  readonly #index: ConversationIndex;
  readonly #marks: DeviceMarks;
  /** Created for the first search. */
  #search: ConversationSearch | null = null;
  readonly #logs = new OpenLogs();
  /** There must be only one log of a conversation, so each is opened by one task at a time. */
  readonly #openings = new SerialQueues<ConversationId>();
  #refreshes = 0;

  constructor(options: ConversationsOptions) {
    const { store, folder, device, clock, report } = options;
    this.#options = options;
    this.#reports = new DamageReports(report);
    this.#index = new ConversationIndex({
      store,
      folder,
      device,
      clock,
      reports: this.#reports,
      written: (id) => this.#writtenLine(id),
    });
    this.#marks = new DeviceMarks(store, `${folder}/${marksFile(device)}`, clock);
  }

  /** Calls back with every event as it happens, and the conversation that includes it. */
  subscribe(listener: ConversationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * @param id a new one
   * @param first events that are saved together with the beginning
   */
  begin(id: ConversationId, first: readonly EventDraft[] = []): Promise<ConversationLog> {
    return this.#begin(id, first, async () => '');
  }

  /** Begins a conversation whose earlier beginning was not saved. Rejects if its file cannot be read. */
  beginAgain(id: ConversationId): Promise<ConversationLog> {
    return this.#begin(id, [], async () => (await this.#options.store.read(this.#path(id))) ?? '');
  }

  #begin(
    id: ConversationId,
    first: readonly EventDraft[],
    left: () => Promise<string>,
  ): Promise<ConversationLog> {
    return this.#openings.run(id, async () => {
      const log = ConversationLog.begin(this.#logOptions(id), await left());
      this.#logs.set(id, log);
      try {
        const { device } = this.#options;
        await log.appendTogether([{ type: 'conversation-start', version: 1, device }, ...first]);
      } catch (error) {
        this.#logs.delete(id);
        throw error;
      }
      return log;
    });
  }

  /**
   * Begins a conversation of this device as a copy of another one, of any device, up to one of its
   * turns. Returns the existing fork if there is one, and null if there is no such turn. Rejects if
   * a file cannot be read or written.
   */
  fork(id: ConversationId, from: ForkFrom): Promise<ConversationLog | null> {
    return this.#openings.run(id, () => this.#fork(id, from));
  }

  async #fork(id: ConversationId, from: ForkFrom): Promise<ConversationLog | null> {
    const begun = await this.#openNow(id);
    if (begun || !isConversationId(from.parent)) return begun;
    const { store, clock, device } = this.#options;
    const text = await store.read(this.#path(from.parent));
    if (text === null) return null;
    const { events } = await inSlices(readLinesInSteps(text), new Slices(this.#options.clock));
    const plan = { ...from, id, device, now: clock.now() };
    const first = forkEvents(migrate(events), plan);
    const last = first?.at(-1);
    if (!first || !last) return null;
    // Write all of it at once, so that half a fork is never taken for a whole one.
    const lines = await this.#signedAgain(first, text, from.parent);
    await store.write(this.#path(id), lines.map(jsonLine).join(''));
    const log = await this.#openNow(id);
    if (!log) throw new Error(`The fork ${id} was just written.`);
    this.#index.note(indexLine(log.state, log.bytes));
    this.#tell(last, log.state);
    return log;
  }

  /** Signs in a fork what this device has signed in the parent. */
  async #signedAgain(
    events: readonly Event[],
    parentText: string,
    parent: ConversationId,
  ): Promise<object[]> {
    const { signer } = this.#options;
    const known = new Map(
      signedLines(parentText).map(({ event, signature }) => [JSON.stringify(event), signature]),
    );
    const signed = async (event: Event) => {
      const old = JSON.stringify({ ...event, conversation: parent });
      if (!(await signer.verifies(old, known.get(old)))) return event;
      return { ...event, signature: await signer.sign(JSON.stringify(event)) };
    };
    return Promise.all(events.map(signed));
  }

  /** Null if there is no such conversation or it was deleted. Rejects if it cannot be read. */
  async open(id: ConversationId): Promise<ConversationLog | null> {
    if (!isConversationId(id) || (await this.#removed(id)) !== null) return null;
    return this.#openings.run(id, () => this.#openNow(id));
  }

  async #openNow(id: ConversationId): Promise<ConversationLog | null> {
    const refreshes = this.#refreshes;
    const log = this.#logs.get(id) ?? (await this.#openFile(id));
    // Another process may have written it since it was read.
    if (refreshes !== this.#refreshes) return this.#openNow(id);
    if (log) this.#logs.set(id, log);
    return log;
  }

  /**
   * The conversation with this device's marks: another device's may have a different title here.
   */
  async read(id: ConversationId): Promise<Conversation | null> {
    const log = await this.open(id).catch((error: unknown) => {
      this.#reports.unreadable(this.#path(id), error);
      throw error;
    });
    return log && (log.isOwn ? log.state : this.#marks.seen(id, log.state));
  }

  async signedTurns(id: ConversationId): Promise<readonly Turn[]> {
    return (await (await this.open(id))?.signedTurns()) ?? [];
  }

  async list(): Promise<readonly ListedConversation[]> {
    return (await this.#listed()).filter(({ removed }) => removed === null);
  }

  /**
   * The current conversation: the most recently used one of any device that is not archived and not
   * only for MCP clients or quick edits.
   */
  async latest(): Promise<ListedConversation | undefined> {
    return (await this.list()).findLast(
      (each) => !each.archived && each.quickEditsOf === null && !isFromMcpClient(each),
    );
  }

  /** The current conversation; null if there is none, or if it cannot be read, which is reported. */
  async current(): Promise<ConversationLog | null> {
    const latest = await this.latest();
    try {
      return latest ? await this.open(latest.id) : null;
    } catch (error) {
      // Damaged, locked or from a newer version: the next request goes to another conversation
      // instead of failing.
      this.#reports.currentUnreadable(error);
      return null;
    }
  }

  /** Like `open`. Rejects also if the conversation is gone. */
  async openExisting(id: ConversationId): Promise<ConversationLog> {
    const log = await this.open(id);
    if (log) return log;
    const error = new Error(`The file of the conversation ${id} is gone.`);
    throw Object.assign(error, { code: 'ENOENT' });
  }

  /** The conversation of this device for the quick edits of a note; null if there is none. */
  async quickEditsOf(note: string): Promise<ListedConversation | null> {
    const all = (await this.list()).filter(({ own, archived }) => own && !archived);
    return all.findLast((each) => each.quickEditsOf === note) ?? null;
  }

  /** The conversation of this device with the latest spoken request since `since`, or null. */
  async lastSpoken(since: number): Promise<ConversationId | null> {
    const times = (await this.list()).flatMap(({ id, own, archived, lastSpoken: time }) =>
      own && !archived && time !== null && time >= since ? [{ id, time }] : [],
    );
    return times.sort((a, b) => a.time - b.time).at(-1)?.id ?? null;
  }

  async search(query: string, options?: HistorySearchOptions): Promise<HistorySearchResult> {
    this.#search ??= this.#makeSearch();
    return this.#search.search(await this.list(), query, options);
  }

  #makeSearch(): ConversationSearch {
    return new ConversationSearch({
      clock: this.#options.clock,
      version: (id) => String(this.#logs.get(id)?.bytes ?? this.#index.get(id)?.bytes ?? ''),
      fetch: (id) => this.#fetch(id),
    });
  }

  /**
   * Picks up conversations that arrived or changed by sync, or were written by another process
   * until now.
   */
  async refresh(): Promise<void> {
    await this.#index.look();
    this.#refreshes += 1;
    this.#forgetOutdated(() => true);
  }

  /**
   * The following return false if there is no such conversation, and reject if it cannot be
   * written.
   */
  rename(id: ConversationId, title: string): Promise<boolean> {
    return this.#set(id, { type: 'title-set', title, by: 'user' }, { title });
  }

  pin(id: ConversationId, pinned: boolean): Promise<boolean> {
    return this.#set(id, { type: 'pin-set', pinned }, { pinned });
  }

  archive(id: ConversationId, archived: boolean): Promise<boolean> {
    return this.#set(id, { type: 'archive-set', archived }, { archived });
  }

  /**
   * Removes conversations from all lists at once. Own files stay for a day, another device's for as
   * long as that device keeps them. Returns those that existed.
   */
  async remove(ids: readonly ConversationId[]): Promise<readonly ConversationId[]> {
    const there = (await this.list()).flatMap(({ id }) => (ids.includes(id) ? [id] : []));
    await this.#marks.set(there, { removed: this.#options.clock.now() });
    return there;
  }

  /** Takes deletions back. Returns the restored conversations. */
  async restore(ids: readonly ConversationId[]): Promise<readonly ConversationId[]> {
    const back = (await this.removed()).flatMap(({ id }) => (ids.includes(id) ? [id] : []));
    await this.#marks.set(back, { removed: null });
    return back;
  }

  /** Deleted conversations that can be restored, the most recently used last. */
  async removed(): Promise<readonly ListedConversation[]> {
    return (await this.#listed()).filter(({ removed }) => removed !== null);
  }

  /**
   * Removes the files of this device's conversations that were deleted a day ago, or that ended and
   * are beyond the number to keep. Pinned and open ones stay. Returns what was removed; failed
   * removals are retried the next time.
   *
   * @param isAsked whether a request to this conversation is not answered yet, so that it stays
   */
  async retain(
    kept: number,
    isAsked: (id: ConversationId) => boolean = () => false,
  ): Promise<readonly ConversationId[]> {
    const { store, clock } = this.#options;
    const own = (await this.#listed()).filter((each) => each.own);
    const gone: ConversationId[] = [];
    for (const { id } of removableConversations(own, kept, clock.now())) {
      if (isAsked(id)) continue;
      try {
        await store.remove(this.#path(id));
      } catch {
        continue;
      }
      this.#index.forget(id);
      this.#logs.delete(id);
      gone.push(id);
    }
    return gone;
  }

  /** Changes an own conversation by an event in its file, and another device's by a mark. */
  async #set(
    id: ConversationId,
    event: EventDraft,
    mark: Parameters<DeviceMarks['set']>[1],
  ): Promise<boolean> {
    const log = await this.open(id);
    if (!log) return false;
    if (log.isOwn) await log.append(event);
    else await this.#marks.set([id], mark);
    return true;
  }

  /** All conversations including deleted ones, the most recently used last. */
  async #listed(): Promise<(ListedConversation & DeletedConversation)[]> {
    await this.#loadMarks();
    const lines = [...(await this.#index.lines())].sort(
      (a, b) => a.updated - b.updated || (a.id < b.id ? -1 : 1),
    );
    // Logs of own conversations are kept, because the code that opened one may be about to append
    // to it.
    this.#forgetOutdated((log) => !log.isOwn);
    return lines.map(({ version: _version, bytes: _bytes, ...line }) => {
      const own = line.device === this.#options.device;
      const seen = own ? line : this.#marks.seen(line.id, line);
      return { ...seen, own, removed: this.#marks.removed(line.id) };
    });
  }

  async #removed(id: ConversationId): Promise<number | null> {
    await this.#loadMarks();
    return this.#marks.removed(id);
  }

  async #loadMarks(): Promise<void> {
    const { path } = this.#marks;
    try {
      await this.#marks.load();
      if (this.#marks.damaged > 0) this.#reports.marks(path, this.#marks.damaged);
    } catch (error) {
      this.#reports.marksUnreadable(path, error);
    }
  }

  async #openFile(id: ConversationId): Promise<ConversationLog | null> {
    const log = await ConversationLog.open(this.#logOptions(id, this.#index.get(id)));
    if (log) this.#reports.damaged(this.#path(id), log.damage);
    if (!log || log.state.device !== '') return log;
    // The first line, which names the device, is damaged; the index may know it.
    await this.#index.look();
    return ConversationLog.open(this.#logOptions(id, this.#index.get(id)));
  }

  async #fetch(id: ConversationId): Promise<LoadConversation> {
    const open = this.#logs.get(id);
    if (open) return async () => open.state;
    const text = await this.#options.store.read(this.#path(id));
    if (text === null) throw new Error(`The file of the conversation ${id} is gone.`);
    return async (work) => {
      const read = await readConversation(id, text, work, this.#index.get(id));
      this.#reports.damaged(this.#path(id), read);
      return read.state;
    };
  }

  #writtenLine(id: ConversationId): IndexLine | undefined {
    const log = this.#logs.get(id);
    return log?.isWritten ? indexLine(log.state, log.bytes) : undefined;
  }

  /** Drops logs whose files were changed by others since, so that they are opened again. */
  #forgetOutdated(mayBe: (log: ConversationLog) => boolean): void {
    for (const [id, log] of this.#logs.all()) {
      const bytes = this.#index.get(id)?.bytes;
      if (!log.isWritten && mayBe(log) && bytes !== undefined && bytes !== log.bytes)
        this.#logs.delete(id);
    }
  }

  #logOptions(id: ConversationId, origin?: FileOrigin): ConversationLogOptions {
    const { store, device, signer, clock } = this.#options;
    return {
      id,
      path: this.#path(id),
      store,
      device,
      signer,
      ...(origin ? { origin } : {}),
      now: () => clock.now(),
      pause: () => clock.pause(),
      notify: (event, conversation) => {
        const line = WITHIN_TURNS.has(event.type) ? undefined : this.#writtenLine(id);
        if (line) this.#index.note(line);
        this.#tell(event, conversation);
      },
    };
  }

  #tell(event: Event, conversation: Conversation): void {
    for (const listener of this.#listeners) listener(event, conversation);
  }

  #path(id: ConversationId): string {
    return `${this.#options.folder}/${conversationFile(id)}`;
  }
}
