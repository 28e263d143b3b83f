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
  /** Whether the change is being applied. */
  isOpen(change: ChangeId): boolean;
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
  const ids = all.map(({ id }) => id);
  let gone = await removeOrphans(options, kept, ids);
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
  for (const id of taking) {
    if (sum <= most()) break;
    if (ids.includes(id)) sum -= await removeKept(options, kept, id);
  }
  return gone;
}

/** Sizes of the kept files, by file name without the folder. */
async function keptBytes({ store, folder, device }: TrimOptions): Promise<Map<string, number>> {
  return new Map(await store.sizes(`${folder}/${keptFolder(device)}`));
}

/** Removes files kept for a deletion that was never recorded, because the app stopped before. */
async function removeOrphans(
  options: TrimOptions,
  kept: Map<string, number>,
  known: readonly ChangeId[],
): Promise<boolean> {
  const newest = known.reduce<string>((last, id) => (id > last ? id : last), '');
  let gone = false;
  for (const id of new Set([...kept.keys()].map(changeIdOfKept))) {
    // An id newer than all recorded ones belongs to a change that is about to be recorded.
    if (known.includes(id) || options.isOpen(id) || id > newest) continue;
    gone = (await removeKept(options, kept, id)) > 0 || gone;
  }
  return gone;
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
