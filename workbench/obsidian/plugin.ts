import { Plugin } from 'obsidian-test-mocks/obsidian';
import { registrationsOf } from './registrations';
import type { HostWorkspace } from './workspace';

/**
 * Lets the class that plugins extend register with the host and take it back when unloaded. Changed in
 * place, so that a plugin's own class stays an instance of the one and only `Plugin`.
 */
export function patchPlugin(): void {
  const own: Partial<Plugin> & ThisType<Plugin> = {
    registerView(type, create) {
      const { views } = registrationsOf(this.app);
      if (views.has(type)) {
        throw new Error(`Attempting to register an existing view type "${type}"`);
      }
      const workspace = this.app.workspace as HostWorkspace;
      views.set(type, create);
      workspace.rebuildLeaves(type);
      this.register(() => {
        views.delete(type);
        // As in the app, the leaves stay where the user put them.
        workspace.rebuildLeaves(type);
      });
    },

    addCommand(command) {
      command.id = `${this.manifest.id}:${command.id}`;
      command.name = `${this.manifest.name}: ${command.name}`;
      registrationsOf(this.app).commands.set(command.id, command);
      this.register(() => registrationsOf(this.app).commands.delete(command.id));
      return command;
    },

    removeCommand(id) {
      registrationsOf(this.app).commands.delete(`${this.manifest.id}:${id}`);
    },

    addRibbonIcon(icon, title, callback) {
      const el = createDiv({ cls: 'clickable-icon side-dock-ribbon-action' });
      el.setAttribute('aria-label', title);
      el.addEventListener('click', callback);
      add(this, registrationsOf(this.app).ribbonIcons, { icon, title, el });
      this.register(() => el.remove());
      return el;
    },

    addStatusBarItem() {
      const el = createDiv({ cls: `status-bar-item plugin-${this.manifest.id}` });
      add(this, registrationsOf(this.app).statusBarItems, el);
      return el;
    },

    addSettingTab(tab) {
      add(this, registrationsOf(this.app).settingTabs, tab);
      // The app asks for the settings now already, for the search over all of them.
      tab.update();
    },

    registerEditorExtension(extension) {
      add(this, registrationsOf(this.app).editorExtensions, extension);
    },

    registerMarkdownPostProcessor(processor) {
      add(this, registrationsOf(this.app).postProcessors, processor);
      return processor;
    },

    registerMarkdownCodeBlockProcessor(language, handler) {
      const { codeBlockProcessors } = registrationsOf(this.app);
      codeBlockProcessors.set(language, handler);
      this.register(() => codeBlockProcessors.delete(language));
      return () => undefined;
    },

    registerObsidianProtocolHandler(action, handler) {
      const { protocolHandlers } = registrationsOf(this.app);
      protocolHandlers.set(action, handler);
      this.register(() => protocolHandlers.delete(action));
    },

    async loadData() {
      const { adapter } = this.app.vault;
      const file = dataFile(this);
      if (!(await adapter.exists(file))) return null;
      try {
        const text = await adapter.read(file);
        known.set(this, text);
        return JSON.parse(text) as unknown;
      } catch (error) {
        // The app gives no sign to the plugin either.
        console.error(`failed to read JSON ${file}`, error);
        return null;
      }
    },

    async saveData(data) {
      const text = JSON.stringify(data, null, 2);
      known.set(this, text);
      await this.app.vault.adapter.write(dataFile(this), text);
    },
  };
  Object.assign(Plugin.prototype, own);
}

function add<T>(plugin: Plugin, set: Set<T>, item: T): void {
  set.add(item);
  plugin.register(() => {
    set.delete(item);
    if (item instanceof HTMLElement) item.remove();
  });
}

/** Of data files, as their plugins have last read or written them. */
const known = new WeakMap<Plugin, string>();

/** Calls a plugin whose data file was written by somebody else. */
export async function tellOfOthersData(plugin: Plugin): Promise<void> {
  const text = await plugin.app.vault.adapter.read(dataFile(plugin)).catch(() => null);
  if (text === null || text === known.get(plugin) || !isJson(text)) return;
  known.set(plugin, text);
  plugin.onExternalSettingsChange();
}

/** A notice may come in the middle of writing. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function dataFile(plugin: Plugin): string {
  return `${plugin.manifest.dir}/data.json`;
}
