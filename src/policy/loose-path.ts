/**
 * Paths by their loosest reading. A file system may find `Name` under `NAME`, `Name.`, `NAME~1`, `Name::$DATA` or with
 * an invisible sign in it, and which of them depends on the machine.
 */

/** Segments without what some file system ignores: case, width, invisible signs, outer dots. */
export function looseSegments(path: string): string[] {
  return looseForm(path)
    .split(/[/\\]/)
    .map((segment) => segment.trimStart().replace(/(?<=[^.\s])[.\s]+$/, ''))
    .filter((segment) => segment !== '');
}

export function looseForm(path: string): string {
  // NFKC would make three dots of an ellipsis, and "… and then.md" is nobody's hidden file.
  const compatible = path.replaceAll('…', '\ue000').normalize('NFKC').replaceAll('\ue000', '…');
  const visible = compatible.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '');
  return visible.toUpperCase().toLowerCase();
}

/** Whether a path, in segments, is this folder or lies in it; never of a folder without a name. */
export function liesIn(segments: readonly string[], folder: readonly string[]): boolean {
  return (
    folder.length > 0 &&
    folder.every((name, place) => {
      const segment = segments[place] ?? '';
      return withoutStream(segment) === name || isShortNameOf(segment, name);
    })
  );
}

/** `config::$INDEX_ALLOCATION` and `config:x` open `config` on NTFS. */
function withoutStream(segment: string): string {
  const colon = segment.indexOf(':');
  return (colon < 0 ? segment : segment.slice(0, colon)).replace(/[.\s]+$/, '');
}

/**
 * Windows' 8.3 names: six letters and a number (`OBSIDI~1`), fewer letters where the number is
 * longer, or two letters and four hexadecimal digits once several names collide (`OB3F2A~1`).
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
