import type { CallResult } from '#model/message';
import type { MakeChange } from '#policy/vault-api';
import { renderDiff } from './edit/diff-text';
import { withoutMark } from './edit/text-lines';
import { type AskedEdit, planWithContents, withContents } from './edit/content-of';
import * as z from 'zod/mini';
import {
  askedText,
  changed,
  changeNote,
  defineTool,
  problem,
  proposalProblem,
  changeStatusText,
  textAfter,
  type ToolContext,
  unchanged,
} from '../tool';
import { type EditPlan, planEdits } from './edit/edit-plan';
import { NoteView } from './edit/note-view';

const replacement = z.strictObject({
  old_text: z
    .string()
    .check(z.minLength(1), z.describe('Must occur exactly once, unless replace_all.')),
  new_text: z.string(),
  replace_all: z.optional(z.boolean()),
});

const placed = z.strictObject({
  position: z
    .string()
    .check(
      z.describe(
        'start (below the front matter), end, after:## Heading (directly below it), before:## Heading, end-of:## Heading (of its section), insert:N (before line N), replace:N or N-M, delete:N or N-M.',
      ),
    ),
  content: z.optional(z.string()).check(z.describe('Not with delete.')),
  content_of: z
    .optional(z.string())
    .check(z.describe('A note whose text to put there, below content: to merge notes.')),
});

const input = z.strictObject({
  path: z.string(),
  edits: z
    .array(
      z.union([replacement, placed], {
        error:
          'each edit is either {old_text, new_text, replace_all?} or {position, content?, content_of?}',
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(100),
      z.describe('All are made or none; they must not overlap.'),
    ),
});

export const editFile = defineTool<{ path: string; edits: AskedEdit[] }>({
  name: 'edit_file',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  description:
    'Changes parts of a note; returns a diff with line numbers. A line number means the line last shown to you under it, even if lines have moved since; in all calls of a step, as before the step. Passages, start, end and headings are looked up in the note as it is now. Where an edit waits for the user, a change of its lines waits with it, also in Apply.',
  input: input,
  example: { path: 'Lists/Shopping.md', edits: [{ position: 'end', content: '- milk' }] },
  async run({ path: raw, edits }, context) {
    const found = await context.vault.find(raw, 'file');
    if (!found.ok) return problem(found);
    const { entry, preface } = found.value;
    const { path } = entry;
    const asked = await withContents(edits, path, context);
    if (!asked.ok) return problem(asked);
    const { edits: whole, taken } = asked;
    const plan = (note: NoteView) =>
      taken.length === 0 ? planEdits(note, whole) : planWithContents(note, whole, taken);
    return context.vault.alone([path], (change) => editNote(path, plan, preface, context, change));
  },
});

/** Makes a planned change of a note, and returns a diff with line numbers. */
export async function editNote(
  path: string,
  planFor: (note: NoteView) => EditPlan,
  preface: string,
  context: ToolContext,
  change: MakeChange,
): Promise<CallResult> {
  const read = await context.vault.read(path);
  if (!read.ok) return problem(read);
  const before = read.value.text;
  const plan = planFor(new NoteView(path, before, context.notes.of(path)));
  if (!plan.ok) {
    context.notes.show(path, before, plan.printed);
    const told = preface + plan.reason;
    return plan.isNothing ? unchanged(told) : problem(told, 'no-match');
  }
  const length = Math.max(before.length, plan.after.length);
  await pauseIfLong(length, context);
  const block = proposalProblem(path, plan.after);
  if (block !== null) return problem(block);
  const effect = { kind: 'write', path, before, after: plan.after } as const;
  const done = await change(effect, plan.replacing);
  if (!done.ok) return problem(done);
  await pauseIfLong(length, context);
  const [asked, after] = [askedText(done.value), textAfter(done.value)];
  if (!plan.isUnseen) context.notes.wrote(path, before, asked, after);
  const diff = renderDiff(withoutMark(before), withoutMark(after));
  context.notes.show(path, after, diff.printed);
  const meanwhile = after === asked ? [] : [TYPED_MEANWHILE];
  const notes = [...plan.notes, ...meanwhile].map((note) => `Note: ${note}\n`).join('');
  return changed(
    `${preface}${changeStatusText(done.value, 'Changed', `${path}.`)}\n${notes}${diff.text}`,
    changeNote(done.value),
  );
}

/** Lets other tasks run between the parts of an edit of a long note. */
async function pauseIfLong(length: number, { clock }: ToolContext): Promise<void> {
  if (length > LONG_CHARS) await clock.pause();
}

const LONG_CHARS = 100_000;

const TYPED_MEANWHILE =
  'other lines were changed by something else at the same moment. Those changes are kept.';
