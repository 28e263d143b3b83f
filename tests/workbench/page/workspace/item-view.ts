/** Header of a view with title and actions, above its content. */
import type { View as ObsidianView } from 'obsidian';
import { ItemView, View } from 'obsidian-test-mocks/obsidian';
import { setIcon } from '#workbench/obsidian/icons';
import { afterConstructor, patch } from '../patch';

const heads = new WeakMap<object, { title: HTMLElement; actions: HTMLElement }>();

export function patchViews(): void {
  afterConstructor(View, 'constructor2__', (view) => {
    view.containerEl.className = 'workspace-leaf-content';
  });
  afterConstructor(ItemView, 'constructor3__', (view) => {
    view.contentEl.className = 'view-content';
    const header = createDiv('view-header');
    const title = header.createDiv('view-header-title');
    heads.set(view, { title, actions: header.createDiv('view-actions') });
    view.containerEl.prepend(header);
  });
  patch(ItemView, {
    addAction(icon, title, callback) {
      const action = createEl('button', {
        cls: 'clickable-icon view-action',
        attr: { 'aria-label': title, title },
      });
      setIcon(action, icon);
      action.addEventListener('click', callback);
      heads.get(this)?.actions.prepend(action);
      return action;
    },
  });
}

export function showTitle(view: ObsidianView, title: string): void {
  heads.get(view)?.title.setText(title);
}
