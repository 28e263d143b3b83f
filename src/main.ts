/** The plugin: builds the parts, hands them to each other, and lets them go. The only file that sees all. */
import { Plugin } from 'obsidian';
import type { ChatMounter } from '#components/mount.ts';
import { LineFile } from '#conversations/line-file';
import { Conversations } from '#conversations/repository';
import { Heard } from '#inbox/heard';
import { Inbox } from '#inbox/inbox';
import { Lease } from '#inbox/lease';
import type { Event } from '#model/event';
import { idMinter, type ConversationId, type DeviceId } from '#model/ids';
import type { Settings } from '#model/settings';
import { CHAT_VIEW, type Mount } from '#obsidian/chat-view';
import { hostCommands } from '#obsidian/host-commands';
import { machineOf } from '#obsidian/machine';
import { obsidianMetadata } from '#obsidian/metadata';
import { onOnline } from '#obsidian/network';
import { obsidianNotes } from '#obsidian/notes';
import { isGone, thisProcess } from '#obsidian/process-life';
import { addEditCommands } from '#obsidian/edit-commands';
import { notifyIfAway } from '#obsidian/desktop-notification';
import { addPanel, reloadPanels } from '#obsidian/panel';
import { readingNow } from '#obsidian/reading';
import { addReviewWidgets } from '#obsidian/review-widgets';
import { SettingsFile } from '#obsidian/settings-file';
import { ParleySettingsTab } from '#obsidian/settings-tab';
import { showFile } from '#obsidian/show-file';
import { addStatusBarItem } from '#obsidian/status-bar';
import { obsidianUi } from '#obsidian/ui';
import { excludedFolders, excludedReason } from '#policy/excluded';
import { protectedReason } from '#policy/protected';
import type { Agent } from '#ports/agent';
import type { Notes } from '#ports/notes';
import { AnthropicProvider } from '#providers/anthropic';
import type { LookAt } from '#ports/model-stream';
import { priceOf, SEARCH_FEE } from '#providers/prices';
import { afterView } from '#review/after-view';
import { HeldProposals } from '#review/held';
import { Ledger } from '#review/ledger';
import type { LedgerEntry } from '#review/ledger-lines';
import { PendingEdits } from '#review/pending';
import { PersonActs } from '#review/person-acts';
import { Away } from '#service/away';
import { Background } from '#service/background';
import { whenAsked } from '#service/composing-later';
import { Prompts } from '#service/prompts';
import { heldMessageIds, Reception } from '#service/reception';
import { Replies } from '#service/replies';
import { Reviews } from '#service/reviews';
import { endLeftCalls } from '#service/left-calls';
import { Runner } from '#service/runner';
import { AgentService } from '#service/service';
import { ServingLater } from '#service/serving-later';
import { turnsLater } from '#service/turns-later';
import { Undoing } from '#service/undoing';
import { MeaningUpdates } from '#service/meaning-updates';
import { UsageBook } from '#service/usage';
import { Bridge } from '#smarthole/bridge';
import { notificationOf } from '#smarthole/notifications';
import { wireNameOf, type BridgeSettings } from '#smarthole/registration';
import { onlyIfListening, webSockets } from '#smarthole/socket';
import { VaultSearch } from '#tools/vault-search';

const INBOX_FOLDER = '.smarthole/inbox';

/** In local storage, which does not sync. */
const ALLOWED_SERVERS = 'parley-tool-servers';
const SERVES_HERE = 'parley-serves-programs';
/** Of what programs have to show, in Obsidian's secret storage. */
const TOKEN_NAME = 'parley-tool-server-token';

export default class ParleyPlugin extends Plugin {
  agent!: Agent;
  /** Resolves when what was open at the last end has been found again. */
  ready!: Promise<void>;
  #settings!: SettingsFile;
  readonly #problems: string[] = [];
  #settingsChanged: () => void = () => undefined;
  #serversChanged: () => void = () => undefined;
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

  #addPanel(agent: Agent, notes: Notes): void {
    const { app, manifest } = this;
    const settings = () => this.#settings.current();
    const reading = readingNow(this);
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

  /** Puts settings in force for this run without saving them. */
  overrideSettings(changes: Record<string, unknown>): void {
    this.#settings.override(changes);
  }

