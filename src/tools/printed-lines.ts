/**
 * Which lines of notes a result printed, in the short form that is recorded with it. From the
 * records, the line numbers of notes that have not changed since are known again after a restart.
 */
import { resolvedInteractions, type Step, type Turn } from '#model/conversation';
import type { TurnId } from '#model/ids';
import type { LineSpan, PrintedLines } from '#model/message';
import { hashOf } from '#text/hash';
import { Lines, withoutMark } from './editor/edit/text-lines';

/** A line number in a result with the text shown for it; null if only the number was shown. */
export type PrintedLine = readonly [line: number, text: string | null];

/** Step index of the context sent with the request. */
export const REQUEST_STEP = 0;

/** Unique within a conversation. */
export function stepKey(turn: TurnId, index: number): string {
  return `${turn}/${index}`;
}

/** A turn with those of its steps that the model still sees. */
export interface SeenTurn {
  readonly turn: Turn;
  readonly steps: readonly Step[];
}

/** What was printed last of a note: lines of one text. */
export interface LastPrinted {
  readonly path: string;
  readonly digest: string | null;
  readonly prints: readonly PrintedLines[];
}

export function printedLines(
  path: string,
  text: string,
  printed: readonly PrintedLine[],
): PrintedLines {
  const lines = new Lines(withoutMark(text));
  const among = (name: Ranges, isMeant: IsMeant) => {
    const numbers = printed.filter(([line, words]) => isMeant(words, lines.content(line)));
    return numbers.length === 0 ? {} : { [name]: rangesOf(numbers.map(([line]) => line)) };
  };
  return {
    path,
    digest: hashOf(lines.text),
    ...among('whole', (words, content) => words === content),
    ...among('cut', (words, content) => words !== null && words !== content),
    ...among('named', (words) => words === null),
  };
}

type Ranges = 'whole' | 'cut' | 'named';

type IsMeant = (words: string | null, content: string) => boolean;

/** The record of a text whose line numbers are unknown: no earlier ones count any more. */
export function lostLines(path: string): PrintedLines {
  return { path, digest: null };
}

/** The lines of a record as they were printed; null if it is about another text. */
export function linesAgain({ digest, prints }: LastPrinted, text: string): PrintedLine[] | null {
  const lines = new Lines(withoutMark(text));
  if (hashOf(lines.text) !== digest) return null;
  const of = (name: Ranges) => numbersOf(prints.flatMap((each) => each[name] ?? []));
  // Later entries replace earlier ones: text of a line counts, even if only its number was printed
  // after that.
  return [
    ...of('named').map((line) => [line, null] as const),
    // Any text that is not that of the line.
    ...of('cut').map((line) => [line, `${lines.content(line)}…`] as const),
    ...of('whole').map((line) => [line, lines.content(line)] as const),
  ];
}

/**
 * What was printed last of each note, the latest first. Lines that no result records, such as those
 * of attached notes, make all earlier ones uncertain. So do those of a note that is not there now: it
 * may be one of the others.
 *
 * @param placeNow the path now of a note that was at a path; null if it is not known
 * @param running the step whose calls the model wrote before it saw any of their results
 */
export function lastPrinted(
  seen: readonly SeenTurn[],
  running: string,
  placeNow: (path: string) => string | null,
): LastPrinted[] {
  const last = new Map<string, LastPrinted>();
  const add = (printed: PrintedLines) => {
    const { digest } = printed;
    const path = placeNow(printed.path);
    if (path === null) return last.clear();
    const known = last.get(path);
    last.delete(path);
    const earlier = known?.digest === digest ? known.prints : [];
    last.set(path, { path, digest, prints: [...earlier, printed] });
  };
  for (const { turn, steps } of seen) {
    if (turn.request.attachments.length > 0) last.clear();
    for (const { index, calls } of steps) {
      const isSeen = stepKey(turn.id, index) !== running;
      for (const call of calls) {
        const { lines = [] } = call.state === 'finished' ? call.result : {};
        for (const each of lines) add(isSeen ? each : lostLines(each.path));
      }
    }
    const answers = resolvedInteractions(turn).map(({ resolution }) => resolution);
    if ([...turn.steering, ...answers].some(hasAttachments)) last.clear();
  }
  return [...last.values()].reverse();
}

function hasAttachments(message: object): boolean {
  return 'attachments' in message && (message.attachments as readonly unknown[]).length > 0;
}

function rangesOf(numbers: readonly number[]): LineSpan[] {
  const ranges: [number, number][] = [];
  for (const line of [...numbers].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && line <= last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

function numbersOf(ranges: readonly LineSpan[]): number[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
}
