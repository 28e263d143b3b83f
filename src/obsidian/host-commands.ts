import type { App } from 'obsidian';
import type { HostCommand, HostCommands, ShowFile } from '#ports/ui';

/** A part of Obsidian that is not in its published types: its commands. */
interface Commands {
  readonly commands: Readonly<Record<string, HostCommand>>;
  executeCommandById(id: string): boolean;
}

export function hostCommands(app: App): HostCommands {
  const { commands } = app as unknown as { commands?: Commands };
  return {
    all: () => Object.values(commands?.commands ?? {}).map(({ id, name }) => ({ id, name })),
    run(id) {
      try {
        return commands?.executeCommandById(id) ?? false;
      } catch {
        // Another plugin's mistake is none of ours.
        return false;
      }
    },
  };
}

/** Opens files in the main area. */
export function showFile({ workspace }: App): ShowFile {
  return (path, { line, inNewTab }) =>
    workspace.openLinkText(
      path,
      '',
      inNewTab ? 'tab' : false,
      line === null ? {} : { eState: { line: line - 1 } },
    );
}
