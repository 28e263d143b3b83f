/** A visible leaf: a pane with its view, and a tab. */
import type { OpenViewState, TFile as ObsidianFile, View, ViewState } from 'obsidian';
import type { App, TFile } from 'obsidian-test-mocks/obsidian';
import { setIcon } from '#workbench/obsidian/icons';
import { HostLeaf } from '#workbench/obsidian/leaf';
import { showTitle } from './item-view';
import type { ShellWorkspace } from './shell-workspace';
import type { TabGroup } from './tab-group';

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

  get #workspace(): ShellWorkspace {
    return this.app__.workspace as ShellWorkspace;
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
