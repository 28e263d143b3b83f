/** Finds what a change adds to a file that is not certainly inert. */
import { readCanvas } from '#text/canvas';
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

/** Returns the parts of `after` that are not certainly inert and are not in `before`. */
export function addedUncertainParts(
  path: string,
  before: string,
  after: string,
  readProperties: PropertyReader,
): UncertainPart[] {
  if (before === after) return [];
  const found = uncertainPartsOf(path, after, readProperties);
  if (found.length === 0 || before === '') return found;
  return partsBeyond(uncertainPartsOf(path, before, readProperties), found);
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
  return INERT_FILES.has(extension) ? [] : whole(`a file of the kind .${extension}`);
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
