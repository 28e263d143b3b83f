import type { TurnEndReply, TurnTitle } from '#model/reply';
import { isReply } from '#model/steering';
import type { TurnEnd } from '#model/event';
import { capitalize } from '#text/shorten';
import * as resultsText from './tool-messages';
import { PLAN_STATES } from './tool-messages';
import { allCalls, stepText, type ToolCall, type Turn, validSteps } from '#model/conversation';
import type {
  CallDetails,
  CallResult,
  ChangeNote,
  FailureReason,
  ListedKind,
  WebSource,
} from '#model/message';
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

/** "changed Lists/Shopping.md (+1 −0)" */
export function changeText(change: ChangeNote): string {
  const { path, to, added, removed } = change;
  switch (change.kind) {
    case 'create':
      return change.proposes ? `proposed the note ${path}` : `created ${path}`;
    case 'write':
      if (change.proposes) return `proposed changes in ${path} (+${added} −${removed})`;
      return `changed ${path} (+${added} −${removed})`;
    case 'hold':
      return `proposed changes in ${path} (+${added} −${removed})`;
    case 'delete':
      return `deleted ${path}`;
    case 'move':
      return `moved ${path} to ${to ?? ''}`;
    case 'folder':
      return `created the folder ${path}`;
  }
}

export type UserChoice = 'kept' | 'denied' | 'not-decided' | 'stopped';

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
  const toReview = unexpectedlyProposed(turn);
  const reply = { kind: 'end', end, title: turnTitle(turn) } as const;
  return toReview.length > 0 ? { ...reply, toReview } : reply;
}

/** A more accurate title for a completed turn than its outcome; null if the outcome is accurate. */
export function turnTitle(turn: Turn): TurnTitle | null {
  if (turn.end?.kind !== 'completed') return null;
  if (turn.end.outcome === 'not_done') {
    const choices = allCalls(turn).map(userChoice);
    return choices.findLast((choice) => choice === 'kept' || choice === 'denied') ?? null;
  }
  // A command that Parley carried out itself: its answer must not be folded into "Done".
  if (turn.model === '' && turn.request.source !== 'mcp' && turn.end.outcome === 'done') {
    return 'answer';
  }
  const last = validSteps(turn).at(-1);
  const isPlain = last !== undefined && last.calls.length === 0 && stepText(last) !== '';
  return turn.end.outcome === 'done' && isPlain ? 'answer' : null;
}

const FAILURES: Readonly<Record<FailureReason, string>> = {
  'invalid-input': resultsText.invalidInput,
  'unknown-tool': resultsText.unknownTool,
  missing: resultsText.missing,
  ambiguous: resultsText.ambiguous,
  'not-allowed': resultsText.notAllowed,
  exists: resultsText.exists,
  'bad-name': resultsText.badName,
  'no-match': resultsText.noMatch,
  'no-place': resultsText.noPlace,
  'not-shown': resultsText.notShown,
  changed: resultsText.changedMeanwhile,
  'not-text': resultsText.notText,
  disk: resultsText.diskFailed,
  unavailable: resultsText.unavailable,
  'no-answer': resultsText.noAnswer,
  limit: resultsText.limitReached,
  unfinished: resultsText.unfinished,
  other: resultsText.didNotWork,
};

export const REFUSALS: Readonly<Record<Extract<CallDetails, { kind: 'refused' }>['by'], string>> = {
  mode: resultsText.refusedByMode,
  permission: resultsText.refusedByPermission,
  capability: resultsText.refusedByCapability,
  scope: resultsText.refusedByScope,
  hunk: resultsText.refusedByHunk,
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
};

/** Never empty, so that an expanded step always shows its result. */
export function resultText({ userText, failed, details }: CallResult): string {
  if (userText !== undefined && userText.trim() !== '') return userText;
  const words = details ? detailsText(details) : '';
  if (words !== '') return words;
  return failed ? FAILURES.other : resultsText.wasDone;
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
      return resultsText.nothingToChange;
    case 'plan':
      return details.steps.map(({ text, state }) => `${text} (${PLAN_STATES[state]})`).join('\n');
    case 'message':
      return details.text;
    case 'sources':
      return details.sources.map(sourceText).join('\n') || resultsText.nothingFound;
    case 'end-conversation':
      return resultsText.chatEnds;
    case 'done':
      return details.summary;
    case 'refused':
      return REFUSALS[details.by];
    case 'declined':
      return resultsText.notApproved;
    case 'stopped':
      return resultsText.youStopped;
    case 'interrupted':
      return resultsText.obsidianClosed;
    case 'failed':
      return FAILURES[details.why];
  }
}

function searchText({ matches, files }: Extract<CallDetails, { kind: 'search' }>): string {
  if (matches === 0 || matches === files) return found(files, 'note', 'notes');
  return `${found(matches, 'match', 'matches')} in ${found(files, 'note', 'notes')}`;
}

function found(count: number, one: string, many: string): string {
  return count === 0 ? resultsText.nothingFound : counted(count, one, many);
}

function sourceText({ title, url }: WebSource): string {
  return title === '' ? url : `${title}: ${url}`;
}
