/** What appears above the page: modals, suggestions, menus and notices. */
import type { FuzzyMatch } from 'obsidian';
import {
  FuzzySuggestModal,
  Menu,
  MenuItem,
  Modal,
  Notice,
  prepareFuzzySearch,
  SuggestModal,
} from 'obsidian-test-mocks/obsidian';
import { setIcon } from '../obsidian/icons';
import { renderMatches } from './functions';
import { afterConstructor, inner, patch } from './patch';

const focusedBefore = new WeakMap<Modal, Element | null>();

export function patchModal(): void {
  afterConstructor(Modal, 'constructor__', (modal) => {
    const { containerEl, modalEl, titleEl, contentEl, scope } = modal;
    containerEl.className = 'modal-container mod-dim';
    const behind = createDiv('modal-bg');
    containerEl.prepend(behind);
    modalEl.className = 'modal';
    modalEl.setAttribute('role', 'dialog');
    modalEl.setAttribute('aria-modal', 'true');
    const close = createDiv({
      cls: 'modal-close-button clickable-icon',
      attr: { 'aria-label': 'Close', role: 'button', tabindex: '0' },
    });
    setIcon(close, 'x');
    const header = createDiv('modal-header');
    titleEl.className = 'modal-title';
    contentEl.className = 'modal-content';
    header.append(titleEl);
    modalEl.replaceChildren(close, header, contentEl);
    for (const way of [behind, close]) way.addEventListener('click', () => modal.close());
    scope.register([], 'Escape', () => {
      modal.close();
      return false;
    });
    scope.register(null, 'Tab', (event) => keepFocusInside(modalEl, event));
  });

  patch(Modal, {
    open() {
      if (focusedBefore.has(this)) return;
      const own = activeDocument;
      focusedBefore.set(this, own.activeElement);
      this.app.keymap.pushScope(this.scope);
      own.body.append(this.containerEl);
      void this.onOpen();
      if (!this.modalEl.contains(own.activeElement)) focusFirst(this.contentEl);
    },

    close() {
      const before = focusedBefore.get(this);
      if (!focusedBefore.delete(this)) return;
      this.app.keymap.popScope(this.scope);
      this.containerEl.remove();
      this.onClose();
      inner<{ closeCallback: (() => void) | null }>(this).closeCallback?.();
      if (this.shouldRestoreSelection && before instanceof HTMLElement) before.focus();
    },
  });
}

const FOCUSABLE = 'input, select, textarea, button, a[href], [tabindex="0"]';

function focusFirst(within: HTMLElement): void {
  within.querySelector<HTMLElement>(FOCUSABLE)?.focus();
}

