/** The app on a disk in memory, as one process; several may follow one another on the same disk. */
// Imported statically, because a dynamic import would take longer than a test waits.
import '#agent/loop';
import { SharedRateLimit } from '#agent/shared-rate-limit';
import '#agent/prompt/system-prompt';
import '#edits/undo';
import '#search/globs';
import '#search/grep';
import '#queue/turn-context';
import '#tools/editor/edit/diff-text';
import '#tools/editor/edit/edit-plan';
import { Conversations } from '#conversations/repository';
import { readLines } from '#conversations/conversation-file';
import { DeliveredIds } from '#queue/delivered-ids';
import { Inbox } from '#queue/inbox';
import type { EventOf, EventType } from '#model/event';
import { idMinter, type DeviceId } from '#model/ids';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { assistantNames } from '#voice/spoken-words';
import { withInstruction } from '#text/lasting-wish';
import type { Metadata } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';
import { memoryCommands } from '../builders/commands';
import { memoryWeb } from '../builders/web';
import type { Web } from '#ports/web';
import { meaningParts } from '../builders/semantic-search';
import { OpenTasks } from '#tools/due-tasks';
import { SourceCheck } from '#tools/source-check';
import { NO_METADATA } from '../builders/fake-metadata';
import type { ModelProvider } from '#ports/model-provider';
import { McpHttpServer } from '#mcp/server/http-server';
import { loopbackServer } from '#obsidian/platform/loopback-server';
import { NODE } from '../builders/node-modules';
import { priceOf } from '#providers/anthropic/anthropic-models';
import { afterView } from '#edits/proposals';
import { DetachedProposals, PendingEdits } from '#edits/pending-edits';
import { ChangeLog } from '#edits/change-log';
import { UserDecisions } from '#edits/user-action-recovery';
import { ComposerApi } from '#app/api/composer-api';
import { DirectCalls } from '#tools/direct-calls';
import { DraftFile } from '#conversations/drafts';
import { type Announcement, TurnReplies, type TurnRepliesDeps } from '#voice/turn-replies';
import { SentPrompts } from '#queue/sent-prompts';
import { SpokenRequests, heldMessageIds, recentMessageIds } from '#queue/spoken-requests';
import { ReviewApi } from '#app/api/pending-edits-api';
import { Runner } from '#queue/runner';
import type { EditHistory } from '#queue/quick-commands';
import { AuthorshipApi } from '#app/api/authorship-api';
import type { Agent } from '#ports/app/agent';
import { agentState, voicePort } from '#app/api/agent-api';
import { ConversationsApi } from '#app/api/conversations-api';
import { EditRepliesApi } from '#app/api/edit-replies-api';
import { QuickEditApi } from '#app/api/quick-edit-api';
import { SettingsApi } from '#app/api/settings-api';
import { LeaderLock, type LeaseAnswer } from '#queue/leader-lock';
import { McpCalls } from '#queue/mcp-calls';
import { OpenTurns } from '#queue/open-turns';
import { ToolContexts } from '#tools/tool-context';
import { endInterruptedMcpCalls } from '#queue/mcp-conversations';
import { MCP_PATH, McpServing } from '#app/mcp-serving';
import { UndoApi } from '#app/api/undo-api';
import { UndoRecords } from '#app/undo-records';
import { UndoRunner } from '#edits/undo-runner';
import { TurnRunner } from '#queue/turn-runner';
import { UsageLog } from '#usage/usage-log';
import { notificationOf } from '#voice/notifications';
import { Outbox, type PendingReply } from '#voice/outbox';
import { fakeSigner, spentSignatures } from '../builders/fake-signer';
import { settle, type TestClock } from '../builders/fake-clock';
import type { MemoryStore } from '../builders/fake-storage';
import { memoryServers, type MemoryServers } from '../builders/fake-mcp-servers';
import type { TinyVault } from '../edits/vault';
import { ALL_TOOLS } from '#tools/all-tools';
import { CustomTools } from '#tools/custom/custom-tools';
import { ToolRegistry } from '#tools/registry';
import { ServerTools } from '#tools/mcp/server-tools';
import { localEngine } from '#tests/builders/search-engines';
import { VaultSearch } from '#tools/vault-search';
import { mortalStore, mortalVault, newLife, type KillableProcess } from './killable-process';

