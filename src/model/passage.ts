/** The lines that claims of an answer come from, and the answer with links to them. */
import { hashOf } from '#text/hash';
import { headingSubpath } from '#text/link-places';
import { ENDS_WITH_ID } from '#text/note-blocks';
import { noteName, withoutNoteExtension } from '#text/paths';
import { plainText } from '#text/plain-text';
import { oneLine, shorten } from '#text/shorten';
import { replaceSourceMarks, type SourceLines, sourceKey, sourceMarksIn } from '#text/source-marks';

/** The lines that a claim of an answer comes from, as the model was shown them. */
export interface Passage {
  /** Of the marks that name it, from `sourceKey`. */
  readonly key: string;
  /** Path of the note when it was shown. */
  readonly path: string;
  /** From 1, inclusive. */
  readonly first: number;
  readonly last: number;
  /** The heading above it; null if there is none. */
  readonly heading: string | null;
  readonly text: string;
}

/** What the marks of a text name. */
export interface Citations {
  /** Each once, in the order of the text. Their numbers count from 1. */
  readonly sources: readonly Passage[];
  /** Marks that name nothing that the model was shown. */
  readonly wrong: number;
  /** Null for a mark that names nothing. */
  numberOf(mark: SourceLines): number | null;
}

export function citationsIn(text: string, passages: readonly Passage[]): Citations {
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const numbers = new Map<string, number>();
  const sources: Passage[] = [];
  let wrong = 0;
  for (const mark of sourceMarksIn(text)) {
    const passage = byKey.get(sourceKey(mark));
    if (!passage) {
      wrong += 1;
      continue;
    }
    const place = placeOf(passage);
    if (numbers.has(place)) continue;
    sources.push(passage);
    numbers.set(place, sources.length);
  }
  return {
    ...{ sources, wrong },
    numberOf(mark) {
      const passage = byKey.get(sourceKey(mark));
      return (passage && numbers.get(placeOf(passage))) ?? null;
    },
  };
}

function placeOf({ path, first, last }: Passage): string {
  return `${path}:${first}-${last}`;
}

/** A link to the block or heading, or else to the note. */
export function passageLink(passage: Passage): string {
  const { path, heading, text } = passage;
  const id = ENDS_WITH_ID.exec(text)?.[1];
  const place = id === undefined ? (heading === null ? '' : headingSubpath(heading)) : `#^${id}`;
  const target = `${withoutNoteExtension(path)}${place}`;
  const name = noteName(path);
  return target === name ? `[[${name}]]` : `[[${target}|${name}]]`;
}

/** The text with a link after each claim, in place of its mark. */
export function withSourceLinks(text: string, passages: readonly Passage[]): string {
  const { numberOf, sources } = citationsIn(text, passages);
  return replaceSourceMarks(text, (mark) => {
    const source = sources[(numberOf(mark) ?? 0) - 1];
    return source ? ` (${passageLink(source)})` : '';
  });
}

/** The longest quotation in a footnote. */
const MAX_QUOTED_CHARS = 300;

/** The text with footnotes in place of the marks: a link, and the words of the passage. */
export function withSourceFootnotes(text: string, passages: readonly Passage[]): string {
  const { numberOf, sources } = citationsIn(text, passages);
  const body = replaceSourceMarks(text, (mark) => {
    const source = sources[(numberOf(mark) ?? 0) - 1];
    return source ? `[^${labelOf(source)}]` : '';
  });
  if (sources.length === 0) return body;
  const notes = sources.map(
    (source) => `[^${labelOf(source)}]: ${passageLink(source)}: “${quotedWords(source.text)}”`,
  );
  return `${body.trimEnd()}\n\n${notes.join('\n')}`;
}

/** No other footnote of a note has this name. */
function labelOf({ path, first, text }: Passage): string {
  const name = noteName(path)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return `${name}-${first}-${hashOf(text).slice(0, 4)}`;
}

/** Plain words in one line, which mean nothing else in the note that quotes them. */
export function quotedWords(text: string): string {
  const plain = oneLine(plainText(text).replace(/^[•✓] /gm, ''));
  const words = plain.replace(/(?=[[\]#$%<>*_`~\\^|=])/g, '\\');
  return shorten(words, MAX_QUOTED_CHARS);
}
