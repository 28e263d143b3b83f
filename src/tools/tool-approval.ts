/**
 * Drafts the approval that asks the user whether a call may run: what the call is about, from its
 * tool, input and effects.
 */
import { clip, oneLine } from '#text/shorten';
import type { ApprovalChange, ApprovalInput } from '#model/interaction';
import { changedLines } from '#text/list-diff';
import { approvalOf, type DryRun } from '#policy/dry-run';
import * as t from '#messages/tool-messages';
import { type Effect, lineCounts } from '#model/change';
import type { ApprovalDraft, Tool } from './tool';

/** Longer changes are saved without the lines at both ends that stay the same. */
const MAX_WHOLE_CHARS = 200_000;

/** Limit of all texts in one approval, which is saved with the conversation. */
const MAX_SHOWN_CHARS = 2_000_000;

/**
 * Null if it would be too long to be shown, so that the call cannot be allowed.
 *
 * @param own the tool's own draft; null for the default one
 * @param isSetToAsk true if the user's permission for the tool is "ask"; false if only this call
 * needs approval
 * @param reasons why this call needs approval, in words for the user
 */
export function toolApproval(
  tool: Pick<Tool, 'name' | 'permissionKey'>,
  input: Readonly<Record<string, unknown>>,
  plan: DryRun,
  own: ApprovalDraft | null,
  isSetToAsk: boolean,
  reasons: readonly string[],
): ApprovalDraft | null {
  const why = [...new Set(reasons)];
  // Calls with a reason need approval every time: pages and programs, agent instructions and unknown
  // addresses cannot be allowed permanently.
  const isEachTime = !isSetToAsk || why.length > 0;
  const allows = plan.effects.map(approvalOf);
  const changes = plan.effects.flatMap(({ effect }) => shownChange(effect) ?? []);
  if (sizeOf(changes) > MAX_SHOWN_CHARS) return null;
  const shown = {
    ...(tool.permissionKey === undefined ? {} : { key: tool.permissionKey }),
    ...(allows.length > 0 ? { allows } : {}),
    ...(changes.length > 0 ? { changes } : {}),
  };
  if (own) {
    const choices = own.choices.filter((each) => each !== 'always' || !isEachTime);
    return { ...own, lines: [...why, ...own.lines], choices, ...shown };
  }
  const first = plan.effects.find((each) => each.reasons.length > 0) ?? plan.effects[0];
  const title = approvalTitle(tool.name, input, first?.effect);
  const effects = plan.effects.map(({ effect }) => effectLine(effect));
  return {
    kind: 'approval',
    tool: tool.name,
    title,
    lines: [...why, ...effects],
    ...(effects.length > 0 ? {} : { input: inputTexts(input) }),
    choices: isEachTime ? ['allow-once', 'deny'] : ['allow-once', 'always', 'deny'],
    ...shown,
  };
}

function shownChange(effect: Effect): ApprovalChange | null {
  if (effect.kind !== 'create' && effect.kind !== 'write' && effect.kind !== 'hold') return null;
  const { path, after } = effect;
  const before = effect.kind === 'create' ? null : effect.before;
  if (before === null || before.length + after.length <= MAX_WHOLE_CHARS)
    return { path, before, after };
  const { from, beforeTo, afterTo } = changedLines(before, after);
  return { path, before: before.slice(from, beforeTo), after: after.slice(from, afterTo) };
}

function sizeOf(changes: readonly ApprovalChange[]): number {
  return changes.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + after.length, 0);
}

type Input = Readonly<Record<string, unknown>>;

const MAX_SUBJECT_CHARS = 100;

/** By tool, for calls that have no effect on the vault, or none yet. */
const TITLES: Readonly<Record<string, (input: Input) => string>> = {
  read_file: (input) => t.read(pathsOf(input)),
  get_file_info: ({ path }) => t.readDetails(subject(path)),
  get_properties: (input) => t.readProperties(pathsOf(input)),
  get_context: () => t.readAttachments,
  search_files: ({ pattern }) => t.searchNotes(subject(pattern)),
  search_vault: ({ query }) => t.searchNotes(subject(query)),
  query_notes: () => t.filterNotes,
  list_files: () => t.listFiles,
  list_tags: () => t.listTags,
  explore_structure: () => t.listFolders,
  get_links: ({ path }) => t.listLinks(subject(path)),
  find_dead_links: () => t.findBrokenLinks,
  write_file: ({ path }) => t.create(subject(path)),
  edit_file: ({ path }) => t.change(subject(path)),
  update_properties: ({ path }) => t.change(subject(path)),
  add_tags: ({ path }) => t.change(subject(path)),
  link_notes: ({ source }) => t.change(subject(source)),
  apply_template: ({ path }) => t.change(subject(path)),
  create_folder: ({ path }) => t.createFolder(subject(path)),
  move: ({ source, destination }) => t.move(subject(source), subject(destination)),
  copy_notes: (input) => t.offerCopy(pathsOf(input)),
  open_note: ({ path }) => t.open(subject(path)),
  web_search: ({ query }) => t.searchWeb(subject(query)),
  plan: () => t.showPlan,
  send_message: () => t.sendMessage,
  get_conversation: ({ query }) =>
    query === undefined ? t.readChats : t.searchChats(subject(query)),
  end_conversation: () => t.endChat,
};

/** @param effect what the call would do first; undefined if it changes nothing in the vault */
function approvalTitle(tool: string, input: Input, effect: Effect | undefined): string {
  if (effect) return effectTitle(effect);
  const title = Object.hasOwn(TITLES, tool) ? TITLES[tool] : undefined;
  return title?.(input) ?? t.useTool(tool.replaceAll('_', ' '));
}

function effectTitle(effect: Effect): string {
  switch (effect.kind) {
    case 'create':
      return t.create(effect.path);
    case 'write':
    case 'hold':
      return t.change(effect.path);
    case 'delete':
      return t.remove(effect.path);
    case 'move':
      return t.move(effect.path, effect.to);
    case 'folder':
      return t.createFolder(effect.path);
  }
}

function effectLine(effect: Effect): string {
  const { added, removed } = lineCounts(effect);
  switch (effect.kind) {
    case 'create':
      return t.creates(effect.path, added);
    case 'write':
    case 'hold':
      return t.changes(effect.path, added, removed);
    case 'delete':
      return t.deletes(effect.path);
    case 'move':
      return t.moves(effect.path, effect.to);
    case 'folder':
      return t.createsFolder(effect.path);
  }
}

/** All arguments of a call, in full. */
export function inputTexts(input: Input): ApprovalInput[] {
  return Object.entries(input).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''),
  }));
}

function pathsOf({ path, paths }: Input): readonly string[] {
  return (Array.isArray(paths) ? paths : [path]).map(subject);
}

function subject(value: unknown): string {
  return typeof value === 'string' ? clip(oneLine(value), MAX_SUBJECT_CHARS) : '';
}
