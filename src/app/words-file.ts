/**
 * The kept word index of this device. Its name has the day on which it was written, because the times
 * of files do not survive every kind of sync; by it, the files of devices that are no longer used are
 * found and removed.
 */
import type { Storage } from '#ports/storage';
import type { WordsFile } from '#tools/vault-search';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Files of other devices that are older are removed. */
const MAX_UNSEEN_DAYS = 60;

/** An older file of this device is written again, which shows that the device is still used. */
const MAX_OWN_DAYS = 30;

const NAME = /^words-(?<device>.+?)(?:-(?<day>\d{4}-\d{2}-\d{2}))?\.bin$/;

interface NamedFile {
  readonly name: string;
  readonly device: string;
  readonly days: number;
}

export interface DeviceWordsFileDeps {
  readonly store: Storage;
  readonly folder: string;
  readonly device: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** True while another process runs the requests of this vault, and writes the file. */
  isFollower(): boolean;
}

export class DeviceWordsFile implements WordsFile {
  readonly #deps: DeviceWordsFileDeps;

  constructor(deps: DeviceWordsFileDeps) {
    this.#deps = deps;
  }

  mayWrite(): boolean {
    return !this.#deps.isFollower();
  }

  async read(): Promise<ArrayBuffer | null> {
    const { store, folder, device } = this.#deps;
    const own = (await this.#files()).filter((each) => each.device === device);
    const newest = own.reduce<NamedFile | null>(
      (best, each) => (best === null || each.days < best.days ? each : best),
      null,
    );
    const bytes = newest && (await store.readBytes(`${folder}/${newest.name}`));
    if (bytes && newest.days > MAX_OWN_DAYS && this.mayWrite()) await this.write(bytes);
    return bytes;
  }

  async write(bytes: ArrayBuffer): Promise<void> {
    const { store, folder, device, now } = this.#deps;
    const name = `words-${device}-${new Date(now()).toISOString().slice(0, 10)}.bin`;
    await store.writeBytes(`${folder}/${name}`, bytes);
    await this.#removeThose(
      (each) => each.name !== name && (each.device === device || each.days > MAX_UNSEEN_DAYS),
    );
  }

  async remove(): Promise<void> {
    await this.#removeThose(({ device }) => device === this.#deps.device);
  }

  async #removeThose(isUnwanted: (file: NamedFile) => boolean): Promise<void> {
    const { store, folder } = this.#deps;
    for (const file of await this.#files()) {
      if (isUnwanted(file)) await store.remove(`${folder}/${file.name}`);
    }
  }

  async #files(): Promise<readonly NamedFile[]> {
    const { store, folder, now } = this.#deps;
    return (await store.list(folder)).flatMap((name): NamedFile[] => {
      const { device, day } = NAME.exec(name)?.groups ?? {};
      if (device === undefined) return [];
      const days = day === undefined ? Infinity : (now() - Date.parse(day)) / DAY_MS;
      return [{ name, device, days }];
    });
  }
}
