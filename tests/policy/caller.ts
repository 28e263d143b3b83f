/** Calls of one conversation on a vault where every access must have been decided before. */
import type { ToolCall, Turn } from '#model/conversation';
import type { ConversationId, DeviceId, MintId } from '#model/ids';
import type { CallResult, ChangeNote } from '#model/message';
import type { Mode } from '#model/setting-choices';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import type { Approval, Resolution, InteractionDraft } from '#model/interaction';
import type { decide, Decision } from '#policy/decide';
import type { NoteVault } from '#ports/vault';
import { DetachedProposals, PendingEdits } from '#edits/pending-edits';
import { ChangeLog } from '#edits/change-log';
import { ToolContexts } from '#tools/tool-context';
import { ToolExecutor } from '#tools/tool-executor';
import { bareTurn, type BareTurnOptions } from '#tests/builders/bare-turn';
import { memoryCommands } from '#tests/builders/commands';
import { undoRunner } from '../builders/undo-runner';
import { memoryWeb } from '#tests/builders/web';
import { meaningParts } from '../builders/semantic-search';
import { memoryMetadata, type MemoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes, type NoteFiles } from '../builders/fake-vault';
import { memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { ALL_TOOLS } from '#tools/all-tools';
import { ToolRegistry } from '#tools/registry';
import { localEngine, NO_EDITS } from '../builders/search-engines';
import { VaultSearch } from '#tools/vault-search';

export type Question = Parameters<typeof decide>[0];

export interface DecidedCall {
  readonly question: Question;
  readonly decision: Decision;
}

export interface CallerOptions extends BareTurnOptions {
  readonly settings?: Partial<Settings>;
  readonly mode?: Mode;
  /** Questions and answers of `decide`, to be compared with every access. */
  readonly decided?: readonly DecidedCall[];
}

/** Outcome of a call: a result, or an interaction. */
export type CallOutcome = { readonly result: CallResult } | { readonly asks: InteractionDraft };

const COMMANDS = [{ id: 'app:save', name: 'Save' }];

export class Caller {
  readonly notes: MemoryNotes;
  readonly metadata: MemoryMetadata;
  readonly toolContexts: ToolContexts;
  readonly commands = memoryCommands(COMMANDS);
  readonly #tools: ToolExecutor;
  readonly #turn: Turn;
  readonly #changes: ChangeNote[] = [];
  settings: Settings;
  mode: Mode;
  #calls = 0;

  constructor(files: NoteFiles, options: CallerOptions = {}) {
    const { settings = {}, mode = 'apply', decided } = options;
    this.settings = { ...DEFAULT_SETTINGS, ...settings };
    this.mode = mode;
    this.notes = new MemoryNotes(files);
    this.metadata = memoryMetadata(this.notes);
    const notes = decided ? heldTo(decided, this.notes) : this.notes;
    const clock = testClock();
    let minted = 0;
    const [store, device] = [memoryStore(), 'desk' as DeviceId];
    const changeLog = new ChangeLog(store, 'ledger', device);
    const mint: MintId = (kind) => `${kind}-${(minted += 1)}` as never;
    const pending = new PendingEdits({
      ...{ notes, metadata: this.metadata, changeLog, clock },
      detached: new DetachedProposals(changeLog),
      tag: () => this.settings.proposalTag,
    });
    const common = { notes, metadata: this.metadata, clock, changeLog, pending, mint, device };
    this.toolContexts = new ToolContexts({
      ...common,
      undo: undoRunner({ ...common, store }),
      search: new VaultSearch({
        ...{
          notes,
          pending: NO_EDITS,
          clock,
          start: localEngine(),
        },
        meaning: meaningParts(memoryStore(), clock),
      }),
      show: async () => undefined,
      commands: this.commands,
      web: memoryWeb(),
      history: {
        list: async () => [],
        read: async () => null,
        signedTurns: async () => [],
        search: async () => ({ hits: [], complete: true, unread: 0 }),
      },
      configDir: '.obsidian',
      settings: () => this.settings,
    });
    const registry = new ToolRegistry();
    for (const tool of ALL_TOOLS) registry.register(tool);
    this.#turn = bareTurn(options);
    this.#tools = new ToolExecutor(
      {
        registry,
        toolContexts: this.toolContexts,
        settings: () => this.settings,
        allowAlways: async (tool) => {
          this.settings = { ...this.settings, tools: { ...this.settings.tools, [tool]: 'allow' } };
        },
      },
      {
        id: 'conversation-1' as ConversationId,
        mode: () => this.mode,
        changes: () => this.#changes,
        seen: () => [],
      },
    );
  }

  async call(name: string, input: object): Promise<CallOutcome> {
    const call = this.#call(name, input);
    const readiness = await this.#tools.ready(call, this.#turn);
    switch (readiness.kind) {
      case 'answered':
        return { result: readiness.result };
      case 'asks':
        return { asks: readiness.draft };
      case 'runs':
        return {
          result: this.#kept(await readiness.run(new AbortController().signal, () => undefined)),
        };
    }
  }

  /** The text of a result, or `asks`. */
  async says(name: string, input: object): Promise<string> {
    const called = await this.call(name, input);
    return 'asks' in called ? 'asks' : called.result.text;
  }

  /** Outcome of a call after the user's decision; `meanwhile` runs before it. */
  async decides(
    name: string,
    input: object,
    resolution: Resolution,
    meanwhile: () => void = () => undefined,
  ): Promise<CallResult> {
    const call = this.#call(name, input);
    const readiness = await this.#tools.ready(call, this.#turn);
    if (readiness.kind !== 'asks') throw new Error(`${name} does not ask.`);
    meanwhile();
    const waiting = { ...readiness.draft, turn: this.#turn.id, call: call.id } as Approval;
    const next = await this.#tools.decided(call, this.#turn, { interaction: waiting, resolution });
    if (next.kind === 'asks') throw new Error(`${name} asks again.`);
    if (next.kind === 'answered') return next.result;
    return this.#kept(await next.run(new AbortController().signal, () => undefined));
  }

  #call(name: string, input: object): ToolCall {
    this.#calls += 1;
    const id = `call-${this.#calls}` as ToolCall['id'];
    const part = {
      type: 'call',
      wireId: id,
      name,
      input: input as Record<string, unknown>,
    } as const;
    return { id, part, state: 'ready' };
  }

  #kept(result: CallResult): CallResult {
    if (result.details?.kind === 'changes') this.#changes.push(...result.details.changes);
    return result;
  }
}

