/** Shows what is embedded in the place of its name. */
import type { Ui } from '#ports/ui';
import { decorate } from './decorate';
import { Drawing } from './draw';
import { wholeHtml } from './reading';

/** A note or a picture of the vault. */
export async function showEmbedded(button: HTMLElement, ui: Ui): Promise<void> {
  const link = button.dataset['note'] ?? '';
  const found = await ui.embedded(link);
  if (!found) return ui.openNote(link, 'here');
  if (found.kind === 'picture') return showPicture(button, found.address, button.textContent);
  const { ownerDocument: document } = button;
  const [box, text, name] = [
    document.createElement('div'),
    document.createElement('div'),
    document.createElement('a'),
  ];
  box.className = 'parley-embedded';
  name.className = 'internal-link';
  name.href = '#';
  name.dataset['note'] = link;
  name.textContent = button.textContent;
  box.append(name, text);
  new Drawing(text, ui).draw(wholeHtml(found.text));
  button.replaceWith(box);
  name.focus();
  await decorate(text, ui);
}

export function showRemotePicture(button: HTMLElement): void {
  const address = button.dataset['src'] ?? '';
  if (!/^https?:\/\//i.test(address)) return;
  showPicture(button, address, button.textContent.replace(/^Show picture: | \([^()]*\)$/g, ''));
}

function showPicture(button: HTMLElement, address: string, name: string): void {
  const image = button.ownerDocument.createElement('img');
  image.alt = name;
  image.referrerPolicy = 'no-referrer';
  image.src = address;
  // Who got here by keyboard stays here.
  image.tabIndex = -1;
  button.replaceWith(image);
  image.focus();
}
