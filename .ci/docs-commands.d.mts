/** A command of the documents, and how it is run to see that it works. */
export type DocumentedCommand = { readonly command: string } & (
  | {
      /** The command with small input in place of its placeholders. */
      readonly as?: string;
      readonly input?: string;
      /** What its output has once it works. A command that serves is ended then. */
      readonly until?: RegExp;
      /** Takes minutes. */
      readonly isLong?: boolean;
      readonly skip?: undefined;
    }
  /** Why it is not run. */
  | { readonly skip: string; readonly as?: undefined; readonly isLong?: undefined }
);

export const COMMANDS: readonly DocumentedCommand[];
export function documents(root?: string): string[];
export function commandsIn(text: string): string[];
export function documentedCommands(): string[];
