import * as approvals from '#messages/approval-messages';
import * as z from 'zod/mini';
import type { VaultResult, VaultApi } from '#policy/vault-api';
import { Anchors } from '../editor/edit/anchors';
import { Lines } from '../editor/edit/text-lines';
import type { StepNotes } from '../shown-notes';
import { defineTool, problem, text } from '../tool';

const input = z.strictObject({
  path: z.string(),
  line: z.optional(z.int().check(z.minimum(1))).check(z.describe('As last shown to you.')),
  new_tab: z.optional(z.boolean()),
});

export const openNote = defineTool<z.infer<typeof input>>({
  name: 'open_note',
  version: 1,
  agent: 'vault_manager',
  effect: 'read',
  permission: 'allow',
  navigates: true,
  description: 'Opens a file for the user, when they ask to see it.',
  input,
  example: { path: 'Projects/Garden.md', line: 12 },
  opens: ({ path }) => path,
  async approvalDraft({ path }, { vault }) {
    const found = await vault.find(path, 'file');
    if (!found.ok) return problem(found);
    return {
      kind: 'approval',
      tool: 'open_note',
      title: approvals.openTitle(found.value.entry.path),
      lines: [],
      said: { title: approvals.saidOpenTitle(found.value.entry.path), about: [] },
      choices: ['allow-once', 'always', 'deny'],
    };
  },
  async run({ path: raw, line: requested, new_tab: isNewTab = false }, { vault, show, notes }) {
    const found = await vault.find(raw, 'file');
    if (!found.ok) return problem(found);
    const { entry, preface } = found.value;
    const place =
      requested === undefined ? null : await lineNow(entry.path, requested, vault, notes);
    if (place?.ok === false)
      return problem(`${preface}${place.reason} Nothing was opened.`, 'no-place');
    const line = place?.value;
    await show(entry.path, { line: line ?? null, inNewTab: isNewTab });
    const at = line === undefined ? '' : ` at line ${line}`;
    return text(`${preface}${entry.path} is open${at}${isNewTab ? ' in a new tab' : ''}.`);
  },
});

/**
 * The current line of the one last shown under this number; the number itself if that is not known.
 */
async function lineNow(
  path: string,
  requested: number,
  vault: VaultApi,
  notes: StepNotes,
): Promise<VaultResult<number>> {
  const read = await vault.read(path);
  if (!read.ok) return read;
  const lines = new Lines(read.value.text.replace(/^\uFEFF/, ''));
  const [shown] = notes.of(path).textsOf(requested);
  const moved = shown === undefined ? null : new Anchors(shown, lines).move(requested, requested);
  const line = moved?.ok ? moved.from : requested;
  if (line !== requested) notes.show(path, read.value.text, [[line, null]]);
  if (line <= Math.max(lines.count, 1)) return { ok: true, value: line };
  const has = lines.count === 1 ? '1 line' : `${lines.count} lines`;
  return {
    ok: false,
    reason: `${path} has ${has}, so there is no line ${requested}.`,
    kind: 'no-place',
  };
}