/** What survives a process. */
export interface Disk {
  readonly store: MemoryStore;
  readonly vault: TinyVault;
  /** Replaces the vault. */
  readonly notes?: NoteVault;
  readonly clock: TestClock;
  readonly model: ModelProvider;
  /**
   * What SmartHole showed, by the id of the message and the key; by default it shows nothing, and
   * notifications are saved on the disk.
   */
  readonly posted?: Map<string, Posted>;
  /** Replaces where they are saved and shown. */
  readonly voice?: Pick<TurnRepliesDeps, 'post' | 'drop' | 'shownFor'>;
  /** Whose lease the next process finds; without it, its own. */
  readonly lease?: LeaseAnswer;
  /** Called when a process has found the open turns again. */
  readonly onReady?: () => void;
  readonly settings?: Partial<Settings>;
  /** Default: no metadata. */
  readonly metadata?: Metadata;
  /** Default: an empty one. */
  readonly web?: Web;
  /** Default: true. */
  readonly hasKey?: boolean;
  /** Default: none. */
  readonly servers?: MemoryServers;
  /** The key of the device; null while its keychain is locked. */
  readonly key?: string | null;
  /** Whether voice may decide approvals; true by default. */
  readonly isPaired?: boolean;
}

/** Whether a spoken request was taken, and else the reason. */
export type IntakeResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export type Posted = Announcement & {
  /** When it was shown. */
  readonly at: number;
};

export interface Rig {
  readonly agent: Agent;
  readonly runner: Runner;
  readonly mcpCalls: McpCalls;
  load(): Promise<void>;
  readonly serving: McpServing;
  /** Delivers a spoken request with this SmartHole id. */
  say(
    id: string,
    text: string,
    routing?: Readonly<Record<string, unknown>>,
    late?: AbortSignal,
  ): Promise<IntakeResult>;
  readonly problems: readonly string[];
  /** Resolves when the process is idle, or dead. */
  idle(): Promise<void>;
  /** Resolves when nothing more happens until time passes. */
  idleOrWaiting(): Promise<void>;
}

const IN_TIME = new AbortController().signal;

const DEVICE = 'device-1' as DeviceId;

/** One process follows another here; the leader lock has its own tests. */
const ALONE = {
  await: () => undefined,
  keep: () => undefined,
  release: () => Promise.resolve(),
};

/** No other device changes the settings here. */
const NOTHING_PENDING = { pending: [], decide: async () => undefined };

let processes = 0;

