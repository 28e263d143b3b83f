/**
 * A process that is killed at its n-th disk operation; nothing it does afterwards has an effect.
 */
import type { NoteResult } from '#ports/vault';
import type { Storage } from '#ports/storage';
import type { TinyVault } from '../edits/vault';

/** How much of the last operation reaches the disk. */
export const DEATHS = ['before', 'partly', 'after'] as const;
export type KillPoint = (typeof DEATHS)[number];

export interface KillableProcess {
  /** Operations left; Infinity for a process that lives. */
  left: number;
  readonly death: KillPoint;
  readonly isDead: boolean;
  /** Never resolves once this process is dead. */
  act<Value>(whole: () => Promise<Value>, part?: () => void): Promise<Value>;
}

export function newLife(left = Infinity, death: KillPoint = 'before'): KillableProcess {
  let isDead = false;
  const never = () => new Promise<never>(() => undefined);
  const life: KillableProcess = {
    left,
    death,
    get isDead() {
      return isDead;
    },
    async act(whole, part) {
      if (isDead) return never();
      life.left -= 1;
      if (life.left >= 0) return whole();
      isDead = true;
      if (death === 'after') await whole();
      if (death === 'partly') part?.();
      return never();
    },
  };
  return life;
}

type Files = Storage & { readonly files: Map<string, string> };

/** A replacement is atomic; an append may be cut. */
export function mortalStore(store: Files, life: KillableProcess): Storage {
  const alive = <Value>(work: () => Promise<Value>) =>
    life.isDead ? new Promise<never>(() => undefined) : work();
  return {
    read: (path) => alive(() => store.read(path)),
    list: (folder) => alive(() => store.list(folder)),
    sizes: (folder) => alive(() => store.sizes(folder)),
    write: (path, text) =>
      life.act(
        () => store.write(path, text),
        () => store.files.set(`${path}.new`, text.slice(0, text.length / 2)),
      ),
    readBytes: (path) => alive(() => store.readBytes(path)),
    writeBytes: (path, bytes) => life.act(() => store.writeBytes(path, bytes)),
    create: (path, text) => life.act(() => store.create(path, text)),
    append: (path, text, options) =>
      life.act(
        () => store.append(path, text, options),
        () => {
          const before = store.files.get(path) ?? '';
          store.files.set(path, before + text.slice(0, text.length / 2));
        },
      ),
    remove: (path) => life.act(() => store.remove(path)),
  };
}

/** Notes are written in place, so a kill leaves the beginning of one. */
export function mortalVault(vault: TinyVault, life: KillableProcess): TinyVault {
  const done = <Value>(work: () => Promise<NoteResult<Value>>, part?: () => void) =>
    life.act(work, part);
  return {
    ...vault,
    list: () => vault.list(),
    get: (path) => vault.get(path),
    create: (path, text) =>
      done(
        () => vault.create(path, text),
        () => vault.texts.set(path, text.slice(0, text.length / 2)),
      ),
    change: (path, before, after) =>
      done(
        () => vault.change(path, before, after),
        () => vault.texts.set(path, after.slice(0, after.length / 2)),
      ),
    createFolder: (path) => done(() => vault.createFolder(path)),
    move: (path, to) => done(() => vault.move(path, to)),
    trash: (path) => done(() => vault.trash(path)),
    restore: (place, to, went) =>
      done(
        () => vault.restore(place, to, went),
        () => {
          const text = vault.trashed.get(place) ?? '';
          vault.texts.set(to, text.slice(0, text.length / 2));
        },
      ),
    putBack: (path, bytes) =>
      done(
        () => vault.putBack(path, bytes),
        () => vault.texts.set(path, new TextDecoder().decode(bytes.slice(0, bytes.byteLength / 2))),
      ),
  };
}
