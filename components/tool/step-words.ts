/** Describes the calls of a turn in words for the user, each tool with an icon. */
import * as t from '#messages/tool-messages';
import { callCount, toolWords } from '#messages/tool-words';
import { callVerb, isOnlyProposed } from '#messages/call-words';
import { CHOICE_WORDS, userChoice, REFUSALS } from '#messages/result-text';
import type { ToolCall, AnswerMessage } from '#model/conversation';
import { capitalize } from '#text/shorten';

export type TraceItem =
  | {
      readonly kind: 'call';
      readonly key: string;
      readonly call: ToolCall;
      /** The spoken words that resolved it; null if a click did, or if it is open. */
      readonly words: AnswerMessage | null;
    }
  | {
      readonly kind: 'thinking';
      readonly key: string;
      readonly text: string;
      readonly live: boolean;
      /** In milliseconds; 0 if unknown. */
      readonly took: number;
    }
  /** A call whose input is still being written. */
  | { readonly kind: 'coming'; readonly key: string; readonly name: string };

export function traceIcon(item: TraceItem | undefined): string {
  switch (item?.kind) {
    case 'call':
      if (decisionOf(item.call) && userChoice(item.call)) return 'circle-slash';
      return hasFailed(item) ? 'x' : toolIcon(item.call.part.name);
    case 'coming':
      return item.name === '' ? 'ellipsis' : toolIcon(item.name);
    default:
      return 'brain';
  }
}

/** Whether a running turn is doing this now, or next. */
export function isGoingOn(item: TraceItem): boolean {
  if (item.kind !== 'call') return item.kind === 'coming' || item.live;
  return item.call.state !== 'finished' && item.call.state !== 'asking';
}

export function hasFailed(item: TraceItem): boolean {
  return item.kind === 'call' && isFailed(item.call);
}

/** A denied call is not a failure. */
function isFailed(call: ToolCall): boolean {
  return call.state === 'finished' && call.result.failed && userChoice(call) === null;
}

/** The user's decision about the call; null if there was none. */
function decisionOf(call: ToolCall) {
  const settled = 'resolved' in call ? call.resolved : null;
  return settled?.resolution.kind === 'choice' ? settled.resolution : null;
}

/** For example "Reading", "Read" or "Could not read": what comes before the subject. */
export function traceVerb(item: TraceItem): string {
  switch (item.kind) {
    case 'thinking':
      return item.live ? t.thinking : thoughtLine(item.took);
    case 'coming':
      return item.name === '' ? t.deciding : toolWords(item.name).doing;
    case 'call':
      return callVerb(item.call);
  }
}

function thoughtLine(milliseconds: number): string {
  const time = durationText(milliseconds);
  return time === '' ? t.thought : t.thoughtFor(time);
}

/** Why the call was not run, if the user should know without opening it; '' otherwise. */
export function callRefusal(call: ToolCall): string {
  const reason = decisionOf(call)?.reason;
  if (reason) return t.youSaid(reason);
  const details = call.state === 'finished' ? call.result.details : undefined;
  if (details?.kind !== 'refused') return '';
  return REFUSALS[details.by];
}

/** Whether the user or a rule intervened, so that it is shown separately. */
export function isShownAlone(call: ToolCall): boolean {
  return decisionOf(call) !== null || callRefusal(call) !== '';
}

export function stateLabel(call: ToolCall): string {
  switch (call.state) {
    case 'finished': {
      const choice = userChoice(call);
      if (choice) return CHOICE_WORDS[choice];
      return call.result.failed ? t.failed : t.done;
    }
    case 'running':
      return call.progress ?? t.running;
    case 'asking':
      return t.waitingForYou;
    default:
      return t.pending;
  }
}

