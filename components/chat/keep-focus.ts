/**
 * What has the focus may leave the screen with what it belongs to: a card that was decided, a button that has done its
 * work. Browsers then put the focus nowhere, and whoever has only a keyboard would begin again at the window's top.
 */

/** @param lost gives the focus to something that is there */
export function keepFocus(element: HTMLElement, lost: () => void): () => void {
  let held: Element | null = null;
  const took = ({ target }: FocusEvent) => {
    held = target as Element;
  };
  const left = ({ target }: FocusEvent) => {
    // In a moment it is known whether the user went elsewhere, or what they were at is gone.
    queueMicrotask(() => {
      if (held?.isConnected && held === target) held = null;
    });
  };
  const observer = new MutationObserver(() => {
    if (!held || held.isConnected) return;
    held = null;
    const { activeElement, body } = element.ownerDocument;
    if (activeElement === null || activeElement === body) lost();
  });
  element.addEventListener('focusin', took);
  element.addEventListener('focusout', left);
  observer.observe(element, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    element.removeEventListener('focusin', took);
    element.removeEventListener('focusout', left);
  };
}