function keepFocusInside(modalEl: HTMLElement, event: KeyboardEvent): boolean {
  const stops = [...modalEl.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((el) => el.isShown());
  const [edge, other] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (modalEl.ownerDocument.activeElement !== edge) return true;
  other?.focus();
  return false;
}

interface Shown {
  values: unknown[];
  selected: number;
  /** Counter that identifies the latest query, so that late results of an older one are dropped. */
  turn: number;
}

const shownBy = new WeakMap<object, Shown>();

function shown(modal: object): Shown {
  const known = shownBy.get(modal) ?? { values: [], selected: 0, turn: 0 };
  shownBy.set(modal, known);
  return known;
}

/** `SuggestModal` and `FuzzySuggestModal`, as used by the command palette. */
export function patchSuggestModals(): void {
  afterConstructor(SuggestModal<unknown>, 'constructor2__', (modal) => {
    const { modalEl, inputEl, resultContainerEl, scope } = modal;
    modalEl.className = 'prompt';
    inputEl.className = 'prompt-input';
    inputEl.type = 'text';
    resultContainerEl.className = 'prompt-results';
    const container = createDiv('prompt-input-container');
    container.append(inputEl);
    modalEl.replaceChildren(container, resultContainerEl);
    inputEl.addEventListener('input', () => void suggest(modal));
    const move = (by: number) => () => {
      const { values, selected } = shown(modal);
      if (values.length > 0) select(modal, (selected + by + values.length) % values.length);
      return false;
    };
    scope.register([], 'ArrowDown', move(1));
    scope.register([], 'ArrowUp', move(-1));
    scope.register([], 'Enter', (event) => {
      modal.selectActiveSuggestion(event);
      return false;
    });
  });

  patch(SuggestModal<unknown>, {
    open() {
      Modal.prototype.open.call(this);
      this.inputEl.focus();
      void suggest(this);
    },
    selectActiveSuggestion(event) {
      const { values, selected } = shown(this);
      if (selected < values.length) this.selectSuggestion(values[selected], event);
    },
    selectSuggestion(value, event) {
      this.close();
      this.onChooseSuggestion(value, event);
    },
  });

  patch(FuzzySuggestModal<unknown>, {
    getSuggestions(query) {
      return fuzzyMatches(this, query);
    },
    renderSuggestion(match, el) {
      renderMatch(this, match, el);
    },
    onChooseSuggestion({ item }, event) {
      this.onChooseItem(item, event);
    },
  });
}

/** Implements the methods that the mocks leave abstract. */
export abstract class FuzzyModal<Item> extends FuzzySuggestModal<Item> {
  override getSuggestions(query: string): FuzzyMatch<Item>[] {
    return fuzzyMatches(this, query);
  }

  override renderSuggestion(match: FuzzyMatch<Item>, el: HTMLElement): void {
    renderMatch(this, match, el);
  }
}

function fuzzyMatches<Item>(modal: FuzzySuggestModal<Item>, query: string): FuzzyMatch<Item>[] {
  const wanted = query.trim();
  const find = prepareFuzzySearch(wanted);
  const found = modal.getItems().flatMap((item): FuzzyMatch<Item>[] => {
    const match = wanted === '' ? { score: 0, matches: [] } : find(modal.getItemText(item));
    return match ? [{ item, match }] : [];
  });
  // Items that contain the query literally come before fuzzy matches.
  const rank = ({ item }: FuzzyMatch<Item>): number =>
    modal.getItemText(item).toLowerCase().includes(wanted.toLowerCase()) ? 0 : 1;
  return found.sort((one, other) => rank(one) - rank(other));
}

function renderMatch<Item>(
  modal: FuzzySuggestModal<Item>,
  { item, match }: FuzzyMatch<Item>,
  el: HTMLElement,
): void {
  renderMatches(el, modal.getItemText(item), match.matches);
}

async function suggest(modal: SuggestModal<unknown>): Promise<void> {
  const state = shown(modal);
  const turn = ++state.turn;
  const all = await modal.getSuggestions(modal.inputEl.value);
  if (turn !== state.turn) return;
  state.values = all.slice(0, modal.limit || 100);
  const { resultContainerEl } = modal;
  resultContainerEl.empty();
  for (const [index, value] of state.values.entries()) {
    const el = resultContainerEl.createDiv('suggestion-item');
    modal.renderSuggestion(value, el);
    el.addEventListener('click', (event) => modal.selectSuggestion(value, event));
    el.addEventListener('mousemove', () => select(modal, index));
  }
  if (state.values.length > 0) return select(modal, 0);
  modal.onNoSuggestion();
  resultContainerEl.createDiv({ cls: 'suggestion-empty', text: modal.emptyStateText });
}

function select(modal: SuggestModal<unknown>, index: number): void {
  shown(modal).selected = index;
  for (const [at, el] of [...modal.resultContainerEl.children].entries()) {
    el.classList.toggle('is-selected', at === index);
    if (at === index) el.scrollIntoView({ block: 'nearest' });
  }
}

/** The open menu, and how to stop listening for events that close it. */
let open: { menu: Menu; stop(): void } | null = null;

export function patchMenus(): void {
  patch(Menu, {
    showAtMouseEvent(event) {
      event.preventDefault();
      return show(this, event.clientX, event.clientY, event.view?.document);
    },
    showAtPosition({ x, y }, doc) {
      return show(this, x, y, doc);
    },
    hide() {
      if (open?.menu !== this) return this;
      open.stop();
      open = null;
      this.dom__.remove();
      inner<{ onHideCallback: (() => void) | null }>(this).onHideCallback?.();
      return this;
    },
    close() {
      this.hide();
    },
  });
  Object.assign(MenuItem.prototype, {
    setSubmenu(this: MenuItem) {
      return this.setSubmenu__();
    },
  });
}

/** @param doc document of the window in which the menu opens */
function show(menu: Menu, x: number, y: number, doc = document): Menu {
  open?.menu.hide();
  const { dom__: dom } = menu;
  const win = doc.defaultView ?? window;
  dom.className = 'menu';
  dom.setAttribute('role', 'menu');
  dom.empty();
  addItems(menu, menu.items__, dom);
  doc.body.append(dom);
  dom.style.left = `${Math.max(4, Math.min(x, win.innerWidth - dom.offsetWidth - 4))}px`;
  dom.style.top = `${Math.max(4, Math.min(y, win.innerHeight - dom.offsetHeight - 4))}px`;
  open = { menu, stop: closeFromOutside(menu, win) };
  dom.querySelector<HTMLElement>('.menu-item:not(.is-label)')?.focus();
  return menu;
}

function addItems(menu: Menu, items: Menu['items__'], dom: HTMLElement): void {
  for (const item of items) {
    if (!(item instanceof MenuItem)) dom.createDiv('menu-separator');
    else addItem(menu, item, dom);
  }
}

function addItem(menu: Menu, item: MenuItem, dom: HTMLElement): void {
  const { title__, icon__, checked__, disabled__, isLabel__, warning__, submenu__ } = item;
  if (isLabel__) {
    dom.createDiv({ cls: 'menu-item is-label' }).append(title__);
    return;
  }
  const el = dom.createDiv({
    cls: 'menu-item tappable',
    attr: { role: 'menuitem', tabindex: '-1' },
  });
  el.toggleClass('is-disabled', disabled__);
  el.toggleClass('is-warning', warning__);
  const picture = el.createDiv('menu-item-icon');
  const icon = checked__ ? 'check' : icon__;
  if (icon) setIcon(picture, icon);
  el.createDiv('menu-item-title').append(title__);
  // Submenus are shown as a heading with their items below.
  if (submenu__) {
    el.addClass('is-label');
    return addItems(menu, submenu__.items__, dom);
  }
  if (disabled__) return;
  // One row is highlighted, by the pointer or by a key.
  el.addEventListener('mousemove', () => el.focus());
  el.addEventListener('click', (event) => {
    menu.hide();
    item.onClick__?.(event);
  });
}

function closeFromOutside(menu: Menu, win: Window): () => void {
  const { dom__: dom } = menu;
  const onPointer = ({ target }: Event): void => {
    if (!dom.contains(target as Node | null)) menu.hide();
  };
  const onKey = (event: KeyboardEvent): void => {
    const items = [...dom.querySelectorAll<HTMLElement>('.menu-item:not(.is-disabled, .is-label)')];
    const at = items.findIndex((item) => item === win.document.activeElement);
    if (event.key === 'Escape') menu.hide();
    else if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items.at((at < 0 ? 0 : at) - 1)?.focus();
    else if (event.key === 'Enter') items[at]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  win.addEventListener('pointerdown', onPointer, true);
  win.addEventListener('keydown', onKey, true);
  return () => {
    win.removeEventListener('pointerdown', onPointer, true);
    win.removeEventListener('keydown', onKey, true);
  };
}

const USUAL_MS = 5_000;

export function patchNoticeLooks(): void {
  afterConstructor(Notice, 'constructor__', (notice, _message: unknown, duration: unknown) => {
    const { noticeEl, messageEl } = notice;
    noticeEl.className = 'notice';
    noticeEl.setAttribute('role', 'status');
    messageEl.className = 'notice-message';
    noticeEl.append(messageEl);
    notice.containerEl = noticeEl;
    const list =
      document.querySelector('.notice-container') ?? document.body.createDiv('notice-container');
    list.append(noticeEl);
    noticeEl.addEventListener('click', () => notice.hide());
    const ms = typeof duration === 'number' ? duration : USUAL_MS;
    if (ms > 0) window.setTimeout(() => notice.hide(), ms);
  });
  patch(Notice, {
    hide() {
      this.noticeEl.remove();
    },
  });
}
