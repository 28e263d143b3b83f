/** What a model wrote, brought to a vault path ('' is the root). */
export type ParsedPath =
  | { ok: true; path: string; /** It ended in a slash. */ intoFolder: boolean }
  | { ok: false; reason: string };

const expected = 'Expected a path inside the vault with `/`, such as `Folder/Note.md`.';

/**
 * Never throws; a refusal says what was asked and what is expected.
 *
 * The result is relative to the vault, in NFC, without empty, `.` or `..` segments, and parsing
 * it again gives it back. Percent signs stay as they are: `100%25.md` is a name, not a code.
 */
export function parsePath(raw: string): ParsedPath {
  const first = resolve(raw, raw);
  let parsed = first;
  // Resolving can lay bare a link (`./[[Note]]`), which would be read only on a second parse. Each
  // round is shorter than the one before.
  for (let written = raw; parsed.ok && parsed.path !== written;) {
    written = parsed.path;
    parsed = resolve(written, raw);
  }
  return parsed.ok && first.ok ? { ...parsed, intoFolder: first.intoFolder } : parsed;
}

/** `raw` is only for the sentence: the person and the model know what they wrote. */
function resolve(written: string, raw: string): ParsedPath {
  if (written.includes('\0')) return refuse(raw, 'contains a NUL byte');
  const target = linkTarget(written.normalize('NFC'));
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
  // Once more on the result: `/C:/x` and `a/../~/x` are absolute in all but their first letters.
  const hidden = absoluteForm(path);
  if (hidden) return refuse(raw, hidden);
  return { ok: true, path, intoFolder: pieces.length > 1 && pieces.at(-1) === '' };
}

/** `[[Note]]`, `![[Note|shown]]` and `[[Note#Heading]]` name Note; anything else is as written. */
function linkTarget(written: string): string | undefined {
  const link = /^\s*!?\[\[([^[\]]*)\]\]\s*$/.exec(written);
  if (!link) return written;
  const target = link[1]!.split(/[|#]/, 1)[0]!.trim();
  return target === '' ? undefined : target;
}

/** Why this would be absolute outside a vault, or null. Leading blanks do not hide it. */
function absoluteForm(written: string): string | null {
  const start = written.trimStart();
  if (/^~([/\\]|$)/.test(start)) return 'points to a home folder';
  if (/^[/\\]{2}/.test(start)) return 'names a network share';
  if (/^[a-z]:/i.test(start)) return 'begins with a drive letter';
  // A blank after the colon makes it a name (`Meeting: plans.md`): no URL has one there.
  if (/^[a-z][a-z\d+.-]*:(?!\s)/i.test(start)) return 'is a URL or names a data stream';
  return null;
}

function refuse(raw: string, because: string): ParsedPath {
  return { ok: false, reason: `The path ${quote(raw)} ${because}. ${expected}` };
}

/** Shortened and with control characters made visible, so that a sentence stays one line. */
export function quote(path: string): string {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  const visible = shown.replace(/\p{Cc}/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `\`${visible}\``;
}

/** The last segment. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Everything before the last segment; '' for what lies in the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** How two paths are compared where case and Unicode form are of no account. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