/** Not loaded yet. */
export function makeRig(disk: Disk, life: KillableProcess = newLife()): Rig {
  const { store: files, vault, clock, posted, metadata = NO_METADATA } = disk;
  const model = new SharedRateLimit({ provider: disk.model, clock, target: (id) => id });
  const { web = memoryWeb() } = disk;
  processes += 1;
  let minted = 0;
  const random = () => `${processes}`.padStart(4, '0') + `${(minted += 1)}`.padStart(4, '0');
  const now = () => clock.now();
  const mint = idMinter(now, random);
  let changed: Partial<Settings> = {};
  const settings = () => ({
    ...DEFAULT_SETTINGS,
    panelMode: 'apply' as const,
    stepsPerTurn: 50,
    ...disk.settings,
    ...changed,
  });
  const store = mortalStore(files, life);
  let isPaired = disk.isPaired ?? true;
  const notes = disk.notes ?? mortalVault(vault, life);
  const device = DEVICE;
  const problems: string[] = [];
  const signer = fakeSigner(disk.key);
  const conversations = new Conversations({
    store,
    folder: 'conversations',
    device,
    signer,
    clock,
    report: (problem) => problems.push(problem),
  });
  const inbox = new Inbox(store, 'inbox', device, signer, spentSignatures(files));
  const changeLog = new ChangeLog(store, 'ledger', device);
  const detached = new DetachedProposals(changeLog);
  const tag = () => settings().proposalTag;
  const pending = new PendingEdits({
    notes,
    metadata,
    changeLog,
    detached,
    clock,
    tag,
  });
  const acts = new UserDecisions({
    store,
    folder: 'ledger',
    device,
    changeLog,
    notes,
    now,
  });
  const prompts = new SentPrompts(store, 'prompts', async (text) => `hash-${text.length}`);
  const registry = new ToolRegistry();
  for (const tool of ALL_TOOLS) registry.register(tool);
  const undoRecords = new UndoRecords({ changeLog, conversations });
  const undoRunner = new UndoRunner({
    ...{ changeLog, pending, userDecisions: acts, notes, metadata, clock, mint },
    record: (...undone) => undoRecords.record(...undone),
  });
  const toolContexts = new ToolContexts({
    notes,
    metadata,
    changeLog,
    pending,
    search: new VaultSearch({
      ...{ clock, start: localEngine() },
      ...{ pending, notes: afterView(notes, detached, changeLog) },
      meaning: meaningParts(store, clock),
    }),
    history: conversations,
    undo: undoRunner,
    show: async () => undefined,
    commands: memoryCommands(),
    web,
    clock,
    mint,
    device,
    configDir: '.obsidian',
    settings,
  });
  const custom = new CustomTools({
    ...{ registry, notes },
    vault: () => toolContexts.acceptedVault(),
    folder: () => settings().customToolFolder,
  });
  const servers = new ServerTools(registry, disk.servers ?? memoryServers());
  const tools = { registry, toolContexts, settings, servers, allowAlways: async () => undefined };
  const activeNote = () => null;
  const report = (problem: string) => problems.push(problem);
  const outbox = new Outbox({ clock, store, path: OUTBOX, report });
  const price = (id: string) => priceOf(id, settings());
  const usage = new UsageLog({ store, folder: 'plugin', device, clock, price, report });
  const window = async () => ({ prompt: 200_000, output: 32_000 });
  const shared = { clock, mint, device, conversations };
  const metering = { usage, window };
  const turns = new TurnRunner({
    ...tools,
    ...shared,
    ...metering,
    model,
    prompts,
    changeLog,
    pending,
    notes,
    activeNote,
  });
  const replies: TurnReplies = new TurnReplies({
    clock,
    names: () => assistantNames(settings()),
    allowsDecisions: () => isPaired,
    replyTo: (id) => inbox.get(id)?.request.reply ?? null,
    ...(disk.voice ?? (posted ? shownIn(posted, clock) : keptBy(outbox))),
  });
  const heard = new DeliveredIds(store, 'heard.jsonl');
  const leads = async (isLeading: boolean) => {
    if (!isLeading) return serving.close();
    await endInterruptedMcpCalls(conversations, turns);
    void serving.lead();
    await acts.recover(async (entries) => {
      await undoRecords.recordInterrupted(entries);
      await reviews.recordInterrupted(entries);
    });
    await pending.start();
    await outbox.load();
    const recent = await recentMessageIds(conversations, clock.now());
    await heard.load([...recent, ...heldMessageIds(inbox)]);
  };
  const direct = new DirectCalls({ ...tools, clock, mint });
  const mcpCalls = new McpCalls({
    ...{ ...tools, ...shared, turns },
    isAsked: (id) => inbox.hasUnanswered(id),
  });
  const open = new OpenTurns(clock, (id) => mcpCalls.isOpen(id));
  const lease = { ...ALONE, take: async () => disk.lease ?? 'mine' };
  const leader = new LeaderLock({ lease, report, onStatus: () => undefined });
  const isFollower = () => leader.isFollower;
  const hasKey = () => disk.hasKey ?? true;
  const mayWrite = () => !isFollower();
  const drafts = new DraftFile({ store, folder: 'plugin', device, clock, report, mayWrite });
  const sources = new SourceCheck({ notes, metadata, toolContexts, changeLog, clock });
  const editHistory: EditHistory = {
    changes: () => changeLog.changes(),
    undo: (choice) => undoing.undo(choice),
    pending: () => pending.all(),
    accept: (choice) => reviews.accept(choice),
    reject: (choice) => reviews.reject(choice),
    seeing: () => toolContexts.vault().seeing(),
    checkSources: (passages) => sources.check(passages),
  };
  const openTasks = new OpenTasks(notes);
  const own = {
    ...{ inbox, leader, open, turns, settings, report, replies, mcpCalls, direct },
    dueTasks: (until: string) => openTasks.dueUntil(until, toolContexts.readOnlyContext(null)),
    ...{ editHistory, hasKey, drafts, askAgain: () => model.askAgain() },
    remember: async (line: string) => {
      changed = { ...changed, instructions: withInstruction(settings().instructions, line) };
    },
    onStatus: () => undefined,
    onChange: () => () => undefined,
  };
  const runner: Runner = new Runner({ ...shared, ...own });
  const reviews = new ReviewApi({
    ...{
      pending,
      detached,
      changeLog,
      userDecisions: acts,
      notes,
      conversations,
      clock,
      mint,
      device,
      tag,
      isFollower,
    },
    current: () => conversations.current(),
  });
  const undoing = new UndoApi({
    ...{ changeLog, runner: undoRunner },
    isFollower,
    isRunning: (turn) => open.isRunning(turn),
  });
  conversations.subscribe((event, conversation) => usage.take(event, conversation));
  conversations.subscribe((event) => runner.follow(event));
  const desk = new ComposerApi({
    ...{ toolContexts, drafts, clock, settings, window },
    conversation: (id) => conversations.read(id),
    prompt: (conversation) => turns.nextPrompt(conversation),
    opening: (conversation) => turns.opening(conversation),
  });
  let token = 'token';
  const serving = new McpServing({
    clock,
    calls: mcpCalls,
    loopback: loopbackServer(NODE),
    settings,
    token: { get: () => token, set: (made) => (token = made), make: () => `${random()}-token` },
    serve: async (how) =>
      new McpHttpServer({ ...how, tools: mcpCalls, clock, version: '0', path: MCP_PATH }),
    onTools: (listener) => registry.onChange(listener),
  });
  const { queue } = runner;
  const quickEdits = new QuickEditApi({
    ...{ conversations, queue, leader, toolContexts, mint, settings },
  });
  const editReplies: EditRepliesApi = new EditRepliesApi({
    ...{ conversations, queue, quickEdits, leader, pending, toolContexts, clock },
  });
  const bridge = {
    state: { kind: 'off' as const },
    subscribe: () => () => undefined,
    retry: () => undefined,
  };
  const agent: Agent = {
    state: () =>
      agentState({
        ...{ inbox, runner, device, mcpCalls, conversations, bridge, edits: reviews },
        problems: () => problems,
      }),
    voice: voicePort(
      bridge,
      {
        decisions: { allowed: false },
        pair: () => (isPaired = true),
        unpair: () => (isPaired = false),
      },
      replies,
    ),
    mcpServer: serving,
    composer: desk,
    conversations: new ConversationsApi({
      ...{ inbox, leader, runner, conversations, clock, mint },
      exporting: { conversations, notes, metadata: NO_METADATA, clock },
    }),
    sources,
    queue,
    quickEdits,
    editReplies,
    edits: reviews,
    changes: undoing,
    authorship: new AuthorshipApi({
      ...{ changeLog, clock },
    }),
    settings: new SettingsApi({
      ...{ runner, usage, settings },
      asides: usage.metered(model, 'background'),
      waiting: NOTHING_PENDING,
      changeSettings: async (change) => {
        const now = settings();
        const next = Object.entries(change(now));
        changed = {
          ...changed,
          ...Object.fromEntries(
            next.filter(([name, value]) => now[name as keyof Settings] !== value),
          ),
        };
      },
      models: async () => [],
      check: async () => ({ ok: true, models: 1, transport: 'node' }),
      embedNotes: async () => ({ ok: true, notes: 0 }),
      outline: async () => 'Lists/ 1: Shopping',
    }),
    tools: {
      agents: async () => registry.listed(),
      customTools: () => custom.look(),
      call: (name, input) => direct.call(name, input),
      textOf: (paths) => toolContexts.textOf(paths),
    },
    usage: { price: (id) => usage.price(id), byDay: () => usage.byDay() },
    mcpServers: {
      status: async () => new Map(),
      test: async () => ({ kind: 'off' }),
    },
    log: () => [],
    subscribe: (listener) => conversations.subscribe(listener),
  };
  const wake = () => runner.wake();
  const reception = new SpokenRequests({
    inbox,
    deliveredIds: heard,
    replies,
    clock,
    mint,
    settings,
    subject: (time) => editReplies.spokenSubject(time),
    wake,
    report,
  });
  return {
    agent,
    runner,
    mcpCalls,
    load: () => runner.load({ onLeading: leads, onReady: () => disk.onReady?.() }),
    serving,
    async say(id, text, routing = {}, late = IN_TIME) {
      const voice = { inputMethod: 'voice', directRouted: false } as const;
      const message = { id, text, sent: null, routing: { ...voice, ...routing } };
      const taken = await reception.take(message, late);
      return taken === 'ack' ? { ok: true } : { ok: false, reason: taken.reject };
    },
    problems,
    async idleOrWaiting() {
      for (let look = 0; look < 40; look += 1) await settle();
    },
    async idle() {
      await settle();
      while (runner.busy && !life.isDead) await settle();
    },
  };
}

