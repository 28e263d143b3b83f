/** Finds what a change adds to a file that is not certainly inert. */
import { readCanvas } from '#text/canvas';
import { lineTexts } from '#text/list-diff';
import { extensionOf, isNote } from '#text/paths';
import {
  partsBeyond,
  type PropertyReader,
  type UncertainPart,
  uncertainParts,
} from '#text/uncertain-text';

/** Files that no program runs or opens as a page. */
const INERT_FILES: ReadonlySet<string> = new Set(
  'txt csv tsv json jsonl yaml yml toml log bib ris tex srt vtt ics vcf gpx geojson'.split(' '),
);

/** A cell of a spreadsheet that is calculated, or the line that sets what divides cells. */
const FORMULA =
  /^\uFEFF?sep=|(?:^\uFEFF?|[,;\t\r|"]) *(?:[=@＝＋－＠]|[-+](?!\d[\d.,]*(?:[,;\t\r|"]|$)))/i;

export interface AddedPart extends UncertainPart {
  /** What the change does, such as "adds an HTML element". */
  readonly act: string;
}

/** Returns the parts of `after` that are not certainly inert and are not in `before`. */
export function addedUncertainParts(
  path: string,
  before: string,
  after: string,
  readProperties: PropertyReader,
): AddedPart[] {
  if (before === after) return [];
  const found = uncertainPartsOf(path, after, readProperties);
  if (found.length === 0) return [];
  const known = uncertainPartsOf(path, before, readProperties);
  const beyond = partsBeyond(known, found);
  if (beyond.length === 0) return [];
  const [was, is] = [countsOf(lineTexts(before)), countsOf(lineTexts(after))];
  const ofKind = (parts: readonly UncertainPart[]) => countsOf(parts.map(({ what }) => what));
  const [few, many] = [ofKind(known), ofKind(found)];
  return beyond.map((part) => {
    const { what, text } = part;
    // The same lines were there, as code or in another place.
    const isHere = lineTexts(text).every((line) => {
      const count = is.get(line) ?? 0;
      return count > 0 && count <= (was.get(line) ?? 0);
    });
    if (isHere) return changesReading(part);
    const isMore = (many.get(what) ?? 0) > (few.get(what) ?? 0);
    return { ...part, act: `${isMore ? 'adds' : 'changes'} ${what}` };
  });
}

/** For a part whose text was there, and was read in another way. */
export function changesReading(part: UncertainPart): AddedPart {
  return { ...part, act: `changes how ${part.what} is read` };
}

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

export function uncertainPartsOf(
  path: string,
  text: string,
  readProperties: PropertyReader,
): UncertainPart[] {
  if (text === '') return [];
  const whole = (what: string) => [{ what, text, key: text }];
  if (/\.excalidraw\.md$/i.test(path)) return whole('a drawing');
  if (isNote(path)) return uncertainParts(text, readProperties);
  // Windows ignores blanks and dots at the end of a name.
  const extension = extensionOf(path.replace(/[\s.]+$/, ''));
  if (extension === 'canvas') return partsOfCanvas(text, readProperties) ?? whole('a canvas');
  if (!INERT_FILES.has(extension)) return whole(`a file of the kind .${extension}`);
  const formulas = /^[ct]sv$/.test(extension)
    ? lineTexts(text).filter((row) => FORMULA.test(row))
    : [];
  return formulas.map((row) => ({ what: 'a formula of a spreadsheet', text: row, key: row }));
}

/** Null if the text cannot be read as a canvas, or holds more than cards and arrows. */
function partsOfCanvas(text: string, readProperties: PropertyReader): UncertainPart[] | null {
  const canvas = readCanvas(text);
  if (!canvas || canvas.others.length > 0 || text.length > MAX_CANVAS_CHARS) return null;
  return [...canvas.nodes, ...canvas.edges].flatMap((item) =>
    Object.entries(item).flatMap(([name, value]) => {
      if (name === 'url') return cardOf(item);
      if (typeof value !== 'string') return typeof value === 'object' ? cardOf(item) : [];
      if (name === 'text' || name === 'label') return uncertainParts(value, readProperties);
      return /^[\p{L}\p{N} ._#()'/-]*$/u.test(value) && !value.startsWith('//') ? [] : cardOf(item);
    }),
  );
}

const MAX_CANVAS_CHARS = 1_000_000;

function cardOf(item: object): UncertainPart[] {
  const text = JSON.stringify(item);
  return [{ what: 'a card that may load from elsewhere', text, key: text }];
}
