/**
 * What the model was shown of each note in one conversation: which lines of which text. Edits by line number and
 * overwriting are judged by it. It is kept in memory only, so after a restart the model has to read again.
 */
import { pairLines } from './editor/edit/anchors';
import { Lines } from './editor/edit/lines';

/** A line number that a result printed, with what it printed of that line; null for the number alone. */
export type PrintedLine = readonly [line: number, text: string | null];

/** More texts of one note than these are forgotten, and the line numbers of the oldest with them. */
const MAX_TEXTS = 24;

/** One text of a note of which something was printed, or which the model wrote itself. */
interface ShownText {
  readonly lines: Lines;
  /** The line numbers that were printed. */
  readonly numbers: Set<number>;
  /** The lines that the model knows whole, from this text or unchanged from an earlier one. */
  readonly known: Set<number>;
  /** The step in which it was shown; its line numbers are used from the next one on. */
  readonly step: number;
  /**
   * `shown` by a result, `written` in part by the model, or `rewritten` as a whole by it, after which line numbers of
   * earlier texts mean nothing.
   */
  readonly kind: 'shown' | 'written' | 'rewritten';
}

/** The texts of one note, as the calls of one step may use them. */
export class ShownNote {
  /** The oldest first. */
  readonly #texts: readonly ShownText[];

  constructor(texts: readonly ShownText[]) {
    this.#texts = texts;
  }

  /** The text in which this line number was last printed; null if it was not. */
  textOf(line: number): Lines | null {
    for (const text of this.#texts.toReversed()) {
      if (text.numbers.has(line)) return text.lines;
      if (text.kind === 'rewritten') return null;
    }
    return null;
  }

  /** The text that was shown last. */
  latest(): Lines | null {
    for (const text of this.#texts.toReversed()) {
      if (text.kind === 'shown') return text.lines;
      if (text.kind === 'rewritten') return null;
    }
    return null;
  }

  /** The lines of a text that the model does not know whole, from 1. */
  unknownIn(lines: Lines): number[] {
    const known = new Set<number>();
    for (const text of this.#texts.toReversed()) {
      if (known.size === lines.count) return [];
      for (const line of carried(text, lines)) known.add(line);
    }
    return Array.from({ length: lines.count }, (_, at) => at + 1).filter(
      (line) => !known.has(line),
    );
  }
}

/** The known lines of an earlier text that are in this one too. */
function carried({ lines: earlier, known }: ShownText, lines: Lines): Iterable<number> {
  if (earlier === lines || earlier.text === lines.text) return known;
  const places = pairLines(earlier, lines);
  return [...known].map((line) => places[line] ?? 0).filter((line) => line > 0);
}

/** What one call sees of it, and where the call adds what it shows. */
export interface StepNotes {
  of(path: string): ShownNote;
  /** Records the line numbers that a result prints. */
  show(path: string, text: string, printed: Iterable<PrintedLine>): void;
  /** Records a change of the model's own: it knows what it wrote, but was shown no line numbers of it. */
  wrote(path: string, before: string, after: string): void;
  /** Records that the model wrote the whole text. */
  rewrote(path: string, text: string): void;
  /** Records that line numbers were printed of a text that is not known: none of the note can be used any more. */
  loseNumbers(path: string): void;
  moved(from: string, to: string): void;
  forget(path: string): void;
  /** The same for a trial run, which leaves no trace. */
  copy(): StepNotes;
}

/** All that a conversation was shown. */
export class ShownNotes {
  readonly #notes = new Map<string, ShownText[]>();
  #step = 0;
  #key: string | null = null;

  /**
   * The notes as the calls of one step may use them: without what other calls of that step print, since the model had
   * not read that when it wrote the calls.
   *
   * @param key the same for all calls of a step; null for what is shown outside of any
   */
  during(key: string | null): StepNotes {
    if (key !== null && key !== this.#key) {
      this.#key = key;
      this.#step += 1;
    }
    const step = this.#step;
    return {
      of: (path) => new ShownNote(this.#visible(path, step)),
      show: (path, text, printed) => this.#show(path, text, [...printed], step),
      wrote: (path, before, after) => this.#wrote(path, before, after, step),
      rewrote: (path, text) => this.#rewrote(path, text),
      loseNumbers: (path) => this.#loseNumbers(path),
      moved: (from, to) => this.#moved(from, to),
      forget: (path) => this.#forget(path),
      copy: () => this.#copy().during(key),
    };
  }

  /** What a call of this step may use: texts shown before it, and what the model itself wrote. */
  #visible(path: string, step: number): readonly ShownText[] {
    return (this.#notes.get(path) ?? []).filter(
      (text) => text.step < step || text.kind !== 'shown',
    );
  }

