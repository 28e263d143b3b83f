import type { View as ObsidianView, ViewState } from 'obsidian';
import { View, WorkspaceLeaf, type App } from 'obsidian-test-mocks/obsidian';
import { reportError } from './events';
import { registrationsOf } from './registrations';

/** Content of an empty leaf: `leaf.view` is never missing in Obsidian. */
class EmptyView extends View {
  getViewType(): string {
    return 'empty';
  }

  getDisplayText(): string {
    return 'New tab';
  }
}

/**
 * Placeholder for a view type that is not registered, for example because its plugin is disabled.
 */
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

/** Placeholder of a view in a tab that was not shown since the start. */
class DeferredView extends EmptyView {
  readonly #state: ViewState;

  constructor(leaf: WorkspaceLeaf, state: ViewState) {
    super(leaf);
    this.#state = state;
  }

  override getViewType(): string {
    return this.#state.type;
  }

  override getState(): Record<string, unknown> {
    return this.#state.state ?? {};
  }
}

/**
 * A leaf of the workspace. Without a shell it is invisible, but its view has the same lifecycle.
 */
export class HostLeaf extends WorkspaceLeaf {
  /** Type of the current or upcoming view. */
  #type = 'empty';
  #rebuilt: Promise<void> = Promise.resolve();
  #deferred: ViewState | null = null;

  constructor(app: App, id?: string) {
    super(app, id);
    this.view = this.#emptyView();
  }

  /** Keeps the view for later, as Obsidian does at its start for tabs that are not in front. */
  defer(state: ViewState): void {
    this.#deferred = state;
    this.#type = state.type;
    Object.assign(this, { isDeferred: true });
    this.view = new DeferredView(this, state).asOriginalType2__();
    this.showView();
  }

  override async loadIfDeferred(): Promise<void> {
    if (this.#deferred) await this.setViewState(this.#deferred);
  }

  override async open(view: ObsidianView): Promise<ObsidianView> {
    this.#type = view.getViewType();
    this.#deferred = null;
    Object.assign(this, { isDeferred: false });
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
    if (this.#deferred || this.view?.getViewType() !== state.type)
      await this.open(this.#viewOf(state.type));
    await this.view?.setState(state.state ?? {}, { history: false });
    const { workspace } = this.app__;
    if (state.active) workspace.setActiveLeaf(this);
    workspace.trigger('layout-change');
  }

  override getViewState(): ViewState {
    const state = this.view?.getState() ?? {};
    return { ...super.getViewState(), type: this.#type, state };
  }

  /** Recreates the view if it has this type, after the type was registered or unregistered. */
  rebuild(type: string): void {
    this.#rebuilt = this.#rebuilt
      .then(async () => {
        if (this.#type !== type || this.#deferred) return;
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

  /** Overridden by a shell to show the view, before it is opened as in Obsidian. */
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

/** These methods are protected, because only the app calls them. */
function lifecycleOf(view: ObsidianView): { onOpen(): Promise<void>; onClose(): Promise<void> } {
  return view as unknown as { onOpen(): Promise<void>; onClose(): Promise<void> };
}
