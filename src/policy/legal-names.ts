import { quote } from './paths';

/**
 * Why a path can't be created on Windows, macOS and Linux alike, or null.
 *
 * A vault travels between machines, so a name that only one of them refuses is refused on all.
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
  const control = /[\p{Cc}\u2028\u2029]/u.exec(name);
  if (control) return `a name can't contain the control character ${codePoint(control[0])}`;
  if (/\p{Cs}/u.test(name)) return 'a name must be valid Unicode, and half a character is left';
  const reserved = /[<>:"\\|?*]/.exec(name);
  if (reserved) return `\`${reserved[0]}\` is not allowed in names on every system; leave it out`;
  const syntax = /[#^[\]]/.exec(name);
  if (syntax) return `\`${syntax[0]}\` in a name would break links to it; leave it out`;
  if (/[.\s]$/.test(name)) return 'a name must not end in a dot or a space';
  if (deviceName.test(name)) return 'Windows keeps this name for a device; choose another';
  // Windows would open whatever file has this short name, also a hidden one (`ENV~1` is `.env`).
  if (shortName.test(name)) return 'Windows reads it as the short name of another file';
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > 255) return `a name may have 255 bytes, and this one has ${bytes}`;
  return null;
}

/** With any extension, and blanks before it: `nul.md` and `COM1 .txt` are the devices still. */
const deviceName = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$)\s*(\.|$)/i;

const shortName = /^(?=[^.]{3,8}(?:\.|$))[^.~]+~\d+(\.[^.]{0,3})?$/;

function codePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
