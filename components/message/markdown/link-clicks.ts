/** What a click into a drawn answer means. */
import type { Ui } from '#ports/ui';
import type { DrawingHost } from './patch-dom';
import { showEmbedded, showRemotePicture } from './embeds';

const MEANT =
  'a[data-note], a.tag, a.footnote-link, button.parley-copy, button.parley-embed, button.parley-picture';

/** Clicks anywhere in the blocks. */
export function clicked(event: MouseEvent, host: DrawingHost): void {
  const { ui } = host;
  const target = (event.target as Element | null)?.closest<HTMLElement>(MEANT);
  if (!target) return;
  event.preventDefault();
  // In a note, the host would follow the link once more.
  event.stopPropagation();
  const note = target.dataset['note'] ?? '';
  const where = event.ctrlKey || event.metaKey || event.button === 1 ? 'tab' : 'here';
  if (target.matches('.parley-copy')) void copyCode(target, ui);
  else if (target.matches('.parley-embed')) void showEmbedded(target, host);
  else if (target.matches('.parley-picture')) showRemotePicture(target);
  else if (target.matches('.tag')) ui.searchTag(target.textContent);
  else if (target.matches('.footnote-link')) goToOtherEnd(target);
  else ui.openNote(note, where);
}

/** Shows the note behind a link that is hovered over. */
export function hovered(event: MouseEvent, ui: Ui): void {
  const link = (event.target as Element | null)?.closest<HTMLElement>('[data-note]');
  if (link) ui.previewNote(event, link.dataset['note'] ?? '', link);
}

/** From a footnote's number to its text, and back. */
function goToOtherEnd(link: HTMLElement): void {
  const { footnote } = link.dataset;
  const isBack = link.matches('.footnote-backref');
  const ends = link.closest('.markdown-rendered')?.querySelectorAll<HTMLElement>('.footnote-link');
  const other = [...(ends ?? [])].find(
    (each) => each.dataset['footnote'] === footnote && each.matches('.footnote-backref') !== isBack,
  );
  other?.scrollIntoView({ block: 'nearest' });
  other?.focus();
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
