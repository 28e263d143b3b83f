import { codePointName, invisibleCharacter } from './invisible-characters';
import { linkPath, parseLink } from './link-reader';
import { clip, codeSpan } from './shorten';

/** Parses a path written by a model into a vault path ('' is the root). */
export type ParsedPath =
  | { ok: true; path: string; /** Whether the path ended in a slash. */ intoFolder: boolean }
  | { ok: false; reason: string };

const expected = 'Expected a path inside the vault with `/`, such as `Folder/Note.md`.';

/**
 * Never throws; a refusal says what was given and what is expected.
 * The result is relative to the vault and in NFC, with plain blanks, as Obsidian spells paths, and
 * has no empty, `.` or `..` segments; parsing it again returns it unchanged. Percent signs are kept: `100%25.md` is a name, not an escape.
 */
export function parsePath(raw: string): ParsedPath {
  const first = resolve(raw, raw);
  let parsed = first;
  // The result may itself be a link (`./[[Note]]`), so parse until nothing changes. Each round
  // makes it shorter, so this ends.
  for (let written = raw; parsed.ok && parsed.path !== written;) {
    written = parsed.path;
    parsed = resolve(written, raw);
  }
  return parsed.ok && first.ok ? { ...parsed, intoFolder: first.intoFolder } : parsed;
}

/** @param raw the path as the model wrote it, for the message */
function resolve(written: string, raw: string): ParsedPath {
  if (written.includes('\0')) return refuse(raw, 'contains a NUL byte');
  const target = linkTarget(composedPath(written));
  if (target === undefined) return refuse(raw, 'is a link that names no note');

  const absolute = absoluteForm(target);
  if (absolute) return refuse(raw, absolute);

  const segments: string[] = [];
  const pieces = target.replaceAll('\\', '/').split('/');
  for (const piece of pieces) {
    if (piece === '' || piece === '.') continue;
    if (piece !== '..') segments.push(piece);
    else if (segments.pop() === undefined) return refuse(raw, 'climbs above the vault');
  }

  const path = segments.join('/');
  // Check the result too: `/C:/x` and `a/../~/x` become absolute only after resolving.
  const hidden = absoluteForm(path);
  if (hidden) return refuse(raw, hidden);
  return { ok: true, path, intoFolder: pieces.length > 1 && pieces.at(-1) === '' };
}

/**
 * Returns the note that a link names: `[[Note]]`, `![[Note|shown]]` and `[[Note#Heading]]` all name
 * Note. Any other text is returned unchanged.
 */
function linkTarget(written: string): string | undefined {
  const link = parseLink(written);
  if (!link?.isWiki) return written;
  const path = linkPath(link);
  return path === '' ? undefined : path;
}

/** Why the path is absolute, or null. Ignores leading spaces. */
function absoluteForm(written: string): string | null {
  const start = written.trimStart();
  if (/^~([/\\]|$)/.test(start)) return 'points to a home folder';
  if (/^[/\\]{2}/.test(start)) return 'names a network share';
  if (/^[a-z]:/i.test(start)) return `begins like a Windows drive (\`${start.slice(0, 2)}\`)`;
  // A space after the colon makes it a name (`Meeting: plans.md`), because URLs have none there.
  if (/^[a-z][a-z\d+.-]*:(?!\s)/i.test(start)) return 'is a URL or names a data stream';
  return null;
}

function refuse(raw: string, because: string): ParsedPath {
  return { ok: false, reason: `The path ${quote(raw)} ${because}. ${expected}` };
}

/** The path in Obsidian of a file with this path on disk. */
export function composedPath(path: string): string {
  return path.normalize('NFC').replace(/[\u00a0\u202f]/g, ' ');
}

/** Quotes a path for a message: shortened, with control characters made visible, on one line. */
export function quote(path: string): string {
  const visible = clip(path, 200).replace(/\p{Cc}/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return codeSpan(visible);
}

/** The last segment. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Everything before the last segment; '' in the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** All folders that contain a path, nearest first, without the root. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = folderOf(path); at !== ''; at = folderOf(at)) folders.push(at);
  return folders;
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Whether the path is the folder or inside it, both spelled the same way. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The path after `from`, a file or folder, was moved to `to`. */
export function movedPath(path: string, from: string, to: string): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}

const NOTE = /(?<=[^/])\.md$/i;

/** Whether it has the extension `.md`. Without an expression, because whole vaults are filtered. */
export function isNote(path: string): boolean {
  const end = path.length - '.md'.length;
  return end > 0 && path[end - 1] !== '/' && path.slice(end).toLowerCase() === '.md';
}

/** The path without `.md`, as links and Obsidian's own lists show it. */
export function withoutNoteExtension(path: string): string {
  return path.replace(NOTE, '');
}

/** The last segment without `.md`. */
export function noteName(path: string): string {
  return withoutNoteExtension(nameOf(path));
}

/** The last segment without any extension. */
export function stemOf(path: string): string {
  return nameOf(path).replace(/(?<=.)\.[^.]*$/, '');
}

/** In lower case, without the dot; empty for none. */
export function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.');
  const isName = dot < 1 || path[dot - 1] === '/' || path.includes('/', dot);
  return isName ? '' : path.slice(dot + 1).toLowerCase();
}

