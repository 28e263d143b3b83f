/**
 * Drafts the approval that asks the user whether a call may run: what the call is about, from its
 * tool, input and effects.
 */
import type { ApprovalChange, ApprovalInput } from '#model/interaction';
import { changedLines } from '#text/list-diff';
import { approvalOf, type DryRun } from '#policy/dry-run';
import { asEdit, becomeEdits } from '#messages/approval-messages';
import { changeEffect, changeQuestion, changesQuestion } from '#messages/change-words';
import { callQuestion } from '#messages/tool-words';
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
  readonly plan: DryRun;
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
}

/** Null if it would be too long to be shown, so that the call cannot be allowed. */
export async function toolApproval(
  { tool, input, plan, own, isSetToAsk, isMany, isApply, reasons }: AskingCall,
  slices: Slices,
): Promise<ApprovalDraft | null> {
  const why = [...new Set(reasons)];
  // Calls with a reason need approval every time: pages and programs, agent instructions and unknown
  // addresses cannot be allowed permanently.
  const isEachTime = !isSetToAsk || why.length > 0;
  const isList = isMany || own?.items !== undefined;
  const allows: string[] = [];
  const changes: ApprovalChange[] = [];
  const effects: string[] = [];
  const heldPaths: string[] = [];
  const heldActs = new Set<string>();
  for (const { effect, reasons: special, held } of plan.effects) {
    allows.push(approvalOf(effect, isList || special.length > 0));
    const shown = isList && special.length === 0 ? null : shownChange(effect);
    if (shown) changes.push(shown);
    const isHeld = isApply && held.length > 0;
    if (isHeld) heldPaths.push(effect.path);
    if (isHeld) held.forEach((act) => heldActs.add(act));
    const line = changeEffect({ ...effect, ...lineCounts(effect) });
    effects.push(isHeld ? asEdit(line) : line);
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
    return { ...own, lines: [...why, ...own.lines], choices, ...shown };
  }
  const first = plan.effects.find((each) => each.reasons.length > 0) ?? plan.effects[0];
  const title = isMany
    ? changesQuestion(plan.effects.map(({ effect }) => effect))
    : first
      ? changeQuestion(first.effect)
      : callQuestion({ name: tool.name, input });
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
    ],
    ...(isMany ? { items: effects } : {}),
    ...(isGiven ? { input: given } : {}),
    choices: isEachTime ? ['allow-once', 'deny'] : ['allow-once', 'always', 'deny'],
    ...shown,
  };
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
