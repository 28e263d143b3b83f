/**
 * Changes of many notes in one call. Such a call does what calls on single notes would do, one after
 * the other: each note is changed wholly or not at all, and the others are not affected.
 *
 * A tool spreads `choiceFields` into its input with `isOneChoice` as a check, takes the paths from
 * `chosenNotes`, and gives `changeEach` the function that changes a single note.
 */
import * as z from 'zod/mini';
import { counted, firstNames, number } from '#messages/plural';
import type { AgentChange } from '#model/change';
import type { CallDetails, CallResult, ChangeNote } from '#model/message';
import type { MadeChange, VaultResult } from '#policy/vault-api';
import { Slices } from '#ports/slices';
import { quote } from '#text/paths';
import { clip, oneLine } from '#text/shorten';
import { noteConditions, notesWhere } from './librarian/note-conditions';
import { countProgress } from './progress';
import { fileErrorsAsResults, problem, type ToolContext, unchanged } from './tool';

/** Maximum number of notes that one call may change. */
export const MAX_NOTES = 5_000;

/** Fields of an input that choose notes. Exactly one of them is given; see `isOneChoice`. */
export const choiceFields = {
  path: z.optional(z.string()),
  paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_NOTES))),
  where: z
    .optional(z.pipe(z.record(z.string(), z.unknown()), noteConditions))
    .check(z.describe('All notes that meet conditions of query_notes: {"tags": ["work"]}.')),
};

export interface NoteChoice {
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly where?: z.infer<typeof noteConditions> | undefined;
}

export function hasOneChoice({ path, paths, where }: NoteChoice): boolean {
  return (
    [path, paths, where].filter((each) => each !== undefined).length === 1 &&
    (where === undefined || Object.keys(where).length > 0)
  );
}

/** The check of an input that has `choiceFields`. */
export const isOneChoice = z.refine<NoteChoice>(hasOneChoice, {
  message: 'Give one of path, paths, or where with at least one condition.',
});

/** The paths of the chosen notes, as given or in order; each once. They need not exist. */
export async function chosenNotes(
  { path, paths, where }: NoteChoice,
  context: ToolContext,
): Promise<VaultResult<readonly string[]>> {
  if (where === undefined) return { ok: true, value: [...new Set(paths ?? [path ?? ''])] };
  const found = await notesWhere(where, context);
  if ('reason' in found) return { ok: false, reason: found.reason, kind: 'missing' };
  const { length } = found.paths;
  if (length > 0 && length <= MAX_NOTES) return { ok: true, value: found.paths };
  const why =
    length === 0
      ? 'No note meets these conditions; query_notes shows how many meet each.'
      : `${counted(length, 'note')} meet these conditions, and one call changes ${number(MAX_NOTES)} at most. Narrow them.`;
  return { ok: false, reason: `${found.preface}${why} Nothing was changed.`, kind: 'missing' };
}

/** What became of one note. */
export interface NoteOutcome {
  /** As a call on this note alone returns it. */
  readonly result: CallResult;
  /** What was done to it, in a few words for a list of many: "status: "done", was "open"". */
  readonly words: string;
  /** The change, unless it failed or was not necessary. */
  readonly made?: MadeChange;
}

export interface BulkWords {
  /** Begins the result, such as "Changed". */
  readonly did: string;
  /** The same, if it only waits for the user: "change". */
  readonly todo: string;
  /** What is counted; "note" by default. */
  readonly thing?: string;
  /** Whether the words of an outcome are a count. */
  readonly areCounts?: true;
}

/** Notes whose change ended in the same way. */
interface Group {
  readonly name: string;
  readonly words: string;
}

type Status = AgentChange['status'] | 'made';

/**
 * Changes each item, one after the other, and joins the results: a line for each change, counts of
 * what stayed as it was, and why others failed. An item that fails does not stop the others; an
 * aborted signal does, between two items. With one item, its result is returned as it is. The call
 * fails only if nothing was changed and something failed.
 *
 * @param nameOf what a result calls the item
 * @param one changes a single item
 */