/** For example "Read 3 notes, searched twice". */
export function summaryLine(items: readonly TraceItem[]): string {
  const calls = callsOf(items);
  if (calls.length === 0) {
    const thoughts = items.flatMap((item) => (item.kind === 'thinking' ? [item.took] : []));
    return thoughtLine(thoughts.reduce((sum, took) => sum + took, 0));
  }
  const done = calls.filter((call) => !isFailed(call) && userChoice(call) === null);
  const names = [...new Set(done.map(({ part }) => part.name))];
  const parts = names.flatMap((name) =>
    [false, true].flatMap((isWaiting) => {
      const same = done.filter(
        (call) => call.part.name === name && isOnlyProposed(call) === isWaiting,
      );
      if (same.length === 0) return [];
      const subjects = same.flatMap(({ part: { input } }) => input['paths'] ?? [null]);
      return callCount(name, subjects.length, same.length, isWaiting);
    }),
  );
  if (parts.length > 0) return capitalize(parts.join(', '));
  const failed = calls.filter(isFailed).length;
  if (failed > 0) return t.callsFailed(failed);
  return [...new Set(calls.flatMap((call) => userChoice(call) ?? []))]
    .map((choice) => CHOICE_WORDS[choice])
    .join(', ');
}

/** For example "1 failed, 4 s": what must stay visible if the line is too long. */
export function summaryDetail(items: readonly TraceItem[]): string {
  const calls = callsOf(items);
  const failed = calls.filter(isFailed).length;
  const some = failed > 0 && failed < calls.length;
  return [some ? t.failedCount(failed) : '', timeOf(calls)]
    .filter((part) => part !== '')
    .join(', ');
}

/** The time from the first start to the last end if it is long enough to mention; '' otherwise. */
function timeOf(calls: readonly ToolCall[]): string {
  const begun = calls.flatMap((call) => ('started' in call && call.started ? [call.started] : []));
  const ended = calls.flatMap((call) => (call.state === 'finished' ? [call.ended] : []));
  if (begun.length === 0 || ended.length === 0) return '';
  return durationText(Math.max(...ended) - Math.min(...begun));
}

export function traceDuration(item: TraceItem): string {
  return item.kind === 'call' ? callDuration(item.call) : '';
}

export function callDuration(call: ToolCall): string {
  const isMeasured = call.state === 'finished' && call.started !== null;
  return isMeasured ? durationText(call.ended - call.started) : '';
}

/** '' if it is too short to mention. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 950) return '';
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return t.seconds(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t.minutesAndSeconds(minutes, seconds % 60);
  return t.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60);
}

function callsOf(items: readonly TraceItem[]): ToolCall[] {
  return items.flatMap((item) => (item.kind === 'call' ? [item.call] : []));
}

const ICONS: Readonly<Record<string, string>> = {
  read_file: 'file-text',
  get_file_info: 'info',
  get_properties: 'list',
  get_context: 'paperclip',
  copy: 'copy',
  copy_notes: 'clipboard-copy',
  execute_command: 'terminal',
  query_notes: 'filter',
  list_tags: 'tags',
  get_links: 'waypoints',
  find_dead_links: 'unlink',
  explore_structure: 'folder-tree',
  search_files: 'search',
  search_vault: 'search',
  web_search: 'globe',
  read_webpage: 'globe',
  list_files: 'folder-tree',
  get_conversation: 'history',
  get_changes: 'history',
  undo_changes: 'undo-2',
  edit_file: 'pencil',
  write_file: 'file-plus',
  update_properties: 'list',
  update_tasks: 'square-check',
  add_tags: 'tags',
  rename_tag: 'tags',
  replace_in_notes: 'replace-all',
  link_notes: 'link',
  redirect_links: 'link-2',
  apply_template: 'layout-template',
  create_folder: 'folder-plus',
  open_note: 'square-arrow-out-up-right',
  move: 'file-symlink',
  delete: 'trash-2',
  plan: 'list-checks',
  end_conversation: 'message-square-x',
};

export function toolIcon(name: string): string {
  return (Object.hasOwn(ICONS, name) ? ICONS[name] : undefined) ?? 'wrench';
}
