/** Rows of a list of sources: those of an answer, or those that a note keeps in its footnotes. */
import { type Passage, sourceName } from '#model/passage';
import type { SavedSource } from '#model/saved-sources';
import { passageHeading, passageWords } from './markdown/source-numbers';

/** The text of a source when the answer was written. */
export interface PassageThen {
  /** Of the note then; a link to it if only that is known. */
  readonly path: string;
  readonly text: string;
  /** Whether it is plain words in one line. */
  readonly isQuotation?: true;
}

export interface SourceRow {
  readonly key: string;
  readonly name: string;
  /** Above the words; null if it is not known. */
  readonly heading: string | null;
  /** In one line. */
  readonly words: string;
  readonly place:
    | ({ readonly kind: 'note' } & PassageThen)
    | { readonly kind: 'page'; readonly url: string }
    | { readonly kind: 'result' };
}

export function rowOfPassage(passage: Passage): SourceRow {
  return {
    ...{ key: passage.key, name: sourceName(passage), place: passage },
    ...{ heading: passageHeading(passage), words: passageWords(passage) },
  };
}

export function rowOfSaved({ line, name, place, quotation }: SavedSource): SourceRow {
  const row = { key: `${line}`, name, words: quotation };
  if (place.kind !== 'note') return { ...row, place, heading: null };
  const { link, subpath } = place;
  return {
    ...row,
    heading: /^#[^^]/.test(subpath) ? subpath.slice(1).replaceAll('#', ' › ') : null,
    place: { kind: 'note', path: link, text: quotation, isQuotation: true },
  };
}