const OUTBOX = 'outbox.jsonl';

/** Shows everything at once, replying to the newest message. */
function shownIn(posted: Map<string, Posted>, clock: TestClock): NonNullable<Disk['voice']> {
  const all = () => [...posted.values()];
  return {
    async post(messageIds, announcement) {
      if (all().some(({ key }) => key === announcement.key)) return;
      posted.set(`${messageIds.at(-1)} ${announcement.key}`, { ...announcement, at: clock.now() });
    },
    drop: async () => undefined,
    shownFor(about) {
      const shown = all().find((each) => each.about === about);
      return shown ? clock.now() - shown.at : null;
    },
  };
}

function keptBy(outbox: Outbox): NonNullable<Disk['voice']> {
  return {
    post: (messageIds, { key, about, reply, request, turn }) => {
      const notification = notificationOf(reply, { request, wireName: 'simone' });
      return outbox.keepReply({ key, about, messageIds, notification, done: null, turn });
    },
    drop: (abouts) => outbox.drop(abouts),
    shownFor: (about) => outbox.shownFor(about),
  };
}

/** What a listener hears of a reply besides the request: the answer of a command is its title. */
export function heardOf({ reply, request }: Posted): string {
  const { title, body } = notificationOf(reply, { request, wireName: 'simone' });
  const isCommand =
    reply.kind === 'end' && reply.title === 'command' && !title.startsWith('Answer: ');
  return isCommand ? `${title}${title.endsWith('?') ? '' : '.'} ${body}`.trim() : body;
}

/** Messages to SmartHole saved on the disk. */
export async function keptReplies({ clock, store }: Disk): Promise<readonly PendingReply[]> {
  const outbox = new Outbox({ clock, store, path: OUTBOX, report: () => undefined });
  await outbox.load();
  return outbox.replies;
}

export function eventsOn<Type extends EventType>({ store }: Disk, type: Type): EventOf<Type>[] {
  return [...store.files]
    .filter(([path]) => /^conversations\/conversation-/.test(path))
    .flatMap(([, text]) => readLines(text).events)
    .filter((event): event is EventOf<Type> => event.type === type);
}

export function inboxOn({ store }: Disk): string[] {
  return [...store.files.keys()].filter((path) => path.startsWith('inbox/'));
}
