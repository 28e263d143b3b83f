import { Plugin } from 'obsidian-test-mocks/obsidian';
import { registrationsOf } from './registrations';
import type { HostWorkspace } from './workspace';

/**
 * Makes `Plugin` register with the host and unregister on unload. Patched in place, so that a
 * plugin's own class still extends the one `Plugin`.
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
        // As in Obsidian, the leaves stay where the user put them.
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
      // Obsidian reads the settings right away, to search them.
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
        // Obsidian does not report this to the plugin either.
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

/** Data file contents as the plugins last read or wrote them. */
const known = new WeakMap<Plugin, string>();

/** Notifies a plugin whose data file was changed by another process. */
export async function notifyExternalChange(plugin: Plugin): Promise<void> {
  const text = await plugin.app.vault.adapter.read(dataFile(plugin)).catch(() => null);
  if (text === null || text === known.get(plugin) || !isJson(text)) return;
  known.set(plugin, text);
  plugin.onExternalSettingsChange();
}

/** The file may be read in the middle of a write. */
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
