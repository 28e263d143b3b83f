/**
 * Every change the agent makes, with full before and after, on disk before the vault is touched. Append-only files in
 * the plugin's folder, one series per device, each small enough to travel by sync.
 */
import type { Change, ChangeFate } from '#model/change';
import type { CallId, ChangeId, DeviceId } from '#model/ids';
import type { Store } from '#ports/store';

export const LEDGER_VERSION = 1;

/** Obsidian Sync refuses files over 5 MB; a new file is begun well before. */
const FILE_LIMIT = 4_000_000;

type LedgerLine =
  | {
      readonly type: 'ledger-start';
      readonly version: typeof LEDGER_VERSION;
      readonly device: DeviceId;
    }
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'fate'; readonly change: ChangeId; readonly fate: ChangeFate };

export interface LedgerEntry {
  readonly change: Change;
  /** Null: interrupted before it was known. */
  readonly fate: ChangeFate | null;
}

export class Ledger {
  readonly #store: Store;
  readonly #folder: string;
  readonly #device: DeviceId;
  #file: { number: number; size: number; fresh: boolean } | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(store: Store, folder: string, device: DeviceId) {
    this.#store = store;
    this.#folder = folder;
    this.#device = device;
  }

  /** Resolves when the change is on disk, power cut or not. Only then may the vault be touched. */
  intend(change: Change): Promise<void> {
    return this.#append({ type: 'change', change }, true);
  }

  /** What became of it. Losing this line is harmless: the vault itself tells. */
  settle(change: ChangeId, fate: ChangeFate): Promise<void> {
    return this.#append({ type: 'fate', change, fate }, false);
  }

  /** The changes a call meant to make, in order. */
  async ofCall(call: CallId, started: number): Promise<LedgerEntry[]> {
    // A fate may stand in a later file than its change.
    let all: LedgerLine[] = [];
    for (const number of (await this.#numbers()).reverse()) {
      const lines = parseLines((await this.#store.read(this.#path(number))) ?? '');
      all = [...lines, ...all];
      const first = lines.find((line) => line.type === 'change');
      // Files are in order of time: nothing of this call can be in an earlier one.
      if (first && first.change.time < started) break;
    }
    return entriesOf(all, (change) => change.origin.call === call);
  }

  #append(line: LedgerLine, flush: boolean): Promise<void> {
    const written = this.#tail.then(async () => {
      const opening: LedgerLine = {
        type: 'ledger-start',
        version: LEDGER_VERSION,
        device: this.#device,
      };
      // A line that was torn by a crash must not swallow this one.
      const before = `\n${JSON.stringify(opening)}\n`;
      const text = `${JSON.stringify(line)}\n`;
      const file = await this.#current(bytesOf(before + text));
      const whole = file.fresh ? before + text : text;
      // Until it is known to be whole, a part of it may be there: a full disk takes what fits.
      file.fresh = true;
      file.size += bytesOf(whole);
      await this.#store.append(this.#path(file.number), whole, { flush });
      file.fresh = false;
    });
    this.#tail = written.catch(() => undefined);
    return written;
  }

  async #current(size: number): Promise<{ number: number; size: number; fresh: boolean }> {
    if (!this.#file) {
      const number = (await this.#numbers()).at(-1) ?? 1;
      const text = (await this.#store.read(this.#path(number))) ?? '';
      this.#file = { number, size: bytesOf(text), fresh: true };
    }
    if (this.#file.size > 0 && this.#file.size + size > FILE_LIMIT) {
      this.#file = { number: this.#file.number + 1, size: 0, fresh: true };
    }
    return this.#file;
  }

  async #numbers(): Promise<number[]> {
    const names = await this.#store.list(this.#folder);
    return names
      .flatMap((name) => {
        const [device, number] = name.replace(/\.jsonl$/, '').split('.');
        return device === this.#device && number ? [Number(number)] : [];
      })
      .filter(Number.isInteger)
      .sort((a, b) => a - b);
  }

  #path(number: number): string {
    return `${this.#folder}/${this.#device}.${String(number).padStart(6, '0')}.jsonl`;
  }
}

function parseLines(text: string): LedgerLine[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const parsed: unknown = JSON.parse(line);
      return isLine(parsed) ? [parsed] : [];
    } catch {
      return [];
    }
  });
}

function isLine(parsed: unknown): parsed is LedgerLine {
  const line = parsed as { type?: unknown; change?: { origin?: unknown } } | null;
  if (line?.type === 'change') return typeof line.change?.origin === 'object';
  return line?.type === 'fate' || line?.type === 'ledger-start';
}

/** As they lie on disk: a character may take three. */
function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function entriesOf(
  lines: readonly LedgerLine[],
  wanted: (change: Change) => boolean,
): LedgerEntry[] {
  const fates = new Map<ChangeId, ChangeFate>();
  for (const line of lines) if (line.type === 'fate') fates.set(line.change, line.fate);
  return lines.flatMap((line) =>
    line.type === 'change' && wanted(line.change)
      ? [{ change: line.change, fate: fates.get(line.change.id) ?? null }]
      : [],
  );
}
