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
    description: 'Reads notes and other files, and what is known of them.',
  },
  { name: 'note_editor', version: 1, description: 'Makes notes and changes what they say.' },
  {
    name: 'vault_librarian',
    version: 1,
    description: 'Finds notes, and tells how the vault is made.',
  },
  {
    name: 'vault_manager',
    version: 1,
    description: 'Moves, deletes and opens files, and makes folders.',
  },
  { name: 'web', version: 1, description: 'Searches the web and reads pages.' },
  {
    name: 'conversation',
    version: 1,
    description: 'Plans, tells and asks; looks up past conversations; ends the turn.',
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
