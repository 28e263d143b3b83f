import { mostSteps, type Pattern } from './pattern';

/** Told each match in order. */
export interface MatchSink {
  add(from: number, to: number): void;
  /** False once only numbers matter: any place in the line of the match will do then. */
  readonly wantsPlaces: boolean;
}

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
  sink: MatchSink,
): Generator<void, number> {
  if (pattern.findLiteral(text, 0) < 0) return 0;
  if (pattern.multiline) return (yield* searchPiece(text, 0, pattern, sink)) ? 0 : 1;
  if (canSearchWhole(text, pattern)) {
    runEngine(pattern.withinLines, text, 0, pattern, sink);
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
    if (!(yield* searchPiece(line, start, pattern, sink))) tooLong++;
    start = end + 1;
    work += pattern.stepsOn(line.length);
    if (work > mostSteps) {
      work = 0;
      yield;
    }
  }
  return tooLong;
}

/** Whether the engine finds the same in the whole text, and is done with it in one step. */
function canSearchWhole(text: string, pattern: Pattern): boolean {
  if (text.includes('\r')) return false;
  if (pattern.isQuickOn(text.length)) return true;
  // No match leaves its line, so it is the lines that count.
  const longest = Math.max(1, longestLine(text));
  return pattern.stepsOn(longest) * (text.length / longest) <= mostSteps;
}

function longestLine(text: string): number {
  let longest = 0;
  for (let start = 0; start <= text.length;) {
    const end = endOfLine(text, start);
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return longest;
}

/** False where the piece is too long for this pattern. */
function* searchPiece(
  piece: string,
  offset: number,
  pattern: Pattern,
  sink: MatchSink,
): Generator<void, boolean> {
  if (pattern.isQuickOn(piece.length)) {
    runEngine(pattern.regExp, piece, offset, pattern, sink);
    return true;
  }
  const linear = pattern.linearMatcher;
  if (!linear) return false;
  for (let at = 0; at <= piece.length;) {
    const span = yield* linear.find(piece, at);
    if (!span) break;
    sink.add(offset + span.from, offset + span.to);
    at = span.to > span.from ? span.to : pattern.advance(piece, span.to);
  }
  return true;
}

function runEngine(
  regExp: RegExp,
  piece: string,
  offset: number,
  pattern: Pattern,
  sink: MatchSink,
): void {
  regExp.lastIndex = 0;
  while (sink.wantsPlaces || pattern.canBeEmpty || pattern.multiline) {
    const match = regExp.exec(piece);
    if (!match) return;
    const length = match[0].length;
    sink.add(offset + match.index, offset + match.index + length);
    if (length === 0) regExp.lastIndex = pattern.advance(piece, match.index);
  }
  // Without an array for each match this takes half the time.
  while (regExp.test(piece)) sink.add(offset + regExp.lastIndex - 1, offset + regExp.lastIndex);
}

/** The place of the line break, or the end of the text. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
