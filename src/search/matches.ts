import { mostSteps, type Pattern } from './pattern.ts';

/** Told each match in order, by its place in the text. */
export type OnMatch = (from: number, to: number) => void;

/**
 * Finds all matches. Yields between steps, none of which can take longer than `mostSteps` allows;
 * returns how many lines (or whole texts, for a multiline pattern) were too long to be searched.
 *
 * A pattern that may span lines sees the whole text, any other each line without its line break,
 * as if there were no others. Lines are slow to cut out one by one, so two short cuts are taken
 * where the answer is the same: the whole text is searched at once, or only the lines that hold
 * the pattern's literal.
 */
export function* findMatches(
  text: string,
  pattern: Pattern,
  onMatch: OnMatch,
): Generator<void, number> {
  if (pattern.findLiteral(text, 0) < 0) return 0;
  if (pattern.multiline) return (yield* searchPiece(text, 0, pattern, onMatch)) ? 0 : 1;
  if (canSearchWhole(text, pattern)) {
    runEngine(text, 0, pattern, onMatch);
    return 0;
  }
  let tooLong = 0;
  let work = 0;
  for (let start = 0; start <= text.length;) {
    if (pattern.hasLiteral) {
      const literal = pattern.findLiteral(text, start);
      if (literal < 0) break;
      if (literal > start) start = text.lastIndexOf('\n', literal - 1) + 1;
    }
    const end = endOfLine(text, start);
    const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    if (!(yield* searchPiece(line, start, pattern, onMatch))) tooLong++;
    start = end + 1;
    work += pattern.stepsOn(line.length);
    if (work > mostSteps) {
      work = 0;
      yield;
    }
  }
  return tooLong;
}

/**
 * Single lines and whole texts give the same matches if none can contain or ask for a line break.
 * (An empty match fits between the two signs of a Windows line break, which no line contains.)
 * The time must not grow with a power of the length, or all lines would count as one.
 */
function canSearchWhole(text: string, pattern: Pattern): boolean {
  if (!pattern.staysInLine || pattern.cost.degree > 1 || !pattern.isQuickOn(text.length))
    return false;
  return !pattern.canBeEmpty || !text.includes('\r');
}

/** False where the piece is too long for this pattern. */
function* searchPiece(
  piece: string,
  offset: number,
  pattern: Pattern,
  onMatch: OnMatch,
): Generator<void, boolean> {
  if (pattern.isQuickOn(piece.length)) {
    runEngine(piece, offset, pattern, onMatch);
    return true;
  }
  const linear = pattern.linearMatcher;
  if (!linear) return false;
  for (let at = 0; at <= piece.length;) {
    const span = yield* linear.find(piece, at);
    if (!span) break;
    onMatch(offset + span.from, offset + span.to);
    at = span.to > span.from ? span.to : pattern.advance(piece, span.to);
  }
  return true;
}

function runEngine(piece: string, offset: number, pattern: Pattern, onMatch: OnMatch): void {
  const { regExp } = pattern;
  regExp.lastIndex = 0;
  for (let match = regExp.exec(piece); match; match = regExp.exec(piece)) {
    const length = match[0].length;
    onMatch(offset + match.index, offset + match.index + length);
    if (length === 0) regExp.lastIndex = pattern.advance(piece, match.index);
  }
}

/** The place of the line break, or the end of the text. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