/** Throws if something is read or changed without permission. */
function heldTo(decided: readonly DecidedCall[], notes: MemoryNotes): NoteVault {
  const permits = (path: string) =>
    decided.some(
      ({ question, decision }) =>
        question.about === 'path' && question.path === path && decision.answer === 'allow',
    );
  const permitsChange = (kind: string, path: string) =>
    decided.some(
      ({ question, decision }) =>
        question.about === 'effect' &&
        question.effect.kind === kind &&
        question.effect.path === path &&
        decision.answer !== 'refuse',
    );
  // The change log keeps what is deleted with a folder.
  const goes = (path: string) =>
    decided.some(
      ({ question }) =>
        question.about === 'effect' &&
        path.startsWith(`${question.effect.path}/`) &&
        permitsChange('delete', question.effect.path),
    );
  const look = (path: string) => {
    if (!permits(path) && !goes(path)) {
      throw new Error(`${path} was read, and nobody has permitted it.`);
    }
  };
  const act = (kind: string, path: string) => {
    look(path);
    if (!permitsChange(kind, path)) throw new Error(`${path}: ${kind} was not decided.`);
  };
  return {
    list: () => notes.list(),
    get: (path) => notes.get(path),
    unsaved: () => notes.unsaved(),
    escapes: (path) => notes.escapes(path),
    escaping: () => notes.escaping(),
    holdsHidden: (folder) => notes.holdsHidden(folder),
    folderCreated: (folder) => notes.folderCreated(folder),
    onChange: (listener) => notes.onChange(listener),
    async read(path) {
      look(path);
      return notes.read(path);
    },
    async readBinary(path) {
      // A folder that may be deleted is kept in the change log with its contents.
      const goes = [...path.matchAll(/\//g)].some(({ index }) =>
        permitsChange('delete', path.slice(0, index)),
      );
      if (!goes) look(path);
      return notes.readBinary(path);
    },
    async readMany(paths) {
      for (const path of paths) if (path !== null) look(path);
      return notes.readMany(paths);
    },
    async create(path, text) {
      act('create', path);
      return notes.create(path, text);
    },
    async change(path, before, after) {
      act('write', path);
      return notes.change(path, before, after);
    },
    async createFolder(path) {
      act('folder', path);
      return notes.createFolder(path);
    },
    async move(path, to) {
      act('move', path);
      return notes.move(path, to);
    },
    async trash(path) {
      act('delete', path);
      return notes.trash(path);
    },
    trashGoes: () => notes.trashGoes(),
    async restore(place, path, went) {
      act('create', path);
      return notes.restore(place, path, went);
    },
    async putBack(path, bytes) {
      act('create', path);
      return notes.putBack(path, bytes);
    },
  };
}
