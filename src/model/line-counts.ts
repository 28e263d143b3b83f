import type { Effect, UndoEffect } from './change';

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** By whole lines that differ, wherever they stand. */
export function lineCounts(effect: Effect | UndoEffect): LineCounts {
  switch (effect.kind) {
    case 'create':
      return { added: linesOf(effect.after).length, removed: 0 };
    case 'delete':
      return { added: 0, removed: effect.before === null ? 0 : linesOf(effect.before).length };
    case 'write':
    case 'hold':
      return differingLines(effect.before ?? '', effect.after);
    default:
      return { added: 0, removed: 0 };
  }
}

function differingLines(before: string, after: string): LineCounts {
  const counts = new Map<string, number>();
  for (const line of linesOf(before)) counts.set(line, (counts.get(line) ?? 0) - 1);
  for (const line of linesOf(after)) counts.set(line, (counts.get(line) ?? 0) + 1);
  let added = 0;
  let removed = 0;
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

/** Lines without their ends; a final line break begins no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
