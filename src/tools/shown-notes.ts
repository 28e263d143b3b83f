/**
 * Records which lines of which text of each note the model was shown in one conversation. Edits by
 * line number and overwriting depend on it. Kept in memory; after a restart, only what was shown of
 * notes that have not changed since is known again.
 */
import type { CallResult, PrintedLines } from '#model/message';
import { isWithin, movedPath, withoutNoteExtension } from '#text/paths';
import { pairLines } from './editor/edit/anchors';
import { Lines, withoutMark } from './editor/edit/text-lines';
import { lostLines, printedLines, type PrintedLine } from './printed-lines';

/** Maximum texts remembered per note. With the oldest text, its line numbers are forgotten. */
const MAX_TEXTS = 24;

/** One text of a note that the model was shown, or that it wrote itself. */
interface ShownText {
  readonly lines: Lines;
  /** Line numbers that were shown, with whether text of the line was shown too. */
  readonly numbers: Map<number, boolean>;
  /** Lines that the model knows in full, from this text or unchanged from an earlier one. */
  readonly known: Set<number>;
  /** Step in which the text was shown. Its line numbers count from the next step on. */
  readonly step: number;
  /**
   * `shown` by a result; `written` in part by the model; or `rewritten` as a whole by the model,
   * which makes line numbers of earlier texts meaningless.
   */
  readonly kind: 'shown' | 'written' | 'rewritten';
  /** When the note with this text was last changed. */
  readonly modified: number;
}

/** What the calls of one step may assume about one note. */
export class ShownNote {
  /** Oldest first. */
  readonly #texts: readonly ShownText[];
  readonly #doubtful: number;

  /**
   * @param doubtful first step whose results the model may not have seen before it wrote the call
   */
  constructor(texts: readonly ShownText[], doubtful = Infinity) {
    this.#texts = texts;
    this.#doubtful = doubtful;
  }

  /**
   * The texts in which this line number was last shown; none if it was not. They are several if it
   * was last shown without text, or perhaps after the call was written.
   */
  textsOf(line: number): Lines[] {
    const found: Lines[] = [];
    for (const text of this.#texts.toReversed()) {
      const hasWords = text.numbers.get(line);
      if (hasWords === true || (hasWords === false && found.length === 0)) found.push(text.lines);
      const isCertain = text.step < this.#doubtful;
      const endsHere = hasWords === true || text.kind === 'rewritten' || isShownWhole(text);
      if (isCertain && endsHere) break;
    }
    return found;
  }

  /** The text shown last; null if there is none, or if the model has rewritten the note since. */
  latest(): Lines | null {
    for (const text of this.#texts.toReversed()) {
      if (text.kind === 'shown') return text.lines;
      if (text.kind === 'rewritten') return null;
    }
    return null;
  }

  /** Lines of a text, from 1, that the model does not know in full. */
  unknownIn(lines: Lines): number[] {
    const known = this.knownIn(lines);
    return Array.from({ length: lines.count }, (_, at) => at + 1).filter(
      (line) => !known.has(line),
    );
  }

  /**
   * Lines of a text that the model knows in full. Looks in every text, because an undo can restore
   * what the latest one does not have.
   */
  knownIn(lines: Lines): Set<number> {
    const known = new Set<number>();
    for (const text of this.#texts.toReversed()) {
      if (known.size === lines.count) break;
      for (const line of carried(text, lines)) known.add(line);
    }
    return known;
  }
}

/** Whether every line was shown. Then the model knows that no other line number exists. */
function isShownWhole({ kind, lines, numbers }: ShownText): boolean {
  if (kind !== 'shown' || numbers.size < lines.count) return false;
  for (let line = 1; line <= lines.count; line += 1) {
    if (numbers.get(line) !== true) return false;
  }
  return true;
}

/** Known lines of an earlier text, as lines of `lines`. */
function carried({ lines: earlier, known }: ShownText, lines: Lines): Iterable<number> {
  if (earlier === lines || earlier.text === lines.text) return known;
  const places = pairLines(earlier, lines);
  return [...known].map((line) => places[line] ?? 0).filter((line) => line > 0);
}

/** Changed lines that the model knows. Adjacent ones count only if it knew all of them before. */
function writtenLines(old: Lines, lines: Lines, knew: (line: number) => boolean): number[] {
  const places = pairLines(old, lines);
  const written: number[] = [];
  let at = 1;
  let line = 1;
  while (line <= lines.count) {
    const replaced: number[] = [];
    for (; at <= old.count && places[at] === 0; at += 1) replaced.push(at);
    const next = places[at] ?? lines.count + 1;
    const isKnown = replaced.every(knew);
    for (; line < next; line += 1) if (isKnown) written.push(line);
    line += 1;
    at += 1;
  }
  return written;
}

/** Lines of a note as they were shown. */
export interface ShownPassage {
  readonly path: string;
  readonly lines: Lines;
  /** From 1, inclusive. */
  readonly first: number;
  readonly last: number;
  /** When the note, as it was shown, was last changed. */
  readonly modified: number;
}

