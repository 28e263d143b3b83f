/** The plugin: builds the parts, hands them to each other, and lets them go. The only file that sees all. */
import { Plugin } from 'obsidian';
import type { ChatMounter } from '#components/mount.ts';
import { Conversations } from '#conversations/repository';
import { Inbox } from '#queue/inbox';
import { Lease } from '#queue/leader-lock';
import type { Event } from '#model/event';
import type { ConversationId } from '#model/ids';
import { CHAT_VIEW, type Mount } from '#obsidian/chat-view';
import { notifyIfAway, onOnline, isGone, thisProcess } from '#obsidian/platform/platform';
import { addEditCommands } from '#obsidian/editor/edit-commands';
import { addPanel, reloadPanels } from '#obsidian/panel';
import { watchActiveNote } from '#obsidian/editor/user-position';
import { addReviewWidgets } from '#obsidian/editor/review-widgets';
import { SettingsFile } from '#obsidian/settings/settings-file';
import { ParleySettingsTab } from '#obsidian/settings/settings-tab';
import { addStatusBarItem } from '#obsidian/status-bar';
import { obsidianUi } from '#obsidian/host-ui';
import type { Agent } from '#ports/agent';
import type { ReadViewable } from '#ports/model-provider';
import type { NoteVault } from '#ports/vault';
import { AnthropicProvider } from '#providers/anthropic/anthropic-provider';
import { priceOf } from '#providers/anthropic/anthropic-models';
import { AwayNotifications } from '#app/away-notifications';
import { BackgroundTasks } from '#queue/background-tasks';
import { whenAsked } from '#app/composing-later';
import { endLeftCalls } from '#queue/recovery';
import { SemanticIndexUpdates } from '#app/semantic-index-updates';
import { Runner } from '#queue/runner';
import { AgentApi } from '#app/agent-api';
import { UsageLog } from '#usage/usage-log';
import { notificationOf } from '#voice/notifications';
import { createAppEdits, createAppReview } from '#app/app-edits';
import { createAppContext, randomLetters } from '#app/app-context';
import { createMcpServing } from '#app/app-mcp';
import { createVaultSearch } from '#app/app-search';
import { createAppAgent, type AppAgent } from '#app/app-agent';
import { createAppVoice } from '#app/app-voice';

const INBOX_FOLDER = '.smarthole/inbox';

export default class ParleyPlugin extends Plugin {
  agent!: Agent;
  /** Resolves when what was open at the last end has been found again. */
  ready!: Promise<void>;
  #settings!: SettingsFile;
  #settingsTab: ParleySettingsTab | null = null;
  readonly #problems: string[] = [];
  #settingsChanged: () => void = () => undefined;
  #openConversation: (id: ConversationId) => void = () => undefined;