  #show(path: string, text: string, printed: readonly PrintedLine[], step: number): void {
    if (printed.length === 0) return;
    const lines = this.#linesOf(path, text);
    const whole = printed.filter(([line, words]) => words === lines.content(line));
    const { numbers, known } = this.#textFor(path, lines, step);
    for (const [line] of printed) numbers.add(line);
    for (const [line] of whole) known.add(line);
  }

  #wrote(path: string, before: string, after: string, step: number): void {
    const lines = this.#linesOf(path, after);
    const places = pairLines(new Lines(withoutMark(before)), lines);
    const kept = new Set(places);
    const known = this.#knownIn(path, lines, step);
    for (let line = 1; line <= lines.count; line += 1) if (!kept.has(line)) known.add(line);
    this.#add(path, { lines, numbers: new Set(), known, kind: 'written' });
  }

  #rewrote(path: string, written: string): void {
    const lines = this.#linesOf(path, written);
    const known = new Set(Array.from({ length: lines.count }, (_, at) => at + 1));
    this.#add(path, { lines, numbers: new Set(), known, kind: 'rewritten' });
  }

  #loseNumbers(path: string): void {
    const lines = new Lines('');
    this.#add(path, { lines, numbers: new Set(), known: new Set(), kind: 'rewritten' });
  }

  /** One object for one text, so that texts can be compared as objects. */
  #linesOf(path: string, text: string): Lines {
    const own = withoutMark(text);
    const same = this.#notes.get(path)?.find(({ lines }) => lines.text === own);
    return same?.lines ?? new Lines(own);
  }

  /** The last entry, if it is of this text and step; otherwise a new one that carries on what is known. */
  #textFor(path: string, lines: Lines, step: number): ShownText {
    const last = this.#notes.get(path)?.at(-1);
    const isSame = last?.kind === 'shown' && last.step === this.#step;
    if (isSame && last.lines === lines) return last;
    const known = this.#knownIn(path, lines, step);
    return this.#add(path, { lines, numbers: new Set(), known, kind: 'shown' });
  }

  /** The lines of a new text that are known from before. Each text carries on the known lines of all earlier steps. */
  #knownIn(path: string, lines: Lines, step: number): Set<number> {
    const visible = this.#visible(path, step);
    const latest = visible.at(-1)?.step ?? 0;
    const known = new Set<number>();
    for (const text of visible) {
      if (text.step < latest) continue;
      for (const line of carried(text, lines)) known.add(line);
    }
    return known;
  }

  /** Stamped with the step of now, which is another than the call's where calls overlap. */
  #add(path: string, text: Omit<ShownText, 'step'>): ShownText {
    const texts = this.#notes.get(path) ?? [];
    const added = { ...text, step: this.#step };
    texts.push(added);
    if (texts.length > MAX_TEXTS) texts.shift();
    this.#notes.set(path, texts);
    return added;
  }

  #moved(from: string, to: string): void {
    for (const [path, texts] of [...this.#notes]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#notes.delete(path);
      this.#notes.set(to + path.slice(from.length), texts);
    }
  }

  #forget(path: string): void {
    for (const known of [...this.#notes.keys()]) {
      if (known === path || known.startsWith(`${path}/`)) this.#notes.delete(known);
    }
  }

  #copy(): ShownNotes {
    const copy = new ShownNotes();
    for (const [path, texts] of this.#notes) {
      const own = texts.map((text) => ({
        ...text,
        numbers: new Set(text.numbers),
        known: new Set(text.known),
      }));
      copy.#notes.set(path, own);
    }
    copy.#step = this.#step;
    copy.#key = this.#key;
    return copy;
  }
}

/** The byte order mark belongs to the file, not to its first line. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
