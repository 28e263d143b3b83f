/** How long to wait until a field is in the page. */
const MAX_FRAMES = 60;

/**
 * Remembers the text field that had the focus when it was removed from the page. A widget is
 * replaced when its note is redrawn, and the field in the new widget takes over the focus.
 */
export class KeptFocus {
  #field: HTMLTextAreaElement | null = null;

  focused(field: HTMLTextAreaElement): void {
    this.#field = field;
  }

  /**
   * @param next the element that has the focus now, if any
   * @returns false if this is not the field that had the focus last
   */
  blurred(field: HTMLTextAreaElement, next: EventTarget | null): boolean {
    if (field !== this.#field) return false;
    // If the whole window has lost the focus, the field gets it back together with the window.
    const isLeft = field.isConnected && field.ownerDocument.activeElement !== field;
    if (next !== null || isLeft) this.#field = null;
    return true;
  }

  /**
   * Focuses the field that replaces the removed one, unless another element has the focus. Reading
   * view draws a section before it is in the page.
   */
  giveTo(field: HTMLTextAreaElement, framesLeft = MAX_FRAMES): void {
    const before = this.#field;
    const { activeElement, body, defaultView } = field.ownerDocument;
    const isFree = activeElement === null || activeElement === body;
    if (!isFree || before === null || before.isConnected) return;
    if (field.isConnected) {
      field.focus({ preventScroll: true });
      field.setSelectionRange(before.selectionStart, before.selectionEnd);
    } else if (framesLeft > 0) {
      (defaultView ?? window).requestAnimationFrame(() => this.giveTo(field, framesLeft - 1));
    }
  }

  forget(): void {
    this.#field = null;
  }
}
