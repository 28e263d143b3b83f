import type { Command } from 'obsidian';
import type { Registrations } from './registrations';

/** `app.commands`, which the documentation leaves out and plugins use. */
export class Commands {
  readonly #registrations: Registrations;

  constructor(registrations: Registrations) {
    this.#registrations = registrations;
  }

  get commands(): Record<string, Command> {
    return Object.fromEntries(this.#registrations.commands);
  }

  listCommands(): Command[] {
    return [...this.#registrations.commands.values()].filter((command) => isAvailable(command));
  }

  findCommand(id: string): Command | undefined {
    return this.#registrations.commands.get(id);
  }

  /** False when there is no such command or it cannot run now. */
  executeCommandById(id: string): boolean {
    const command = this.findCommand(id);
    if (!command || !isAvailable(command)) return false;
    if (command.checkCallback) command.checkCallback(false);
    else void command.callback?.();
    return true;
  }
}

/** Commands on an editor never are: without a screen there is none. */
function isAvailable(command: Command): boolean {
  if (command.editorCheckCallback || command.editorCallback) return false;
  return command.checkCallback ? command.checkCallback(true) === true : true;
}
