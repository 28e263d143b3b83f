/** Shows what is embedded in the place of its name. */
import type { Embedded } from '#ports/ui';
import { Blocks } from './blocks';
import { decorate } from './decorate';
import { Drawing, type DrawingHost } from './patch-dom';

/** A note or a picture of the vault. */
export async function showEmbedded(button: HTMLElement, host: DrawingHost): Promise<void> {
  const link = button.dataset['note'] ?? '';
  const found = await embedded(link, host);
  if (!found) return host.ui.openNote(link, 'here');
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
  drawNote(text, found.text, host);
  button.replaceWith(box);
  name.focus();
  await decorate(text, host);
}

async function embedded(link: string, { ui, report }: DrawingHost): Promise<Embedded | null> {
  try {
    return await ui.embedded(link);
  } catch (error) {
    report('embedded note', error);
    return null;
  }
}

function drawNote(place: HTMLElement, text: string, host: DrawingHost): void {
  const blocks = new Blocks((error) => host.report('block of text', error));
  blocks.update(text, true);
  for (const block of blocks.list) {
    const element = place.ownerDocument.createElement('div');
    new Drawing(element, host).draw(block);
    place.append(element);
  }
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
