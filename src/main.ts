/** The plugin: what Obsidian needs at load, and the app behind it once the layout is ready. */
import { Notice, Plugin } from 'obsidian';
import * as t from '#messages/start-messages';
import type { App } from '#app/app';
import type { ChatMounter } from '#components/mount.ts';
import type { ConversationId } from '#model/ids';
import { addPluginCommands } from '#obsidian/plugin-commands';
import { CHAT_VIEW, addPanel, reloadPanels, type ChatPanel } from '#obsidian/panel';
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
  #panel!: ChatPanel;
  #widgets!: ReviewWidgets;
  #isUnloaded = false;
  #app: App | null = null;
  #built!: () => void;
  readonly #whenBuilt = new Promise<void>((resolve) => (this.#built = resolve));
  #settingsTab: ParleySettingsTab | null = null;
  #mounter: Promise<ChatMounter> | null = null;
  readonly #problems: string[] = [];
  readonly #editFocus = new EditFocus(this.app);
  readonly #openConversation = (conversation: ConversationId): void =>
    void this.#panel.inChat({ do: 'open', conversation });

  override onload(): void {
    this.#settings = new SettingsFile({
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
    this.#start();
    this.#panel = addPanel(this, {
      mount: async (element) => (await this.#mounts()).mount(element),
      restart: () => {
        if (!this.#app) this.#start();
      },
    });
    const agent = () => this.agent.catch(() => this.#showFailure());
    addPluginCommands(this, this.#panel, agent);
    this.#widgets = addReviewWidgets(this, {
      focus: this.#editFocus,
      mount: async (element, edit) => (await this.#mounts()).mountEdit(element, edit),
      whenBuilt: this.#whenBuilt,
      decidePart: (choice) => this.#decide((mounter) => mounter.decidePart(choice)),
    });
    addQuickEdit(this, {
      mount: async (element, host) => (await this.#mounts()).mountQuickEdit(element, host),
      agent,
    });
    this.register(() => void this.#mounter?.then((mounter) => mounter.close()));
  }

  override onunload(): void {
    this.#isUnloaded = true;
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.#settings.reload();
    this.#settingsTab?.update();
  }

  /** Puts settings in force for this run without saving them. */
  overrideSettings(changes: Record<string, unknown>): void {
    this.#settings.override(changes);
  }

  /** Builds the app once the vault is indexed, by which interrupted changes are judged. */
  #start(): void {
    const { workspace } = this.app;
    const layout = new Promise<void>((resolve) => workspace.onLayoutReady(resolve));
    this.agent = Promise.all([layout, this.#settings.ready()]).then(() => this.#build());
    this.ready = this.agent.then(() => this.#app?.start());
    this.ready.catch((error: unknown) => {
      // An open chat shows it itself.
      const isShown = !this.#app && workspace.getLeavesOfType(CHAT_VIEW).length > 0;
      if (!isShown && !this.#isUnloaded) new Notice(`${t.notStarted} ${String(error)}`, 0);
    });
  }

  async #build(): Promise<Agent> {
    const { createApp } = await import('#app/app');
    // The app would go on without the plugin.
    if (this.#isUnloaded) await new Promise(() => undefined);
    const app = inLifetime(this, (host) =>
      createApp(host, {
        settingsFile: this.#settings,
        problems: this.#problems,
        openConversation: this.#openConversation,
      }),
    );
    this.#app = app;
    this.#built();
    const { agent } = app;
    const tab = new ParleySettingsTab(this.app, this, agent, this.#ui, () => reloadPanels(this));
    this.#settingsTab = tab;
    this.addSettingTab(tab);
    const focus = this.#editFocus;
    const navigation = new EditNavigation(this.app, agent, focus);
    addNoteBars(this, {
      ...{ edits: agent.edits, focus, navigation },
      mount: async (element, bar) => (await this.#mounts()).mountNoteBar(element, bar),
    });
    addEditCommands(this, {
      ...{ agent, navigation, widgets: this.#widgets, inChat: this.#panel.inChat },
      decide: (...edit) => this.#decide((mounter) => mounter.decide(...edit)),
    });
    addAuthorship(this, agent, async (element, card) =>
      (await this.#mounts()).mountOrigin(element, card),
    );
    addStatusBarItem(this, agent, this.#ui);
    return agent;
  }

  /** Evaluated when the first chat or widget is drawn, and one for all of them. */
  #mounts(): Promise<ChatMounter> {
    this.#mounter ??= Promise.all([import('#components/mount.ts'), this.agent]).then(
      ([{ chatMounter }, agent]) =>
        chatMounter(agent, this.#ui, this.ready, this.#openConversation),
    );
    this.#mounter.catch(() => (this.#mounter = null));
    return this.#mounter;
  }

  #decide(decide: (mounter: ChatMounter) => Promise<void>): void {
    void this.#mounts().then(decide, () => this.#showFailure());
  }

  /** A chat says why the app could not start, and can try again. */
  async #showFailure(): Promise<null> {
    await this.#panel.inChat({ do: 'focus' });
    return null;
  }
}
