import type { Command, Editor, MarkdownView } from 'obsidian';
import type { Registrations } from './registrations';

/** `app.commands`, which the documentation leaves out and plugins use. */
export class Commands {
  /** Whose editor commands work on; without a screen there is none. */
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

  /** False when there is no such command or it cannot run now. */
  executeCommandById(id: string): boolean {
    const command = this.findCommand(id);
    if (!command || !this.#run(command, true)) return false;
    this.#run(command, false);
    return true;
  }

  /** @param checking only whether it could */
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
