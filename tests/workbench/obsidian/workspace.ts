import type { Constructor, View } from 'obsidian';
import { Workspace, type App, type TFile, type WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import { reportError } from './events';
import type { HostLeaf } from './leaf';
import type { SavedTabs } from './saved-layout';

/** Obsidian's limit for views that do not open. */
const MAX_RESTORE_MS = 10_000;

/**
 * A workspace without windows: it has leaves and views open and close, but no note is in an editor.
 */
export class HostWorkspace extends Workspace {
  #lastFile: TFile | null = null;

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

  /**
   * Opens the leaves of the last run. Resolves when all views in front are open, which Obsidian
   * awaits before the layout is ready.
   */
  async restore(saved: readonly SavedTabs[]): Promise<void> {
    const opening = saved.flatMap((tabs) => this.restoreTabs(tabs));
    let timer = 0;
    const limit = new Promise<void>((resolve) => {
      timer = window.setTimeout(() => {
        reportError(new Error(`A view of the last run did not open in ${MAX_RESTORE_MS} ms.`));
        resolve();
      }, MAX_RESTORE_MS);
    });
    await Promise.race([Promise.all(opening), limit]);
    window.clearTimeout(timer);
  }

  /** Returns the views that are opening. */
  protected restoreTabs({ area, leaves, shown }: SavedTabs): Promise<void>[] {
    return leaves.flatMap((state, at) => {
      const leaf = this.addLeaf(area) as HostLeaf;
      if (at === shown) return [leaf.setViewState(state).catch(reportError)];
      leaf.defer(state);
      return [];
    });
  }

  protected addLeaf(_area: SavedTabs['area']): WorkspaceLeaf {
    return this.getLeaf('tab');
  }

  /** Recreates the views of this type after it was registered or unregistered. */
  rebuildLeaves(type: string): void {
    this.iterateAllLeaves((leaf) => (leaf as HostLeaf).rebuild(type));
  }

  override detachLeavesOfType(type: string): void {
    for (const leaf of this.getLeavesOfType(type)) leaf.detach();
  }

  /** If the active view has no file, returns the last one shown. */
  override getActiveFile(): TFile | null {
    const shown = super.getActiveFile();
    if (shown) this.#lastFile = shown;
    return this.#lastFile?.deleted__ ? null : this.#lastFile;
  }

  override async revealLeaf(leaf: WorkspaceLeaf): Promise<void> {
    await leaf.loadIfDeferred();
    await super.revealLeaf(leaf);
  }

  override setActiveLeaf(leaf: WorkspaceLeaf): void {
    void leaf.loadIfDeferred().catch(reportError);
    const before = this.getActiveFile();
    super.setActiveLeaf(leaf);
    this.#announceFile(before);
  }

  override async openLinkText(
    linktext: string,
    sourcePath: string,
    newLeaf?: boolean,
  ): Promise<void> {
    const before = this.getActiveFile();
    await super.openLinkText(linktext.split('#')[0] ?? '', sourcePath, newLeaf);
    this.#announceFile(before);
  }

  #announceFile(before: TFile | null): void {
    const now = this.getActiveFile();
    if (now !== before) this.trigger('file-open', now);
  }
}
