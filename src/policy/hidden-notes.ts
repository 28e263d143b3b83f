/** Decides which notes are hidden from the agent, by excluded folders and the excluded tag. */
import { hasTag } from '#text/tags';
import { blankInlineCode, lineContexts } from '#text/note-structure';
import { readPropertyLine, splitNote } from '#text/front-matter';
import { lineTexts } from '#text/list-diff';
import { isInFolder, looseForm, looseSegments, quote, isWithin, isNote } from '#text/paths';

export interface ExcludedFolder {
  readonly segments: readonly string[];
  /** The segments joined by slashes. */
  readonly plain: string;
}

/**
 * Parses the excluded folders from the settings; empty names are ignored. Cached by list, so that
 * the same list returns the same object.
 */
export function excludedFolders(names: readonly string[]): readonly ExcludedFolder[] {
  const known = parsed.get(names);
  if (known) return known;
  const folders = names
    .map((name) => looseSegments(name))
    .filter((segments) => segments.length > 0)
    .map((segments) => ({ segments, plain: segments.join('/') }));
  parsed.set(names, folders);
  return folders;
}

const parsed = new WeakMap<readonly string[], readonly ExcludedFolder[]>();

/** Why a path is hidden, or null. The answer does not depend on whether the path exists. */
export function excludedReason(path: string, folders: readonly ExcludedFolder[]): string | null {
  return isExcluded(path, folders)
    ? `${quote(path)} is in a folder that the user has excluded. Nothing in it can be read, found or changed.`
    : null;
}

function isExcluded(path: string, folders: readonly ExcludedFolder[]): boolean {
  if (folders.length === 0) return false;
  const loose = looseForm(path);
  if (folders.some(({ plain }) => isWithin(loose, plain))) return true;
  if (!TELLING.test(loose)) return false;
  const segments = looseSegments(path);
  return folders.some((folder) => isInFolder(segments, folder.segments));
}

/**
 * Characters that `looseSegments` may treat specially. Paths without them need no parsing, which
 * matters because listings check every note.
 */
const TELLING = /[~:\\]|(?:^|\/)[\s/]|[.\s](?:\/|$)/;

/**
 * Whether a text has a tag or one nested below it. Unlike the host's index, it is correct right
 * after a write.
 */
export function textHasTag(text: string, tag: string): boolean {
  if (tag === '') return false;
  const spellings = known.get(tag) ?? spellingsOf(tag);
  known.set(tag, spellings);
  if (!spellings.anywhere.test(text)) return false;
  const { yaml, body } = splitNote(text);
  return (
    hasTag(propertyTags(yaml ?? ''), tag) ||
    (spellings.inline.test(body) && hasTag(inlineTags(body), tag))
  );
}

/** Whether the text of a note hides it. */
export function hidesNote(path: string, text: string, tag: string): boolean {
  return isNote(path) && textHasTag(text, tag);
}

/** Finds more than YAML does, because a note with a damaged property should stay hidden. */
const TAGS_NAME = /^["']?tags?\s*["']?\s*:/i;

function propertyTags(yaml: string): string[] {
  const texts: string[] = [];
  let isTags = false;
  for (const line of lineTexts(yaml)) {
    const name = TAGS_NAME.exec(line)?.[0] ?? '';
    isTags = name !== '' || (isTags && !readPropertyLine(line));
    if (isTags) texts.push(line.slice(name.length));
  }
  return texts
    .flatMap((text) => text.split(/[\s,[\]{}"']+/))
    .filter((each) => each !== '' && each !== '-');
}

function inlineTags(body: string): string[] {
  const lines = body.split('\n').map((line) => line.replace(/\r$/, ''));
  const contexts = lineContexts([...lines, '']);
  // Another parser may read an unclosed code block or indented code as text, so a tag in it must hide
  // the note too.
  const isOpen = contexts.at(-1) === 'code';
  const closed = isOpen ? contexts.findLastIndex((context) => context !== 'code') : lines.length;
  const prose = lines
    .filter((_, at) => contexts[at] !== 'code' || at > closed)
    .map(blankInlineCode)
    .join('\n');
  return Array.from(prose.matchAll(INLINE_TAG), ([, tag]) => tag ?? '');
}

/**
 * A tag as Obsidian parses it: up to the first space, ASCII punctuation (except `-`, `_` and `/`)
 * or general punctuation.
 */
const INLINE_TAG =
  /(?<=^|[\s>([{"'*_=~|])#([^\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\s]+)/gm;

/** Fast tests that rule out most texts, and most texts in which the tag is a mere word. */
interface Spellings {
  readonly anywhere: RegExp;
  readonly inline: RegExp;
}

const known = new Map<string, Spellings>();

function spellingsOf(tag: string): Spellings {
  const spellings = [tag.normalize('NFC'), tag.normalize('NFD')].map((each) =>
    each.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'),
  );
  const either = [...new Set(spellings)].join('|');
  return { anywhere: new RegExp(either, 'iu'), inline: new RegExp(`#(?:${either})`, 'iu') };
}
