/** Puts a block's clean nodes in place, and does what a click on them means. */
import type { Ui } from '#ports/ui';
import { sanitise } from './sanitise';

/** Replaces what `element` holds. Listeners are not needed: clicks are heard by whoever holds the blocks. */
export function drawBlock(element: HTMLElement, html: string, ui: Ui): void {
  const document = element.ownerDocument;
  const window = document.defaultView;
  if (!window) return;
  const fragment = sanitise(html, window);
  for (const pre of fragment.querySelectorAll('pre')) addCopyButton(pre, document, ui);
  for (const table of fragment.querySelectorAll('table')) {
    const frame = document.createElement('div');
    frame.className = 'parley-table';
    table.replaceWith(frame);
    frame.append(table);
  }
  element.replaceChildren(fragment);
}

function addCopyButton(pre: HTMLPreElement, document: Document, ui: Ui): void {
  const frame = document.createElement('div');
  frame.className = 'parley-code';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'parley-copy clickable-icon';
  button.setAttribute('aria-label', 'Copy code');
  ui.setIcon(button, 'copy');
  pre.replaceWith(frame);
  frame.append(pre, button);
  // Wide code is scrolled, by keyboard too.
  pre.tabIndex = 0;
}

/** Clicks anywhere in the blocks. */
export function clicked(event: MouseEvent, ui: Ui): void {
  const target = event.target as Element | null;
  const link = target?.closest<HTMLElement>('a[data-note]');
  if (link) {
    event.preventDefault();
    const where = event.ctrlKey || event.metaKey || event.button === 1 ? 'tab' : 'here';
    ui.openNote(link.dataset['note'] ?? '', where);
    return;
  }
  const copy = target?.closest<HTMLElement>('button.parley-copy');
  if (copy) {
    void copyCode(copy, ui);
    return;
  }
  const picture = target?.closest<HTMLElement>('button.parley-picture');
  if (picture) showPicture(picture);
}

/** Shows the note behind a link that is hovered over. */
export function hovered(event: MouseEvent, ui: Ui): void {
  const link = (event.target as Element | null)?.closest<HTMLElement>('a[data-note]');
  if (link) ui.previewNote(event, link.dataset['note'] ?? '', link);
}

async function copyCode(button: HTMLElement, ui: Ui): Promise<void> {
  const text = button.parentElement?.querySelector('pre')?.textContent ?? '';
  try {
    await ui.copy(text.replace(/\n$/, ''));
  } catch {
    ui.notice('The clipboard is not available.');
    return;
  }
  ui.setIcon(button, 'check');
  button.setAttribute('aria-label', 'Copied');
  button.ownerDocument.defaultView?.setTimeout(() => {
    ui.setIcon(button, 'copy');
    button.setAttribute('aria-label', 'Copy code');
  }, 1500);
}

function showPicture(button: HTMLElement): void {
  const address = button.dataset['src'] ?? '';
  if (!/^https?:\/\//i.test(address)) return;
  const image = button.ownerDocument.createElement('img');
  image.alt = button.textContent.replace(/^Show picture: /, '');
  image.referrerPolicy = 'no-referrer';
  image.src = address;
  button.replaceWith(image);
}
