/** What has to be turned round, the newest first. */
import type { Change } from '#model/change';

/** A run of changes of one file's text whose texts join; null where it is not there. */
export interface TextStep {
  readonly kind: 'text';
  readonly path: string;
  /** Before the run, which is what is wanted again. */
  readonly from: string | null;
  /** After the run. */
  readonly to: string | null;
  /** The newest first. */
  readonly changes: readonly [Change, ...Change[]];
}

/** A change that is turned round by itself. */
export type SingleChange = Exclude<Change, { kind: 'write' | 'create' }>;

export type Step = TextStep | { readonly kind: 'single'; readonly change: SingleChange };

/**
 * Changes whose texts join become one step, so that a proposal and its decisions are undone together and what stood in
 * the note in between does not matter.
 *
 * @param changes the newest first
 */
export function stepsOf(changes: readonly Change[]): Step[] {
  const steps: Step[] = [];
  /** By path: they may still grow, as long as nothing is moved. */
  let open = new Map<string, TextStep>();
  const close = () => {
    steps.push(...open.values());
    open = new Map();
  };
  for (const change of changes) {
    const texts = textsOf(change);
    if (!texts) {
      close();
      steps.push({ kind: 'single', change: change as SingleChange });
      continue;
    }
    const { path } = change;
    const known = open.get(path);
    if (known && known.from === texts.after) {
      open.set(path, { ...known, from: texts.before, changes: [...known.changes, change] });
      continue;
    }
    if (known) {
      steps.push(known);
      // A map keeps the place of a key that is set again.
      open.delete(path);
    }
    open.set(path, { kind: 'text', path, from: texts.before, to: texts.after, changes: [change] });
  }
  close();
  return steps;
}

/** What the file read before and after; null for what is more than the text of one file. */
function textsOf(change: Change): { before: string | null; after: string | null } | null {
  switch (change.kind) {
    case 'create':
      return { before: null, after: change.after };
    case 'write':
      return { before: change.before, after: change.after };
    case 'delete':
      return change.before === null ? null : { before: change.before, after: null };
    default:
      return null;
  }
}
