/** Limits of the agent other than its tools, in words for the model. */
import type { HunkLines, QuickEditLines } from '#model/quick-edit-range';
import { MAX_SAID_CHARS } from '#model/reply';
import type { RequestSource } from '#model/request';
import type { EditableScope, Mode } from '#model/setting-choices';
import { neutralize } from '#text/untrusted-text';

export interface AgentLimits {
  readonly mode: Mode;
  readonly scope: EditableScope;
  /** Capabilities that the agent does not have. */
  readonly withheld: readonly WithheldCapability[];
}

export type WithheldCapability = 'add' | 'replace' | 'create' | 'navigate';

/** All limits, one per line. Whatever is not named is not limited. */
export function limitLines({ mode, scope, withheld }: AgentLimits): string[] {
  return [
    modeLine(mode),
    ...(scope === 'vault' ? [] : [scopeLine(scope)]),
    ...(withheld.length === 0 ? [] : [withheldLine(withheld)]),
  ];
}

/** The limits that changed. */
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
  context:
    'only what is attached, with the linked notes below it, and what you created in this conversation',
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

export interface TurnContext {
  /** In words, with weekday and UTC offset. */
  readonly now: string;
  /** How the request was made. */
  readonly source: RequestSource;
  readonly limits: AgentLimits;
  readonly activeNote: string | null;
  /**
   * Paths of the files that the user attached, and of the notes they link to within the context
   * scope.
   */
  readonly attached: {
    readonly attached: readonly string[];
    readonly linked: readonly string[];
    /** The lines that a quick edit changes; usually one place or none. */
    readonly targets: readonly QuickEditLines[];
    /** The pending edit that the request is about; none or one. */
    readonly hunks: readonly HunkLines[];
  };
  /** About the vault, the budget and the days, when a conversation or a day begins. */
  readonly opening: readonly string[];
  /** Tools of the conversation's list that have been switched off. */
  readonly switchedOff: readonly string[];
  /** When the request was made, and how the earlier attempt failed; null on the first attempt. */
  readonly retry: {
    readonly asked: string;
    readonly failed: string;
    /** Whether messages joined the earlier attempt. */
    readonly isSteered: boolean;
  } | null;
  /** Whether the user has spoken a lasting wish, which a spoken command can keep. */
  readonly hasWish?: boolean;
  /** What the user did with the agent's changes since the last request, one action per line. */
  readonly userActions: readonly string[];
}

const WISH_HINT =
  'The request states a lasting wish. End your answer with: Say “remember it” to keep that.';

/** Names come from the vault, so each line is escaped to keep it from closing the section. */
export function contextText(context: TurnContext): string {
  const { now, source, limits, activeNote, attached } = context;
  const lines = [`Now: ${now}`, ...context.opening, sourceLine(source), ...limitLines(limits)];
  if (context.hasWish) lines.push(WISH_HINT);
  if (activeNote !== null) lines.push(`Active note: ${activeNote}`);
  lines.push(...attachedLines(attached));
  lines.push(...switchedOffUpdates(context.switchedOff));
  lines.push(...context.userActions);
  if (context.retry) {
    lines.push(
      `This was asked ${context.retry.asked}. An earlier attempt failed: ${context.retry.failed} What it did is in the history above and stays done.${context.retry.isSteered ? ' What the user added to it is there, too, and still holds.' : ''}`,
    );
  }
  return `<context>\n${lines.map(neutralize).join('\n')}\n</context>`;
}

export function sourceLine(source: RequestSource): string {
  return `Source of this request: ${SOURCE_WORDS[source]}`;
}

export interface SteeringContext {
  /** When the message was sent, in words. */
  readonly sent: string;
  readonly source: RequestSource;
  /** Undefined if it is the same as before; null for none. */
  readonly activeNote: string | null | undefined;
  readonly attached: TurnContext['attached'];
}

/** The beginning of the text before a message that joins a running turn. */
export const STEERING_HEAD = '<context>\nSent while you were working';

export function steeringText({ sent, source, activeNote, attached }: SteeringContext): string {
  const lines = [
    `, at ${sent}: the user's message below joins the running request. Take it into account from here on, and cover the whole request in your last answer.`,
    sourceLine(source),
    ...(activeNote === undefined ? [] : [`Active note: ${activeNote ?? 'none'}`]),
    ...attachedLines(attached),
  ];
  return `${STEERING_HEAD}${lines.map(neutralize).join('\n')}\n</context>`;
}

function attachedLines({ attached, linked, targets, hunks }: TurnContext['attached']): string[] {
  return [
    ...targets.map(quickEditLine),
    ...hunks.map(hunkLine),
    ...(attached.length > 0 ? [`Attached: ${named(attached)}`] : []),
    ...(linked.length > 0 ? [`They link to: ${named(linked)}`] : []),
  ];
}

function quickEditLine({ path, lines }: QuickEditLines): string {
  const place = quickEditPlaceWords(path, lines);
  return `Quick edit, asked for in the editor: ${place} Begin with the call of edit_file, and call done in the same step with a summary of a few words; no plan, and no text beside the calls. Look up only what the request needs. If it is a question, answer it and change nothing.`;
}

function hunkLine({ path, lines: { from, to } }: HunkLines): string {
  const [words, position] =
    to < from
      ? [`the lines that it removes were above line ${from}`, `insert:${from}`]
      : from === to
        ? [`its text is line ${from}`, `replace:${from}`]
        : [`its text is lines ${from}-${to}`, `replace:${from}-${to}`];
  return `Said about one of your proposed edits, in ${path}: ${words}. If the user wants it changed, propose a new text for it with edit_file and the position "${position}", and call done in the same step with a summary of a few words; no plan, and no text beside the calls. If it is a question, answer it with done and change nothing. You can change only this edit; the other lines show what is around.`;
}

function quickEditPlaceWords(path: string, lines: QuickEditLines['lines']): string {
  if (lines === null) {
    return `the lines of ${path} have changed since and are attached as they were. Find them again, and change only them.`;
  }
  if (lines === 'end')
    return `write at the end of ${path}, with the position "end". Change no other line.`;
  const { from, to, isBlank } = lines;
  if (isBlank) {
    return `write at the empty line ${from} of ${path}, with the position "replace:${from}". Change no other line.`;
  }
  const [words, position] =
    from === to ? [`line ${from}`, `${from}`] : [`lines ${from}-${to}`, `${from}-${to}`];
  return `change only ${words} of ${path}, with the position "replace:${position}"; the other lines show what is around. Where a part of them is selected, change only that part.`;
}

const AWAY = `The user is probably not looking at the screen: what you say is heard, so give the result first, in at most ${MAX_SAID_CHARS} characters of whole sentences without Markdown, lists, paths or ids. If the answer needs more, end with done: the whole in summary, and in spoken what the user hears. Prefer a guess that can be undone to a question; if your answer ends with a question, the request waits for a reply.`;

const SOURCE_WORDS: Record<RequestSource, string> = {
  typed: 'Typed in Obsidian.',
  voice: `Spoken through SmartHole: transcribed, perhaps misheard or paraphrased. ${AWAY}`,
  text: `Sent as text through SmartHole: perhaps misheard or paraphrased. ${AWAY}`,
  mcp: 'Called by an MCP client.',
};

const MAX_NAMES = 50;

function named(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMES;
  const shown = paths.slice(0, MAX_NAMES).join(', ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
