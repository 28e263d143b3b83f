/** What limits the agent besides the tools it has, in words for the model. */
import type { Mode, EditableScope } from '#model/settings';

export interface AgentLimits {
  readonly mode: Mode;
  readonly scope: EditableScope;
  /** What it may not do at all; empty for nothing. */
  readonly withheld: readonly WithheldCapability[];
}

export type WithheldCapability = 'add' | 'replace' | 'create' | 'navigate';

/** All of them, one a line. What is not named is not limited. */
export function limitLines({ mode, scope, withheld }: AgentLimits): string[] {
  return [
    modeLine(mode),
    ...(scope === 'vault' ? [] : [scopeLine(scope)]),
    ...(withheld.length === 0 ? [] : [withheldLine(withheld)]),
  ];
}

/** Those that are others than before. */
export function limitUpdates(before: AgentLimits, now: AgentLimits): string[] {
  const pairs = [
    [modeLine(before.mode), modeLine(now.mode)],
    [scopeLine(before.scope), scopeLine(now.scope)],
    [withheldLine(before.withheld), withheldLine(now.withheld)],
  ] as const;
  return pairs.flatMap(([then, line]) => (then === line ? [] : [`From now on: ${line}`]));
}

function modeLine(mode: Mode): string {
  return `Mode: ${MODE_WORDS[mode]}`;
}

const MODE_WORDS: Record<Mode, string> = {
  'read-only': 'Read only (calls that change the vault are refused; say what you would change)',
  review:
    'Review (edits to the text of notes are proposed and wait for the user, while you read notes as if they were accepted; say "proposed", not "added". Moves, folders, properties and tags change at once)',
  apply: 'Apply (changes are made at once and can be undone)',
};

function scopeLine(scope: EditableScope): string {
  return `May be edited: ${SCOPE_WORDS[scope]}`;
}

const SCOPE_WORDS: Record<EditableScope, string> = {
  current: 'only the active note, and what you created in this conversation',
  linked: 'only the active note, the notes it links to, and what you created in this conversation',
  context: 'only what is attached, and what you created in this conversation',
  vault: 'all notes',
};

function withheldLine(withheld: readonly WithheldCapability[]): string {
  const words = withheld.map((each) => WITHHELD_WORDS[each]);
  return `Not permitted: ${words.length === 0 ? 'nothing in general' : words.join('; ')}`;
}

const WITHHELD_WORDS: Record<WithheldCapability, string> = {
  add: 'adding to notes',
  replace: 'deleting or replacing text or property values, moving, deleting',
  create: 'creating notes or folders',
  navigate: 'opening notes, running commands',
};

export function switchedOffUpdates(tools: readonly string[]): string[] {
  if (tools.length === 0) return [];
  return [
    `Switched off or gone since this conversation began, and refused when called: ${tools.join(', ')}.`,
  ];
}

export function switchedOnUpdates(tools: readonly string[]): string[] {
  return tools.length === 0 ? [] : [`Available again: ${tools.join(', ')}.`];
}
