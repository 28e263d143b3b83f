/**
 * Splits notes into passages for semantic search. The id of a passage is a hash of its text, so
 * that it is embedded again only if the text changes.
 */
import { frontMatterEnd, readPropertyLine } from '#text/front-matter';
import { hashOf } from '#text/hash';
import { lineTexts } from '#text/list-diff';
import { headingsIn } from '#text/note-structure';
import { stemOf } from '#text/paths';

export interface Chunk {
  readonly id: string;
  /** Line numbers count from 1; both ends are inclusive. */
  readonly first: number;
  readonly last: number;
}

export interface WrittenChunk extends Chunk {
  /** Includes the note's name and the heading above the passage. */
  readonly text: string;
}

/** A shorter passage is joined with the next one, even across a heading. */
const MIN_CHUNK_CHARS = 300;
const MAX_CHUNK_CHARS = 1_500;

/** @param model the embedding model that the ids belong to */
export function* chunksOf(
  path: string,
  text: string,
  model: string,
): Generator<WrittenChunk, void> {
  const name = stemOf(path);
  let heading = '';
  let above = '';
  let lines = '';
  let first = 0;
  let last = 0;
  const chunk = (): WrittenChunk => {
    const content = `${name}${above}\n${lines}`;
    const made = {
      id: hashOf(`${model}\n${content}`),
      first: Math.max(1, first),
      last,
      text: content,
    };
    lines = '';
    above = heading;
    return made;
  };
  for (const { number, text: line, field } of noteLines(text)) {
    // Most properties, such as dates, say nothing about what a note means.
    const isLeftOut = field === null || field === 'property';
    if (isLeftOut || (lines === '' && line.trim() === '')) continue;
    if (field === 'heading') {
      heading = `\n${line}`;
      if (lines.length >= MIN_CHUNK_CHARS) yield chunk();
    }
    for (let from = 0; from === 0 || from < line.length; from += MAX_CHUNK_CHARS) {
      const piece = line.slice(from, from + MAX_CHUNK_CHARS);
      if (lines !== '' && lines.length + piece.length > MAX_CHUNK_CHARS) yield chunk();
      if (lines === '') first = number;
      lines += `${piece}\n`;
      last = number;
    }
  }
  if (lines !== '' || first === 0) yield chunk();
}

/** Parts of a note; a match in one part counts more than in another. */
export type Field = 'title' | 'alias' | 'tag' | 'property' | 'heading' | 'body';

export interface NoteLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The text to index: for a property, its name and value. */
  readonly says: string;
  /**
   * `property` for properties that have no field of their own; null for the fences of the front
   * matter.
   */
  readonly field: Field | null;
}

const FIELDS: readonly [RegExp, Field][] = [
  [/^tags?$/i, 'tag'],
  [/^alias(?:es)?$/i, 'alias'],
  [/^title$/i, 'title'],
];

export function* noteLines(text: string): Generator<NoteLine, void> {
  const lines = lineTexts(text.replace(/^\uFEFF/, ''));
  const end = frontMatterEnd(lines);
  const headings = new Set(headingsIn(lines).map(({ line }) => line));
  let property: Field = 'property';
  for (const [at, line] of lines.entries()) {
    const number = at + 1;
    if (at < end) {
      const named = readPropertyLine(line);
      if (named) property = FIELDS.find(([names]) => names.test(named.name))?.[1] ?? 'property';
      const isFence = at === 0 || at === end - 1;
      // The name of a property with its own field, such as `tags`, says nothing about the note.
      const isNamed = named !== null && property === 'property';
      const says = isNamed ? `${named.name} ${named.value}` : (named?.value ?? line);
      yield { number, text: line, says, field: isFence ? null : property };
      continue;
    }
    const isHeading = headings.has(number);
    yield { number, text: line, says: line, field: isHeading ? 'heading' : 'body' };
  }
}
