/** A group of leaves of which one is shown, with a tab for each. */
import { setIcon } from '#workbench/obsidian/icons';
import type { ShellLeaf } from './shell-leaf';

export type Side = 'left' | 'root' | 'right';

export class TabGroup {
  readonly el: HTMLElement;
  readonly leaves: ShellLeaf[] = [];
  active: ShellLeaf | null = null;
  readonly #tabs: HTMLElement;
  readonly #body: HTMLElement;

  constructor(
    readonly side: Side,
    addTab: (() => void) | null,
  ) {
    this.el = createDiv('workspace-tabs');
    const header = this.el.createDiv('workspace-tab-header-container');
    this.#tabs = header.createDiv({
      cls: 'workspace-tab-header-container-inner',
      attr: { role: 'tablist' },
    });
    if (addTab) {
      const add = header.createEl('button', {
        cls: 'clickable-icon workspace-new-tab',
        attr: { 'aria-label': 'New tab' },
      });
      setIcon(add, 'plus');
      add.addEventListener('click', addTab);
    }
    this.#body = this.el.createDiv('workspace-tab-container');
  }

  add(leaf: ShellLeaf): void {
    this.leaves.push(leaf);
    leaf.group__ = this;
    this.#tabs.append(leaf.tabHeaderEl);
    this.#body.append(leaf.containerEl);
    this.show(leaf);
  }

  remove(leaf: ShellLeaf): void {
    const at = this.leaves.indexOf(leaf);
    if (at < 0) return;
    this.leaves.splice(at, 1);
    leaf.tabHeaderEl.remove();
    leaf.containerEl.remove();
    if (this.active !== leaf) return;
    this.active = null;
    const next = this.leaves[Math.min(at, this.leaves.length - 1)];
    if (next) this.show(next);
  }

  show(leaf: ShellLeaf): void {
    this.active = leaf;
    for (const each of this.leaves) {
      const isShown = each === leaf;
      each.containerEl.toggle(isShown);
      each.tabHeaderEl.toggleClass('is-active', isShown);
      each.tabHeaderEl.setAttribute('aria-selected', String(isShown));
    }
    leaf.onResize();
  }
}
