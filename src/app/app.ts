/**
 * The composition root: creates everything behind the chat view and connects it, once the layout is
 * ready.
 */
import * as t from '#messages/notice-messages';
import { Conversations } from '#conversations/repository';
import { Inbox } from '#queue/inbox';
import { Lease } from '#queue/leader-lock';
import type { Conversation } from '#model/conversation';
import type { Event } from '#model/event';
import type { ConversationId } from '#model/ids';
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
import type { ModelInfo, ReadViewable } from '#ports/model-provider';
import type { NoteVault } from '#ports/vault';
import { AnthropicProvider } from '#providers/anthropic/anthropic-provider';
import { priceOf } from '#providers/anthropic/anthropic-models';
import { ActivityLog } from './activity-log';
import { AwayNotifications } from './away-notifications';
import { FOLLOWER_NOTICE } from '#queue/leader-lock';
import { BackgroundTasks } from '#queue/background-tasks';
import { ComposerApi } from './api/composer-api';
import { DraftFile } from '#conversations/drafts';
import { endInterruptedMcpCalls } from '#queue/mcp-conversations';
import { SemanticIndexUpdates, createVaultSearch } from './app-search';
import { Runner } from '#queue/runner';
import { SpentSignatures } from '#queue/spent-signatures';
import { agentState, voicePort } from './api/agent-api';
import { ConversationsApi } from './api/conversations-api';
import { EditRepliesApi } from './api/edit-replies-api';
import { QuickEditApi } from './api/quick-edit-api';
import { SettingsApi } from './api/settings-api';
import { Log } from '#model/log';
import { ALL_TOOLS } from '#tools/all-tools';
import { vaultOutline } from '#tools/vault-outline';
import { UsageLog } from '#usage/usage-log';
import { notificationOf } from '#voice/notifications';
import { createAppEdits, createAppReview } from './app-edits';
import { createAppContext, randomLetters } from './app-context';
import { createMcpServer } from './app-mcp';
import { createAppAgent, type AppAgent } from './app-agent';
import { createAppVoice } from './app-voice';

const INBOX_FOLDER = '.smarthole/inbox';
/** Key in local storage, which does not sync. */
const SPENT_SIGNATURES = 'parley-spent-signatures';

export interface AppOptions {
  readonly settingsFile: SettingsFile;
  /** Problems to show to the user, collected since load. */
  readonly problems: string[];
  openConversation(id: ConversationId): void;
}

export interface App {
  readonly agent: Agent;
  readonly notes: NoteVault;
  /** Recovers what was open at the last unload or crash, and resumes it. */
  start(): Promise<void>;
  settingsChanged(): void;
}

