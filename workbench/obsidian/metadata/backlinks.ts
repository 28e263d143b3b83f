import type { Reference } from 'obsidian';

/** All links to a file, by the path of the note that contains them. */
export class Backlinks {
  readonly data: Map<string, Reference[]>;

  constructor(data: Map<string, Reference[]>) {
    this.data = data;
  }

  keys(): string[] {
    return [...this.data.keys()];
  }

  get(path: string): Reference[] | null {
    return this.data.get(path) ?? null;
  }

  count(): number {
    return [...this.data.values()].reduce((sum, references) => sum + references.length, 0);
  }
}
