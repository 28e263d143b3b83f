/** Attachments saved under a name, which the `/` menu adds to a message. */
import type { ContextPreset } from '#model/attachment';
import type { ComposerDraft } from '#stores/composer-state';

/**
 * Saved with the current scope, whatever is set later; replaces one whose name differs in case at
 * most.
 */
export function withPreset(
  all: readonly ContextPreset[],
  name: string,
  draft: ComposerDraft,
  depth: number,
): readonly ContextPreset[] {
  const attachments = draft.attachments.map((each) =>
    each.kind === 'note' ? { depth, ...each } : each,
  );
  const others = all.filter((preset) => preset.name.toLowerCase() !== name.toLowerCase());
  return [...others, { name, attachments }];
}
