/** Popout windows, which share the page's scripts and styles. */

/**
 * Moves an element into a new window.
 *
 * @param closed called after the user has closed the window and its content is gone
 */
export function moveToWindow(element: HTMLElement, closed: () => void): void {
  const popout = window.open('about:blank', '_blank', 'popup,width=560,height=720');
  if (!popout) throw new Error('The browser opens no window for this page.');
  const { document: own } = popout;
  own.title = document.title;
  own.documentElement.className = document.documentElement.className;
  for (const style of document.querySelectorAll('style, link[rel="stylesheet"]')) {
    own.head.append(style.cloneNode(true));
  }
  own.body.className = `${document.body.className} is-popout-window`;
  own.body.append(element);
  const follow = () => {
    own.body.className = `${document.body.className} is-popout-window`;
  };
  const watch = new MutationObserver(follow);
  watch.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  for (const each of [window, popout]) {
    each.addEventListener('focus', () => {
      window.activeWindow = each;
      window.activeDocument = each.document;
    });
  }
  popout.addEventListener('pagehide', () => {
    watch.disconnect();
    closed();
  });
  window.addEventListener('pagehide', () => popout.close());
}
