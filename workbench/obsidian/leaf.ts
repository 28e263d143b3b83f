import type { View as ObsidianView, ViewState } from 'obsidian';
import { View, WorkspaceLeaf, type App } from 'obsidian-test-mocks/obsidian';
import { reportError } from './events';
import { registrationsOf } from './registrations';

/** What a leaf holds when it holds nothing: `leaf.view` is never absent in the app. */
class EmptyView extends View {
  getViewType(): string {
    return 'empty';
  }

  getDisplayText(): string {
    return 'New tab';
  }
}

/** A place for a view. Without a shell nothing shows it, but its view lives as it would on screen. */
export class HostLeaf extends WorkspaceLeaf {
  constructor(app: App, id?: string) {
    super(app, id);
    this.view = this.#emptyView();
  }

  override async open(view: ObsidianView): Promise<ObsidianView> {
    await this.#closeView();
    this.view = view;
    this.showView();
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
      const create = registrationsOf(this.app__).views.get(state.type);
      await this.open(create ? create(this.asOriginalType3__()) : this.#emptyView());
    }
    await this.view?.setState(state.state ?? {}, { history: false });
    const { workspace } = this.app__;
    if (state.active) workspace.setActiveLeaf(this);
    workspace.trigger('layout-change');
  }

  override getViewState(): ViewState {
    const type = this.view?.getViewType() ?? 'empty';
    return { ...super.getViewState(), type, state: this.view?.getState() ?? {} };
  }

  override detach(): void {
    void this.#closeView().catch(reportError);
    super.detach();
    this.app__.workspace.trigger('layout-change');
  }

  /** A shell puts it on the screen, where it is before it is opened, as in the app. */
  protected showView(): void {}

  async #closeView(): Promise<void> {
    const { view } = this;
    if (!view) return;
    this.view = this.#emptyView();
    await lifecycleOf(view).onClose();
    view.unload();
    view.containerEl.remove();
  }

  #emptyView(): ObsidianView {
    return new EmptyView(this).asOriginalType2__();
  }
}

/** Protected in the declarations, since only the app calls them. */
function lifecycleOf(view: ObsidianView): { onOpen(): Promise<void>; onClose(): Promise<void> } {
  return view as unknown as { onOpen(): Promise<void>; onClose(): Promise<void> };
}
