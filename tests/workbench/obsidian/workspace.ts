import type { Constructor, View } from 'obsidian';
import { Workspace, type App, type TFile, type WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import type { HostLeaf } from './leaf';

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

  override setActiveLeaf(leaf: WorkspaceLeaf): void {
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
