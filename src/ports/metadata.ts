/** What the host knows about notes beyond their text. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export interface NoteLink {
  /** As it is written, without heading and shown words. */
  readonly name: string;
  /** The file that it leads to; null for none. */
  readonly to: string | null;
}

export interface NoteMetadata {
  readonly headings: readonly Heading[];
  /** With `#`, each once. */
  readonly tags: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  /** In the note's order, each as often as it stands there. */
  readonly links: readonly NoteLink[];
}

export interface Metadata {
  /** Null for what is no note, or is not read yet. */
  of(path: string): NoteMetadata | null;
  /** Paths of the notes that link to any of these, with how many such links each has. */
  backlinks(paths: ReadonlySet<string>): ReadonlyMap<string, number>;
  /** Lower-case base names (with and without extension) and aliases of all files, to the paths that have them. */
  linkNames(): ReadonlyMap<string, readonly string[]>;
  /** With `#`, each once; less work than all of `of`. */
  tagsOf(path: string): readonly string[];
  /** Whether the note bears this tag, or one below it. */
  bears(path: string, tag: string): boolean;
  /** Paths of all notes that do; the same set again while they do. */
  tagged(tag: string): Promise<ReadonlySet<string>>;
  /** Folders from which other plugins take templates and scripts, as their settings name them. */
  templateFolders(): Promise<readonly string[]>;
  /** The folder that the person's settings name for new notes, '' for the root. */
  newNoteFolder(): string;
}
