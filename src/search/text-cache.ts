/** Texts by id and version, the least recently used of them forgotten above a bound of bytes. */
export class TextCache<Text extends { readonly length: number } = string> {
  private readonly entries = new Map<string, { version: string; text: Text }>();
  private held = 0;

  constructor(private readonly mostBytes: number) {}

  get bytes(): number {
    return this.held;
  }

  get(id: string, version: string): Text | undefined {
    const entry = this.entries.get(id);
    if (entry?.version !== version) return undefined;
    // A map keeps the order in which keys came, so the first is the one longest not asked for.
    this.entries.delete(id);
    this.entries.set(id, entry);
    return entry.text;
  }

  set(id: string, version: string, text: Text): void {
    this.delete(id);
    const size = bytesOf(text);
    if (size > this.mostBytes) return;
    this.entries.set(id, { version, text });
    this.held += size;
    for (const oldest of this.entries.keys()) {
      if (this.held <= this.mostBytes) return;
      this.delete(oldest);
    }
  }

  delete(id: string): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.delete(id);
    this.held -= bytesOf(entry.text);
  }

  rename(from: string, to: string): void {
    const entry = this.entries.get(from);
    this.delete(from);
    if (entry) this.set(to, entry.version, entry.text);
  }
}

/** At most: texts of Latin letters take half as much. */
function bytesOf(text: { readonly length: number }): number {
  return text.length * 2;
}
