/** The names by which links can refer to files, collected once and then kept by Obsidian's events. */
import { type App, parseFrontMatterAliases, type TFile } from 'obsidian';
import { SerialQueue } from '#ports/serial-queue';
import { type SliceClock, Slices } from '#ports/slices';

export class LinkNames {
  readonly #app: App;
  readonly #clock: SliceClock;
  readonly #byName = new Map<string, string[]>();
  readonly #namesOf = new Map<string, readonly string[]>();
  readonly #dirty = new Set<string>();
  readonly #close: () => void;
  #isBuilt = false;
  readonly #updates = new SerialQueue();

  constructor(app: App, clock: SliceClock) {
    this.#app = app;
    this.#clock = clock;
    const { vault, metadataCache } = app;
    const touch = (path: string) => {
      if (this.#isBuilt) this.#dirty.add(path);
    };
    const refs = [
      vault.on('create', ({ path }) => touch(path)),
      vault.on('delete', ({ path }) => touch(path)),
      vault.on('rename', ({ path }, from) => {
        touch(from);
        touch(path);
      }),
    ];
    const ref = metadataCache.on('changed', ({ path }) => touch(path));
    this.#close = () => {
      for (const each of refs) vault.offref(each);
      metadataCache.offref(ref);
    };
  }

  close(): void {
    this.#close();
  }

  /** Paths by lower-case name. Later changes show in the same map. */
  async all(): Promise<ReadonlyMap<string, readonly string[]>> {
    await this.#updates.run(() => this.#update());
    return this.#byName;
  }

  async #update(): Promise<void> {
    const { vault } = this.#app;
    if (!this.#isBuilt) {
      this.#isBuilt = true;
      for (const { path } of vault.getFiles()) this.#dirty.add(path);
    }
    const paths = [...this.#dirty];
    this.#dirty.clear();
    const slices = new Slices(this.#clock);
    for (const path of paths) {
      this.#remove(path);
      const file = vault.getFileByPath(path);
      if (file) this.#add(file);
      if (slices.isDue) await slices.pause();
    }
  }

  #add(file: TFile): void {
    const names = new Set([file.name.toLowerCase(), file.basename.toLowerCase()]);
    if (file.extension === 'md') {
      const front = this.#app.metadataCache.getFileCache(file)?.frontmatter;
      for (const alias of parseFrontMatterAliases(front ?? null) ?? []) {
        names.add(alias.toLowerCase());
      }
    }
    this.#namesOf.set(file.path, [...names]);
    for (const name of names) {
      const paths = this.#byName.get(name);
      if (paths) paths.push(file.path);
      else this.#byName.set(name, [file.path]);
    }
  }

  #remove(path: string): void {
    for (const name of this.#namesOf.get(path) ?? []) {
      const others = (this.#byName.get(name) ?? []).filter((each) => each !== path);
      if (others.length > 0) this.#byName.set(name, others);
      else this.#byName.delete(name);
    }
    this.#namesOf.delete(path);
  }
}
