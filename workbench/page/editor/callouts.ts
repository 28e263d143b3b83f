/** Renders quotes that begin with `[!note]` as callouts in reading view. */
import { setIcon } from '#workbench/obsidian/icons';

export function drawCallouts(section: HTMLElement): void {
  for (const quote of [...section.querySelectorAll('blockquote')].reverse()) {
    const first = quote.firstElementChild;
    const lead = first?.firstChild;
    const head = /^\[!([^\]|]+)(\|[^\]]*)?\]([+-]?) ?/.exec(lead?.textContent ?? '');
    if (!head || first?.localName !== 'p' || !(lead instanceof Text)) continue;
    const [marker, kind = '', , fold = ''] = head;
    lead.replaceData(0, marker.length, '');
    const box = createDiv({ cls: 'callout', attr: { 'data-callout': kind.toLowerCase() } });
    box.dataset['calloutFold'] = fold;
    const title = box.createDiv('callout-title');
    const icon = title.createDiv('callout-icon');
    const words = title.createDiv('callout-title-inner');
    while (first.firstChild && first.firstChild.nodeName !== 'BR') words.append(first.firstChild);
    first.firstChild?.remove();
    if (words.textContent?.trim() === '') {
      words.setText(kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase());
    }
    if (!first.hasChildNodes()) first.remove();
    if (quote.children.length > 0) box.createDiv('callout-content').append(...quote.childNodes);
    quote.replaceWith(box);
    const named = getComputedStyle(box).getPropertyValue('--callout-icon').trim();
    setIcon(icon, named || 'lucide-pencil');
    if (fold === '') continue;
    box.addClass('is-collapsible');
    box.toggleClass('is-collapsed', fold === '-');
    title.createDiv('callout-fold');
    title.addEventListener('click', () => box.classList.toggle('is-collapsed'));
  }
}
