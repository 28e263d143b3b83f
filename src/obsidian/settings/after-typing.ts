/** Postpones what would take the focus from the field of the settings that is being typed in. */

const FIELDS = 'textarea, input:not([type="checkbox"], [type="radio"])';

export class AfterTyping {
  readonly #tab: HTMLElement;
  readonly #waiting = new Map<string, () => void>();
  /** The field that is watched until it is left. */
  #field: Element | null = null;
  #watch = new AbortController();

  /** @param tab element of the settings tab */
  constructor(tab: HTMLElement) {
    this.#tab = tab;
  }

  /**
   * Acts now, or once the field is left if there is one.
   *
   * @param name of the redraw; a later one of the same name replaces it
   */
  run(name: string, act: () => void): void {
    this.#waiting.set(name, act);
    this.#look();
  }

  /** Acts at once, because the fields are about to be removed. */
  flush(): void {
    this.#watch.abort();
    this.#field = null;
    const acts = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const act of acts) act();
  }

  #look(): void {
    const field = this.#typedIn();
    if (!field) this.flush();
    else if (field !== this.#field) this.#follow(field);
  }

  /** The dialog may draw a page outside of the tab's element. */
  #typedIn(): Element | null {
    const { activeElement } = this.#tab.ownerDocument;
    const row = activeElement?.matches(FIELDS) ? activeElement.closest('.setting-item') : null;
    return row && (this.#tab.closest('.modal') ?? this.#tab).contains(row) ? activeElement : null;
  }

  #follow(field: Element): void {
    this.#watch.abort();
    this.#watch = new AbortController();
    this.#field = field;
    const { ownerDocument: document } = field;
    const options = { capture: true, signal: this.#watch.signal };
    let isPressed = false;
    const look = () => {
      this.#field = null;
      this.#look();
    };
    // The user may go to the next field, or only to another window.
    const left = () => document.defaultView?.setTimeout(look);
    document.addEventListener('pointerdown', () => (isPressed = true), options);
    for (const end of ['pointerup', 'pointercancel'] as const) {
      document.addEventListener(
        end,
        () => {
          isPressed = false;
          left();
        },
        options,
      );
    }
    // What is pressed must still be there when the click ends.
    field.addEventListener('blur', () => isPressed || left(), options);
  }
}
