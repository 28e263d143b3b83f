/** The plugin: what Obsidian needs at load, and the app behind it once the layout is ready. */
import { Plugin } from 'obsidian';
import type { App } from '#app/app';
import type { ChatMounter } from '#components/mount.ts';
import type { ConversationId } from '#model/ids';
import { addPluginCommands } from '#obsidian/plugin-commands';
import { CHAT_VIEW, addPanel, reloadPanels, showNotStarted } from '#obsidian/panel';
import { addNoteEditing } from '#obsidian/editor/note-editing';
import { watchActiveNote } from '#obsidian/editor/user-position';
import { inLifetime } from '#obsidian/lifetime';
import { nodeModules } from '#obsidian/platform/node-modules';
import { systemClock } from '#obsidian/platform/system-clock';
import { obsidianUi } from '#obsidian/host-ui';
import { SettingsFile } from '#obsidian/settings/settings-file';
import { ParleySettingsTab } from '#obsidian/settings/settings-tab';
import { addStatusBarItems } from '#obsidian/status-bar';
import type { Agent } from '#ports/app/agent';
import type { Ui } from '#ports/ui';

export default class ParleyPlugin extends Plugin {
  /** Resolves once the layout is ready, before an open turn continues. */
  agent!: Promise<Agent>;
  /** Resolves when the conversations and requests of the last run have been found again. */
  ready!: Promise<void>;
  #settings!: SettingsFile;
  #ui!: Ui;
  #panel!: ReturnType<typeof addPanel>;
  #addEdits!: (agent: Agent) => void;
  #isUnloaded = false;
  #app: App | null = null;
  #built!: () => void;
  readonly #whenBuilt = new Promise<void>((resolve) => (this.#built = resolve));
  #settingsTab: ParleySettingsTab | null = null;
  #mounter: Promise<ChatMounter> | null = null;
  readonly #openConversation = (conversation: ConversationId) =>
    void this.#panel.inChat({ do: 'open', conversation });

  override onload(): void {
    this.#settings = new SettingsFile({
      plugin: this,
      clock: systemClock(nodeModules()),
      changed: () => {
        this.#app?.settingsChanged();
        reloadPanels(this);
      },
    });
    this.#ui = obsidianUi({
      ...{ plugin: this, viewType: CHAT_VIEW },
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
    const { inChat } = this.#panel;
    // A chat says why the app could not start, and can try again.
    const agent = () => this.agent.catch(() => inChat({ do: 'focus' }).then(() => null));
    const mounter = () => this.#mounts();
    addPluginCommands(this, { panel: this.#panel, agent, mounter });
    this.#addEdits = addNoteEditing(this, { agent, inChat, mounter, whenBuilt: this.#whenBuilt });
    this.register(() => {
      this.#isUnloaded = true;
      void this.#mounter?.then((mounter) => mounter.close());
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

  /** Builds the app once the vault is indexed, by which interrupted changes are judged. */
  #start(): void {
    const layout = new Promise<void>((resolve) => this.app.workspace.onLayoutReady(resolve));
    this.agent = Promise.all([layout, this.#settings.ready()]).then(() => this.#build());
    this.ready = this.agent.then(() => this.#app?.start());
    this.ready.catch((error: unknown) => {
      if (!this.#isUnloaded) showNotStarted(this, error, this.#app !== null);
    });
  }

  async #build(): Promise<Agent> {
    const { createApp } = await import('#app/app');
    // The app would go on without the plugin.
    if (this.#isUnloaded) await new Promise(() => undefined);
    const app = inLifetime(this, (host) =>
      createApp(host, { settingsFile: this.#settings, openConversation: this.#openConversation }),
    );
    this.#app = app;
    this.#built();
    const { agent } = app;
    const reload = () => reloadPanels(this);
    this.#settingsTab = new ParleySettingsTab(this.app, this, agent, this.#ui, reload);
    this.addSettingTab(this.#settingsTab);
    this.#addEdits(agent);
    addStatusBarItems(this, agent, this.#ui, this.#panel);
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
}
