/** What the user decided about what was proposed. */
import type { UserAction } from '#model/conversation';
import type { DecidedEdit } from '#model/event';
import type { ChangeId } from '#model/ids';
import { hasWords } from '#model/plain-text';

/** Parts that were decided at once. */
export interface Decided {
  /** The change that it made. */
  readonly change: ChangeId;
  readonly path: string;
  readonly decisions: readonly DecidedEdit[];
  readonly problems: readonly string[];
}

/** What was last decided of these parts, the earlier first. */
export function decidedOf(acts: readonly UserAction[], parts: readonly string[]): Decided[] {
  const open = new Set<string>(parts);
  const found: Decided[] = [];
  for (const act of acts.toReversed()) {
    if (act.type !== 'edits-decide') continue;
    const decisions = act.decisions.filter(({ proposal }) => open.has(proposal));
    for (const { proposal } of decisions) open.delete(proposal);
    const { change, path, problems } = act;
    if (decisions.length > 0) found.unshift({ change, path, decisions, problems });
  }
  return found;
}

/** The first words of what was decided, to know it by. */
export function excerptOf({ before, proposed, after = proposed }: DecidedEdit): string {
  const [text, other] = after.trim() === '' ? [before, ''] : [after, before];
  const lines = text.split('\n').filter(hasWords);
  const line = lines.find((each) => !other.includes(each)) ?? lines[0] ?? '';
  return line
    .replace(/^[\s>#|*+-]+(?:\[.\]\s+)?|^\d+[.)]\s+|\|\s*$/g, '')
    .replace(/\*+|==|~~|\[\[|\]\]|`/g, '')
    .replace(/\s*\|\s*/g, ', ')
    .trim();
}
