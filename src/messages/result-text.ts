import type { TurnEndReply, TurnTitle } from '#model/reply';
import { isReply } from '#model/steering';
import type { TurnEnd } from '#model/event';
import { capitalize } from '#text/shorten';
import { PLAN_STATES } from './tool-messages';
import {
  allCalls,
  isCommand,
  stepText,
  type ToolCall,
  type Turn,
  validSteps,
} from '#model/conversation';
import type {
  CallDetails,
  CallResult,
  ChangeNote,
  FailureReason,
  FoundItem,
  FoundItems,
  ListedKind,
  WebSource,
} from '#model/message';
import { changeText } from './change-words';
import { counted } from './plural';

/**
 * Summarizes the changes of a turn in a sentence, such as "Changed Lists/Shopping.md (+1 −0).";
 * empty if there are none.
 */
export function changeSummary(turn: Turn): string {
  const changes = allCalls(turn).flatMap(changesOfCall);
  if (changes.length === 0) return '';
  const shown = changes.slice(0, 5).map(changeText);
  const more = changes.length > 5 ? [`and ${changes.length - 5} more`] : [];
  return capitalize(`${[...shown, ...more].join(', ')}.`);
}

/** Notes in which a change waits for the user although the turn was to make it. */
export function unexpectedlyProposed(
  turn: Turn,
  calls: readonly ToolCall[] = allCalls(turn),
): string[] {
  if (turn.mode !== 'apply' || isReply(turn.request)) return [];
  const waiting = calls.flatMap(changesOfCall).filter(({ proposes }) => proposes);
  return [...new Set(waiting.map(({ path }) => path))];
}

function changesOfCall(call: ToolCall): readonly ChangeNote[] {
  const details = call.state === 'finished' ? call.result.details : undefined;
  return details?.kind === 'changes' ? details.changes : [];
}

export type UserChoice = 'kept' | 'denied' | 'not-decided' | 'stopped';

export const CHOICE_WORDS: Record<UserChoice, string> = {
  kept: 'You kept',
  denied: 'You denied',
  'not-decided': 'Not decided',
  stopped: 'Stopped',
};

/** The user's choice that kept a call from completing; null for any other call. */
export function userChoice(call: ToolCall): UserChoice | null {
  const result = call.state === 'finished' ? call.result : null;
  if (result?.details?.kind === 'stopped') return 'stopped';
  const settled = 'resolved' in call ? call.resolved : null;
  if (!settled || settled.interaction.kind !== 'approval') return null;
  const { resolution } = settled;
  if (resolution.kind === 'closed') return result?.failed ? 'not-decided' : null;
  if (resolution.kind !== 'choice') return null;
  if (resolution.choice === 'keep') return 'kept';
  return resolution.choice === 'deny' ? 'denied' : null;
}

/** Whether the user prevented the call. Such a result is not reported to the model as an error. */
export function isUserChoice({ details }: CallResult): boolean {
  return details?.kind === 'declined' || details?.kind === 'stopped';
}

/** What a user who is away reads or hears about the end of a turn. */
export function endReply(turn: Turn, end: TurnEnd): TurnEndReply {
  const calls = allCalls(turn);
  const all = calls.flatMap(changesOfCall);
  const waiting = [...new Set(all.filter(({ proposes }) => proposes).map(({ path }) => path))];
  const isWordedByChanges = end.kind !== 'completed' || end.reply === changeSummary(turn);
  return {
    kind: 'end',
    end,
    title: moreAccurateTitle(turn, end, all),
    ...(isWordedByChanges && all.length > 0 ? { changes: all } : {}),
    ...(waiting.length > 0 && !isReply(turn.request) ? { toReview: waiting } : {}),
  };
}

function moreAccurateTitle(turn: Turn, end: TurnEnd, changes: readonly ChangeNote[]) {
  return isProposed(changes, end) ? 'proposed' : turnTitle(turn);
}

/** Whether what was asked was done, as far as the agent may do it. */
function isProposed(changes: readonly ChangeNote[], end: TurnEnd): boolean {
  const isDone = end.kind === 'completed' && end.outcome === 'done';
  return isDone && changes.length > 0 && changes.every(({ proposes }) => proposes);
}

/** How a turn ended. Every end has different words. */
export function endWords(end: TurnEnd): string {
  switch (end.kind) {
    case 'completed':
      return { done: 'Done', partly: 'Partly done', not_done: 'Not completed' }[end.outcome];
    case 'stopped':
      return 'Stopped';
    case 'limited':
      return end.reason === 'no-answer' ? 'No answer came' : 'Not finished';
    case 'failed':
      return 'Failed';
  }
}

/** A more accurate title for a completed turn than its outcome; null if the outcome is accurate. */
export function turnTitle(turn: Turn): TurnTitle | null {
  if (turn.end?.kind !== 'completed') return null;
  if (isCommand(turn)) return 'command';
  if (turn.end.outcome === 'not_done') {
    const choices = allCalls(turn).map(userChoice);
    return choices.findLast((choice) => choice === 'kept' || choice === 'denied') ?? null;
  }
  return turn.end.outcome === 'done' && isAnswer(turn) ? 'answer' : null;
}

/** Whether the turn changed nothing and only said something, or looked something up for it. */
function isAnswer(turn: Turn): boolean {
  const kinds = allCalls(turn).map((call) =>
    call.state === 'finished' && !call.result.failed ? call.result.details?.kind : 'failed',
  );
  const last = validSteps(turn).at(-1);
  const isPlain = last !== undefined && last.calls.length === 0 && stepText(last) !== '';
  if (isPlain) return !kinds.includes('changes');
  const hasLooked = kinds.some((kind) => LOOKING.has(kind));
  return hasLooked && kinds.every((kind) => LOOKING.has(kind) || BESIDE.has(kind));
}

