/** Draws turns near the viewport, and reduces those far away to their text. */
import type { Turn } from '#model/conversation';
import { SLICE_MS } from '#ports/slices';

const EVENT = 'contentvisibilityautostatechange';

type Draw = (isNear: boolean) => void;

/**
 * Tracks elements whose content the browser skips while they are far away (`content-visibility:
 * auto`).
 */
export class NearViewport {
  /** False if the browser does not report this; everything is drawn at once then. */
  readonly isReported = 'ContentVisibilityAutoStateChangeEvent' in window;
  readonly #watched = new Map<EventTarget, Draw>();
  /** Elements that came near or went far away and are not updated yet. */
  readonly #waiting = new Map<HTMLElement, boolean>();
  /** The window whose next frame is awaited. */
  #due: Window | null = null;

  /** Attachment for the list: listens to its elements. */
  readonly within = (list: HTMLElement): (() => void) => {
    list.addEventListener(EVENT, this.#changed, { capture: true });
    return () => list.removeEventListener(EVENT, this.#changed, { capture: true });
  };

  /** @returns stops tracking it */
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

  /** @param window the elements' current window: a leaf can be dragged from one to another */
  #ask(window: Window | null): void {
    // A closed window has no frames.
    if (!window || this.#due === window || this.#waiting.size === 0) return;
    this.#due = window;
    window.requestAnimationFrame(() => {
      if (this.#due === window) this.#due = null;
      try {
        this.#draw(window);
      } finally {
        this.#ask(window);
      }
    });
  }

  /** Visible elements first. */
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
      if (performance.now() - began >= SLICE_MS) return;
    }
  }
}

/** Some turns of a chat, with all that their drawing needs to know of the other turns. */
export interface TurnPage {
  /** Index of its first turn, from 0. */
  readonly from: number;
  readonly turns: readonly Turn[];
  /** The turn before its first. */
  readonly before: Turn | undefined;
  /** Number of turns after it, `AT_ONCE` for all others too. */
  readonly after: number;
  /** Estimated pixels, so that the scrollbar is about right for turns that were never drawn. */
  readonly height: number;
}

const PAGE = 20;
/** Number of turns drawn at once; earlier ones are drawn when they come near the viewport. */
export const AT_ONCE = 3;

/** Returns the same objects where nothing changed, so that only changed pages are drawn again. */
export function turnPages(turns: readonly Turn[], known: readonly TurnPage[]): TurnPage[] {
  const pages: TurnPage[] = [];
  for (let from = 0; from < turns.length; from += PAGE) {
    const page = known[pages.length];
    const before = turns[from - 1];
    const length = Math.min(PAGE, turns.length - from);
    const after = Math.min(AT_ONCE, turns.length - from - length);
    const isSame =
      page?.turns.length === length &&
      page.before === before &&
      page.after === after &&
      page.turns.every((turn, at) => turn === turns[from + at]);
    if (isSame) {
      pages.push(page);
    } else {
      const within = turns.slice(from, from + PAGE);
      const height = within.reduce((sum, turn) => sum + turnHeight(turn), 0);
      pages.push({ from, turns: within, before, after, height });
    }
  }
  return pages;
}

/** Estimated pixels. */
export function turnHeight({ end }: Turn): number {
  const text = end?.reply ?? '';
  return 140 + 22 * Math.round(text.split('\n').length + text.length / 60);
}
