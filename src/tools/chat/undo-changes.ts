import * as approvals from '#messages/approval-messages';
import { changeText, folderEffect } from '#messages/change-words';
import { counted } from '#messages/plural';
import { lineCounts } from '#model/change';
import { capitalize } from '#text/shorten';
import * as z from 'zod/mini';
import type { OwnUndo } from '../own-changes';
import { changed, defineTool, problem, unchanged } from '../tool';

const input = z.strictObject({
  ids: z
    .array(z.string())
    .check(z.minLength(1), z.maxLength(200), z.describe('Of changes or requests.')),
});

type Input = z.infer<typeof input>;

export const undoOwnChanges = defineTool<Input>({
  name: 'undo_changes',
  version: 1,
  agent: 'conversation',
  effect: 'change',
  permission: 'allow',
  description: 'Takes back your own changes; later edits are kept. Undoing an undo redoes.',
  input,
  example: { ids: ['change-0mh1x2y3z00abcdefgh'] },
  async approvalDraft({ ids }, { changes }) {
    const plan = await changes.undo(ids);
    if ('reason' in plan) return problem(plan);
    const effects = plan.planned.map(({ effect, contents }) =>
      folderEffect({ ...effect, ...lineCounts(effect) }, contents),
    );
    return {
      kind: 'approval',
      tool: 'undo_changes',
      title: approvals.undoTitle(effects.length),
      said: { title: approvals.undoTitle(effects.length), about: [] },
      ...(effects.length === 1 ? { lines: effects } : { lines: [], items: effects }),
      choices: ['allow-once', 'always', 'deny'],
    };
  },
  async run({ ids }, { changes }) {
    const done = await changes.undo(ids);
    if ('reason' in done) return problem(done);
    const isNothing = done.changes.length === 0 && done.planned.length === 0;
    if (isNothing && done.left.length > 0) return problem(leftText(done));
    if (isNothing) return unchanged('All of it is undone already, so nothing was changed.');
    return changed(undoneText(done), ...done.changes);
  },
});

const MAX_LINES = 40;

function undoneText(done: OwnUndo): string {
  const rows = done.changes.map((note) => `${note.change} ${capitalize(changeText(note))}`);
  const cut = rows.length - MAX_LINES;
  return [
    `${counted(done.count, 'change')} taken back. This did it, and can itself be undone:`,
    ...rows.slice(0, MAX_LINES),
    ...(cut > 0 ? [`(${cut} more; get_changes lists them.)`] : []),
    ...(done.left.length > 0 ? [leftText(done)] : []),
  ].join('\n');
}

function leftText({ left }: OwnUndo): string {
  const rows = left.slice(0, MAX_LINES).map(({ path, why }) => `- ${path}: ${why}`);
  const cut = left.length - rows.length;
  return [
    'Not undone, which you have to report:',
    ...rows,
    ...(cut > 0 ? [`(and ${cut} more)`] : []),
  ].join('\n');
}