type DetailsKind = CallDetails['kind'] | undefined;
const LOOKING: ReadonlySet<DetailsKind> = new Set<DetailsKind>([
  'read',
  'search',
  'list',
  'sources',
]);
const BESIDE: ReadonlySet<DetailsKind> = new Set<DetailsKind>(['done', 'plan', 'failed']);

const FAILURES: Readonly<Record<FailureReason, string>> = {
  'invalid-input': 'The agent called this tool incorrectly, so nothing was done.',
  'unknown-tool': 'The agent called a tool that does not exist.',
  missing: 'It is not in the vault.',
  ambiguous: 'Several notes match, so none was used.',
  'not-allowed': 'The agent isn’t allowed to do this here.',
  exists: 'Something else is already there.',
  'bad-name': 'This is not a valid path in the vault.',
  'no-match': 'The change didn’t fit the note, so nothing was changed.',
  'no-place': 'The place in the note was not found.',
  'not-shown': 'The agent has to read the note first.',
  changed: 'The note changed in the meantime, so nothing was written.',
  'not-text': 'This can’t be read as text.',
  disk: 'The file could not be read or written.',
  unavailable: 'This is not available right now.',
  'no-answer': 'There was no answer in time.',
  limit: 'The request ended before this could run.',
  unfinished: 'This did not finish.',
  other: 'This did not work.',
};

export const REFUSALS: Readonly<Record<Extract<CallDetails, { kind: 'refused' }>['by'], string>> = {
  mode: 'This chat is set to Read only, so nothing was changed.',
  permission: 'This tool is turned off in settings.',
  capability: 'This action is turned off in settings.',
  scope: 'Your settings don’t allow editing this note.',
  hunk: 'This request may change only the edit that it is about.',
};

const THINGS: Readonly<Record<ListedKind, readonly [one: string, many: string]>> = {
  file: ['file or folder', 'files and folders'],
  note: ['note', 'notes'],
  tag: ['tag', 'tags'],
  link: ['link', 'links'],
  'broken-link': ['broken link', 'broken links'],
  chat: ['chat', 'chats'],
  message: ['message', 'messages'],
  match: ['match', 'matches'],
  change: ['change', 'changes'],
};

/** Never empty, so that an expanded step always shows its result. */
export function resultText({ userText, failed, details }: CallResult): string {
  if (userText !== undefined && userText.trim() !== '') return userText;
  const words = details ? detailsText(details) : '';
  if (words !== '') return words;
  return failed ? FAILURES.other : 'Done.';
}

function detailsText(details: CallDetails): string {
  switch (details.kind) {
    case 'read':
    case 'copy':
      return details.paths.join('\n');
    case 'search':
      return searchText(details);
    case 'list':
      return found(details.count, ...THINGS[details.thing]);
    case 'changes':
      return details.changes.map((change) => capitalize(changeText(change))).join('\n');
    case 'unchanged':
      return 'Nothing to change.';
    case 'plan':
      return details.steps.map(({ text, state }) => `${text} (${PLAN_STATES[state]})`).join('\n');
    case 'message':
      return details.text;
    case 'sources':
      return details.sources.map(sourceText).join('\n') || 'Nothing found.';
    case 'end-conversation':
      return 'The chat closes after this answer.';
    case 'done':
      return details.summary;
    case 'refused':
      return REFUSALS[details.by];
    case 'declined':
      return 'This was not approved.';
    case 'stopped':
      return 'You stopped it before it finished.';
    case 'interrupted':
      return 'Obsidian closed before this finished.';
    case 'failed':
      return FAILURES[details.why];
  }
}

export const NOTHING_FOUND: FoundItems = { items: [], isCut: false };

/** What a call found, as the user can open it; empty for calls that find nothing. */
export function foundItems({ details }: CallResult): FoundItems {
  switch (details?.kind) {
    case 'read':
    case 'copy':
      return { items: details.paths.map((path) => ({ path })), isCut: false };
    case 'search':
    case 'list':
      return details.found ?? NOTHING_FOUND;
    default:
      return NOTHING_FOUND;
  }
}

/** Whether the items are all that the user text says. */
export function isItemsOnly({ details }: CallResult): boolean {
  return details?.kind === 'read' || details?.kind === 'copy';
}

/** Such as "Lists/Shopping.md:3: - milk". */
export function foundText(item: FoundItem): string {
  const place = 'tag' in item ? item.tag : item.path;
  const line = 'tag' in item || item.line === undefined ? '' : `:${item.line}`;
  return `${place}${line}${item.text === undefined ? '' : `: ${item.text}`}`;
}

function searchText(details: Extract<CallDetails, { kind: 'search' }>): string {
  const { matches, files, unsearched = 0 } = details;
  const notes = found(files, 'note', 'notes');
  const all =
    matches === 0 || matches === files
      ? notes
      : `${found(matches, 'match', 'matches')} in ${notes}`;
  if (unsearched === 0) return all;
  return `${all.replace(/\.$/, '')}; ${counted(unsearched, 'note', 'notes')} not searched yet`;
}

function found(count: number, one: string, many: string): string {
  return count === 0 ? 'Nothing found.' : counted(count, one, many);
}

function sourceText({ title, url }: WebSource): string {
  return title === '' ? url : `${title}: ${url}`;
}
