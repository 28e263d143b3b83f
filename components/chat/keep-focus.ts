/**
 * Keeps the focus in the panel when the focused element is removed, such as a decided approval or a
 * button that has done its work. Browsers would drop the focus, and keyboard users would start at
 * the top of the window.
 */

/** @param lost moves the focus to an element that exists; `near` is what remains around the removed one */
export function keepFocus(element: HTMLElement, lost: (near: Element) => void): () => void {
  let held: Element | null = null;
  let around: readonly Element[] = [];
  const took = ({ target }: FocusEvent) => {
    held = target as Element;
    around = ancestorsOf(held);
  };
  const left = ({ target }: FocusEvent) => {
    // Wait a moment: the user may have moved the focus, or the element is gone.
    queueMicrotask(() => {
      if (held?.isConnected && held === target) held = null;
    });
  };
  const observer = new MutationObserver(() => {
    if (!held || held.isConnected) return;
    held = null;
    const { activeElement, body } = element.ownerDocument;
    if (activeElement !== null && activeElement !== body) return;
    lost(around.find((each) => each.isConnected) ?? element);
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

/** From its parent outward. */
function ancestorsOf({ parentElement }: Element): Element[] {
  return parentElement ? [parentElement, ...ancestorsOf(parentElement)] : [];
}