  override async onload(): Promise<void> {
    this.#settings = await SettingsFile.load({
      plugin: this,
      changed: () => this.#settingsChanged(),
      report: (problem) => void this.#problems.push(problem),
    });
    const { agent, runner, notes } = this.#build();
    this.agent = agent;
    // Not before the vault is indexed: what a crash left half done is judged by the notes.
    this.ready = new Promise((resolve, reject) => {
      this.app.workspace.onLayoutReady(() => {
        runner.load().then(resolve, reject);
      });
    });
    this.#addPanel(agent, notes);
  }

  #addPanel(agent: Agent, notes: NoteVault): void {
    const { app, manifest } = this;
    const settings = () => this.#settings.current();
    const reading = watchActiveNote(this);
    const ui = obsidianUi({ app, id: manifest.id, viewType: CHAT_VIEW, reading, settings });
    let mounter: Promise<ChatMounter> | null = null;
    // Evaluated when the first chat or widget is drawn, and one for all of them.
    const mounts = (): Promise<ChatMounter> =>
      (mounter ??= import('#components/mount.ts').then(({ chatMounter }) =>
        chatMounter(agent, ui, this.ready, (id) => {
          this.#openConversation(id);
        }),
      ));
    const mount: Mount = async (element) => (await mounts()).mount(element);
    this.register(() => void mounter?.then((each) => each.close()));
    const settingsTab = new ParleySettingsTab(app, this, agent, ui, () => reloadPanels(this));
    this.#settingsTab = settingsTab;
    const inChat = addPanel(this, { agent, mount, settingsTab });
    this.#openConversation = (conversation) => void inChat({ do: 'open', conversation });
    const widgets = addReviewWidgets(this, {
      mount: async (element, edit) => (await mounts()).mountEdit(element, edit),
      async textOf(note) {
        const read = await notes.read(note);
        return read.ok ? read.value.text : null;
      },
    });
    addEditCommands(this, { agent, widgets, inChat });
    const show = addStatusBarItem(this, () => ui.openSettings());
    this.register(agent.onConnection(show));
    void agent.state().then(({ connection }) => show(connection));
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.#settings.reload();
    this.#settingsTab?.reloaded();
  }

  /** Puts settings in force for this run without saving them. */
  overrideSettings(changes: Record<string, unknown>): void {
    this.#settings.override(changes);
  }

  #build(): { agent: Agent; runner: Runner; notes: NoteVault } {
    const listeners = new Set<(event: Event) => void>();
    const watchers = new Set<() => void>();
    const inboxChanged = () => {
      for (const watcher of watchers) watcher();
    };
    const report = (problem: string) => {
      this.#problems.push(problem);
      inboxChanged();
    };
    const ground = createAppContext(this, this.#settings, report);
    const { machine, notes, metadata, folder, device, mint, settings } = ground;
    const { clock, storage: store, fetch, transportFor: wayTo } = machine;

    const tell = (event: Event) => {
      runner.follow(event);
      if (event.type === 'conversation-end') retain();
      for (const listener of listeners) listener(event);
    };
    const conversations = new Conversations({
      ...{ store, device, clock, tell, report },
      folder: `${folder}/conversations`,
    });
    const retain = () => {
      // What can't be listed or removed now will be the next time.
      void conversations.retain(settings().conversationsKept).catch(() => undefined);
    };
    const own = `${INBOX_FOLDER}.${device}`;
    const inbox = new Inbox(store, INBOX_FOLDER, device, inboxChanged);
    const lease = new Lease({
      ...{ store, clock, path: `${own}.lease`, holder: randomLetters() },
      ...{ process: thisProcess(), isGone },
    });
    const changes = createAppEdits(ground);
    const { changeLog: ledger, detached: held, pending } = changes;
    const key = () => ground.secret(settings().apiKeyName);
    const room = async () => (await turning.made()).tools.room;
    const lookAt: ReadViewable = async (file) => (await room()).lookAt(file);
    const model = new AnthropicProvider({ settings, key, fetch, lookAt, clock });
    const price = (id: string) => priceOf(id, settings());
    const usage = new UsageLog({ store, folder, device, clock, price, report });
    const search = createVaultSearch(ground, held, room);
    const turning: AppAgent = createAppAgent(ground, {
      ...{ conversations, changeLog: ledger, pending, search, model, usage },
    });
    const { turns, direct } = turning;
    // Also where no turn was ever asked for.
    this.register(() => usage.close());
    const wake = () => runner.wake();
    const { bridge, replies, ...speaking } = createAppVoice(ground, inbox, own, wake);
    const serving = createMcpServing(ground, turning, conversations, inbox, wake);
    const standsBy = () => runner.isFollower;
    const meaning = new SemanticIndexUpdates({ search, settings, isFollower: standsBy });
    this.register(() => meaning.close());
    const access = () => [settings().endpoint, settings().apiKeyName, key()].join('\n');
    let lastAccess = access();
    this.#settingsChanged = () => {
      if (access() !== lastAccess) {
        lastAccess = access();
        void runner.retryFor('key');
      }
      speaking.settingsChanged();
      turning.settingsChanged();
      void serving.update();
      void ledger.trim().catch(() => undefined);
      meaning.settingsChanged();
    };
    const asides = usage.metered(model, 'background');
    const background = new BackgroundTasks({
      ...{ conversations, model: asides, usage, clock, device, settings },
      busy: () => runner.busy,
      mayAsk: () => (key() !== null || settings().compatibility) && navigator.onLine,
    });
    const away = new AwayNotifications({
      conversation: (id) => conversations.read(id).catch(() => null),
      show: ({ conversation, reply, request }) => {
        if (!settings().notifications) return;
        const { title, body } = notificationOf(reply, { request, wireName: null });
        const clicked = () => this.#openConversation(conversation);
        notifyIfAway({ title, body, clicked });
      },
    });
    listeners.add((event) => away.take(event));
    listeners.add((event) => background.take(event));
    this.register(() => background.close());
    const runner: Runner = new Runner({
      ...{ inbox, lease, conversations, turns, replies, clock, mint, device, settings, report },
      onLeading: async (isLeading) => {
        if (!isLeading) {
          background.close();
          serving.close();
          return bridge.close();
        }
        await deciding.recover();
        await endLeftCalls(conversations, turns).catch((error: unknown) => {
          report(`Calls of programs that were open could not be ended. (${String(error)})`);
        });
        void serving.lead();
        retain();
        background.start();
        await speaking.start();
      },
      isCalled: (id) => serving.isOpen(id),
    });
    this.register(() => runner.close());
    this.register(onOnline(() => void runner.retryFor('network')));
    const deciding = createAppReview(changes, ground, conversations, runner);
    const later = whenAsked(async () => {
      const { ComposerApiImpl, DraftFile } = await import('#app/composer-api');
      const { tools, turns } = await turning.made();
      const mayWrite = () => !standsBy();
      return {
        drafts: new DraftFile({ store, folder, device, clock, report, mayWrite }),
        desk: new ComposerApiImpl({
          ...{ room: tools.room, clock, settings },
          conversation: (id) => conversations.read(id).catch(() => null),
          prompt: (conversation) => turns.nextPrompt(conversation),
          window: (id) => model.window(id),
        }),
      };
    });
    this.register(() => later.close());
    const agent = new AgentApi({
      ...{ inbox, conversations, runner, direct, mcpServer: serving, usage, asides },
      ...{ clock, mint, device, settings, changeSettings: ground.changeSettings },
      reviews: deciding.reviews,
      undoing: deciding.undoing,
      composer: later.composing,
      exporting: { conversations, notes, metadata, clock },
      agents: async () => {
        const { registry } = (await turning.made()).tools;
        await registry.refresh();
        return registry.listed();
      },
      textOf: async (paths) => (await turning.made()).textOf(paths),
      customTools: async () => (await turning.made()).custom.look(),
      mcpServers: {
        status: async () => (await turning.made()).servers.standings(),
        allow: async (server) => (await turning.made()).servers.allow(server),
        test: async (id) => (await turning.made()).servers.test(id),
      },
      models: () => model.models(),
      check: async () => {
        const found = await model.ask();
        const way = wayTo(settings().endpoint);
        return 'failure' in found
          ? { ok: false, failure: found.failure, transport: way }
          : { ok: true, models: found.models.length, transport: way };
      },
      embedNotes: meaning.update,
      voice: bridge,
      onInbox: (listener) => {
        watchers.add(listener);
        return () => watchers.delete(listener);
      },
      problems: () => this.#problems,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    return { agent, runner, notes };
  }
}
