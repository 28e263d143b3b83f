/** Drafts the approval that asks the user whether a call may run. */
import type { ApprovalChange } from '#model/interaction';
import { approvalOf, type DryRun, type PlannedEffect } from '#policy/dry-run';
import { approvalTitle, effectLine, inputLines } from './approval-words';
import type { ApprovalDraft, Tool } from './tool';

/** Limit of all texts in one approval, which is saved with the conversation. */
const MAX_SHOWN_CHARS = 200_000;

/**
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
): ApprovalDraft {
  const why = [...new Set(reasons)];
  // Calls with a reason need approval every time: active content, agent instructions and unknown
  // addresses cannot be allowed permanently.
  const isEachTime = !isSetToAsk || why.length > 0;
  const allows = plan.effects.map(approvalOf);
  const changes = shownChanges(plan.effects);
  const shown = {
    ...(tool.permissionKey === undefined ? {} : { key: tool.permissionKey }),
    ...(allows.length > 0 ? { allows } : {}),
    ...(changes.length > 0 ? { changes } : {}),
  };
  if (own) {
    const choices = own.choices.filter((each) => each !== 'always' || !isEachTime);
    return { ...own, lines: [...why, ...own.lines], choices, ...shown };
  }
  const first = plan.effects.find((each) => each.why.length > 0) ?? plan.effects[0];
  const title = approvalTitle(tool.name, input, first?.effect);
  const effects = plan.effects.map(({ effect }) => effectLine(effect));
  return {
    kind: 'approval',
    tool: tool.name,
    title,
    lines: [...why, ...(effects.length > 0 ? effects : inputLines(input, title))],
    choices: isEachTime ? ['allow-once', 'deny'] : ['allow-once', 'always', 'deny'],
    ...shown,
  };
}

function shownChanges(effects: readonly PlannedEffect[]): ApprovalChange[] {
  const changes: ApprovalChange[] = [];
  let room = MAX_SHOWN_CHARS;
  for (const { effect } of effects) {
    if (effect.kind !== 'create' && effect.kind !== 'write' && effect.kind !== 'hold') continue;
    const { path, after } = effect;
    const before = effect.kind === 'create' ? null : effect.before;
    room -= after.length + (before?.length ?? 0);
    if (room >= 0) changes.push({ path, before, after });
  }
  return changes;
}
