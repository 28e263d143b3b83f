/**
 * The composition root: creates everything behind the chat view and connects it, once the layout is
 * ready.
 */
import * as t from '#messages/notice-messages';
import { Conversations } from '#conversations/repository';
import { DraftFile } from '#conversations/drafts';
import type { ConversationId } from '#model/ids';
import { Log } from '#model/log';
import { newestHaiku } from '#model/model-name';
import {
  hasProcessEnded,
  isInFront,
  notify,
  onOnline,
  thisProcess,
} from '#obsidian/platform/platform';
import type { PluginHost } from '#obsidian/lifetime';
import type { SettingsFile } from '#obsidian/settings/settings-file';
import type { Agent } from '#ports/app/agent';
import type { NoteVault } from '#ports/vault';
import { TitleSchedule } from '#queue/title-schedule';
import { Inbox } from '#queue/inbox';
import { FOLLOWER_NOTICE, LeaderLock, Lease } from '#queue/leader-lock';
import { endInterruptedMcpCalls } from '#queue/mcp-conversations';
import { OpenTurns } from '#queue/open-turns';
import { Runner } from '#queue/runner';
import { SpentSignatures } from '#queue/spent-signatures';
import { SpokenRequests } from '#queue/spoken-requests';
import { ALL_TOOLS } from '#tools/all-tools';
import { vaultOutline } from '#tools/vault-outline';
import { OpenTasks } from '#tools/due-tasks';
import { SourceCheck } from '#tools/source-check';
import { notificationOf } from '#voice/notifications';
import { ActivityLog } from './activity-log';
import { awayNews } from './away-notifications';
import { agentState, voicePort } from './api/agent-api';
import { ComposerApi } from './api/composer-api';
import { ConversationsApi } from './api/conversations-api';
import { EditRepliesApi } from './api/edit-replies-api';
import { QuickEditApi } from './api/quick-edit-api';
import { SettingsApi } from './api/settings-api';
import { withInstruction } from '#text/lasting-wish';
import { createAppAgent } from './app-agent';
import { createAppContext, randomLetters } from './app-context';
import { createAppEdits, createAppReview, createAppUndo } from './app-edits';
import { createMcpServer } from './app-mcp';
import { removeOldWordIndex, SemanticIndexUpdates } from './app-search';
import { createAppVoice } from './app-voice';

const INBOX_FOLDER = '.smarthole/inbox';
/** After the start; later than the words of the search begin to be indexed. */
const READ_TASKS_AFTER_MS = 15_000;
/** Key in local storage, which does not sync. */
const SPENT_SIGNATURES = 'parley-spent-signatures';

export interface AppOptions {
  readonly settingsFile: SettingsFile;
  openConversation(id: ConversationId): void;
}

export interface App {
  readonly agent: Agent;
  readonly notes: NoteVault;
  /** Recovers what was open at the last unload or crash, and resumes it. */
  start(): Promise<void>;
  settingsChanged(): void;
}

export function createApp(plugin: PluginHost, options: AppOptions): App {
  const core = createCore(plugin, options);
  const { agent, spoken } = createAgent(core, options);
  const background = createTitleSchedule(core);
  notifyWhenAway(core, options);
  const log = createLog(core);
  return {
    agent: { ...agent, log: () => log.lines() },
    notes: core.context.notes,
    settingsChanged: followSettings(core, options, log),
    start: () => startApp(core, spoken, background),
  };
}

