/** The lines that claims of an answer come from, and the answer with links to them. */
import { hashOf } from '#text/hash';
import { headingSubpath } from '#text/link-places';
import { ENDS_WITH_ID } from '#text/note-blocks';
import { noteName, withoutNoteExtension } from '#text/paths';
import { plainText } from '#text/plain-text';
import { oneLine, shorten } from '#text/shorten';
import {
  type IsMark,
  replaceSourceMarks,
  type SourceLines,
  sourceKey,
  sourceLinesIn,
  sourceMarksIn,
} from '#text/source-marks';

interface ShownText {
  /** Of the marks that name it, from `sourceKey`. */
  readonly key: string;
  /** Lines of a note or paragraphs of another text, from 1, inclusive. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
  /** Set if the last line or paragraph is longer. */
  readonly isCut?: true;
  /** When the note, as it was shown, was last changed, or else when the text was received. */
  readonly date: number;
}

export interface NotePassage extends ShownText {
  readonly kind: 'note';
  /** Path of the note when it was shown. */
  readonly path: string;
  /** The heading above it; null if there is none. */
  readonly heading: string | null;
  /** When the note was created, by which it is found again under another name. */
  readonly created: number;
  /** `lineHash` of the nearest lines with text above and below; null at an end of the note. */
  readonly above: string | null;
  readonly below: string | null;
  /** `linesHash` of all of its lines, if they are cut. */
  readonly whole?: string;
}

/** Of a web page. */
export interface PagePassage extends ShownText {
  readonly kind: 'page';
  readonly url: string;
  /** Empty if the page has none. */
  readonly title: string;
}

/** Of a result of an MCP server. */
export interface ResultPassage extends ShownText {
  readonly kind: 'result';
  readonly server: string;
  readonly tool: string;
}

/** What a claim of an answer comes from, as the model was shown it. */
export type Passage = NotePassage | PagePassage | ResultPassage;

/** What the passage is from, as the user knows it. */
export function sourceName(passage: Passage): string {
  switch (passage.kind) {
    case 'note':
      return noteName(passage.path);
    case 'page':
      return passage.title || hostOf(passage.url);
    case 'result':
      return `${passage.server}: ${passage.tool}`;
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** What the marks of a text name. */
export interface Citations {
  /** Each once, in the order of the text. Their numbers count from 1. */
  readonly sources: readonly Passage[];
  /** Marks that name nothing that the model was shown. */
  readonly wrong: number;
  /** Null for a mark that names nothing. */
  numberOf(mark: SourceLines): number | null;
  /** Numbers of sources that are known to say something else today, or to be gone. */
  readonly outdated?: ReadonlySet<number>;
  /** Undefined where nothing is known of the chat. */
  readonly isMark: IsMark | undefined;
}

export function citationsIn(
  text: string,
  passages: readonly Passage[],
  isMark?: IsMark,
): Citations {
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const numbers = new Map<string, number>();
  const sources: Passage[] = [];
  let wrong = 0;
  for (const { lines } of sourceMarksIn(text, isMark)) if (lines.length === 0) wrong += 1;
  for (const mark of sourceLinesIn(text, isMark)) {
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
    ...{ sources, wrong, isMark },
    numberOf(mark) {
      const passage = byKey.get(sourceKey(mark));
      return (passage && numbers.get(placeOf(passage))) ?? null;
    },
  };
}

/** The same for passages of the same lines. The name of a source from outside is of one text only. */
function placeOf(passage: Passage): string {
  const { kind, key, first, last } = passage;
  return kind === 'note' ? `${passage.path}:${first}-${last}` : key;
}

/** A link to the block or heading, or else to the note or page; the name of another source. */
export function passageLink(passage: Passage): string {
  if (passage.kind === 'result') return quotedWords(sourceName(passage));
  if (passage.kind === 'page')
    return `[${quotedWords(sourceName(passage))}](${markdownUrl(passage.url)})`;
  const { path, heading, text } = passage;
  const id = ENDS_WITH_ID.exec(text)?.[1];
  const place = id === undefined ? (heading === null ? '' : headingSubpath(heading)) : `#^${id}`;
  const target = `${withoutNoteExtension(path)}${place}`;
  const name = noteName(path);
  return target === name ? `[[${name}]]` : `[[${target}|${name}]]`;
}

/** A URL that a Markdown link cannot be ended in. */
function markdownUrl(url: string): string {
  return url.replace(/[\s<>()[\]\\]/g, (sign) => {
    const code = sign.charCodeAt(0);
    return code < 128 ? `%${code.toString(16).padStart(2, '0')}` : encodeURIComponent(sign);
  });
}

/** The text with a link after each claim, in place of its mark. */
export function withSourceLinks(
  text: string,
  passages: readonly Passage[],
  isMark?: IsMark,
): string {
  const { numberOf, sources } = citationsIn(text, passages, isMark);
  const link = (mark: SourceLines) => {
    const source = sources[(numberOf(mark) ?? 0) - 1];
    return source ? ` (${passageLink(source)})` : '';
  };
  return replaceSourceMarks(text, link, isMark);
}

/** The longest quotation in a footnote. */
const MAX_QUOTED_CHARS = 300;

/** A text with names of footnotes in place of its marks. */
export interface TextWithFootnotes {
  readonly body: string;
  /** Each with its name, a link and the words of the passage; the same for the same passage. */
  readonly footnotes: readonly string[];
}

export function footnotesOf(
  text: string,
  passages: readonly Passage[],
  isMark?: IsMark,
): TextWithFootnotes {
  const { numberOf, sources } = citationsIn(text, passages, isMark);
  const label = (mark: SourceLines) => {
    const source = sources[(numberOf(mark) ?? 0) - 1];
    return source ? `[^${labelOf(source)}]` : '';
  };
  const body = replaceSourceMarks(text, label, isMark);
  const footnotes = sources.map(
    (source) => `[^${labelOf(source)}]: ${passageLink(source)}: “${quotedWords(source.text)}”`,
  );
  return { body, footnotes };
}

/** The text with its footnotes below. */
export function withSourceFootnotes(
  text: string,
  passages: readonly Passage[],
  isMark?: IsMark,
): string {
  const { body, footnotes } = footnotesOf(text, passages, isMark);
  return footnotes.length === 0 ? body : `${body.trimEnd()}\n\n${footnotes.join('\n')}`;
}

/** No other footnote of a note has this name. */
function labelOf(passage: Passage): string {
  const name = sourceName(passage)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const hash = hashOf(`${placeOf(passage)} ${passage.text}`);
  return `${name}-${passage.first}-${hash.slice(0, 4)}`;
}

/** Plain words in one line, which mean nothing else in the note that quotes them. */
export function quotedWords(text: string): string {
  return wordsQuoted(text).replace(/(?=[[\]#$%<>*_`~\\^|=])/g, '\\');
}

/** The words of a text as they read where it is quoted. */
export function wordsQuoted(text: string): string {
  const plain = oneLine(plainText(text).replace(/^[•✓] /gm, ''));
  return shorten(plain, MAX_QUOTED_CHARS);
}
