import type { Command, Editor, MarkdownView } from 'obsidian';
import type { Registrations } from './registrations';

/** `app.commands`, which is undocumented but used by plugins. */
export class Commands {
  /** The view for editor commands; null without a screen. */
  activeView: () => MarkdownView | null = () => null;
  readonly #registrations: Registrations;

  constructor(registrations: Registrations) {
    this.#registrations = registrations;
  }

  get commands(): Record<string, Command> {
    return Object.fromEntries(this.#registrations.commands);
  }

  listCommands(): Command[] {
    return [...this.#registrations.commands.values()].filter((command) => this.#run(command, true));
  }

  findCommand(id: string): Command | undefined {
    return this.#registrations.commands.get(id);
  }

  /** Returns false if the command does not exist or is not available. */
  executeCommandById(id: string): boolean {
    const command = this.findCommand(id);
    if (!command || !this.#run(command, true)) return false;
    this.#run(command, false);
    return true;
  }

  /** @param checking only check whether the command is available */
  #run(command: Command, checking: boolean): boolean {
    const { editorCheckCallback, editorCallback, checkCallback, callback } = command;
    if (editorCheckCallback || editorCallback) {
      const view = this.activeView();
      if (!view) return false;
      const editor: Editor = view.editor;
      if (editorCheckCallback) return editorCheckCallback(checking, editor, view) === true;
      if (!checking) void editorCallback?.(editor, view);
      return true;
    }
    if (checkCallback) return checkCallback(checking) === true;
    if (!checking) void callback?.();
    return true;
  }
}
