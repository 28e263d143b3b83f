/** Reads the sources that saved answers keep in the footnotes of a note. */
import { isExternal, linkPath, linkSubpath, parseLink } from '#text/link-reader';
import { lineTexts } from '#text/list-diff';
import { lineContexts } from '#text/note-structure';

/** A footnote from `withSourceFootnotes`. */
export interface SavedSource {
  /** From 1. */
  readonly line: number;
  /** The name of the footnote, without its marks. */
  readonly label: string;
  /** Null for a source that is no note. */
  readonly note: {
    /** As the link names it. */
    readonly name: string;
    /** A heading with `#` or a block id with `#^`; '' for none. */
    readonly subpath: string;
  } | null;
  /** Plain words; a long passage ends with an ellipsis. */
  readonly quotation: string;
}

/** With a name as `withSourceFootnotes` makes them. */
const FOOTNOTE = /^\[\^([^\]\s]*-\d+-[0-9a-z]{4})\]:[ \t]+(.+): “(.*)”[ \t]*$/;

export function savedSourcesIn(note: string): SavedSource[] {
  const lines = lineTexts(note);
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at): SavedSource[] => {
    const [, label, name = '', quoted = ''] = FOOTNOTE.exec(line) ?? [];
    if (label === undefined || contexts[at] !== 'text') return [];
    const link = parseLink(name);
    const isNote = link && !isExternal(link);
    return [
      {
        ...{ line: at + 1, label },
        note: isNote ? { name: linkPath(link), subpath: linkSubpath(link) } : null,
        quotation: quoted.replace(/\\([^\p{L}\p{N}\s])/gu, '$1'),
      },
    ];
  });
}
