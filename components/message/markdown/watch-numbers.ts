/** Shows the source of a number in an answer on hover and focus, and opens it on click. */
import type { Citations } from '#model/passage';
import type { SourceCard, ShownSource } from '#stores/source-card';

export function watchNumbers(
  text: HTMLElement,
  citations: () => Citations,
  card: SourceCard,
): () => void {
  const sourceAt = ({ target }: Event): ShownSource | null => {
    const anchor = (target as Element).closest<HTMLElement>('.parley-cite');
    const number = Number(anchor?.dataset['source']);
    const passage = citations().sources[number - 1];
    return anchor && passage ? { anchor, number, passage } : null;
  };
  const enter = (event: Event) => {
    const source = sourceAt(event);
    if (source) card.show(source);
  };
  const leave = (event: Event) => {
    if (sourceAt(event)) card.leave();
  };
  const open = (event: Event) => {
    const source = sourceAt(event);
    // The link of a page leads to it.
    if (!source || source.passage.kind === 'page') return;
    event.preventDefault();
    const { ctrlKey, metaKey, button } = event as MouseEvent;
    const inTab = ctrlKey || metaKey || button === 1;
    void card.open(source.passage, inTab ? 'tab' : 'here');
  };
  const listeners: Readonly<Record<string, (event: Event) => void>> = {
    ...{ mouseover: enter, focusin: enter, mouseout: leave, focusout: leave },
    ...{ click: open, auxclick: open },
  };
  const all = Object.entries(listeners);
  for (const [type, listener] of all) text.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of all) text.removeEventListener(type, listener);
  };
}
