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

/** In place of a view that nobody provides, for example while its plugin is off. */
class AbsentView extends EmptyView {
  readonly #type: string;

  constructor(leaf: WorkspaceLeaf, type: string) {
    super(leaf);
    this.#type = type;
  }

  override getViewType(): string {
    return this.#type;
  }

  override getDisplayText(): string {
    return 'Plugin no longer active';
  }
}

/** A place for a view. Without a shell nothing shows it, but its view lives as it would on screen. */
export class HostLeaf extends WorkspaceLeaf {
  /** Of the view that is here or on its way. */
  #type = 'empty';
  #rebuilt: Promise<void> = Promise.resolve();

  constructor(app: App, id?: string) {
    super(app, id);
    this.view = this.#emptyView();
  }

  override async open(view: ObsidianView): Promise<ObsidianView> {
    this.#type = view.getViewType();
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
    if (this.view?.getViewType() !== state.type) await this.open(this.#viewOf(state.type));
    await this.view?.setState(state.state ?? {}, { history: false });
    const { workspace } = this.app__;
    if (state.active) workspace.setActiveLeaf(this);
    workspace.trigger('layout-change');
  }

  override getViewState(): ViewState {
    const state = this.view?.getState() ?? {};
    return { ...super.getViewState(), type: this.#type, state };
  }

  /** Makes its view anew if it is of this type, which another one came to be registered for. */
  rebuild(type: string): void {
    this.#rebuilt = this.#rebuilt
      .then(async () => {
        if (this.#type !== type) return;
        const { state = {} } = this.getViewState();
        await this.open(this.#viewOf(type));
        await this.view?.setState(state, { history: false });
      })
      .catch(reportError);
  }

  override detach(): void {
    this.#type = 'empty';
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

  #viewOf(type: string): ObsidianView {
    const create = registrationsOf(this.app__).views.get(type);
    if (create) return create(this.asOriginalType3__());
    return type === 'empty' ? this.#emptyView() : new AbsentView(this, type).asOriginalType2__();
  }

  #emptyView(): ObsidianView {
    return new EmptyView(this).asOriginalType2__();
  }
}

/** Protected in the declarations, since only the app calls them. */
function lifecycleOf(view: ObsidianView): { onOpen(): Promise<void>; onClose(): Promise<void> } {
  return view as unknown as { onOpen(): Promise<void>; onClose(): Promise<void> };
}
