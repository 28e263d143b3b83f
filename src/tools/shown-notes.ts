/**
 * What the model was shown of each note in one conversation: which lines of which text. Edits by line number and
 * overwriting are judged by it. It is kept in memory only, so after a restart the model has to read again.
 */
import { pairLines } from './editor/edit/anchors';
import { Lines } from './editor/edit/text-lines';

/** A line number that a result printed, with what it printed of that line; null for the number alone. */
export type PrintedLine = readonly [line: number, text: string | null];

/** More texts of one note than these are forgotten, and the line numbers of the oldest with them. */
const MAX_TEXTS = 24;

/** One text of a note of which something was printed, or which the model wrote itself. */
interface ShownText {
  readonly lines: Lines;
  /** The line numbers that were printed, with whether something of the line was, too. */
  readonly numbers: Map<number, boolean>;
  /** The lines that the model knows whole from this text alone. */
  readonly own: Set<number>;
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
  readonly #doubtful: number;

  /** @param doubtful what was shown in this step or later may have come too late for the call */
  constructor(texts: readonly ShownText[], doubtful = Infinity) {
    this.#texts = texts;
    this.#doubtful = doubtful;
  }

  /** The text in which this line number was last printed; null if it was not. */
  textOf(line: number): Lines | null {
    for (const text of this.#texts.toReversed()) {
      if (text.numbers.has(line)) return text.lines;
      if (text.kind === 'rewritten' || isShownWhole(text)) return null;
    }
    return null;
  }

  /**
   * As `textOf`; where the number was printed there without its line, or perhaps too late, also the texts before in
   * which it was printed, since each could be meant.
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

/** Whether every line was printed: then no other number is one of the note's. */
function isShownWhole({ kind, lines, numbers }: ShownText): boolean {
  if (kind !== 'shown' || numbers.size < lines.count) return false;
  for (let line = 1; line <= lines.count; line += 1) {
    if (numbers.get(line) !== true) return false;
  }
  return true;
}

/** The known lines of an earlier text that are in this one too. */
function carried({ lines: earlier, known }: ShownText, lines: Lines): Iterable<number> {
  if (earlier === lines || earlier.text === lines.text) return known;
  const places = pairLines(earlier, lines);
  return [...known].map((line) => places[line] ?? 0).filter((line) => line > 0);
}

/**
 * The lines of a changed text that the model knows because it wrote them. A line of which it replaced a passage is one
 * of them only if it knew the line before.
 */
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

/** What one call sees of it, and where the call adds what it shows. */
export interface StepNotes {
  of(path: string): ShownNote;
  /** Records the line numbers that a result prints. */
  show(path: string, text: string, printed: Iterable<PrintedLine>): void;
  /**
   * Records a change of the model's own: it knows what it wrote, but was shown no line numbers of it.
   *
   * @param made the text of the note now, which also has what the user typed in the same moment
   */
  wrote(path: string, before: string, after: string, made: string): void;
  /** Records that the model wrote the whole text; `made` as in `wrote`. */
  rewrote(path: string, text: string, made: string): void;
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
  /** By key; a call that was approved late still belongs to the step that it was written in. */
  readonly #steps = new Map<string, number>();
  /** Of steps that may have been written before the steps from this one on had results. */
  readonly #doubtful = new Map<number, number>();