/** Creates the parts from the files up to the runner, each from the ones before it. */
function createCore(plugin: PluginHost, { settingsFile, openConversation }: AppOptions) {
  const watchers = new Set<() => void>();
  const queueChanged = () => {
    for (const watcher of watchers) watcher();
  };
  const onQueueChange = (listener: () => void) => {
    watchers.add(listener);
    return () => watchers.delete(listener);
  };
  const report = (problem: string) => {
    settingsFile.problems.push(problem);
    queueChanged();
  };
  const context = createAppContext(plugin, settingsFile, report);
  const { machine, folder, device, signer, mint, settings } = context;
  const { clock, storage: store } = machine;
  const conversations = new Conversations({
    ...{ store, device, signer, clock, report },
    folder: `${folder}/conversations`,
  });
  const spent = new SpentSignatures({
    get: () => plugin.app.loadLocalStorage(SPENT_SIGNATURES) as unknown,
    set: (signatures) => plugin.app.saveLocalStorage(SPENT_SIGNATURES, signatures),
  });
  const inbox = new Inbox(store, INBOX_FOLDER, device, signer, spent, queueChanged);
  const own = `${INBOX_FOLDER}.${device}`;
  const lease = new Lease({
    ...{ store, clock },
    path: `${own}.lease`,
    holder: randomLetters(),
    process: thisProcess(),
    isGone: hasProcessEnded,
  });
  const leader = new LeaderLock({ lease, report, onStatus: queueChanged });
  const edits = createAppEdits(context);
  const undo = createAppUndo(edits, context, conversations);
  const tooling = createAppAgent(context, conversations, edits, undo, (models) => {
    const newest = newestHaiku(models);
    if (newest !== null) settingsFile.setDefaultModel(newest);
  });
  const { turns, direct, calls, hasKey } = tooling;
  const mcp = createMcpServer(context, tooling, conversations, inbox);
  const open = new OpenTurns(clock, (id) => mcp.calls.isOpen(id));
  const review = createAppReview(edits, undo, context, conversations, leader, open);
  const voice = createAppVoice(context, { inbox, own, conversations, openConversation });
  const indexing = new SemanticIndexUpdates({
    ...{ search: tooling.search, settings },
    isFollower: () => leader.isFollower,
  });
  plugin.register(() => indexing.close());
  const mayWrite = () => !leader.isFollower;
  const drafts = new DraftFile({ store, folder, device, clock, report, mayWrite });
  plugin.register(() => void drafts.flush());
  plugin.onQuit(() => drafts.flush());
  const openTasks = new OpenTasks(context.notes);
  const sources = new SourceCheck({
    ...{ notes: context.notes, metadata: context.metadata, clock },
    ...{ changeLog: edits.changeLog, toolContexts: tooling.tools.toolContexts },
  });
  const readOnlyContext = () => tooling.tools.toolContexts.readOnlyContext(null);
  const readTasks = () => void openTasks.readAhead(readOnlyContext()).catch(() => undefined);
  plugin.register(clock.after(READ_TASKS_AFTER_MS, readTasks));
  const runner = new Runner({
    ...{ inbox, leader, open, conversations, turns, direct, drafts, clock, mint, device },
    ...{ settings, hasKey, report, onChange: onQueueChange, onStatus: queueChanged },
    askAgain: () => calls.askAgain(),
    remember: (line) =>
      context.changeSettings((now) => ({
        ...now,
        instructions: withInstruction(now.instructions, line),
      })),
    replies: voice.replies,
    mcpCalls: mcp.calls,
    dueTasks: (until) => openTasks.dueUntil(until, readOnlyContext()),
    editHistory: {
      changes: () => edits.changeLog.changes(),
      undo: (choice) => review.undoing.undo(choice),
      pending: () => edits.pending.all().filter((each) => each.edits.length > 0),
      accept: (choice) => review.reviews.accept(choice),
      reject: (choice) => review.reviews.reject(choice),
      seeing: () => tooling.tools.toolContexts.vault().seeing(),
      checkSources: (passages) => sources.check(passages),
    },
  });
  conversations.subscribe((event) => runner.follow(event));
  plugin.register(() => void runner.close());
  plugin.onQuit(() => runner.close());
  plugin.register(onOnline(() => void runner.retryFor('network', 'endpoint')));
  const made = { context, plugin, conversations, inbox, leader, edits, tooling, mcp, review };
  return { ...made, voice, indexing, runner, drafts, sources, queueChanged };
}

type Core = ReturnType<typeof createCore>;

/** Creates the agent as the screen sees it, and what takes spoken requests. */
function createAgent(core: Core, { settingsFile }: AppOptions) {
  const { problems } = settingsFile;
  const { context, conversations, inbox, leader, edits, tooling, mcp, review } = core;
  const { voice, indexing, runner, drafts } = core;
  const { machine, notes, metadata, device, mint, settings, report } = context;
  const { clock } = machine;
  const { tools, turns, model, calls, usage, custom, servers, direct } = tooling;
  const { toolContexts } = tools;
  const { queue } = runner;
  const { bridge, replies, pairing, deliveredIds } = voice;
  const composer = new ComposerApi({
    ...{ toolContexts, drafts, clock, settings },
    conversation: (id) => conversations.read(id).catch(() => null),
    prompt: (conversation) => turns.nextPrompt(conversation),
    opening: (conversation) => turns.opening(conversation),
    window: (id) => model.window(id),
  });
  const common = { inbox, conversations, leader, runner, clock, mint, queue, toolContexts };
  const quickEdits = new QuickEditApi({ ...common, settings });
  const editReplies = new EditRepliesApi({ ...common, quickEdits, pending: edits.pending });
  const spoken = new SpokenRequests({
    ...{ inbox, deliveredIds, replies, clock, mint, settings, report },
    subject: (time) => editReplies.spokenSubject(time),
    wake: () => runner.received(),
  });
  const shown = () => (leader.isFollower ? [FOLLOWER_NOTICE, ...problems] : problems);
  const state = { inbox, conversations, runner, device, bridge, mcpCalls: mcp.calls };
  const agent: Omit<Agent, 'log'> = {
    state: () => agentState({ ...state, edits: review.reviews, problems: shown }),
    voice: voicePort(bridge, pairing, replies),
    mcpServer: mcp.server,
    composer,
    conversations: new ConversationsApi({
      ...common,
      exporting: { conversations, notes, metadata, clock },
    }),
    sources: core.sources,
    queue,
    quickEdits,
    editReplies,
    edits: review.reviews,
    changes: review.undoing,
    authorship: review.authorship,
    settings: new SettingsApi({
      ...{ runner, usage, settings, waiting: settingsFile },
      asides: usage.metered(calls, 'background'),
      embedNotes: indexing.update,
      changeSettings: context.changeSettings,
      models: () => model.models(),
      outline: () => vaultOutline(toolContexts.readOnlyContext(null)),
      check: async () => {
        const found = await model.ask();
        const transport = machine.transportFor(settings().endpoint);
        return 'failure' in found
          ? { ok: false, failure: found.failure, transport }
          : { ok: true, models: found.models.length, transport };
      },
    }),
    tools: {
      agents: async () => {
        await tools.registry.refresh();
        return tools.registry.listed();
      },
      customTools: () => custom.look(),
      call: (name, input) => direct.call(name, input),
      textOf: (paths) => toolContexts.textOf(paths),
    },
    usage,
    mcpServers: {
      status: () => Promise.resolve(servers.statuses()),
      test: (id) => servers.test(id),
    },
    subscribe: (listener) => conversations.subscribe(listener),
  };
  return { agent, spoken };
}

