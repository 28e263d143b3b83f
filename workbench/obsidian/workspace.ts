import type { Constructor, View, ViewState } from 'obsidian';
import { Workspace, WorkspaceLeaf, type App, type TFile } from 'obsidian-test-mocks/obsidian';
import type { WorkbenchApp } from './app.ts';

/** A place for a view. Without a shell nothing shows it, but its view lives as it would on screen. */
export class HostLeaf extends WorkspaceLeaf {
  constructor(app: App, id?: string) {
    super(app, id);
  }

  override async open(view: View): Promise<View> {
    await this.#closeView();
    this.view = view;
    view.load();
    await lifecycleOf(view).onOpen();
    return view;
  }

  override async setViewState(
    state: ViewState,
    ephemeral?: Record<string, unknown>,
  ): Promise<void> {
    await super.setViewState(state, ephemeral);
    if (this.view?.getViewType() !== state.type) {
      const app = this.app__ as WorkbenchApp;
      const create = app.registrations.views.get(state.type);
      if (create) await this.open(create(this.asOriginalType3__()));
      else await this.#closeView();
    }
    await this.view?.setState(state.state ?? {}, { history: false });
    const { workspace } = this.app__;
    if (state.active) workspace.setActiveLeaf(this);
    workspace.trigger('layout-change');
  }

  override detach(): void {
    void this.#closeView();
    super.detach();
    this.app__.workspace.trigger('layout-change');
  }

  async #closeView(): Promise<void> {
    const { view } = this;
    if (!view) return;
    this.view = null;
    await lifecycleOf(view).onClose();
    view.unload();
    view.containerEl.remove();
  }
}

/** A workspace without windows: leaves are held, views open and close, no note is in an editor. */
export class HostWorkspace extends Workspace {
  constructor(app: App, containerEl: HTMLElement) {
    super(app, containerEl);
  }

  override getLeavesOfType(type: string): WorkspaceLeaf[] {
    const leaves: WorkspaceLeaf[] = [];
    this.iterateAllLeaves((leaf) => {
      if (leaf.view?.getViewType() === type) leaves.push(leaf);
    });
    return leaves;
  }

  override getActiveViewOfType<T extends View>(type: Constructor<T>): T | null {
    const view = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }

  override async ensureSideLeaf(
    type: string,
    side: 'left' | 'right',
    options: { active?: boolean; reveal?: boolean; state?: unknown } = {},
  ): Promise<WorkspaceLeaf> {
    const known = this.getLeavesOfType(type)[0];
    const leaf = known ?? (side === 'left' ? this.getLeftLeaf(false) : this.getRightLeaf(false));
    if (!leaf) throw new Error('There is no room at the side.');
    const state = options.state as Record<string, unknown> | undefined;
    if (!known) await leaf.setViewState({ type, ...(state && { state }) });
    if (options.reveal !== false) await this.revealLeaf(leaf);
    return leaf;
  }

  override detachLeavesOfType(type: string): void {
    for (const leaf of this.getLeavesOfType(type)) leaf.detach();
  }

  override setActiveLeaf(leaf: WorkspaceLeaf): void {
    const before = this.getActiveFile();
    super.setActiveLeaf(leaf);
    this.#tellFile(before);
  }

  override async openLinkText(
    linktext: string,
    sourcePath: string,
    newLeaf?: boolean,
  ): Promise<void> {
    const before = this.getActiveFile();
    await super.openLinkText(linktext.split('#')[0] ?? '', sourcePath, newLeaf);
    this.#tellFile(before);
  }

  #tellFile(before: TFile | null): void {
    const now = this.getActiveFile();
    if (now !== before) this.trigger('file-open', now);
  }
}

/** Protected in the declarations, since only the app calls them. */
function lifecycleOf(view: View): { onOpen(): Promise<void>; onClose(): Promise<void> } {
  return view as unknown as { onOpen(): Promise<void>; onClose(): Promise<void> };
}
