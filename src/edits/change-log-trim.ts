/** Keeps the change log within its size limit. */
import type { FiledChange } from './change-log-index';
import type { Storage } from '#ports/storage';
import type { DeviceId, ChangeId } from '#model/ids';
import type { ChangeList } from './change-list';
import { fileNumber, changeLogFile, changeIdOfKept, keptFolder } from './change-log-files';

export interface ChangeLogBound {
  /** Maximum size of the change log and the kept files together, in bytes. */
  most(): number;
  /** Whether the change still waits for the user's decision. */
  isPending(change: FiledChange): boolean;
}

export interface TrimOptions extends ChangeLogBound {
  readonly store: Storage;
  readonly folder: string;
  readonly device: DeviceId;
}

/**
 * Removes the oldest files of this device until the change log fits its limit. Other devices remove
 * their own files. The newest file stays, and so does any file with held or pending changes.
 * @param changes called only if something must be removed
 * @returns whether anything was removed
 */
export async function trimChangeLog(
  options: TrimOptions,
  changes: () => Promise<ChangeList>,
): Promise<boolean> {
  const { store, folder, device, most, isPending } = options;
  const files = [...(await store.sizes(folder))]
    .flatMap(([name, size]) => {
      const number = fileNumber(name, device);
      return number === null ? [] : [{ number, size }];
    })
    .sort((a, b) => a.number - b.number);
  const kept = await keptBytes(options);
  let sum = [...files.map(({ size }) => size), ...kept.values()].reduce((a, b) => a + b, 0);
  if (sum <= most()) return false;
  const list = await changes();
  const held = new Set(list.held().map(({ id }) => id));
  const all = list.all().filter((change) => change.device === device);
  let gone = false;
  for (const { number, size } of files.slice(0, -1)) {
    if (sum <= most()) break;
    const inside = all.filter(({ file }) => file === number);
    if (inside.some((change) => held.has(change.id) || isPending(change))) continue;
    for (const { id } of inside) sum -= await removeKept(options, kept, id);
    await store.remove(`${folder}/${changeLogFile(device, number)}`);
    sum -= size;
    gone = true;
  }
  // The contents kept for the last deletion always stay.
  const taking = [...new Set([...kept.keys()].map(changeIdOfKept))].sort().slice(0, -1);
  const newest = all.at(-1)?.id ?? '';
  for (const id of taking) {
    // A newer one belongs to a change that is about to be recorded.
    if (sum <= most() || id > newest) break;
    sum -= await removeKept(options, kept, id);
  }
  return gone;
}

/** Sizes of the kept files, by file name without the folder. */
async function keptBytes({ store, folder, device }: TrimOptions): Promise<Map<string, number>> {
  return new Map(await store.sizes(`${folder}/${keptFolder(device)}`));
}

/** @returns the number of bytes removed */
async function removeKept(
  { store, folder, device }: TrimOptions,
  kept: Map<string, number>,
  change: ChangeId,
): Promise<number> {
  let gone = 0;
  for (const [name, size] of kept) {
    if (changeIdOfKept(name) !== change) continue;
    await store.remove(`${folder}/${keptFolder(device)}/${name}`);
    kept.delete(name);
    gone += size;
  }
  return gone;
}
