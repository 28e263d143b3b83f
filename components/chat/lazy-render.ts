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

export interface TurnPage {
  /** Index of its first turn, from 0. */
  readonly from: number;
  readonly turns: readonly Turn[];
  /** Estimated pixels, so that the scrollbar is about right for turns that were never drawn. */
  readonly height: number;
}

const PAGE = 20;

/** Returns the same objects where nothing changed. */
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

/** Estimated pixels. */
export function turnHeight({ end }: Turn): number {
  const text = end?.reply ?? '';
  return 140 + 22 * Math.round(text.split('\n').length + text.length / 60);
}
