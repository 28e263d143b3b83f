/**
 * Makes a list one Tab stop. Arrow keys, Home and End move between its rows, which are the elements
 * with `data-row`; the other buttons of a row can be reached with Tab only from that row.
 */
export interface RovingListOptions {
  /** Called for ArrowUp on the first row. */
  onbefore?(): void;
}

export function rovingList(list: HTMLElement, { onbefore }: RovingListOptions = {}): () => void {
  let active: HTMLElement | null = null;
  const rows = () => [...list.querySelectorAll<HTMLElement>('[data-row]')];

  const activate = (row: HTMLElement | null) => {
    active = row;
    const item = row?.closest('li') ?? null;
    for (const button of list.querySelectorAll('button')) {
      const isOther = !button.hasAttribute('data-row') && (item?.contains(button) ?? true);
      button.tabIndex = button === row || isOther ? 0 : -1;
    }
  };
  /** Rows come and go, so one of them must always be the active one. */
  const update = () => {
    const isThere = active?.isConnected === true && list.contains(active);
    const current = list.querySelector<HTMLElement>('[data-row][aria-current="true"]');
    activate(isThere ? active : (current ?? rows()[0] ?? null));
  };
  const focused = ({ target }: FocusEvent) => {
    const row = rowOf(target as HTMLElement);
    if (row) activate(row);
  };
  const pressed = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target.matches('input, select, textarea')) return;
    const all = rows();
    const at = all.indexOf(rowOf(target) as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    if (to < 0) onbefore?.();
    else all[Math.min(to, all.length - 1)]?.focus();
  };

  update();
  const observer = new MutationObserver(update);
  observer.observe(list, { childList: true, subtree: true });
  list.addEventListener('focusin', focused);
  list.addEventListener('keydown', pressed);
  return () => {
    observer.disconnect();
    list.removeEventListener('focusin', focused);
    list.removeEventListener('keydown', pressed);
  };
}

/** The row of an element, or the first row of its list item. */
function rowOf(element: HTMLElement): HTMLElement | null {
  const row = element.closest<HTMLElement>('[data-row]');
  return row ?? element.closest('li')?.querySelector<HTMLElement>('[data-row]') ?? null;
}

/** Moves the focus to the row that Tab would lead to. Returns false if the list is empty. */
export function focusActiveRow(list: HTMLElement): boolean {
  const row = list.querySelector<HTMLElement>('[data-row][tabindex="0"]');
  row?.focus();
  return row !== null;
}
