/** A test bench that runs single tool calls through validation, policy and the change log. */
import { vaultOutline } from '#tools/vault-outline';
import fs from 'node:fs';
import path from 'node:path';
import type { App, FileSystemAdapter } from 'obsidian';
import type { ResolvedInteraction, ToolCall, Turn } from '#model/conversation';
import type { ConversationId, DeviceId, MintId, TurnId } from '#model/ids';
import type { CallResult } from '#model/message';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import type {
  Approval,
  ApprovalChoice,
  Interaction,
  InteractionDraft,
  Resolution,
} from '#model/interaction';
import { fileReader } from '#obsidian/platform/file-reader';
import { findSymlinks } from '#obsidian/vault/symlinks';
import { obsidianMetadata } from '#obsidian/vault/obsidian-metadata';
import { obsidianVault } from '#obsidian/vault/obsidian-vault';
import { nodeStorage } from '#obsidian/platform/node-storage';
import { protectedReason } from '#policy/protected-paths';
import type { Clock } from '#ports/clock';
import type { ConversationHistory } from '#ports/app/conversations-port';
import type { Metadata } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';
import type { Storage } from '#ports/storage';
import { afterView } from '#edits/proposals';
import { DetachedProposals, PendingEdits } from '#edits/pending-edits';
import { ChangeLog } from '#edits/change-log';
import type { EmbeddingServer } from '#search/embeddings';
import type { StartEngine } from '#search/engine-protocol';
import { DirectCalls } from '#tools/direct-calls';
import type { ToolContext } from '#tools/tool';
import { ToolContexts } from '#tools/tool-context';
import { ToolExecutor } from '#tools/tool-executor';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { ALL_TOOLS } from '#tools/all-tools';
import { CustomTools } from '#tools/custom/custom-tools';
import { ToolRegistry } from '#tools/registry';
import { ServerTools } from '#tools/mcp/server-tools';
import { VaultSearch } from '#tools/vault-search';
import type { DiskAdapter } from '#workbench/obsidian/adapter';
import type { FolderVault } from '#workbench/obsidian/vault';
import { openVault } from '#workbench/open-vault';
import { bareTurn, stepWith, type WrittenCall } from './bare-turn';
import { memoryCommands, type MemoryCommands } from './commands';
import { meaningParts } from './semantic-search';
import { memoryMetadata, type MemoryMetadata } from './fake-metadata';
import { MemoryNotes, type NoteFiles } from './fake-vault';
import { NODE } from './node-modules';
import { undoRunner } from './undo-runner';
import { memoryStore } from './fake-storage';
import { memoryServers, type MemoryServers } from './fake-mcp-servers';
import { localEngine, workerEngine } from './search-engines';
import { memoryWeb, type MemoryWeb } from './web';

export { NODE };

export interface BenchOptions {
  readonly settings?: Partial<Settings>;
  readonly configDir?: string;
  /** The search engine; by default one on this thread. */
  readonly engine?: StartEngine;
  /** The embedding server; none by default. */
  readonly embeddings?: () => EmbeddingServer | null;
  /** Past conversations; none by default. */
  readonly history?: ConversationHistory;
  /** Commands of the host; none by default. */
  readonly commands?: MemoryCommands;
  /** The web behind the web tools; without pages and search results by default. */
  readonly web?: MemoryWeb;
  /** By default one whose time goes on with every look at it. */
  readonly clock?: Clock;
  /** MCP servers; none by default. */
  readonly servers?: MemoryServers;
  /** By default an empty one of its own. */
  readonly changeLog?: ChangeLog;
  /** In a folder, false begins before any note is indexed. */
  readonly waitForIndex?: boolean;
}

export const NO_HISTORY: ConversationHistory = {
  list: async () => [],
  read: async () => null,
  signedTurns: async () => [],
  search: async () => ({ hits: [], complete: true, unread: 0 }),
};

export class ToolBench {
  readonly #direct: DirectCalls;
  #toolContexts: ToolContexts;
  readonly #newToolContexts: () => ToolContexts;
  /** The turns of `step` by conversation, as their results are recorded. */
  readonly #recorded = new Map<string, Turn[]>();
  #steps = 0;
  readonly changeLog: ChangeLog;
  readonly pending: PendingEdits;
  readonly search: VaultSearch;
  /** Problems reported to the user. */
  readonly problems: string[] = [];
  /** Opened files, with the line if given. */
  readonly shown: string[] = [];
  readonly registry = new ToolRegistry();
  readonly custom: CustomTools;
  settings: Settings;
  /** The active note during the calls of `step`. */
  activeNote: string | null = null;
  /** Changes the user's setting for deleted files. */
  trashTo!: (goes: ReturnType<NoteVault['trashGoes']>) => void;

