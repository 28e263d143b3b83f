/** How much of the ledger is kept: the oldest files go first, and with them the bytes that their deletions took. */
import type { ChangeId, DeviceId } from '#model/ids';
import type { Store } from '#ports/store';
import type { ChangeList } from './change-list';
import { changeOfKept, keptFolder, ledgerFile, numberOf } from './ledger-files';
import type { FiledChange } from './listed-change';

export interface LedgerBound {
  /** Bytes, of ledger and kept files together. */
  most(): number;
  /** Whether the person still has to decide about it. */
  isPending(change: FiledChange): boolean;
}

export interface Trimming extends LedgerBound {
  readonly store: Store;
  readonly folder: string;
  readonly device: DeviceId;
  /** Whether it is being carried out. */
  isOpen(change: ChangeId): boolean;
}

/**
 * Only what this device has written is its to remove. The file that is being written in stays, and what is held or
 * pending.
 *
 * @param changes asked for only where something has to go
 * @returns whether anything is gone
 */
export async function trimLedger(
  trimming: Trimming,
  changes: () => Promise<ChangeList>,
): Promise<boolean> {
  const { store, folder, device, most, isPending } = trimming;
  const files = [...(await store.sizes(folder))]
    .flatMap(([name, size]) => {
      const number = numberOf(name, device);
      return number === null ? [] : [{ number, size }];
    })
    .sort((a, b) => a.number - b.number);
  const kept = await keptBytes(trimming);
  let sum = [...files.map(({ size }) => size), ...kept.values()].reduce((a, b) => a + b, 0);
  if (sum <= most()) return false;
  const list = await changes();
  const held = new Set(list.held().map(({ id }) => id));
  const all = list.all().filter((change) => change.device === device);
  const ids = all.map(({ id }) => id);
  let gone = await removeOrphans(trimming, kept, ids);
  for (const { number, size } of files.slice(0, -1)) {
    if (sum <= most()) break;
    const inside = all.filter(({ file }) => file === number);
    if (inside.some((change) => held.has(change.id) || isPending(change))) continue;
    for (const { id } of inside) sum -= await removeKept(trimming, kept, id);
    await store.remove(`${folder}/${ledgerFile(device, number)}`);
    sum -= size;
    gone = true;
  }
  // What the last deletion took is kept in any case.
  const taking = [...new Set([...kept.keys()].map(changeOfKept))].sort().slice(0, -1);
  for (const id of taking) {
    if (sum <= most()) break;
    if (ids.includes(id)) sum -= await removeKept(trimming, kept, id);
  }
  return gone;
}

/** By the name of the file, without its folder. */
async function keptBytes({ store, folder, device }: Trimming): Promise<Map<string, number>> {
  return new Map(await store.sizes(`${folder}/${keptFolder(device)}`));
}

/** Bytes of a deletion that never came into the ledger, since everything stopped before. */
async function removeOrphans(
  trimming: Trimming,
  kept: Map<string, number>,
  known: readonly ChangeId[],
): Promise<boolean> {
  const newest = known.reduce<string>((last, id) => (id > last ? id : last), '');
  let gone = false;
  for (const id of new Set([...kept.keys()].map(changeOfKept))) {
    // One that is newer than all is about to come.
    if (known.includes(id) || trimming.isOpen(id) || id > newest) continue;
    gone = (await removeKept(trimming, kept, id)) > 0 || gone;
  }
  return gone;
}

/** @returns how many bytes are gone */
async function removeKept(
  { store, folder, device }: Trimming,
  kept: Map<string, number>,
  change: ChangeId,
): Promise<number> {
  let gone = 0;
  for (const [name, size] of kept) {
    if (changeOfKept(name) !== change) continue;
    await store.remove(`${folder}/${keptFolder(device)}/${name}`);
    kept.delete(name);
    gone += size;
  }
  return gone;
}
