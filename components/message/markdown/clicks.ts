/** What a click into a drawn answer means. */
import type { Ui } from '#ports/ui';

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