/** What one call knows about notes, and where it records what it shows. */
export interface StepNotes {
  of(path: string): ShownNote;
  /**
   * The first run of these lines that was shown, in the text shown last, under the name that the
   * model gives the note: a path or a name, with or without `.md`. Null if none of the lines was
   * shown, or if they were of several notes of that name.
   */
  passage(name: string, first: number, last: number): ShownPassage | null;
  /** Records lines that a result shows. */
  show(path: string, text: string, printed: Iterable<PrintedLine>): void;
  /**
   * Records a change by the model, which knows what it wrote but was not shown line numbers.
   *
   * @param made current text of the note, which may include what the user typed at the same time
   */
  wrote(path: string, before: string, after: string, made: string): void;
  /** Records that the model wrote the whole text. See `wrote` for `made`. */
  rewrote(path: string, text: string, made: string): void;
  /**
   * Records that line numbers of an unknown text were shown. After that, no line number of the note
   * is usable.
   */
  loseNumbers(path: string): void;
}

/** Holds back the lines that a call shows until its result is certain to reach the model. */
export class HeldNotes implements StepNotes {
  readonly #held: (() => void)[] = [];
  /** What the result of the call prints, to be recorded with it. */
  readonly #printed: PrintedLines[] = [];

  /**
   * @param notes what the call knows; its changes are recorded there at once
   * @param isDryRun true if the call changes nothing
   */
  constructor(
    private readonly notes: StepNotes,
    private readonly isDryRun: boolean,
  ) {}

  of(path: string): ShownNote {
    return this.notes.of(path);
  }

  passage(...lines: Parameters<StepNotes['passage']>): ShownPassage | null {
    return this.notes.passage(...lines);
  }

  show(path: string, text: string, printed: Iterable<PrintedLine>): void {
    const lines = [...printed];
    if (lines.length > 0) this.#printed.push(printedLines(path, text, lines));
    this.#held.push(() => this.notes.show(path, text, lines));
  }

  loseNumbers(path: string): void {
    this.#printed.push(lostLines(path));
    this.#held.push(() => this.notes.loseNumbers(path));
  }

  wrote(...change: Parameters<StepNotes['wrote']>): void {
    if (!this.isDryRun) this.notes.wrote(...change);
  }

  rewrote(...change: Parameters<StepNotes['rewrote']>): void {
    if (this.isDryRun) return;
    this.#printed.push(lostLines(change[0]));
    this.notes.rewrote(...change);
  }

