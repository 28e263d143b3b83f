/** Facts about a turn beside its answer: what it consulted, and which note or model changed since the last message. */
import { allCalls, type Turn } from '#model/conversation';
import type { WebSource } from '#model/message';

export type Consulted =
  { readonly kind: 'note'; readonly path: string } | ({ readonly kind: 'page' } & WebSource);

/**
 * Each once: notes in the order in which they were first read, pages behind them, those that were read before those
 * that were only found. What the turn changed is listed with its changes.
 */
export function consultedBy(turn: Turn): Consulted[] {
  const read = new Set<string>();
  const changed = new Set<string>();
  const pages = new Map<string, WebSource>();
  const found: WebSource[] = [];
  for (const { part, ...call } of allCalls(turn)) {
    const details = call.state === 'finished' ? call.result.details : undefined;
    if (details?.kind === 'read') for (const path of details.paths) read.add(path);
    if (details?.kind === 'sources') {
      if (part.name === 'web_search') found.push(...details.sources);
      else for (const page of details.sources) pages.set(page.url, page);
    }
    if (details?.kind !== 'changes') continue;
    for (const { path, to } of details.changes) changed.add(path).add(to ?? path);
  }
  for (const page of found) if (!pages.has(page.url)) pages.set(page.url, page);
  return [
    ...[...read]
      .filter((path) => !changed.has(path))
      .map((path) => ({ kind: 'note', path }) as const),
    ...[...pages.values()].map((page) => ({ kind: 'page', ...page }) as const),
  ];
}

type Context = Pick<Turn, 'model' | 'activeNote'>;

/** What came to be; a part that stayed as it was is left out. Null where all did. */
export interface ContextChange {
  readonly model?: string;
  /** Null: none was open. */
  readonly note?: string | null;
}

export function contextChange(before: Context | undefined, now: Context): ContextChange | null {
  if (!before) return null;
  const isOther = before.model !== now.model;
  const isElsewhere = before.activeNote !== now.activeNote;
  if (!isOther && !isElsewhere) return null;
  return {
    ...(isOther ? { model: now.model } : {}),
    ...(isElsewhere ? { note: now.activeNote } : {}),
  };
}