function createTitleSchedule(core: Core): TitleSchedule {
  const { context, plugin, conversations, runner, tooling } = core;
  const { machine, settings } = context;
  const { calls, usage, hasKey } = tooling;
  const background = new TitleSchedule({
    ...{ conversations, usage, settings },
    clock: machine.clock,
    model: usage.metered(calls, 'background'),
    busy: () => runner.busy,
    mayAsk: () => hasKey() && navigator.onLine,
  });
  conversations.subscribe((event, conversation) => background.take(event, conversation));
  plugin.register(() => background.close());
  return background;
}

function notifyWhenAway({ context, conversations }: Core, { openConversation }: AppOptions): void {
  conversations.subscribe((event, state) => {
    const news = context.settings().notifications ? awayNews(event, state) : null;
    if (!news || isInFront()) return;
    const { conversation, reply, request } = news;
    const { title, body } = notificationOf(reply, { request, wireName: null });
    notify({ title, body, clicked: () => openConversation(conversation) });
  });
}

function createLog({ context, conversations, voice, tooling }: Core): Log {
  const { machine, settings } = context;
  const log = new Log(
    () => machine.clock.now(),
    () => settings().logLevels,
  );
  const activity = new ActivityLog({
    log,
    isOwnTool: (name) => ALL_TOOLS.some((tool) => tool.name === name),
  });
  conversations.subscribe((event) => activity.take(event));
  voice.bridge.subscribe((status) => activity.connection(status));
  tooling.servers.onChange(() => activity.servers(tooling.servers.statuses()));
  return log;
}

/** Returns what must be called after each change of the settings. */
function followSettings(core: Core, { settingsFile }: AppOptions, log: Log): () => void {
  const { context, runner, voice, tooling, mcp, edits, indexing, queueChanged } = core;
  const access = () => {
    const { endpoint, apiKeyName } = context.settings();
    return [endpoint, apiKeyName, tooling.key()].join('\n');
  };
  let lastAccess = access();
  return () => {
    const facts = { pending: settingsFile.pending.length };
    log.add({ area: 'settings', what: 'changed', facts });
    queueChanged();
    if (access() !== lastAccess) {
      lastAccess = access();
      void runner.retryFor('key', 'endpoint');
    }
    voice.settingsChanged();
    tooling.settingsChanged();
    void mcp.server.update();
    void edits.changeLog.trim().catch(() => undefined);
    indexing.settingsChanged();
  };
}

function startApp(core: Core, spoken: SpokenRequests, background: TitleSchedule): Promise<void> {
  const { context, conversations, inbox, runner, review, tooling, mcp, voice } = core;
  const retain = () => {
    const { conversationsKept } = context.settings();
    const isAsked = (id: ConversationId) => inbox.hasUnanswered(id);
    // What cannot be listed or removed is tried again the next time.
    void conversations.retain(conversationsKept, isAsked).catch(() => undefined);
  };
  conversations.subscribe((event) => {
    if (event.type === 'conversation-end') retain();
  });
  return runner.load({
    async onLeading(isLeading) {
      if (!isLeading) {
        background.close();
        mcp.server.close();
        return voice.bridge.close();
      }
      await review.recover();
      await endInterruptedMcpCalls(conversations, tooling.turns).catch((error: unknown) => {
        context.report(t.openCallsNotEnded(String(error)));
      });
      void mcp.server.lead();
      const { machine, folder } = context;
      void removeOldWordIndex(machine.storage, folder).catch(() => undefined);
      retain();
      background.start();
      await voice.load();
    },
    onReady: () => {
      tooling.search.indexInBackground();
      return voice.start(spoken);
    },
  });
}
