import type { Disk } from '#workbench/disk/disk';

/** Obsidian's defaults for settings that are missing from `app.json`. */
const DEFAULTS: Record<string, unknown> = {
  trashOption: 'system',
  newLinkFormat: 'shortest',
  useMarkdownLinks: false,
  newFileLocation: 'root',
  newFileFolderPath: '/',
  attachmentFolderPath: '/',
  userIgnoreFilters: null,
};

/** The vault's settings, in `app.json` of its configuration folder. */
export class VaultConfig {
  #values: Record<string, unknown> | null = null;
  #writing: Promise<void> = Promise.resolve();
  readonly #disk: Disk;
  readonly #folder: () => string;

  constructor(disk: Disk, folder: () => string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  get(key: string): unknown {
    return this.#load()[key] ?? DEFAULTS[key];
  }

  set(key: string, value: unknown): void {
    const values = this.#load();
    values[key] = value;
    const text = JSON.stringify(values, null, 2);
    this.#writing = this.#writing
      .then(() => this.#disk.makeFolder(this.#folder()))
      .then(() => this.#disk.write(this.#file, text))
      .catch(console.error);
  }

  flush(): Promise<void> {
    return this.#writing;
  }

  /** Read on first use, because the name of the folder is only known once the app is complete. */
  #load(): Record<string, unknown> {
    this.#values ??= parseObject(this.#disk.readTextNow(this.#file));
    return this.#values;
  }

  get #file(): string {
    return `${this.#folder()}/app.json`;
  }
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
