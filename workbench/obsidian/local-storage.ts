import type { Disk } from '#workbench/disk/disk';

const FILE = 'workbench-local-storage.json';

/**
 * The app's local storage as a file in the configuration folder, so that a vault keeps its values
 * whether it is opened in the browser or headless. The file is replaced as a whole, so that a crash
 * does not corrupt it.
 */
export class LocalStorage {
  readonly #disk: Disk;
  readonly #folder: string;
  #values: Record<string, string> | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  load(key: string): unknown {
    const value = this.#all()[key];
    return value === undefined ? null : (JSON.parse(value) as unknown);
  }

  save(key: string, data: unknown): void {
    if (data === null || data === undefined) delete this.#all()[key];
    else this.#all()[key] = JSON.stringify(data);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#writing = this.#writing.then(() => this.#write()).catch(console.error);
  }

  flush(): Promise<void> {
    return this.#writing;
  }

  async #write(): Promise<void> {
    this.#isDue = false;
    await this.#disk.makeFolder(this.#folder);
    await this.#disk.replace(`${this.#folder}/${FILE}`, JSON.stringify(this.#all(), null, 2));
  }

  #all(): Record<string, string> {
    if (!this.#values) {
      const text = this.#disk.readTextNow(`${this.#folder}/${FILE}`);
      this.#values = text ? (JSON.parse(text) as Record<string, string>) : {};
    }
    return this.#values;
  }
}