/** Orders paths by name, and numbers in them by value: `Note 2.md` before `Note 10.md`. */
export function byName(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const [one, other] = [numberAround(a, at), numberAround(b, at)];
  if (one !== '' && other !== '' && one !== other) {
    return one.length - other.length || (one < other ? -1 : 1);
  }
  return a < b ? -1 : 1;
}

/** The digits around a place, without zeros in front; empty if there are none. */
function numberAround(text: string, at: number): string {
  let from = at;
  while (isDigit(text, from - 1)) from -= 1;
  let to = at;
  while (isDigit(text, to)) to += 1;
  if (from === to) return '';
  while (from < to - 1 && text.charAt(from) === '0') from += 1;
  return text.slice(from, to);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** The key for comparing paths regardless of case and Unicode form. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Segments without anything that some file system ignores: case, width, invisible characters, and
 * dots or spaces at the ends.
 */
export function looseSegments(path: string): string[] {
  return looseForm(path)
    .split(/[/\\]/)
    .map((segment) => segment.trimStart().replace(/(?<=[^.\s])[.\s]+$/, ''))
    .filter((segment) => segment !== '');
}

export function looseForm(path: string): string {
  // NFKC would turn an ellipsis into three dots, and "… and then.md" is not a hidden file.
  const compatible = path.replaceAll('…', '\ue000').normalize('NFKC');
  const visible = compatible.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '');
  return foldCase(visible).replaceAll('\ue000', '…');
}

/**
 * Folds case in full, as some file systems do: ß, ẞ and SS become ss. Case mappings can decompose
 * letters, so they are composed again.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/**
 * Whether a path is this folder or inside it, both given as segments. Always false for an empty
 * folder path.
 */
export function isInFolder(segments: readonly string[], folder: readonly string[]): boolean {
  return (
    folder.length > 0 &&
    folder.every((name, place) => {
      const segment = segments[place] ?? '';
      return withoutStream(segment) === name || isShortNameOf(segment, name);
    })
  );
}

/** Removes an NTFS stream name: `config::$INDEX_ALLOCATION` and `config:x` open `config`. */
function withoutStream(segment: string): string {
  const colon = segment.indexOf(':');
  return (colon < 0 ? segment : segment.slice(0, colon)).replace(/[.\s]+$/, '');
}

/**
 * Whether a segment may be the short (8.3) name that Windows gives a long name: six characters and
 * a number (`OBSIDI~1`), fewer characters if the number is longer, or two characters and four
 * hexadecimal digits if several names collide (`OB3F2A~1`).
 */
export function isShortNameOf(segment: string, longName: string): boolean {
  const short = /^([^~.]+)~(\d+)(?:\.([^.]*))?$/.exec(withoutStream(segment));
  if (!short) return false;
  const [, letters = '', number = '', extension = ''] = short;
  const parts = longName.replace(/^[.\s]+/, '').split('.');
  const longExtension = parts.length > 1 ? shortCharacters(parts.pop()!).slice(0, 3) : '';
  const stem = shortCharacters(parts.join(''));
  if (extension !== longExtension) return false;
  if (letters === stem.slice(0, 7 - number.length)) return true;
  return letters.startsWith(stem.slice(0, 2)) && /^.{1,2}[\da-f]{4}$/.test(letters);
}

function shortCharacters(name: string): string {
  return name.replace(/\s/g, '').replace(/[+,;=[\]]/g, '_');
}

/**
 * Why a path cannot be created on Windows, macOS or Linux, or null. A vault moves between machines,
 * so a name that one of them refuses is refused on all of them.
 */
export function illegalNameReason(path: string): string | null {
  for (const name of path.split('/')) {
    const reason = nameFault(name);
    if (reason) {
      const where = name === path ? quote(path) : `${quote(name)} in ${quote(path)}`;
      return `${where} can't be created: ${reason}.`;
    }
  }
  return null;
}

function nameFault(name: string): string | null {
  if (name === '') return 'a name is empty, and each must have at least one character';
  const unseen = /\p{Cc}/u.exec(name)?.[0] ?? invisibleCharacter(name);
  if (unseen)
    return `a name can't contain ${codePointName(unseen)}, which is not seen; leave it out`;
  if (/\p{Cs}/u.test(name)) return 'a name must be valid Unicode, and half a character is left';
  const reserved = /[<>:"\\|?*]/.exec(name);
  if (reserved) return `\`${reserved[0]}\` is not allowed in names on every system; leave it out`;
  const syntax = /[#^[\]]/.exec(name);
  if (syntax) return `\`${syntax[0]}\` in a name would break links to it; leave it out`;
  if (/[.\s]$/.test(name)) return 'a name must not end in a dot or a space';
  if (deviceName.test(name)) return 'Windows keeps this name for a device; choose another';
  // Windows would open the file that has this short name, which may be hidden (`ENV~1` is `.env`).
  if (shortName.test(name)) return 'Windows reads it as the short name of another file';
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > 255) return `a name may have 255 bytes, and this one has ${bytes}`;
  return null;
}

/** Device names count with any extension and with spaces before it: `nul.md`, `COM1 .txt`. */
const deviceName = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$)\s*(\.|$)/i;

const shortName = /^(?=[^.]{3,8}(?:\.|$))[^.~]+~\d+(\.[^.]{0,3})?$/;

/** `note`, `png file`, or `file` if the name has no extension. */
export function fileType(path: string): string {
  const extension = extensionOf(path);
  return extension === 'md' ? 'note' : `${extension} file`.trimStart();
}
