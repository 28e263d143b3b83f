/** Draws what comes near to be seen, and lets go of what is far away, which then costs no more than its words. */
import type { Turn } from '#model/conversation';

const EVENT = 'contentvisibilityautostatechange';

/** Milliseconds after which the window has its turn. */
const SLICE_MS = 6;

type Draw = (isNear: boolean) => void;

/** For elements whose content the browser skips while they are far away, and which it tells of. */
export class NearViewport {
  /** False where the browser tells nothing: there all has to be drawn at once. */
  readonly isTold = 'ContentVisibilityAutoStateChangeEvent' in window;
  readonly #watched = new Map<EventTarget, Draw>();
  /** What came near or went far away, and does not look so yet. */
  readonly #waiting = new Map<HTMLElement, boolean>();
  /** The window whose next frame is waited for. */
  #due: Window | null = null;

  /** Hears of all that is in the list; an attachment of it. */
  readonly within = (list: HTMLElement): (() => void) => {
    list.addEventListener(EVENT, this.#changed, { capture: true });
    return () => list.removeEventListener(EVENT, this.#changed, { capture: true });
  };

  /** @returns lets go of it */
  watch(element: HTMLElement, draw: Draw): () => void {
    this.#watched.set(element, draw);
    return () => {
      this.#watched.delete(element);
      this.#waiting.delete(element);
    };
  }

  readonly #changed = (event: Event): void => {
    const { target } = event;
    if (!target || !this.#watched.has(target)) return;
    const element = target as HTMLElement;
    this.#waiting.set(element, !(event as Event & { skipped: boolean }).skipped);
    this.#ask(element.ownerDocument.defaultView);
  };

  /** @param window the one that they are in by now: a leaf can be dragged from one into another */
  #ask(window: Window | null): void {
    // One that was closed meanwhile has no frames any more.
    if (!window || this.#due === window || this.#waiting.size === 0) return;
    this.#due = window;
    window.requestAnimationFrame(() => {
      if (this.#due === window) this.#due = null;
      this.#draw(window);
      this.#ask(window);
    });
  }

  /** What is in sight first. */
  #draw({ innerHeight, performance }: Window): void {
    const began = performance.now();
    const placed = [...this.#waiting].map(([element, isNear]) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { element, isNear, away: Math.max(0, top - innerHeight, -bottom) };
    });
    placed.sort((one, other) => one.away - other.away);
    for (const { element, isNear } of placed) {
      this.#waiting.delete(element);
      this.#watched.get(element)?.(isNear);
      if (performance.now() - began > SLICE_MS) return;
    }
  }
}

export interface TurnPage {
  /** The place of its first turn, counted from 0. */
  readonly from: number;
  readonly turns: readonly Turn[];
  /** Pixels, estimated: the scrollbar then tells about the truth of what was never in sight. */
  readonly height: number;
}

const PAGE = 20;

/** The same objects as before where nothing changed. */
export function turnPages(turns: readonly Turn[], before: readonly TurnPage[]): TurnPage[] {
  const pages: TurnPage[] = [];
  for (let from = 0; from < turns.length; from += PAGE) {
    const known = before[pages.length];
    const length = Math.min(PAGE, turns.length - from);
    const isSame =
      known?.turns.length === length && known.turns.every((turn, at) => turn === turns[from + at]);
    pages.push(isSame ? known : pageOf(from, turns.slice(from, from + PAGE)));
  }
  return pages;
}

function pageOf(from: number, turns: readonly Turn[]): TurnPage {
  return { from, turns, height: turns.reduce((sum, turn) => sum + turnHeight(turn), 0) };
}

/** Pixels, estimated. */
export function turnHeight({ end }: Turn): number {
  const text = end?.reply ?? '';
  return 140 + 22 * Math.round(text.split('\n').length + text.length / 60);
}
