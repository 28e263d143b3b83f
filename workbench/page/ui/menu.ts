import { Menu, MenuItem } from 'obsidian-test-mocks/obsidian';
import { inner, patch } from '../patch';
import { setIcon } from '#workbench/obsidian/icons';

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
