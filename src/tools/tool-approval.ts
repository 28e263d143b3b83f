/**
 * Drafts the approval that asks the user whether a call may run: what the call is about, from its
 * tool, input and effects.
 */
import type { ApprovalChange, ApprovalInput } from '#model/interaction';
import { changedLines } from '#text/list-diff';
import { approvalOf, type PlannedEffect } from '#policy/planned-effect';
import { asEdit, becomeEdits, leftOut, saidEdits, saidReasons } from '#messages/approval-messages';
import {
  changeEffect,
  changeQuestion,
  folderEffect,
  changesQuestion,
  saidQuestion,
  type WordedChange,
} from '#messages/change-words';
import { callQuestion, saidCallQuestion } from '#messages/tool-words';
import { type Effect, lineCounts } from '#model/change';
import type { Slices } from '#ports/slices';
import type { ApprovalDraft, Tool } from './tool';

/** Longer changes are saved without the lines at both ends that stay the same. */
const MAX_WHOLE_CHARS = 200_000;

/** Limit of all texts in one approval, which is saved with the conversation. */
const MAX_SHOWN_CHARS = 2_000_000;

/** A call that needs an approval. */
export interface AskingCall {
  readonly tool: Pick<Tool, 'name' | 'permissionKey'>;
  readonly input: Input;
  readonly planned: readonly PlannedEffect[];
  /** The tool's own draft; null for the default one. */
  readonly own: ApprovalDraft | null;
  /** True if the user's permission for the tool is "ask"; false if only this call needs approval. */
  readonly isSetToAsk: boolean;
  /** Whether it changes so many notes that they are listed, and their texts are not shown. */
  readonly isMany: boolean;
  /** Whether changes are made at once, so that those are named that are not. */
  readonly isApply: boolean;
  /** Why this call needs approval, in words for the user. */
  readonly reasons: readonly string[];
  /** What it can't change of that which it names. */
  readonly failed: readonly string[];
}

/** Null if it would be too long to be shown, so that the call cannot be allowed. */
export async function toolApproval(
  { tool, input, planned, own, isSetToAsk, isMany, isApply, reasons, failed }: AskingCall,
  slices: Slices,
): Promise<ApprovalDraft | null> {
  const why = [...new Set(reasons)];
  const rest = failed.length > 0 ? [leftOut(failed)] : [];
  // Calls with a reason need approval every time: pages and programs, agent instructions and unknown
  // addresses cannot be allowed permanently.
  const isEachTime = !isSetToAsk || why.length > 0;
  const isList = isMany || own?.items !== undefined;
  const allows: string[] = [];
  const changes: ApprovalChange[] = [];
  const effects: string[] = [];
  const heldPaths: string[] = [];
  const heldActs = new Set<string>();
  for (const each of planned) {
    const { effect, contents, held } = each;
    const isSpecial = each.reasons.length > 0;
    allows.push(approvalOf(each, isList || isSpecial));
    const shown = isList && !isSpecial ? null : shownChange(effect);
    if (shown) changes.push(shown);
    const isHeld = isApply && held.length > 0;
    if (isHeld) heldPaths.push(effect.path);
    if (isHeld) held.forEach((act) => heldActs.add(act));
    const worded = { ...effect, ...lineCounts(effect) };
    const line = isMany ? changeEffect(worded) : folderEffect(worded, contents);
    effects.push(isHeld ? asEdit(line) : line, ...(isMany ? contents : []));
    if (slices.isDue) await slices.pause();
  }
  if (sizeOf(changes) > MAX_SHOWN_CHARS) return null;
  const shown = {
    ...(tool.permissionKey === undefined ? {} : { key: tool.permissionKey }),
    ...(allows.length > 0 ? { allows } : {}),
    ...(changes.length > 0 ? { changes } : {}),
  };
  if (own) {
    const choices = own.choices.filter((each) => each !== 'always' || !isEachTime);
    const said = own.said && {
      said: { ...own.said, about: [...saidReasons(why), ...own.said.about] },
    };
    return { ...own, lines: [...why, ...own.lines, ...rest], ...said, choices, ...shown };
  }
  const first = planned.find((each) => each.reasons.length > 0) ?? planned[0];
  const call = { name: tool.name, input };
  const severalQuestion = changesQuestion(planned.flatMap(eachFile));
  const [title, saidTitle] =
    isMany && planned.length > 1
      ? [severalQuestion, severalQuestion]
      : first
        ? [changeQuestion(first.effect), saidQuestion(first.effect)]
        : [callQuestion(call), saidCallQuestion(call)];
  const given = isMany ? inputTexts(withoutNotes(input)) : inputTexts(input);
  const isGiven = isMany ? given.length > 0 : effects.length === 0;
  return {
    kind: 'approval',
    tool: tool.name,
    title,
    lines: [
      ...why,
      ...(heldPaths.length > 0 ? [becomeEdits(heldPaths, [...heldActs])] : []),
      ...(isMany ? [] : effects),
      ...rest,
    ],
    said: {
      title: saidTitle,
      about: [...saidReasons(why), ...(heldPaths.length > 0 ? [saidEdits] : [])],
    },
    ...(isMany ? { items: effects } : {}),
    ...(isGiven ? { input: given } : {}),
    choices: isEachTime ? ['allow-once', 'deny'] : ['allow-once', 'always', 'deny'],
    ...shown,
  };
}

/** The files that it changes, instead of the folder that they are in. */
function eachFile({ effect, contents }: PlannedEffect): WordedChange[] {
  return contents.length > 0 ? contents.map((path) => ({ ...effect, path })) : [effect];
}

/** The arguments that do not say which notes are meant, since these are listed. */
function withoutNotes(input: Input): Input {
  const names = new Set(['path', 'paths', 'where', 'moves']);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)));
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

/** All arguments of a call, in full. */
export function inputTexts(input: Input): ApprovalInput[] {
  return Object.entries(input).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''),
  }));
}
