import { Modal } from 'obsidian-test-mocks/obsidian';
import { inner, afterConstructor, patch } from '../patch';
import { setIcon } from '#workbench/obsidian/icons';

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
      focusedBefore.set(this, document.activeElement);
      this.app.keymap.pushScope(this.scope);
      document.body.append(this.containerEl);
      void this.onOpen();
      if (!this.modalEl.contains(document.activeElement)) focusFirst(this.contentEl);
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
  if (document.activeElement !== edge) return true;
  other?.focus();
  return false;
}
