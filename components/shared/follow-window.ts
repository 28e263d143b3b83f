/**
 * Work in the window of an element, such as observing its size. It ends when that window is closed,
 * so it starts again when the element is moved to another window.
 */

/** @returns ends the work, if there is something to end */
type StartWork = (own: typeof window) => (() => void) | undefined;

interface FollowedElement {
  readonly element: Element;
  readonly start: StartWork;
  own: Window | null;
  end: (() => void) | undefined;
}

const followed = new Set<FollowedElement>();

/** @returns ends the work */
export function followWindow(element: Element, start: StartWork): () => void {
  const each: FollowedElement = { element, start, own: null, end: undefined };
  followed.add(each);
  startAgain(each);
  return () => {
    followed.delete(each);
    each.end?.();
  };
}

/** To be called when an element has been moved to another window with all that is in it. */
export function windowChanged(root: Element): void {
  for (const each of [...followed]) if (root.contains(each.element)) startAgain(each);
}

function startAgain(each: FollowedElement): void {
  const own = each.element.ownerDocument.defaultView;
  if (!own || own === each.own) return;
  each.end?.();
  each.own = own;
  each.end = each.start(own);
}

/** Calls back when one of the elements changes its size. Without layout there is nothing to do. */
export function observeSizes(elements: readonly Element[], changed: () => void): () => void {
  const ends = elements.map((element) =>
    followWindow(element, ({ ResizeObserver: Observer }) => {
      if (!Observer) return undefined;
      const observer = new Observer(changed);
      observer.observe(element);
      return () => observer.disconnect();
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}

/** Calls back when the element comes into view and when it goes out of it. */
export function observeView(element: Element, changed: (isInView: boolean) => void): () => void {
  return followWindow(element, ({ IntersectionObserver: Observer }) => {
    if (!Observer) return undefined;
    const observer = new Observer((entries) => changed(entries.at(-1)?.isIntersecting ?? false));
    observer.observe(element);
    return () => observer.disconnect();
  });
}