export function createApp(
  plugin: PluginHost,
  { settingsFile, problems, openConversation }: AppOptions,
): App {
  const listeners = new Set<(event: Event, conversation: Conversation) => void>();
  const watchers = new Set<() => void>();
  const inboxChanged = () => {
    for (const watcher of watchers) watcher();
  };
  const onQueueChange = (listener: () => void) => {
    watchers.add(listener);
    return () => watchers.delete(listener);
  };
  const report = (problem: string) => {
    void problems.push(problem);
    inboxChanged();
  };
  const context = createAppContext(plugin, settingsFile, report);
  const { machine, notes, metadata, folder, device, signer, mint, settings } = context;
  const { clock, storage: store, fetch, transportFor } = machine;

  const tell = (event: Event, conversation: Conversation) => {
    runner.follow(event);
    if (event.type === 'conversation-end') retain();
    for (const listener of listeners) listener(event, conversation);
  };
  const conversations = new Conversations({
    store,
    device,
    signer,
    clock,
    notify: tell,
    report,
    folder: `${folder}/conversations`,
  });
  const retain = () => {
    // What cannot be listed or removed is tried again the next time.
    const isAsked = (id: ConversationId) => inbox.isAsked(id);
    void conversations.retain(settings().conversationsKept, isAsked).catch(() => undefined);
  };
  const own = `${INBOX_FOLDER}.${device}`;
  const spent = new SpentSignatures({
    get: () => plugin.app.loadLocalStorage(SPENT_SIGNATURES) as unknown,
    set: (signatures) => plugin.app.saveLocalStorage(SPENT_SIGNATURES, signatures),
  });
  const inbox = new Inbox(store, INBOX_FOLDER, device, signer, spent, inboxChanged);
  const lease = new Lease({
    store,
    clock,
    path: `${own}.lease`,
    holder: randomLetters(),
    process: thisProcess(),
    isGone: hasProcessEnded,
  });
  const appEdits = createAppEdits(context);
  const { changeLog, pending } = appEdits;
  const key = () => context.secret(settings().apiKeyName);
  const hasKey = () => key() !== null || settings().compatibility;
  const toolContexts = () => turning.tools.toolContexts;
  const lookAt: ReadViewable = (file) => toolContexts().lookAt(file);
  const onModels = (models: readonly ModelInfo[]) => {
    const newest = newestHaiku(models);
    if (newest !== null) settingsFile.setDefaultModel(newest);
  };
  const model = new AnthropicProvider({ settings, key, fetch, lookAt, clock, onModels });
  const price = (id: string) => priceOf(id, settings());
  const usage = new UsageLog({ store, folder, device, clock, price, report });
  const isFollower = () => runner.isFollower;
  const search = createVaultSearch(context, appEdits, toolContexts);
  const turning: AppAgent = createAppAgent(context, {
    conversations,
    changeLog,
    pending,
    search,
    model,
    usage,
  });
  const { turns, direct } = turning;
  // Registered separately, because it must also close if no turn was ever run.
  plugin.register(() => usage.close());
  const wake = () => runner.wake();
  const { bridge, replies, pairing, ...speaking } = createAppVoice(context, {
    inbox,
    own,
    conversations,
    spokenSubject: (time) => editReplies.spokenSubject(time),
    wake,
    openConversation,
  });
  const mcp = createMcpServer(context, turning, conversations, inbox, wake);
  const { server: mcpServer, calls: mcpCalls } = mcp;
  const meaning = new SemanticIndexUpdates({ search, settings, isFollower });
  plugin.register(() => meaning.close());
  const log = new Log(
    () => clock.now(),
    () => settings().logLevels,
  );
  const activity = new ActivityLog({
    log,
    isOwnTool: (name) => ALL_TOOLS.some((tool) => tool.name === name),
  });
  listeners.add((event) => activity.take(event));
  bridge.subscribe((status) => activity.connection(status));
  turning.servers.onChange(() => activity.servers(turning.servers.statuses()));
  const access = () => [settings().endpoint, settings().apiKeyName, key()].join('\n');
  let lastAccess = access();
  const settingsChanged = () => {
    const { pending } = settingsFile;
    log.add({ area: 'settings', what: 'changed', facts: { pending: pending.length } });
    inboxChanged();
    if (access() !== lastAccess) {
      lastAccess = access();
      void runner.retryFor('key', 'endpoint');
    }
    speaking.settingsChanged();
    turning.settingsChanged();
    void mcpServer.update();
    void changeLog.trim().catch(() => undefined);
    meaning.settingsChanged();
  };
  const provider = usage.metered(model, 'background');
  const background = new BackgroundTasks({
    conversations,
    model: provider,
    usage,
    clock,
    device,
    settings,
    busy: () => runner.busy,
    mayAsk: () => hasKey() && navigator.onLine,
  });
  const away = new AwayNotifications({
    conversation: (id) => conversations.read(id).catch(() => null),
    show: ({ conversation, reply, request }) => {
      if (!settings().notifications) return;
      const { title, body } = notificationOf(reply, { request, wireName: null });
      const clicked = () => openConversation(conversation);
      if (!isInFront()) notify({ title, body, clicked });
    },
  });
  listeners.add((event) => away.take(event));
  listeners.add((event, conversation) => background.take(event, conversation));
  plugin.register(() => background.close());
  const runner: Runner = new Runner({
    inbox,
    lease,
    conversations,
    turns,
    replies,
    editHistory: {
      changes: () => changeLog.changes(),
      undo: (choice) => deciding.undoing.undo(choice),
      seeing: () => toolContexts().vault().seeing(),
    },
    clock,
    mint,
    device,
    settings,
    hasKey,
    report,
    onLeading: async (isLeading) => {
      if (!isLeading) {
        background.close();
        mcpServer.close();
        return bridge.close();
      }
      await deciding.recover();
      await endInterruptedMcpCalls(conversations, turns).catch((error: unknown) => {
        report(t.openCallsNotEnded(String(error)));
      });
      void mcpServer.lead();
      retain();
      background.start();
      await speaking.load();
    },
    onReady: () => speaking.start(),
    onStatus: inboxChanged,
    mcpCalls,
    direct,
    onChange: onQueueChange,
  });
  plugin.register(() => void runner.close());
  plugin.onQuit(() => runner.close());
  plugin.register(onOnline(() => void runner.retryFor('network', 'endpoint')));
  const deciding = createAppReview(appEdits, context, conversations, runner);
  const mayWrite = () => !isFollower();
  const drafts = new DraftFile({ store, folder, device, clock, report, mayWrite });
  plugin.register(() => void drafts.flush());
  plugin.onQuit(() => drafts.flush());
  const composer = new ComposerApi({
    toolContexts: toolContexts(),
    drafts,
    clock,
    settings,
    conversation: (id) => conversations.read(id).catch(() => null),
    prompt: (conversation) => turns.nextPrompt(conversation),
    opening: (conversation) => turns.opening(conversation),
    window: (id) => model.window(id),
  });
  const common = { inbox, conversations, runner, clock, mint, mcpCalls };
  const { queue } = runner;
  const quickEdits = new QuickEditApi({
    ...common,
    queue,
    toolContexts: toolContexts(),
    settings,
  });
  const editReplies: EditRepliesApi = new EditRepliesApi({
    ...common,
    queue,
    quickEdits,
    pending,
    toolContexts: toolContexts(),
  });
  const { reviews: edits, undoing: changes, authorship } = deciding;
  const shown = () => (isFollower() ? [FOLLOWER_NOTICE, ...problems] : problems);
  const parts = { ...common, edits, bridge, device, problems: shown };
  const agent: Agent = {
    state: () => agentState(parts),
    voice: voicePort(bridge, pairing),
    mcpServer,
    composer,
    conversations: new ConversationsApi({
      ...common,
      exporting: { conversations, notes, metadata, clock },
    }),
    queue,
    quickEdits,
    editReplies,
    edits,
    changes,
    authorship,
    settings: new SettingsApi({
      runner,
      usage,
      asides: provider,
      settings,
      embedNotes: meaning.update,
      changeSettings: context.changeSettings,
      waiting: settingsFile,
      models: () => model.models(),
      outline: () => vaultOutline(toolContexts().readOnlyContext(null)),
      check: async () => {
        const found = await model.ask();
        const transport = transportFor(settings().endpoint);
        return 'failure' in found
          ? { ok: false, failure: found.failure, transport }
          : { ok: true, models: found.models.length, transport };
      },
    }),
    tools: {
      agents: async () => {
        const { registry } = turning.tools;
        await registry.refresh();
        return registry.listed();
      },
      customTools: () => turning.custom.look(),
      call: (name, input) => direct.call(name, input),
      textOf: (paths) => toolContexts().textOf(paths),
    },
    usage: { price: (id) => usage.price(id), byDay: () => usage.byDay() },
    mcpServers: {
      status: () => Promise.resolve(turning.servers.statuses()),
      test: (id) => turning.servers.test(id),
    },
    log: () => log.lines(),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { agent, notes, settingsChanged, start: () => runner.load() };
}