  /**
   * The notes as the calls of one step may use them: without what other calls of that step print, since the model had
   * not read that when it wrote the calls.
   *
   * @param key the same for all calls of a step
   * @param since the key of an earlier step, if this one may have been written without its result
   */
  during(key: string, since?: string): StepNotes {
    const step = this.#steps.get(key) ?? (this.#step += 1);
    this.#steps.set(key, step);
    const first = since === undefined ? undefined : this.#steps.get(since);
    if (first !== undefined) this.#doubtful.set(step, first);
    return {
      of: (path) => new ShownNote(this.#visible(path, step), this.#doubtful.get(step)),
      show: (path, text, printed) => this.#show(path, text, [...printed], step),
      wrote: (path, before, after, made) => this.#wrote(path, before, after, made, step),
      rewrote: (path, text, made) => this.#rewrote(path, text, made, step),
      loseNumbers: (path) => this.#loseNumbers(path),
      moved: (from, to) => this.moved(from, to),
      forget: (path) => this.forget(path),
      copy: () => this.#copy().during(key),
    };
  }

  /** Forgets all but the steps with these keys, which are all that the model still has before it. */
  keepOnly(isKept: (key: string) => boolean): void {
    const kept = new Set([...this.#steps].flatMap(([key, step]) => (isKept(key) ? [step] : [])));
    for (const [path, texts] of [...this.#notes]) {
      this.#notes.delete(path);
      for (const text of texts.filter(({ step }) => kept.has(step))) {
        const known = this.#knownIn(path, text.lines, Infinity);
        for (const line of text.own) known.add(line);
        this.#put(path, { ...text, known });
      }
    }
  }

  moved(from: string, to: string): void {
    for (const [path, texts] of [...this.#notes]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#notes.delete(path);
      this.#notes.set(to + path.slice(from.length), texts);
    }
  }

  forget(path: string): void {
    for (const known of [...this.#notes.keys()]) {
      if (known === path || known.startsWith(`${path}/`)) this.#notes.delete(known);
    }
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
    const { numbers, own, known } = this.#textFor(path, lines, step);
    for (const [line, words] of printed) {
      numbers.set(line, words !== null || numbers.get(line) === true);
    }
    for (const [line] of whole) own.add(line);
    for (const [line] of whole) known.add(line);
  }

  #wrote(path: string, before: string, after: string, made: string, step: number): void {
    const old = this.#linesOf(path, before);
    const lines = this.#linesOf(path, after);
    // In every earlier text, since an undo can bring back what the latest one no longer has.
    const unknown = new Set(new ShownNote(this.#visible(path, step)).unknownIn(old));
    const own = new Set(writtenLines(old, lines, (line) => !unknown.has(line)));
    const known = this.#knownIn(path, lines, step);
    for (const line of own) known.add(line);
    const text = this.#add(path, { lines, numbers: new Map(), own, known, kind: 'written' });
    this.#merged(path, text, made, step);
  }

  #rewrote(path: string, written: string, made: string, step: number): void {
    const lines = this.#linesOf(path, written);
    const own = new Set(Array.from({ length: lines.count }, (_, at) => at + 1));
    const known = new Set(own);
    const text = this.#add(path, { lines, numbers: new Map(), own, known, kind: 'rewritten' });
    this.#merged(path, text, made, step);
  }

  /** Of a text that the user changed in the same moment, the model knows what it knew of its own. */
  #merged(path: string, after: ShownText, made: string, step: number): void {
    const lines = this.#linesOf(path, made);
    if (lines === after.lines) return;
    const own = new Set(carried({ ...after, known: after.own }, lines));
    const known = this.#knownIn(path, lines, step);
    this.#add(path, { lines, numbers: new Map(), own, known, kind: 'written' });
  }

  #loseNumbers(path: string): void {
    const nothing = {
      numbers: new Map<number, boolean>(),
      own: new Set<number>(),
      known: new Set<number>(),
    };
    this.#add(path, { lines: new Lines(''), ...nothing, kind: 'rewritten' });
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
    return this.#add(path, { lines, numbers: new Map(), own: new Set(), known, kind: 'shown' });
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
    return this.#put(path, { ...text, step: this.#step });
  }

  #put(path: string, text: ShownText): ShownText {
    const texts = this.#notes.get(path) ?? [];
    texts.push(text);
    if (texts.length > MAX_TEXTS) texts.shift();
    this.#notes.set(path, texts);
    return text;
  }

  #copy(): ShownNotes {
    const copy = new ShownNotes();
    for (const [path, texts] of this.#notes) {
      const own = texts.map((text) => ({
        ...text,
        numbers: new Map(text.numbers),
        own: new Set(text.own),
        known: new Set(text.known),
      }));
      copy.#notes.set(path, own);
    }
    copy.#step = this.#step;
    for (const [key, step] of this.#steps) copy.#steps.set(key, step);
    for (const [step, first] of this.#doubtful) copy.#doubtful.set(step, first);
    return copy;
  }
}

/** The byte order mark belongs to the file, not to its first line. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
