/** What an answer rests on beside what was said. */
import { allCalls, type Turn } from '#model/conversation';

export interface Consulted {
  readonly kind: 'note';
  readonly path: string;
}

/** Each once, in the order in which it was first read. What the turn changed is listed with its changes. */
export function consultedBy(turn: Turn): Consulted[] {
  const read = new Set<string>();
  const changed = new Set<string>();
  for (const call of allCalls(turn)) {
    const details = call.state === 'finished' ? call.result.details : undefined;
    if (details?.kind === 'read') for (const path of details.paths) read.add(path);
    if (details?.kind !== 'changes') continue;
    for (const { path, to } of details.changes) changed.add(path).add(to ?? path);
  }
  return [...read].filter((path) => !changed.has(path)).map((path) => ({ kind: 'note', path }));
}
