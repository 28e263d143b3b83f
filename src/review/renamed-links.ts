/** Links in a text after the note or file that they lead to got another path. */

/** `[[target#heading|words]]`, and `](target.md#heading)`. */
const LINK = /(\[\[)([^\]|#\n]+)|(\]\(<?)([^)>#\n]+?)(?=[#>)])/g;

/** @param isTaken whether another file has the name that this one had: then a bare name may mean that one */
export function renamedLinks(from: string, to: string, isTaken: boolean): (text: string) => string {
  return (text) =>
    text.replace(
      LINK,
      (whole, wiki?: string, name?: string, markdown?: string, address?: string) => {
        if (wiki !== undefined && name !== undefined) {
          const next = renamed(name, from, to, isTaken);
          return next === null ? whole : wiki + next;
        }
        if (markdown === undefined || address === undefined || /^[a-z][\w+.-]*:/i.test(address)) {
          return whole;
        }
        const next = renamed(decoded(address), from, to, isTaken);
        if (next === null) return whole;
        return markdown + (markdown.endsWith('<') ? next : encodeURI(next));
      },
    );
}

/** How the link is written from now on; null where it leads elsewhere. */
function renamed(name: string, from: string, to: string, isTaken: boolean): string | null {
  const hasExtension = /\.md$/i.test(name);
  const written = (path: string) => (hasExtension ? path : path.replace(/\.md$/i, ''));
  const named = name.trim().replace(/^(?:\.?\/)+/, '');
  if (same(named, written(from))) return written(to);
  const isBare = !named.includes('/') && same(named, written(baseOf(from)));
  if (!isBare || isTaken) return null;
  return written(baseOf(to));
}

function same(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