  #build(): { agent: Agent; runner: Runner; notes: Notes } {
    const { app, manifest } = this;
    const { configDir } = app.vault;
    // A link of the file system is no way into what is out of bounds.
    const { clock, store, links, fetch, pages, loopback, wayTo, isListening, runsPrograms } =
      machineOf(app, (path) => {
        const folders = excludedFolders(this.#settings.current().excludedFolders);
        return protectedReason(path, configDir) !== null || excludedReason(path, folders) !== null;
      });
    const folder = manifest.dir ?? `${configDir}/plugins/${manifest.id}`;
    const now = () => clock.now();
    const mint = idMinter(now, randomLetters);
    const device = this.#device(mint);
    const settings = () => this.#settings.current();

    const notes = obsidianNotes(app, links);
    const metadata = obsidianMetadata(app, () => clock.pause());
    this.register(() => notes.close());
    this.register(() => metadata.close());

    const listeners = new Set<(event: Event) => void>();
    const tell = (event: Event) => {
      runner.follow(event);
      if (event.type === 'conversation-end') retain();
      for (const listener of listeners) listener(event);
    };
    const watchers = new Set<() => void>();
    const inboxChanged = () => {
      for (const watcher of watchers) watcher();
    };
    const report = (problem: string) => {
      this.#problems.push(problem);
      inboxChanged();
    };
    const conversations = new Conversations({
      store,
      folder: `${folder}/conversations`,
      device,
      clock,
      tell,
      report,
    });
    const retain = () => {
      // What can't be listed or removed now will be the next time.
      void conversations.retain(settings().conversationsKept).catch(() => undefined);
    };
    const inbox = new Inbox(store, INBOX_FOLDER, device, inboxChanged);
    const lease = new Lease({
      store,
      path: `${INBOX_FOLDER}.${device}.lease`,
      clock,
      holder: randomLetters(),
      process: thisProcess(),
      isGone,
    });
    const ledgerFolder = `${folder}/ledger`;
    const ledger: Ledger = new Ledger(store, ledgerFolder, device, clock, {
      most: () => settings().ledgerMegabytes * 1_000_000,
      isPending: ({ proposes }) => {
        const waiting = pending.all().flatMap(({ edits }) => edits.map(({ id }) => id));
        return proposes.some((id) => waiting.includes(id));
      },
    });
    notes.onChange((event) => {
      if (event.kind !== 'renamed') return;
      // One that can't be kept costs an undo that does not find its note.
      void ledger.renamed(event.from, event.path, now()).catch(() => undefined);
    });
    const acts = new PersonActs({ store, folder: ledgerFolder, device, ledger, notes, now });
    const held = new HeldProposals(ledger);
    const tag = () => settings().proposalTag;
    const pending = new PendingEdits({ notes, metadata, ledger, held, clock, tag });
    // Also where another process runs the vault's requests. Not waited for: a large vault takes its time.
    app.workspace.onLayoutReady(() => {
      void pending.start().catch((error: unknown) => {
        report(`Edits that wait could not be looked for. (${String(error)})`);
      });
    });
    this.register(() => pending.close());
    const prompts = new Prompts(store, `${folder}/prompts`, sha256);
    const key = () => app.secretStorage.getSecret(settings().apiKeyName) || null;
    const lookAt: LookAt = async (file) => (await turning.made()).tools.room.lookAt(file);
    const model = new AnthropicProvider({ settings, key, fetch, lookAt, clock });
    const price = (id: string) => priceOf(id, settings());
    const usage = new UsageBook({ store, folder, device, clock, price, report });
    const unloaded = new AbortController();
    this.register(() => unloaded.abort());
    const search: VaultSearch = new VaultSearch(afterView(notes, held), clock, {
      ...{ clock, report },
      file: (migrate) =>
        new LineFile({
          ...{ store, migrate, path: `${folder}/vectors-${device}.jsonl` },
          ...{ version: 1, slice: { clock: now, pause: () => clock.pause() } },
        }),
      server: () => {
        const { embeddingEndpoint: endpoint, embeddingModel: model, embeddingKeyName } = settings();
        const key = app.secretStorage.getSecret(embeddingKeyName) || null;
        return endpoint === '' ? null : { endpoint, model, key, fetch, clock };
      },
      model: () => settings().embeddingModel,
      all: async () => {
        const { vault } = (await turning.made()).tools.room.looking(null);
        const among = await vault.newestFirst();
        const [hides, sees] = [vault.hidingTexts(), await vault.seeing()];
        return { among, hides, sees, signal: unloaded.signal };
      },
    });
    const changeSettings = (change: (now: Settings) => Settings) => this.#settings.change(change);
    const activeNote = () => app.workspace.getActiveFile()?.path ?? null;
    const turning = turnsLater(async () => {
      const {
        ALL_TOOLS,
        CustomTools,
        DirectTools,
        ServerTools,
        ToolRegistry,
        ToolRoom,
        TurnRunner,
        permissionKey,
        textOf,
      } = await import('#service/turning');
      const registry = new ToolRegistry();
      for (const tool of ALL_TOOLS) registry.register(tool);
      const allowAlways = (name: string) => {
        const tool = registry.get(name);
        // One that has left meanwhile may come back as another's.
        if (!tool) return Promise.resolve();
        const key = permissionKey(tool);
        return changeSettings((now) => ({ ...now, tools: { ...now.tools, [key]: 'allow' } }));
      };
      const { ListedServers } = await import('#mcp/tool-servers');
      const history = conversations;
      const { WebAccess } = await import('#web/web');
      const web = new WebAccess({
        ...{
          host: await pages(),
          clock,
          fetch,
          model: (told) => usage.metered(model, 'search', SEARCH_FEE, told),
          settings,
        },
        key: () => app.secretStorage.getSecret(settings().searchKeyName) || null,
      });
      const room = new ToolRoom({
        ...{ notes, metadata, ledger, pending, search, history, web, clock, mint, device },
        ...{ configDir, settings, show: showFile(app), commands: hostCommands(app) },
      });
      const custom = new CustomTools({
        ...{ registry, notes },
        vault: () => room.accepted(),
        folder: () => settings().customToolFolder,
      });
      const servers = new ListedServers({
        ...{ clock, fetch, runsPrograms, version: manifest.version },
        servers: () => settings().toolServers,
        allowed: () => app.loadLocalStorage(ALLOWED_SERVERS) as unknown,
        saveAllowed: (identities) => app.saveLocalStorage(ALLOWED_SERVERS, identities),
        secret: (name) => app.secretStorage.getSecret(name) || null,
      });
      this.register(() => void servers.close());
      // What a program does not end for by itself, nobody would end any more.
      this.registerEvent(app.workspace.on('quit', (tasks) => tasks.addPromise(servers.close())));
      this.#serversChanged = () => servers.update();
      const serverTools = new ServerTools(registry, servers);
      const tools = { registry, room, settings, allowAlways, servers: serverTools };
      const turns = new TurnRunner({
        ...tools,
        ...{ clock, mint, device, model, conversations, prompts, ledger, notes, usage },
        activeNote,
        window: (id) => model.window(id),
      });
      return {
        tools,
        custom,
        servers,
        turns,
        textOf: (paths: readonly string[]) => textOf(paths, room),
        direct: new DirectTools({ ...tools, clock, mint }),
      };
    });
    const { turns, direct } = turning;
    // Also where no turn was ever asked for.
    this.register(() => usage.close());
    const bridge: Bridge = new Bridge({
      open: onlyIfListening(webSockets(window.WebSocket), isListening),
      clock,
      store,
      outboxPath: `${folder}/smarthole-${device}.jsonl`,
      onMessage: async ({ id, text, routing }, late) => {
        const source = routing.inputMethod;
        const message = { id, text, source, routing: { ...routing } };
        const taken = await reception.take(message, late);
        return taken.ok ? 'ack' : { reject: taken.reason };
      },
      report,
      sent: (key) => replies.sent(key.slice(key.indexOf(' ') + 1)),
    });
    this.register(() => bridge.close());
    const yes = {
      get: () => app.loadLocalStorage(SERVES_HERE) as string | null,
      set: (terms: string | null) => app.saveLocalStorage(SERVES_HERE, terms),
    };
    const serving = new ServingLater(settings, yes, async (from) => {
      const { ClientCalls, MCP_PATH, ToolServing } = await import('#service/serving');
      const { tools } = await turning.made();
      return new ToolServing({
        ...{ ...from, settings, loopback, clock },
        token: {
          get: () => app.secretStorage.getSecret(TOKEN_NAME) || null,
          set: (token) => app.secretStorage.setSecret(TOKEN_NAME, token),
          make: () => Array.from({ length: 4 }, randomLetters).join(''),
        },
        onTools: (listener) => tools.registry.onChange(listener),
        calls: async () => {
          const ended = () => runner.wake();
          return new ClientCalls({ ...tools, clock, mint, conversations, ended });
        },
        serve: async (calls, how) => {
          const { ToolServer } = await import('#mcp/server/serve');
          const { version } = manifest;
          return new ToolServer({ ...how, tools: calls, clock, version, path: MCP_PATH });
        },
      });
    });
    this.register(() => serving.close());
    const meaning: MeaningUpdates = new MeaningUpdates({
      ...{ search, settings },
      standsBy: () => runner.standsBy,
    });
    this.register(() => meaning.close());
    this.#settingsChanged = () => {
      bridge.update(bridgeSettings(settings()));
      this.#serversChanged();
      void serving.update();
      void ledger.trim().catch(() => undefined);
      meaning.settingsChanged();
    };
    const replies: Replies = new Replies({
      clock,
      wireName: () => wireNameOf(bridgeSettings(settings())),
      replyTo: (id) => inbox.get(id)?.inbound.reply ?? null,
      post: (messageId, { key, reply, request }) =>
        bridge.reply({ key: `${messageId} ${key}`, messageId, reply, request }),
      wasSent: (messageId, key) => bridge.wasSent(`${messageId} ${key}`),
    });
    const heard = new Heard(store, `${INBOX_FOLDER}.${device}.heard`);
    const asides = usage.metered(model, 'background');
    const background: Background = new Background({
      conversations,
      model: asides,
      usage,
      clock,
      device,
      settings,
      busy: () => runner.busy,
      mayAsk: () => (key() !== null || settings().compatibility) && navigator.onLine,
    });
    const away = new Away({
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
      replies,
      leads: async (isLeading) => {
        if (!isLeading) {
          background.close();
          serving.close();
          return bridge.close();
        }
        // Before any turn goes on: it is to find its notes whole.
        const tellAgain = async (entries: readonly LedgerEntry[]) => {
          await undoing.tellAgain(entries);
          await reviews.tellAgain(entries);
        };
        await acts.recover(tellAgain).catch((error: unknown) => {
          report(`What was interrupted could not be looked at. (${String(error)})`);
        });
        await endLeftCalls(conversations, turns).catch((error: unknown) => {
          report(`Calls of programs that were open could not be ended. (${String(error)})`);
        });
        void serving.lead();
        retain();
        background.start();
        const held = heldMessageIds(inbox);
        await heard.load(held).catch((error: unknown) => {
          report(`The list of spoken requests already taken could not be read. (${String(error)})`);
        });
        await bridge.start(bridgeSettings(settings()));
        // Everything may have stopped between the saving of a request and its ack.
        for (const id of held) await bridge.ack(id);
      },
      isCalled: (id) => serving.isOpen(id),
      inbox,
      lease,
      conversations,
      turns,
      clock,
      mint,
      device,
      settings,
      report,
    });
    const wake = () => runner.wake();
    const reception: Reception = new Reception({
      inbox,
      heard,
      replies,
      clock,
      mint,
      wake,
      report,
    });
    this.register(() => runner.close());
    this.register(onOnline(() => void runner.causeGone('network')));
    const standsBy = () => runner.standsBy;
    const reviews: Reviews = new Reviews({
      ...{ pending, held, ledger, acts, notes, conversations, clock, mint, device, tag, standsBy },
      current: () => runner.current(),
    });
    const undoing: Undoing = new Undoing({
      ...{ pending, ledger, acts, notes, metadata, conversations, clock, mint, standsBy },
      running: () => runner.running?.turn ?? null,
    });
    const later = whenAsked(async () => {
      const { ComposerDesk, DraftFile } = await import('#service/composing');
      const { tools, turns } = await turning.made();
      const mayWrite = () => !standsBy();
      return {
        drafts: new DraftFile({ store, folder, device, clock, report, mayWrite }),
        desk: new ComposerDesk({
          ...{ room: tools.room, clock, settings },
          conversation: (id) => conversations.read(id).catch(() => null),
          prompt: (conversation) => turns.nextPrompt(conversation),
          window: (id) => model.window(id),
        }),
      };
    });
    this.register(() => later.close());
    const agent = new AgentService({
      inbox,
      conversations,
      runner,
      direct,
      reviews,
      undoing,
      composing: later.composing,
      exporting: { conversations, notes, metadata, clock },
      clock,
      mint,
      device,
      settings,
      changeSettings,
      agents: async () => {
        const { registry } = (await turning.made()).tools;
        await registry.refresh();
        return registry.listed();
      },
      textOf: async (paths) => (await turning.made()).textOf(paths),
      customTools: async () => (await turning.made()).custom.look(),
      toolServers: {
        standing: async () => (await turning.made()).servers.standings(),
        allow: async (id) => (await turning.made()).servers.allow(id),
        test: async (id) => (await turning.made()).servers.test(id),
      },
      models: () => model.models(),
      check: async () => {
        const found = await model.ask();
        const way = wayTo(settings().endpoint);
        return 'failure' in found
          ? { ok: false, failure: found.failure, way }
          : { ok: true, models: found.models.length, way };
      },
      embedNotes: meaning.update,
      voice: bridge,
      serving,
      usage,
      asides,
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

  /** The same on every start of this device, and no other device's: it lies in local storage, which does not sync. */
  #device(mint: ReturnType<typeof idMinter>): DeviceId {
    const known = this.app.loadLocalStorage('parley-device') as unknown;
    if (typeof known === 'string' && known !== '') return known as DeviceId;
    const fresh = mint('device');
    this.app.saveLocalStorage('parley-device', fresh);
    return fresh;
  }
}

function bridgeSettings(settings: Settings): BridgeSettings {
  const { smartHole, assistantName, wireName, routingDescription, smartHolePort } = settings;
  return {
    enabled: smartHole,
    assistantName,
    wireName,
    description: routingDescription,
    port: smartHolePort,
  };
}

function randomLetters(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest).slice(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
