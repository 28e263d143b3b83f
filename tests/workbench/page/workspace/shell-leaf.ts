/** A visible leaf: a pane with its view, and a tab. */
import type { OpenViewState, TFile as ObsidianFile, View, ViewState } from 'obsidian';
import type { App, TFile } from 'obsidian-test-mocks/obsidian';
import { setIcon } from '../../obsidian/icons';
import { HostLeaf } from '../../obsidian/leaf';
import { showTitle } from './item-view';
import type { HostWorkspace } from '../../obsidian/workspace';

/** The workspace that shows the leaf. */
interface LeafWorkspace extends HostWorkspace {
  setActiveLeaf(leaf: ShellLeaf, how?: { focus?: boolean }): void;
  viewTypeFor(extension: string): string;
  fileShown(leaf: ShellLeaf): void;
  leafGone(leaf: ShellLeaf): void;
  splitOf(leaf: ShellLeaf): unknown;
}

export class ShellLeaf extends HostLeaf {
  readonly containerEl = createDiv('workspace-leaf');
  readonly tabHeaderEl = createDiv({
    cls: 'workspace-tab-header tappable',
    attr: { role: 'tab', tabindex: '0' },
  });
  group__: TabGroup | null = null;

  constructor(app: App, id?: string) {
    super(app, id);
    const activate = (): void => this.#workspace.setActiveLeaf(this, { focus: true });
    this.tabHeaderEl.addEventListener('click', activate);
    this.tabHeaderEl.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter' || key === ' ') activate();
    });
    this.tabHeaderEl.addEventListener('auxclick', ({ button }) => {
      if (button === 1) this.detach();
    });
    this.containerEl.addEventListener('focusin', () => this.#workspace.setActiveLeaf(this));
    this.containerEl.addEventListener('pointerdown', () => this.#workspace.setActiveLeaf(this));
    this.#place();
  }

  get #workspace(): LeafWorkspace {
    return this.app__.workspace as LeafWorkspace;
  }

  override async open(view: View): Promise<View> {
    await super.open(view);
    // Opening may have changed the view's title.
    this.updateHeader();
    return view;
  }

  protected override showView(): void {
    this.#place();
  }

  override async openFile(file: TFile | ObsidianFile, state: OpenViewState = {}): Promise<void> {
    const type = this.#workspace.viewTypeFor(file.extension);
    await this.setViewState(
      { type, state: { ...state.state, file: file.path }, active: state.active !== false },
      state.eState,
    );
  }

  override async setViewState(
    state: ViewState,
    ephemeral?: Record<string, unknown>,
  ): Promise<void> {
    await super.setViewState(state, ephemeral);
    this.#place();
    if (ephemeral) this.view?.setEphemeralState(ephemeral);
    this.#workspace.fileShown(this);
  }

  override detach(): void {
    super.detach();
    this.#workspace.leafGone(this);
  }

  override getRoot(): never {
    return this.#workspace.splitOf(this) as never;
  }

  updateHeader(): void {
    const { view, tabHeaderEl } = this;
    const title = view?.getDisplayText() ?? 'New tab';
    tabHeaderEl.replaceChildren();
    tabHeaderEl.dataset['type'] = view?.getViewType() ?? 'empty';
    tabHeaderEl.setAttribute('aria-label', title);
    setIcon(tabHeaderEl.createSpan('workspace-tab-header-inner-icon'), view?.getIcon() || 'file');
    tabHeaderEl.createSpan({ cls: 'workspace-tab-header-inner-title', text: title });
    const close = tabHeaderEl.createSpan({
      cls: 'workspace-tab-header-inner-close-button clickable-icon',
      attr: { 'aria-label': 'Close' },
    });
    setIcon(close, 'x');
    close.addEventListener('click', (event) => {
      event.stopPropagation();
      this.detach();
    });
    if (view) showTitle(view, title);
  }

  #place(): void {
    const { view, containerEl } = this;
    if (!view) return;
    view.containerEl.dataset['type'] = view.getViewType();
    if (view.containerEl.parentElement !== containerEl)
      containerEl.replaceChildren(view.containerEl);
    this.updateHeader();
  }
}

export type Side = 'left' | 'root' | 'right';

/** A group of leaves of which one is shown, with a tab for each. */
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