  /** Records the lines in the notes of the step, and returns them to be recorded with the result. */
  release(): Pick<CallResult, 'lines'> {
    for (const record of this.#held.splice(0)) record();
    return this.#printed.length > 0 ? { lines: this.#printed } : {};
  }
}

const BEFORE_ALL_STEPS = 0;

interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** As many last parts of the path as the name has, without the extension of a note. */
function endOf(path: string, name: string): string {
  return withoutNoteExtension(path).split('/').slice(-name.split('/').length).join('/');
}

function sameName(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

/** Everything the model was shown in one conversation. */
export class ShownNotes {
  /** Resolves when what was shown before a restart is restored; null before that begins. */
  restored: Promise<void> | null = null;
  readonly #notes = new Map<string, ShownText[]>();
  #step = 0;
  /**
   * Step numbers by key. A call that was approved late still belongs to the step it was written in.
   */
  readonly #steps = new Map<string, number>();
  /**
   * For a step: the first step whose results the model may not have seen when it wrote this one.
   */
  readonly #doubtful = new Map<number, number>();
  readonly #modifiedAt: (path: string) => number;

  /** @param modifiedAt when a note was last changed; 0 if that is not known */
  constructor(modifiedAt: (path: string) => number = () => 0) {
    this.#modifiedAt = modifiedAt;
  }

  /**
   * The notes for the calls of one step, without what its other calls show: the model wrote all
   * calls of a step before it saw their results.
   *
   * @param key the same for all calls of a step
   * @param since key of the first step whose results the model may not have seen, if any
   */
  during(key: string, since?: string): StepNotes {
    const step = this.#steps.get(key) ?? (this.#step += 1);
    this.#steps.set(key, step);
    const first = since === undefined ? undefined : this.#steps.get(since);
    if (first !== undefined) this.#doubtful.set(step, first);
    return {
      of: (path) => new ShownNote(this.#visible(path, step), this.#doubtful.get(step)),
      passage: (name, first, last) => this.#passage(name, { first, last }, step),
      show: (path, text, printed) => this.#show(path, text, [...printed], step),
      wrote: (path, before, after, made) => this.#wrote(path, before, after, made, step),
      rewrote: (path, text, made) => this.#rewrote(path, text, made, step),
      loseNumbers: (path) => this.#loseNumbers(path, step),
    };
  }

  /** Adds lines that were shown before all others. */
  restore(path: string, text: string, printed: readonly PrintedLine[]): void {
    const lines = this.#linesOf(path, text);
    const whole = printed.filter(([line, words]) => words === lines.content(line));
    const restored: ShownText = {
      lines,
      numbers: new Map(printed.map(([line, words]) => [line, words !== null])),
      known: new Set(whole.map(([line]) => line)),
      step: BEFORE_ALL_STEPS,
      kind: 'shown',
      modified: this.#modifiedAt(path),
    };
    this.#notes.set(path, [restored, ...(this.#notes.get(path) ?? [])]);
  }

  moved(from: string, to: string): void {
    for (const [path, texts] of [...this.#notes]) {
      if (!isWithin(path, from)) continue;
      this.#notes.delete(path);
      this.#notes.set(movedPath(path, from, to), texts);
    }
  }

  forget(path: string): void {
    for (const known of [...this.#notes.keys()]) {
      if (isWithin(known, path)) this.#notes.delete(known);
    }
  }

  /** Texts that a call of this step may use: those shown before it, and those the model wrote. */
  #visible(path: string, step: number): readonly ShownText[] {
    return (this.#notes.get(path) ?? []).filter(
      (text) => text.step < step || text.kind !== 'shown',
    );
  }

  #passage(name: string, { first, last }: LineRange, step: number): ShownPassage | null {
    const paths = [...this.#notes.keys()];
    const isNamed = [
      (path: string) => path === name || path === `${name}.md`,
      (path: string) => sameName(endOf(path, name), withoutNoteExtension(name)),
    ].find((each) => paths.some(each));
    const found = paths.filter(isNamed ?? (() => false)).flatMap((path): ShownPassage[] => {
      for (const { kind, lines, numbers, modified } of this.#visible(path, step).toReversed()) {
        let from = first;
        while (from <= last && numbers.get(from) !== true) from += 1;
        if (kind !== 'shown' || from > last) continue;
        let to = from;
        while (to < last && numbers.get(to + 1) === true) to += 1;
        return [{ path, lines, first: from, last: to, modified }];
      }
      return [];
    });
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  #show(path: string, text: string, printed: readonly PrintedLine[], step: number): void {
    if (printed.length === 0) return;
    const lines = this.#linesOf(path, text);
    const whole = printed.filter(([line, words]) => words === lines.content(line));
    const { numbers, known } = this.#textFor(path, lines, step);
    for (const [line, words] of printed) {
      numbers.set(line, words !== null || numbers.get(line) === true);
    }
    for (const [line] of whole) known.add(line);
  }

  #wrote(path: string, before: string, after: string, made: string, step: number): void {
    const old = this.#linesOf(path, before);
    const lines = this.#linesOf(path, after);
    const knew = this.#knownIn(path, old, step);
    const known = this.#knownIn(path, lines, step);
    for (const line of writtenLines(old, lines, (each) => knew.has(each))) known.add(line);
    this.#add(path, lines, known, 'written');
    this.#merged(path, lines, made, step);
  }

  #rewrote(path: string, written: string, made: string, step: number): void {
    const lines = this.#linesOf(path, written);
    const known = new Set(Array.from({ length: lines.count }, (_, at) => at + 1));
    this.#add(path, lines, known, 'rewritten');
    this.#merged(path, lines, made, step);
  }

  /** If the user typed at the same time, the model knows only its own lines of the merged text. */
  #merged(path: string, after: Lines, made: string, step: number): void {
    const lines = this.#linesOf(path, made);
    if (lines !== after) this.#add(path, lines, this.#knownIn(path, lines, step), 'written');
  }

  /** What the model knew of the note, it still knows. */
  #loseNumbers(path: string, step: number): void {
    const lines = this.#notes.get(path)?.at(-1)?.lines ?? new Lines('');
    this.#add(path, lines, this.#knownIn(path, lines, step), 'rewritten');
  }

  /** Reuses the object of an equal text, so that texts can be compared by identity. */
  #linesOf(path: string, text: string): Lines {
    const own = withoutMark(text);
    const same = this.#notes.get(path)?.find(({ lines }) => lines.text === own);
    return same?.lines ?? new Lines(own);
  }

  /**
   * The latest entry, if it is for this text and step; otherwise a new one with the lines known so
   * far.
   */
  #textFor(path: string, lines: Lines, step: number): ShownText {
    const last = this.#notes.get(path)?.at(-1);
    const isSame = last?.kind === 'shown' && last.step === this.#step;
    if (isSame && last.lines === lines) return last;
    return this.#add(path, lines, this.#knownIn(path, lines, step), 'shown');
  }

  #knownIn(path: string, lines: Lines, step: number): Set<number> {
    return new ShownNote(this.#visible(path, step)).knownIn(lines);
  }

  /**
   * Stamps the text with the current step, which is a later one than the call's if calls overlap.
   */
  #add(path: string, lines: Lines, known: Set<number>, kind: ShownText['kind']): ShownText {
    const numbers = new Map<number, boolean>();
    const modified = this.#modifiedAt(path);
    const text = { lines, numbers, known, step: this.#step, kind, modified };
    const texts = this.#notes.get(path) ?? [];
    texts.push(text);
    if (texts.length > MAX_TEXTS) texts.shift();
    this.#notes.set(path, texts);
    return text;
  }
}
