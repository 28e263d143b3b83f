/** Reads what the marks of a growing answer name, again only when it has new marks. */
import { type Citations, citationsIn, type Passage } from '#model/passage';
import { type IsMark, MAX_MARK_CHARS } from '#text/source-marks';
import { NO_CITATIONS } from './markdown/source-numbers';
import type { TurnSegment } from './turn-segments';

/** A mark and whether it was one when it was last asked about. */
interface Judged {
  readonly mark: Parameters<IsMark>[0];
  readonly is: boolean;
}

export class CitationReader {
  #citations = NO_CITATIONS;
  /** By what their brackets hold. What the chat shows later may change what they are. */
  #judged = new Map<string, Judged>();
  #passages: readonly Passage[] = [];
  #read = '';
  readonly #isMark: IsMark;

  constructor(isMark: IsMark) {
    this.#isMark = isMark;
  }

  /** All answers of a turn share their numbers. */
  read(segments: readonly TurnSegment[], passages: readonly Passage[]): Citations {
    const answers = segments.flatMap((segment) =>
      segment.kind === 'text' && segment.isAnswer ? [segment] : [],
    );
    // A passage is known before the text with its mark.
    if (passages.length === 0 && answers.some(({ finished }) => !finished)) return NO_CITATIONS;
    const read = answers.map(({ text, finished }) => (finished ? text.length : lastMark(text)));
    const isRead = read.join() === this.#read && passages === this.#passages;
    if (isRead && this.#isJudgedSame()) return this.#citations;
    this.#read = read.join();
    this.#passages = passages;
    this.#citations = citationsIn(
      answers.map(({ text }) => text).join('\n\n'),
      passages,
      this.#judging(),
    );
    return this.#citations;
  }

  #isJudgedSame(): boolean {
    return [...this.#judged.values()].every(({ mark, is }) => this.#isMark(mark) === is);
  }

  /** Says the same of a mark as long as its citations last, so that drawing follows no other turn. */
  #judging(): IsMark {
    const judged = new Map<string, Judged>();
    this.#judged = judged;
    return (mark) => {
      const known = judged.get(mark.inner);
      if (known) return known.is;
      const is = this.#isMark(mark);
      judged.set(mark.inner, { mark, is });
      return is;
    };
  }
}

/** Where the last complete mark begins. */
function lastMark(text: string): number {
  const at = text.lastIndexOf('[@');
  const isComplete = text.slice(at, at + MAX_MARK_CHARS).includes(']');
  return at < 0 || isComplete ? at : text.lastIndexOf('[@', at - 1);
}