export async function changeEach<Item>(
  items: readonly Item[],
  context: ToolContext,
  words: BulkWords,
  nameOf: (item: Item) => string,
  one: (item: Item) => Promise<NoteOutcome>,
): Promise<CallResult> {
  const [only] = items;
  if (items.length === 1) return (await one(only!)).result;
  const changes: ChangeNote[] = [];
  const groups = new Map<Status, Group[]>();
  const same: string[] = [];
  const failed: { readonly name: string; readonly result: CallResult }[] = [];
  const remarks = new Map<string, string[]>();
  const losing: { readonly name: string; readonly made: MadeChange }[] = [];
  const slices = new Slices(context.clock, context.signal);
  const progress = countProgress(context, words.thing);
  let done = 0;
  for (const item of items) {
    if (slices.stopped) break;
    if (slices.isDue) await slices.pause();
    const outcome = await fileErrorsAsResults(() => one(item), true);
    done += 1;
    progress(done, items.length);
    const { result, made, words: line = '' } = 'result' in outcome ? outcome : { result: outcome };
    const { details } = result;
    const own = details?.kind === 'changes' ? details.changes : [];
    const name = own[0]?.path ?? nameOf(item);
    if (result.failed) failed.push({ name, result });
    else if (own.length === 0) same.push(name);
    else {
      changes.push(...own);
      put(groups, made?.status ?? 'made', { name, words: line });
      for (const remark of made?.remarks ?? []) put(remarks, remark, name);
      if (made && made.lost.length > 0) losing.push({ name, made });
    }
  }
  for (const { name, made } of losing) {
    for (const remark of await context.vault.lostPlaces(made)) put(remarks, remark, name);
  }
  const left = items.slice(done).map(nameOf);
  const parts = [
    ...[...groups].flatMap(([status, group]) => groupTexts(status, group, words)),
    ...[...remarks].map(([remark, names]) => `Note on ${firstNames(names, MAX_NAMES)}: ${remark}`),
    ...sameTexts(same, words),
    ...failedTexts(failed, words),
    ...(left.length === 0
      ? []
      : [`Stopped before ${things(left.length, words)}: ${firstNames(left, MAX_NAMES)}.`]),
  ];
  const text = parts.join('\n');
  if (changes.length > 0) {
    const isPartial = failed.length + left.length > 0;
    const names = failed.map(({ name }) => name);
    const details = {
      ...({ kind: 'changes', changes } as const),
      ...(isPartial && { isPartial }),
      ...(names.length > 0 && { failed: names }),
    };
    return { text, failed: false, details };
  }
  const [first] = failed;
  if (left.length > 0) return { text, failed: true, details: { kind: 'stopped' } };
  return first ? { ...problem(text), details: whyFailed(first.result) } : unchanged(text);
}

/** The name of an item that is a path. */
export const itself = (path: string): string => path;

function put<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function whyFailed({ details }: CallResult): CallDetails {
  return details ?? { kind: 'failed', why: 'other' };
}

/** More lines than this are counted only. */
const MAX_LINES = 100;
const MAX_NAMES = 5;
const MAX_LINE_CHARS = 200;
/** A reason may say what would work. */
const MAX_REASON_CHARS = 500;

function things(count: number, { thing = 'note' }: BulkWords): string {
  return counted(count, thing);
}

/** Words that all notes have in common are in the first line only. */
function groupTexts(status: Status, group: readonly Group[], words: BulkWords): string[] {
  const shared = group.every((each) => each.words === group[0]?.words) ? group[0]?.words : '';
  const lines = group.slice(0, MAX_LINES).map((each) => {
    const own = shared === '' && each.words !== '' ? `: ${oneLine(each.words)}` : '';
    return `  ${clip(each.name + own, MAX_LINE_CHARS)}`;
  });
  const more = group.length - lines.length;
  const each = words.areCounts && group.length > 1 ? ' each' : '';
  return [
    statusText(status, things(group.length, words), words, shared ? ` (${shared}${each})` : ''),
    ...lines,
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

function statusText(
  status: Status,
  what: string,
  { did, todo }: BulkWords,
  shared: string,
): string {
  switch (status) {
    case 'made':
    case undefined:
      return `${did} ${what}${shared}:`;
    case 'around':
      return `${did} ${what}${shared}; all of it is made, and earlier edits there still wait for the user:`;
    case 'proposed':
      return `Proposed to ${todo} ${what}${shared}. The user has not decided yet; until then you read them as if it were accepted:`;
    case 'joined':
      return `Proposed to ${todo} ${what}${shared}. Not made, even in Apply: it touches earlier edits there that still wait for the user. Report it as proposed:`;
    case 'partly':
      return `${did} ${what}${shared}, but only in part: the rest touches earlier edits there, and waits with them. Report that part as proposed:`;
    case 'withdrawn':
      return `${did} ${what}${shared}; this takes back earlier edits of yours that waited:`;
  }
}

function sameTexts(names: readonly string[], words: BulkWords): string[] {
  if (names.length === 0) return [];
  return [`Nothing to change in ${things(names.length, words)}: ${firstNames(names, MAX_NAMES)}.`];
}

/** A reason that several have in common is there once. */
function failedTexts(
  failed: readonly { readonly name: string; readonly result: CallResult }[],
  words: BulkWords,
): string[] {
  if (failed.length === 0) return [];
  const byReason = new Map<string, { readonly reason: string; readonly name: string }[]>();
  for (const { name, result } of failed) {
    const reason = clip(oneLine(result.text), MAX_REASON_CHARS);
    put(byReason, reason.replaceAll(quote(name), 'it').replaceAll(name, 'it'), { name, reason });
  }
  const reasons = [...byReason].slice(0, MAX_LINES).map(([shared, all]) => {
    const names = all.map(({ name }) => name);
    return `  ${firstNames(names, MAX_NAMES)}: ${all.length === 1 ? all[0]!.reason : shared}`;
  });
  const more = byReason.size - reasons.length;
  return [
    `Not done in ${things(failed.length, words)}:`,
    ...reasons,
    ...(more > 0 ? [`  … and ${more} more reasons`] : []),
  ];
}
