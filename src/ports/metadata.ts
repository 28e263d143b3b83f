/** What the host knows about notes beyond their text. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export interface NoteMetadata {
  readonly headings: readonly Heading[];
  /** With `#`, each once. */
  readonly tags: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  /** Paths of the notes it links to, and names of links that lead nowhere. */
  readonly linksTo: readonly string[];
  readonly unresolved: readonly string[];
}

export interface Metadata {
  /** Null for what is no note, or is not read yet. */
  of(path: string): NoteMetadata | null;
  /** Paths of the notes that link to any of these, with how many such links each has. */
  backlinks(paths: ReadonlySet<string>): ReadonlyMap<string, number>;
  /** Lower-case base names (with and without extension) and aliases of all files, to the paths that have them. */
  linkNames(): ReadonlyMap<string, readonly string[]>;
  /** The folder that the person's settings name for new notes, '' for the root. */
  newNoteFolder(): string;
}
