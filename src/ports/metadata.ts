/**
 * What the host knows about notes beyond their text: headings, tags, properties, links and
 * templates.
 */
import type { LinkCounts } from '#text/link-reader';
import { tagKeys, tagsWithParents } from '#text/tags';
import type { TaskSettings } from '#text/task-change';

export interface NoteHeading {
  readonly level: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export interface NoteLink {
  /** The link target as written, without heading and display text. */
  readonly name: string;
  /** Path of the file that it resolves to, or null. */
  readonly to: string | null;
}

export interface NoteMetadata {
  readonly headings: readonly NoteHeading[];
  /** With `#`, without duplicates. */
  readonly tags: readonly string[];
  readonly properties: Properties;
  /** In the order of the note, including repeated links. */
  readonly links: readonly NoteLink[];
}

export type Properties = Readonly<Record<string, unknown>>;

/** Settings of the core Templates plugin. */
export interface TemplateSettings {
  /** Null if none is set. */
  readonly folder: string | null;
  /** A moment.js format. */
  readonly dateFormat: string;
  readonly timeFormat: string;
}

/** Settings of the core plugin for daily notes, or of Periodic Notes. */
export interface DailyNoteSettings {
  /** '' is the root. */
  readonly folder: string;
  /** A moment.js format; slashes make folders. */
  readonly dateFormat: string;
  readonly template: string | null;
}

export interface DailyNote {
  readonly path: string;
  readonly exists: boolean;
  /** Path of its template; null if there is none that the agent may see. */
  readonly template: string | null;
}

/** What depends on the text of a single note. */
export interface NoteFacts {
  /** Null if it is not a note, or has not been indexed yet. */
  of(path: string): NoteMetadata | null;
  /** With `#`, without duplicates; cheaper than `of`. */
  tagsOf(path: string): readonly string[];
  /** Properties of an indexed note; cheaper than `of`. */
  propertiesOf(path: string): Properties;
  /** The files that a note links to, with the number of links; cheaper than `of`. */
  linksFrom(path: string): LinkCounts[string];
  /** The names of a note's links that resolve to no file, with their number. */
  brokenLinksFrom(path: string): LinkCounts[string];
  /** The characters in the boxes of the note's tasks. */
  taskMarks(path: string): readonly string[];
}

/** The key of all notes that have any other key of its kind. */
export const ANY = '';

/** What notes can be looked up by: the keys of a note, by their kind. */
export const NOTE_KEYS = {
  /** Its tags and those that they are nested in, as `tagKeys` folds them. */
  tag: (facts, path) => tagKeys(facts.tagsOf(path)),
  /** The same with `#`, as spelled in the note; and `ANY`. */
  tagName(facts, path) {
    const names = [...tagsWithParents(facts.tagsOf(path)).values()];
    return names.length > 0 ? [ANY, ...names] : names;
  },
  /** Paths of the files that it links to. */
  target: (facts, path) => Object.keys(facts.linksFrom(path)),
  /** `ANY` if it has links that resolve to no file. */
  brokenLink: (facts, path) => (Object.keys(facts.brokenLinksFrom(path)).length > 0 ? [ANY] : []),
  /** Names of its properties, in lower case. */
  property: (facts, path) =>
    Object.keys(facts.propertiesOf(path)).map((name) => name.toLowerCase()),
  /** The characters in the boxes of its tasks; and `ANY`. */
  task(facts, path) {
    const marks = facts.taskMarks(path);
    return marks.length > 0 ? [ANY, ...marks] : marks;
  },
} satisfies Record<string, (facts: NoteFacts, path: string) => readonly string[]>;

export type NoteKey = keyof typeof NOTE_KEYS;

export type PathSet = Iterable<string> & Pick<ReadonlySet<string>, 'size' | 'has'>;

/** Paths of notes by their keys of one kind. */
export type NotesByKey = Iterable<readonly [key: string, paths: PathSet]> &
  Pick<ReadonlyMap<string, PathSet>, 'get' | 'keys'>;

export interface Metadata extends NoteFacts {
  /**
   * The file that a link with this name (without heading) in the note `from` resolves to, or null.
   */
  resolve(name: string, from: string): string | null;
  /** Notes that are new or have changed, and that the host has not indexed since. */
  behind(): ReadonlySet<string>;
  /**
   * The front matter of this text; null if there is none, or if it is not valid YAML or takes too
   * long to be read.
   */
  frontMatter(text: string): Properties | null;
  /**
   * A link in the format of the user's settings.
   *
   * @param heading with `#`, or '' for none
   * @param words display text, or '' for none
   */
  link(from: string, to: string, heading: string, words: string): string;
  /** Properties as YAML for front matter, each ending in a line break. */
  yaml(properties: Properties): string;
  /**
   * Looks up the paths of files by their lower-case base name (with or without extension) or alias.
   * Later changes may show in the results.
   */
  linkNames(): Promise<(name: string) => Iterable<string>>;
  /**
   * Paths of all notes by their keys of this kind, in no particular order. Collected by the first
   * call and then kept up to date. Later changes may show in the same object, but a set stays as it
   * is.
   */
  notesBy(kind: NoteKey): Promise<NotesByKey>;
  /** Paths of all notes with this tag or a nested one. */
  tagged(tag: string): Promise<PathSet>;
  /** Folders from which other plugins load templates and scripts, according to their settings. */
  templateFolders(): Promise<readonly string[]>;
  templates(): Promise<TemplateSettings>;
  /** Null if both plugins for daily notes are off or were never set up. */
  dailyNotes(): Promise<DailyNoteSettings | null>;
  /** Null if the Tasks plugin is off. */
  taskSettings(): Promise<TaskSettings | null>;
  /**
   * Formats a time (milliseconds since 1970) in local time.
   *
   * @param pattern a moment.js format
   */
  format(time: number, pattern: string): string;
  /** The folder for new notes according to the user's settings; '' is the root. */
  newNoteFolder(): string;
}
