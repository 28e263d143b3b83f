/** Reads the sources that saved answers keep in the footnotes of a note. */
import { isExternal, linkPath, linkSubpath, linkText, parseLink } from '#text/link-reader';
import { lineTexts } from '#text/list-diff';
import { lineContexts } from '#text/note-structure';
import { noteName } from '#text/paths';

/** A footnote from `withSourceFootnotes`. */
export interface SavedSource {
  /** From 1. */
  readonly line: number;
  /** The name of the footnote, without its marks. */
  readonly label: string;
  /** What the source is, as the user knows it. */
  readonly name: string;
  readonly place: SavedPlace;
  /** Plain words; a long passage ends with an ellipsis. */
  readonly quotation: string;
}

/** Where the footnote leads. */
export type SavedPlace =
  | {
      readonly kind: 'note';
      /** As the link names it. */
      readonly link: string;
      /** A heading with `#` or a block id with `#^`; '' for none. */
      readonly subpath: string;
    }
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'result' };

/** With a name as `withSourceFootnotes` makes them. */
const FOOTNOTE = /^\[\^([^\]\s]*-\d+-[0-9a-z]{4})\]:[ \t]+(.+): “(.*)”[ \t]*$/;

export function savedSourcesIn(note: string): SavedSource[] {
  const lines = lineTexts(note);
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at): SavedSource[] => {
    const [, label, source = '', quoted = ''] = FOOTNOTE.exec(line) ?? [];
    if (label === undefined || contexts[at] !== 'text') return [];
    return [{ line: at + 1, label, ...sourceIn(source), quotation: unescaped(quoted) }];
  });
}

/** Reads what `passageLink` has written. */
function sourceIn(written: string): Pick<SavedSource, 'name' | 'place'> {
  const link = parseLink(written);
  if (!link) return { name: unescaped(written), place: { kind: 'result' } };
  if (isExternal(link)) {
    const { target: url } = link;
    const isPage = /^https?:/i.test(url) && URL.canParse(url);
    const place: SavedPlace = isPage ? { kind: 'page', url } : { kind: 'result' };
    return { name: unescaped(linkText(link)), place };
  }
  const path = linkPath(link);
  return {
    name: noteName(path),
    place: { kind: 'note', link: path, subpath: linkSubpath(link) },
  };
}

/** The reverse of `quotedWords`. */
function unescaped(text: string): string {
  return text.replace(/\\([^\p{L}\p{N}\s])/gu, '$1');
}
