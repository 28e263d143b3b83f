/** Postpones what would take the focus from the field of the settings that is being typed in. */

const FIELDS = 'textarea, input:not([type="checkbox"], [type="radio"])';
/** What a click leaves a field for must still be there when the click ends. */
const CLICK_MS = 300;

export class AfterTyping {
  readonly #tab: HTMLElement;
  readonly #waiting = new Map<string, () => void>();

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
    const acts = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const act of acts) act();
  }

  #look(): void {
    const field = this.#typedIn();
    if (field) field.addEventListener('blur', this.#left, { once: true });
    else this.flush();
  }

  /** The user may go to the next field, or only to another window. */
  readonly #left = (): void => void window.setTimeout(() => this.#look(), CLICK_MS);

  /** The dialog may draw a page outside of the tab's element. */
  #typedIn(): Element | null {
    const { activeElement } = this.#tab.ownerDocument;
    const row = activeElement?.matches(FIELDS) ? activeElement.closest('.setting-item') : null;
    return row && (this.#tab.closest('.modal') ?? this.#tab).contains(row) ? activeElement : null;
  }
}
