/**
 * Remembers that a text field had the focus when it was removed from the page. The widget of an edit
 * is replaced when its note is redrawn, and the user types on in the field that takes its place.
 */
export class KeptFocus {
  #field: HTMLElement | null = null;

  focused(field: HTMLElement): void {
    this.#field = field;
  }

  /** Returns false if another field has got the focus before. */
  blurred(field: HTMLElement): boolean {
    if (field !== this.#field) return false;
    // If the whole window has lost the focus, the field has it again with the window.
    if (field.isConnected && field.ownerDocument.activeElement !== field) this.#field = null;
    return true;
  }

  /** Focuses the field that replaces the removed one, unless something else has the focus now. */
  giveTo(field: HTMLElement): void {
    const { activeElement, body } = field.ownerDocument;
    const isFree = activeElement === null || activeElement === body;
    if (isFree && this.#field?.isConnected === false) field.focus();
  }

  drop(): void {
    this.#field = null;
  }
}
