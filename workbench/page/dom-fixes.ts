/** Corrects the mocks' DOM extensions where they differ from Obsidian's. */
type Listener = (this: HTMLElement, event: Event, target: HTMLElement) => unknown;

const delegated = new WeakMap<Listener, WeakMap<HTMLElement, (event: Event) => void>>();

export function fixDom(): void {
  Object.assign(HTMLElement.prototype, {
    find(this: HTMLElement, selector: string) {
      return this.querySelector(selector);
    },
    on(this: HTMLElement, type: string, selector: string, listener: Listener, options?: boolean) {
      const call = (event: Event): void => {
        const hit = event.target instanceof Element && event.target.closest(selector);
        if (hit instanceof HTMLElement && this.contains(hit)) listener.call(this, event, hit);
      };
      const known = delegated.get(listener) ?? new WeakMap<HTMLElement, typeof call>();
      delegated.set(listener, known.set(this, call));
      this.addEventListener(type, call, options);
    },
    off(this: HTMLElement, type: string, _selector: string, listener: Listener, options?: boolean) {
      const call = delegated.get(listener)?.get(this);
      if (call) this.removeEventListener(type, call, options);
    },
  });
  hideFromLoops();
}

/**
 * Makes the extensions of built-in objects non-enumerable, so that `for … in` loops do not see
 * them.
 */
function hideFromLoops(): void {
  for (const extended of [Array.prototype, String.prototype, Object, Array, String, Number, Math]) {
    for (const key of Object.keys(extended)) {
      Object.defineProperty(extended, key, { enumerable: false });
    }
  }
}
