/** The agents: groups of tools, each tool being one mode of its agent. */

export interface AgentFacts {
  /** No tool's name. */
  readonly name: string;
  readonly version: number;
  /** For a model and for the user alike. */
  readonly description: string;
}

/** Those that come with Parley, in the order in which a model is told of them. */
export const AGENTS: readonly AgentFacts[] = [
  {
    name: 'note_reader',
    version: 1,
    description: 'Reads notes and other files, their properties and details.',
  },
  { name: 'note_editor', version: 1, description: 'Creates notes and changes their text.' },
  {
    name: 'vault_librarian',
    version: 1,
    description: 'Finds notes, tags and links, and shows how the vault is organized.',
  },
  {
    name: 'vault_manager',
    version: 1,
    description: 'Moves, deletes and opens files, and creates folders.',
  },
  { name: 'web', version: 1, description: 'Searches the web and reads pages.' },
  {
    name: 'conversation',
    version: 1,
    description: 'Plans, asks and informs the user, looks up past conversations, ends the turn.',
  },
];

const LONGEST_NAME = 64;

/** The name of a tool with its agent's before it, where that is not longer than a name may be. */
export function longName({
  agent,
  name,
}: {
  readonly agent: string;
  readonly name: string;
}): string {
  const whole = `${agent}__${name}`;
  return whole.length > LONGEST_NAME ? name : whole;
}
