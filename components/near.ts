/** Draws what comes near to be seen, and lets go of what is far away, which then costs no more than its words. */

const EVENT = 'contentvisibilityautostatechange';

/** Milliseconds after which the window has its turn. */
const SLICE = 6;

type Draw = (isNear: boolean) => void;

/** For elements whose content the browser skips while they are far away, and which it tells of. */
export class Near {
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
      if (performance.now() - began > SLICE) return;
    }
  }
}
