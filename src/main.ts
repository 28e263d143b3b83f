/** The plugin: what Obsidian needs at load, and the app behind it once the layout is ready. */
import { Notice, Plugin } from 'obsidian';
import * as t from '#messages/start-messages';
import type { App } from '#app/app';
import type { ChatMounter } from '#components/mount.ts';
import type { ConversationId } from '#model/ids';
import { addPluginCommands } from '#obsidian/plugin-commands';
import { CHAT_VIEW, addPanel, reloadPanels, type RunInChat } from '#obsidian/panel';
import { addAuthorship } from '#obsidian/editor/authorship-toggle';
import { addEditCommands } from '#obsidian/editor/edit-commands';
import { EditFocus } from '#obsidian/editor/edit-focus';
import { EditNavigation } from '#obsidian/editor/edit-navigation';
import { addNoteBars } from '#obsidian/editor/note-bars';
import { addReviewWidgets, type ReviewWidgets } from '#obsidian/editor/review-widgets';
import { addQuickEdit } from '#obsidian/editor/quick-edit-command';
import { watchActiveNote } from '#obsidian/editor/user-position';
import { inLifetime } from '#obsidian/lifetime';
import { nodeModules } from '#obsidian/platform/node-modules';
import { systemClock } from '#obsidian/platform/system-clock';
import { obsidianUi } from '#obsidian/host-ui';
import { SettingsFile } from '#obsidian/settings/settings-file';
import { ParleySettingsTab } from '#obsidian/settings/settings-tab';
import { addStatusBarItem } from '#obsidian/status-bar';
import type { Agent } from '#ports/app/agent';
import type { Ui } from '#ports/ui';

export default class ParleyPlugin extends Plugin {
  /** Resolves once the layout is ready, before an open turn continues. */
  agent!: Promise<Agent>;
  /** Resolves when the conversations and requests of the last run have been found again. */
  ready!: Promise<void>;
  #settings!: SettingsFile;
  #ui!: Ui;
  #loaded!: Promise<void>;
  #built!: Promise<App>;
  #hasFailed = false;
  #app: App | null = null;
  #settingsTab: ParleySettingsTab | null = null;
  #mounter: Promise<ChatMounter> | null = null;
  readonly #problems: string[] = [];
  readonly #editFocus = new EditFocus(this.app);

  override async onload(): Promise<void> {
    let loaded = (): void => undefined;
    this.#loaded = new Promise((resolve) => (loaded = resolve));
    // Before anything is awaited, because Obsidian may restore a chat as soon as it can.
    const panel = addPanel(this, {
      mount: async (element) => (await this.#mounts(inChat)).mount(element),
      // Several chats may ask; a second app would run every request twice.
      restart: () => {
        if (this.#hasFailed) this.#start(inChat, widgets);
      },
    });
    const { inChat } = panel;
    this.#settings = await SettingsFile.load({
      plugin: this,
      clock: systemClock(nodeModules()),
      changed: () => {
        this.#app?.settingsChanged();
        reloadPanels(this);
      },
      report: (problem) => void this.#problems.push(problem),
    });
    this.#ui = obsidianUi({
      app: this.app,
      id: this.manifest.id,
      viewType: CHAT_VIEW,
      reading: watchActiveNote(this),
      settings: () => this.#settings.current(),
      showSetting: (target) => void this.#settingsTab?.reveal(target),
    });
    addPluginCommands(this, panel, () => this.agent);
    const widgets = addReviewWidgets(this, {
      focus: this.#editFocus,
      mount: async (element, edit) => (await this.#mounts(inChat)).mountEdit(element, edit),
      decidePart: (choice) =>
        void this.#mounts(inChat).then((mounter) => mounter.decidePart(choice)),
    });
    addQuickEdit(this, {
      mount: async (element, host) => (await this.#mounts(inChat)).mountQuickEdit(element, host),
      agent: () => this.agent,
    });
    this.register(() => void this.#mounter?.then((mounter) => mounter.close()));
    this.#start(inChat, widgets);
    loaded();
  }

  /** Builds the app once the layout is ready; again after a failure. */
  #start(inChat: RunInChat, widgets: ReviewWidgets): void {
    this.#built = this.#layoutReady()
      .then(() => this.#settings.ready())
      .then(() => this.#build(inChat, widgets));
    this.agent = this.#built.then(({ agent }) => agent);
    this.ready = this.#built.then((app) => app.start());
    this.#hasFailed = false;
    this.agent.catch(() => (this.#hasFailed = true));
    this.ready.catch((error: unknown) => {
      // An open chat shows it itself.
      const isShown = !this.#app && this.app.workspace.getLeavesOfType(CHAT_VIEW).length > 0;
      if (!isShown) new Notice(`${t.notStarted} ${String(error)}`, 0);
    });
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.#settings.reload();
    this.#settingsTab?.update();
  }

  /** Puts settings in force for this run without saving them. */
  overrideSettings(changes: Record<string, unknown>): void {
    this.#settings.override(changes);
  }

  /** Resolves once the vault is indexed, by which interrupted changes are judged; never after unload. */
  #layoutReady(): Promise<void> {
    let isUnloaded = false;
    this.register(() => (isUnloaded = true));
    return new Promise((resolve) => {
      this.app.workspace.onLayoutReady(() => {
        if (!isUnloaded) resolve();
      });
    });
  }

  async #build(inChat: RunInChat, widgets: ReviewWidgets): Promise<App> {
    const { createApp } = await import('#app/app');
    const app = inLifetime(this, (host) =>
      createApp(host, {
        settingsFile: this.#settings,
        problems: this.#problems,
        openConversation: (id) => this.#openConversation(inChat, id),
      }),
    );
    this.#app = app;
    const { agent } = app;
    const tab = new ParleySettingsTab(this.app, this, agent, this.#ui, () => reloadPanels(this));
    this.#settingsTab = tab;
    this.addSettingTab(tab);
    const focus = this.#editFocus;
    const navigation = new EditNavigation(this.app, agent, focus);
    addNoteBars(this, {
      ...{ edits: agent.edits, focus, navigation },
      mount: async (element, bar) => (await this.#mounts(inChat)).mountNoteBar(element, bar),
    });
    addEditCommands(this, {
      agent,
      navigation,
      widgets,
      inChat,
      decide: (verdict, edit, note) =>
        void this.#mounts(inChat).then((mounter) => mounter.decide(verdict, edit, note)),
    });
    addAuthorship(this, agent, async (element, card) =>
      (await this.#mounts(inChat)).mountOrigin(element, card),
    );
    addStatusBarItem(this, agent, this.#ui);
    return app;
  }

  /** Evaluated when the first chat or widget is drawn, and one for all of them. */
  #mounts(inChat: RunInChat): Promise<ChatMounter> {
    this.#mounter ??= Promise.all([
      import('#components/mount.ts'),
      this.#loaded.then(() => this.agent),
    ]).then(([{ chatMounter }, agent]) =>
      chatMounter(agent, this.#ui, this.ready, (id) => this.#openConversation(inChat, id)),
    );
    this.#mounter.catch(() => (this.#mounter = null));
    return this.#mounter;
  }

  #openConversation(inChat: RunInChat, conversation: ConversationId): void {
    void inChat({ do: 'open', conversation });
  }
}
