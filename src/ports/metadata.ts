/** What the host knows about notes beyond their text. */
import type { LinkCounts } from '#model/link-counts';

export interface NoteHeading {
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
  readonly headings: readonly NoteHeading[];
  /** With `#`, each once. */
  readonly tags: readonly string[];
  readonly properties: Properties;
  /** In the note's order, each as often as it stands there. */
  readonly links: readonly NoteLink[];
}

export type Properties = Readonly<Record<string, unknown>>;

/** How the core plugin for templates is set up. */
export interface TemplateSettings {
  /** Null where none is set. */
  readonly folder: string | null;
  /** In moment's signs. */
  readonly dateFormat: string;
  readonly timeFormat: string;
}

export interface Metadata {
  /** Null for what is no note, or is not read yet. */
  of(path: string): NoteMetadata | null;
  /** The file that a link of this name (without heading) in a note leads to; null for none. */
  resolve(name: string, from: string): string | null;
  /** Notes that were changed and are not read again yet. */
  behind(): readonly string[];
  /** The links of all notes that lead to a file; the host's own, so cheap, and never to be changed. */
  resolved(): LinkCounts;
  /** The links of all notes that lead nowhere. */
  unresolved(): LinkCounts;
  /** Of a note as the host has read it; less work than all of `of`. */
  propertiesOf(path: string): Properties;
  /** Whether it holds tasks, done ones among them or not. */
  hasTasks(path: string): boolean;
  /** What stands in the front matter of this text; null for none, or such as can't be read. */
  frontMatter(text: string): Properties | null;
  /**
   * A link as the user's settings want it written.
   *
   * @param heading with its `#`; '' for none
   * @param words shown in place of the name; '' for none
   */
  link(from: string, to: string, heading: string, words: string): string;
  /** Properties as they are written in front matter, a line break behind each. */
  yaml(properties: Properties): string;
  /** Lower-case base names (with and without extension) and aliases of all files, to the paths that have them. */
  linkNames(): ReadonlyMap<string, readonly string[]>;
  /** With `#`, each once; less work than all of `of`. */
  tagsOf(path: string): readonly string[];
  /** Whether the note bears this tag, or one below it. */
  hasTag(path: string, tag: string): boolean;
  /** Paths of all notes that do; the same set again while they do. */
  tagged(tag: string): Promise<ReadonlySet<string>>;
  /** Folders from which other plugins take templates and scripts, as their settings name them. */
  templateFolders(): Promise<readonly string[]>;
  templates(): Promise<TemplateSettings>;
  /** A moment (milliseconds since 1970) in local time. @param pattern in moment's signs */
  format(time: number, pattern: string): string;
  /** The folder that the user's settings name for new notes, '' for the root. */
  newNoteFolder(): string;
}
