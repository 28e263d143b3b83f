/** The saved form of the ledger: a line a change, and a line for what became of it. */
import type { Change, ChangeFate } from '#model/change';
import type { ChangeId, DeviceId } from '#model/ids';

export const LEDGER_VERSION = 1;

export type LedgerLine =
  | {
      readonly type: 'ledger-start';
      readonly version: typeof LEDGER_VERSION;
      readonly device: DeviceId;
    }
  | { readonly type: 'change'; readonly change: Change }
  | {
      readonly type: 'fate';
      readonly change: ChangeId;
      readonly fate: ChangeFate;
      /** Where in the vault's own trash a deletion lies. */
      readonly place?: string;
    }
  /** Somebody else than the agent moved or renamed something. */
  | { readonly type: 'rename'; readonly from: string; readonly to: string; readonly time: number };

export interface LedgerEntry {
  readonly change: Change;
  /** Null: interrupted before it was known. */
  readonly fate: ChangeFate | null;
}

export function parseLine(line: string): LedgerLine | null {
  if (line === '') return null;
  try {
    const parsed: unknown = JSON.parse(line);
    return isLine(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

export function parseLines(text: string): LedgerLine[] {
  return text.split('\n').flatMap((line) => parseLine(line) ?? []);
}

function isLine(parsed: unknown): parsed is LedgerLine {
  const line = parsed as { type?: unknown; change?: { origin?: unknown }; from?: unknown } | null;
  if (line?.type === 'change') return typeof line.change?.origin === 'object';
  if (line?.type === 'rename') return typeof line.from === 'string';
  return line?.type === 'fate' || line?.type === 'ledger-start';
}

/** As they lie on disk: a character may take three. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