  constructor(
    readonly notes: NoteVault,
    metadata: Metadata,
    store: Storage,
    { settings = {}, configDir = '.obsidian', ...options }: BenchOptions = {},
  ) {
    const { history = NO_HISTORY, commands = memoryCommands(), embeddings = () => null } = options;
    const { web = memoryWeb(), servers: offering = memoryServers() } = options;
    const { engine = localEngine() } = options;
    const { clock = benchClock() } = options;
    const mint = countingMint();
    const device = 'desk' as DeviceId;
    const { registry } = this;
    for (const tool of ALL_TOOLS) registry.register(tool);
    this.settings = { ...DEFAULT_SETTINGS, panelMode: 'apply', ...settings };
    this.changeLog = options.changeLog ?? new ChangeLog(store, 'ledger', device);
    notes.onChange((event) => {
      if (event.kind === 'renamed')
        void this.changeLog.renamed(event.from, event.path, clock.now()).catch(() => undefined);
    });
    const detached = new DetachedProposals(this.changeLog);
    const pending = (this.pending = new PendingEdits({
      ...{ notes, metadata, changeLog: this.changeLog, detached, clock },
      tag: () => this.settings.proposalTag,
    }));
    this.search = new VaultSearch({
      ...{ pending, notes: afterView(notes, detached, this.changeLog) },
      clock,
      start: engine,
      meaning: meaningParts(store, clock, embeddings, this.problems, async () => {
        const { vault, signal } = this.#toolContexts.readOnlyContext(null);
        const among = (await vault.listing()).newestFirst;
        const [excludedTag, sees] = [vault.excludedTag(), await vault.seeing()];
        return { among, excludedTag, sees, signal };
      }),
    });
    const { search } = this;
    const inForce = { settings: () => this.settings };
    const { changeLog } = this;
    const undo = undoRunner({ changeLog, pending, notes, metadata, store, device, clock, mint });
    this.#newToolContexts = () =>
      new ToolContexts({
        ...{
          notes,
          metadata,
          changeLog,
          pending,
          search,
          history,
          undo,
          clock,
          mint,
          device,
          configDir,
        },
        ...inForce,
        commands,
        web,
        show: async (path, { line }) =>
          void this.shown.push(line === null ? path : `${path}:${line}`),
      });
    const toolContexts = (this.#toolContexts = this.#newToolContexts());
    this.custom = new CustomTools({
      ...{ registry, notes },
      vault: () => toolContexts.acceptedVault(),
      folder: () => this.settings.customToolFolder,
    });
    const allowAlways = async (tool: string) => {
      this.settings = { ...this.settings, tools: { ...this.settings.tools, [tool]: 'allow' } };
    };
    const servers = new ServerTools(registry, offering);
    this.#direct = new DirectCalls({
      ...{ registry, toolContexts, allowAlways, clock, mint, servers },
      ...inForce,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.search.close();
  }

  readOnlyContext(): ToolContext {
    return this.#toolContexts.readOnlyContext(null);
  }

  /** The structure of the vault as the agent sees it. */
  outline(): Promise<string | null> {
    return vaultOutline(this.readOnlyContext());
  }

  /** The text of a note as tools read it, with proposed edits applied. */
  async textOf(path: string): Promise<string> {
    const read = await this.#toolContexts.vault().read(path);
    if (!read.ok) throw new Error(read.reason);
    return read.value.text;
  }

  /** Runs the calls of one step in order, as a turn does; what they ask for is approved at once. */
  async step(
    conversation: string,
    calls: readonly WrittenCall[],
    each: (result: CallResult, index: number) => Promise<void>,
  ): Promise<void> {
    const turn = this.#turnOf(conversation, calls);
    const tools = this.#executor(conversation as ConversationId);
    const results: CallResult[] = [];
    for (const [index, call] of turn.steps[0]!.calls.entries()) {
      const asked = await tools.ready(call, turn);
      const readiness =
        asked.kind === 'asks' ? await tools.decided(call, turn, approved(asked.draft)) : asked;
      if (readiness.kind === 'asks') throw new Error(`${call.part.name} asks again.`);
      const result =
        readiness.kind === 'runs'
          ? await readiness.run(new AbortController().signal, () => undefined)
          : { ...readiness.result, ...readiness.delivered?.() };
      results.push(result);
      await each(result, index);
    }
    const [step] = turn.steps;
    const finished = step!.calls.map((call, at): ToolCall => {
      const result = JSON.parse(JSON.stringify(results[at])) as CallResult;
      return { ...call, state: 'finished', resolved: null, result, started: 1, ended: 1 };
    });
    const recorded = { ...turn, steps: [{ ...step!, calls: finished }] };
    const earlier = this.#recorded.get(conversation) ?? [];
    this.#recorded.set(conversation, [...earlier, recorded]);
  }

  /** Runs a call that the user stops while it is running; its result is lost. */
  async stopped(conversation: string, call: WrittenCall): Promise<void> {
    const turn = this.#turnOf(conversation, [call]);
    const [only] = turn.steps[0]!.calls;
    const readiness = await this.#executor(conversation as ConversationId).ready(only!, turn);
    if (readiness.kind !== 'runs') throw new Error(`${call[0]} does not run.`);
    const stop = new AbortController();
    const running = readiness.run(stop.signal, () => undefined);
    stop.abort();
    await running;
  }

  /** The result of a call that asks the user, after the user has resolved the interaction. */
  async resolved(call: WrittenCall, resolution: Resolution): Promise<CallResult> {
    const turn = this.#turnOf('asking', [call]);
    const [only] = turn.steps[0]!.calls;
    const tools = this.#executor('asking' as ConversationId);
    const asked = await tools.ready(only!, turn);
    if (asked.kind !== 'asks') throw new Error(`${call[0]} does not ask.`);
    const interaction = asked.draft as Interaction;
    const decided = await tools.decided(only!, turn, { interaction, resolution });
    if (decided.kind === 'asks') throw new Error(`${call[0]} asks again.`);
    return decided.kind === 'answered'
      ? decided.result
      : decided.run(new AbortController().signal, () => undefined);
  }

  #executor(id: ConversationId): ToolExecutor {
    const { registry } = this;
    return new ToolExecutor(
      {
        registry,
        toolContexts: this.#toolContexts,
        settings: () => this.settings,
        allowAlways: async () => undefined,
      },
      {
        id,
        mode: () => this.settings.panelMode,
        changes: () => [],
        seen: () => (this.#recorded.get(id) ?? []).map((turn) => ({ turn, steps: turn.steps })),
      },
    );
  }

  #turnOf(conversation: string, calls: readonly WrittenCall[]): Turn {
    const id = turnIn(conversation);
    const step = stepWith(id, (this.#steps += 1), calls);
    return { ...bareTurn({ activeNote: this.activeNote }), id, steps: [step] };
  }

  /** Simulates compaction: a summary replaces what was shown in a conversation. */
  compact(conversation: string): void {
    this.#recorded.delete(conversation);
    this.#toolContexts.forgetShown(conversation as ConversationId);
  }

  /** Simulates a restart of the process with the same vault. */
  restart(): void {
    this.#toolContexts = this.#newToolContexts();
  }

  /** The result of a call, failed or not; approvals are approved with their first choice. */
  async call(name: string, input: object): Promise<CallResult> {
    const answer = await this.#direct.call(name, input);
    if (answer.ok) return answer.result;
    if ('needs' in answer)
      return this.confirm(answer.approval, answer.approval.choices[0] ?? 'delete');
    return answer.result ?? { text: answer.reason, failed: true };
  }

  /** The text for the model. Throws if the call fails. */
  async expectSuccess(name: string, input: object): Promise<string> {
    const result = await this.call(name, input);
    if (result.failed) throw new Error(`${name} failed: ${result.text}`);
    return result.text;
  }

  /** The text for the model. Throws if the call succeeds. */
  async expectFailure(name: string, input: object): Promise<string> {
    const result = await this.call(name, input);
    if (!result.failed) throw new Error(`${name} did not fail: ${result.text}`);
    return result.text;
  }

  /** The approval that a call asks for. Throws if it asks for none. */
  async approvalOf(name: string, input: object): Promise<Approval> {
    const answer = await this.#direct.call(name, input);
    if (answer.ok || !('needs' in answer)) throw new Error(`${name} does not ask.`);
    return answer.approval;
  }

  async confirm(approval: Approval, choice: ApprovalChoice, reason?: string): Promise<CallResult> {
    const result = await this.#direct.confirm(approval.id, choice, reason);
    if (result === null || typeof result === 'string') throw new Error(result ?? 'No such card.');
    return result;
  }
}

function approved(draft: InteractionDraft): Omit<ResolvedInteraction, 'time'> {
  return {
    interaction: draft as Interaction,
    resolution: { kind: 'choice', choice: 'allow-once' },
  };
}

function turnIn(conversation: string): TurnId {
  return `${conversation}-turn` as TurnId;
}

export interface MemoryBench extends ToolBench {
  readonly notes: MemoryNotes;
  readonly metadata: MemoryMetadata;
}

export function memoryBench(files: NoteFiles = {}, options: BenchOptions = {}): MemoryBench {
  const notes = new MemoryNotes(files);
  const metadata = memoryMetadata(notes);
  const bench = new ToolBench(notes, metadata, memoryStore(), options);
  const trashTo = (goes: MemoryNotes['trashGoesTo']) => {
    notes.trashGoesTo = goes;
  };
  return Object.assign(bench, { notes, metadata, trashTo });
}

export interface FolderBench extends ToolBench {
  readonly app: App;
  readonly metadata: Metadata;
  /** Path of the vault on disk. */
  readonly folder: string;
  /** Reports outside changes to the host and waits until it has processed them. */
  noticed(...paths: string[]): Promise<void>;
}

/** Creates a bench over a new folder with these files. */
export function folderBench(files: NoteFiles, options: BenchOptions = {}): Promise<FolderBench> {
  const folder = temporaryFolder('tools');
  writeNotes(folder, files);
  return benchAt(folder, options);
}

/** Creates a bench over an existing folder, wired like the plugin. */
export async function benchAt(folder: string, options: BenchOptions = {}): Promise<FolderBench> {
  const { configDir = '.obsidian', waitForIndex = true } = options;
  const vault = await openVault({ vault: folder, configDir, waitForIndex });
  const app = vault.app.asOriginalType__();
  const links = findSymlinks(NODE, app.vault.adapter as FileSystemAdapter, {
    has: (each) => protectedReason(each, configDir) !== null,
    rules: () => null,
  });
  const notes = obsidianVault(app, links, fileReader(NODE, app.vault.adapter as FileSystemAdapter));
  const metadata = obsidianMetadata(app, benchClock());
  const store = nodeStorage(NODE, temporaryFolder('ledger'));
  const bench = new ToolBench(notes, metadata, store, { engine: workerEngine(), ...options });
  return Object.assign(bench, {
    app,
    metadata,
    folder,
    trashTo: (goes: ReturnType<NoteVault['trashGoes']>) =>
      (vault.app.vault as FolderVault).setConfig('trashOption', TRASH_OPTIONS[goes]),
    noticed: async (...paths: string[]) => {
      for (const each of paths) vault.app.notice(each);
      await (vault.app.vault.adapter as unknown as DiskAdapter).idle();
    },
    [Symbol.asyncDispose]: async () => {
      bench.search.close();
      notes.close();
      metadata.close();
      await vault.close();
    },
  });
}

const TRASH_OPTIONS = { system: 'system', vault: 'local', nowhere: 'none' } as const;

/** Both kinds of bench. Tools must behave the same with either. */
export const BENCHES: readonly [
  string,
  (files: NoteFiles, options?: BenchOptions) => Promise<ToolBench>,
][] = [
  ['in memory', async (files, options) => memoryBench(files, options)],
  ['in a folder', (files, options) => folderBench(files, options)],
];

/** Writes the files with modification times one minute apart, the last one newest. */
export function writeNotes(folder: string, files: NoteFiles): void {
  const written = Object.entries(files);
  const end = Date.UTC(2026, 10, 12, 9);
  written.forEach(([file, content], place) => {
    const full = path.join(folder, file);
    fs.mkdirSync(file.endsWith('/') ? full : path.dirname(full), { recursive: true });
    if (file.endsWith('/')) return;
    fs.writeFileSync(full, content);
    const time = new Date(end - (written.length - place) * 60_000);
    fs.utimesSync(full, time, time);
  });
}

function benchClock(): Clock {
  let now = Date.UTC(2026, 10, 12, 9);
  return {
    now: () => (now += 1),
    elapsed: () => now,
    sleep: async () => undefined,
    after: () => () => undefined,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    random: () => 0.5,
    date: (time) => new Date(time).toISOString().slice(0, 10),
    describe: (time) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
}

function countingMint(): MintId {
  let count = 0;
  return (kind) => {
    count += 1;
    return `${kind}-${count}` as never;
  };
}
