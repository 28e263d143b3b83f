import {
  blanksFrom,
  endsInSpaces,
  foldDrift,
  nameDrift,
  selectorsFrom,
  type Folded,
} from './drift';

/** A passage of the note, from `start` up to but not including `end`. */
export interface Passage {
  start: number;
  end: number;
}

export interface Matches {
  passages: Passage[];
  /** Whether the only two passages share characters, so that they cannot both be replaced. */
  entangled: boolean;
  /** How the note differs from what was written; null for exact matches. */
  drift: string | null;
}

/** Finds passages in one note; its text without drift is made only once something needs it. */
export class Finder {
  private folded: Folded | null = null;

  constructor(private readonly text: string) {}

  /** Exact matches if there are any, and otherwise those that drift explains. */
  find(wanted: string): Matches {
    const exact = occurrences(this.text, wanted);
    if (exact.starts.length > 0) {
      const passages = exact.starts.map((start) => this.exactPassage(start, wanted));
      return { passages, entangled: exact.entangled, drift: null };
    }
    const passages = this.findDrifted(wanted);
    const first = passages.passages[0];
    if (!first) return { ...passages, drift: null };
    return { ...passages, drift: nameDrift(wanted, this.text.slice(first.start, first.end)) };
  }

  /** A match that begins with the LF of a CRLF takes the CR along, or a CR would be left alone. */
  private exactPassage(start: number, wanted: string): Passage {
    const inside = wanted.startsWith('\n') && this.text[start - 1] === '\r';
    return { start: inside ? start - 1 : start, end: start + wanted.length };
  }

  private findDrifted(wanted: string): Omit<Matches, 'drift'> {
    const needle = foldDrift(wanted).text;
    if (needle.trim() === '') return { passages: [], entangled: false };
    this.folded ??= foldDrift(this.text);
    const { text, source } = this.folded;
    const spaces = endsInSpaces(wanted);
    const found = occurrences(text, needle);
    const passages: Passage[] = [];
    for (const start of found.starts) {
      const passage = source(start, start + needle.length);
      if (!passage) continue;
      passage.end += selectorsFrom(this.text, passage.end);
      if (spaces) {
        // Blanks that ended the line where they were read must not match in the middle of one.
        const next = text[start + needle.length];
        if (next !== undefined && next !== '\n') continue;
        passage.end += blanksFrom(this.text, passage.end);
      }
      passages.push(passage);
    }
    return { passages, entangled: found.entangled && passages.length > 1 };
  }
}

/** Where `needle` stands, counted as replacing all would; two that overlap when that sees only one. */
function occurrences(text: string, needle: string): { starts: number[]; entangled: boolean } {
  const starts: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    starts.push(at);
  }
  const only = starts.length === 1 ? starts[0] : undefined;
  const second = only === undefined ? -1 : text.indexOf(needle, only + 1);
  return second === -1
    ? { starts, entangled: false }
    : { starts: [...starts, second], entangled: true };
}
