/** Windows besides the main one, and elements that move between windows. */

/** @param closed called after the user has closed the window and its content is gone */
export function openWindow(closed: () => void): Window {
  const popout = window.open('about:blank', '_blank', 'popup,width=560,height=720');
  if (!popout) throw new Error('The browser opens no window for this page.');
  const { document: own } = popout;
  own.title = document.title;
  own.documentElement.className = document.documentElement.className;
  for (const style of document.querySelectorAll('style, link[rel="stylesheet"]')) {
    own.head.append(style.cloneNode(true));
  }
  const follow = () => {
    own.body.className = `${document.body.className} is-popout-window`;
  };
  follow();
  const watch = new MutationObserver(follow);
  watch.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  followUse(popout);
  popout.addEventListener('pagehide', () => {
    watch.disconnect();
    if (window.activeWindow === popout) activate(window);
    closed();
  });
  window.addEventListener('pagehide', () => popout.close());
  return popout;
}

export function activate(own: Window): void {
  window.activeWindow = own;
  window.activeDocument = own.document;
}

/** Makes a window the active one as soon as it is used. */
export function followUse(own: Window): void {
  for (const event of ['focus', 'focusin', 'pointerdown', 'keydown'] as const) {
    own.addEventListener(event, () => activate(own), true);
  }
}

interface Watched {
  readonly element: HTMLElement;
  readonly listener: (own: Window) => unknown;
  own: Window | null;
}

const watched = new Set<Watched>();

/** `onWindowMigrated` of an element. */
export function onWindowMigrated(
  this: HTMLElement,
  listener: (own: Window) => unknown,
): () => void {
  const each = { element: this, listener, own: this.ownerDocument.defaultView };
  watched.add(each);
  return () => void watched.delete(each);
}

/** Calls the listeners of all elements that are in another window than before. */
export function announceMigrations(): void {
  for (const each of [...watched]) {
    const now = each.element.ownerDocument.defaultView;
    if (now === null || now === each.own) continue;
    each.own = now;
    each.listener(now);
  }
}
