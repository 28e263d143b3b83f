/** A visible workspace: sidebars on the left and right, notes side by side in the middle. */
import type { Constructor, OpenViewState, PaneType, View } from 'obsidian';
import { type App, MarkdownView, type TFile } from 'obsidian-test-mocks/obsidian';
import { reportError } from '../../obsidian/events';
import { registrationsOf } from '../../obsidian/registrations';
import type { SavedTabs } from '../../obsidian/saved-layout';
import { HostWorkspace } from '../../obsidian/workspace';
import { inner } from '../patch';
import type { Frame } from './frame';
import { ShellLeaf, type Side, TabGroup } from './shell-leaf';
import { announceMigrations, openWindow } from './windows';

interface Shared {
  leaves: ShellLeaf[];
  app: App;
}

export class ShellWorkspace extends HostWorkspace {
  #frame: Frame | null = null;
  #groups: TabGroup[] = [];
  #recent: string[] = [];
  #lastFile: TFile | null = null;
  #lastRoot: ShellLeaf | null = null;
  /** Group of the tabs that are being restored. */
  #restored: TabGroup | null = null;

  constructor(app: App, containerEl: HTMLElement) {
    super(app, containerEl);
  }

  /** Must be called before views are opened. */
  showIn(frame: Frame): void {
    this.#frame = frame;
    this.containerEl = frame.el;
    for (const side of ['left', 'right'] as const) {
      const group = new TabGroup(side, null);
      this.#groups.push(group);
      frame[side].append(group.el);
    }
    this.#addRootGroup();
    frame.serveSide('left', this.leftSplit);
    frame.serveSide('right', this.rightSplit);
    frame.resized = () => this.trigger('resize');
  }

  viewTypeFor(extension: string): string {
    return ['md', 'txt', 'json', 'css', 'csv', 'canvas', 'base', 'yaml', 'yml'].includes(extension)
      ? 'markdown'
      : 'workbench-file';
  }

  override getLeaf(newLeaf?: PaneType | boolean): ShellLeaf {
    if (newLeaf === 'window') return this.openPopoutLeaf();
    if (newLeaf === 'split') return this.#place(this.#addRootGroup());
    if (newLeaf) return this.#place(this.#rootGroup());
    return this.getMostRecentLeaf() ?? this.#place(this.#rootGroup());
  }

  override openPopoutLeaf(): ShellLeaf {
    const group = this.#addRootGroup();
    this.#moveToWindow(group);
    return this.#place(group);
  }

  #moveToWindow(group: TabGroup): void {
    const popout = openWindow(() => {
      for (const leaf of [...group.leaves]) leaf.detach();
    });
    popout.document.body.append(group.el);
    this.trigger('window-open', null, popout);
  }

  override moveLeafToPopout(leaf: ShellLeaf): never {
    const group = this.#addRootGroup();
    this.#moveToWindow(group);
    this.#move(leaf, group);
    return group as never;
  }

  /** Moves the leaf as dragging its tab into the main window would. */
  moveLeafToMain(leaf: ShellLeaf): void {
    this.#move(leaf, this.#group('root'));
  }

  #move(leaf: ShellLeaf, to: TabGroup): void {
    const from = leaf.group__;
    from?.remove(leaf);
    to.add(leaf);
    if (from) this.#closeIfEmpty(from);
    this.setActiveLeaf(leaf);
    window.setTimeout(announceMigrations);
  }

  protected override restoreTabs(tabs: SavedTabs): Promise<void>[] {
    if (tabs.area === 'window' || (tabs.area === 'main' && this.#group('root').leaves.length > 0)) {
      this.#restored = this.#addRootGroup();
    } else {
      this.#restored = this.#group(tabs.area === 'main' ? 'root' : tabs.area);
    }
    const group = this.#restored;
    if (tabs.area === 'window') this.#moveToWindow(group);
    const before = group.leaves.length;
    const opening = super.restoreTabs(tabs);
    const front = group.leaves[before + tabs.shown];
    if (tabs.shown >= 0 && front) group.show(front);
    if (tabs.shown >= 0 && tabs.leaves.length > 0 && group.side !== 'root') {
      this.#frame?.open(group.side);
    }
    return opening;
  }

  protected override addLeaf(): ShellLeaf {
    return this.#place(this.#restored ?? this.#rootGroup());
  }

  override createLeafBySplit(): ShellLeaf {
    return this.#place(this.#addRootGroup());
  }

  override splitActiveLeaf(): ShellLeaf {
    return this.getLeaf('split');
  }

  override getRightLeaf(): ShellLeaf {
    return this.#place(this.#group('right'));
  }

  override getLeftLeaf(): ShellLeaf {
    return this.#place(this.#group('left'));
  }

  override getUnpinnedLeaf(): ShellLeaf {
    return this.getLeaf(false);
  }

  override getMostRecentLeaf(): ShellLeaf | null {
    const isThere = this.#lastRoot && this.#all.includes(this.#lastRoot);
    return isThere ? this.#lastRoot : (this.#rootGroup().active ?? null);
  }

  override iterateRootLeaves(callback: (leaf: ShellLeaf) => unknown): void {
    for (const leaf of [...this.#all]) if (leaf.group__?.side === 'root') callback(leaf);
  }

  override getActiveFile(): TFile | null {
    return fileOf(this.activeLeaf as ShellLeaf | null) ?? fileOf(this.getMostRecentLeaf());
  }

  override getActiveViewOfType<T extends View>(type: Constructor<T>): T | null {
    const view: unknown = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }

  override getLastOpenFiles(): string[] {
    return this.#recent;
  }

  override async openLinkText(
    linktext: string,
    sourcePath: string,
    newLeaf?: PaneType | boolean,
    state?: OpenViewState,
  ): Promise<void> {
    const { metadataCache, vault } = inner<Shared>(this).app;
    const [linkpath = ''] = linktext.split('#');
    const known = metadataCache.getFirstLinkpathDest(linkpath, sourcePath);
    const path = /\.\w+$/.test(linkpath) ? linkpath : `${linkpath}.md`;
    const file = known ?? (await vault.create(path, ''));
    await this.getLeaf(newLeaf).openFile(file, state);
  }

  override setActiveLeaf(leaf: ShellLeaf, how?: { focus?: boolean } | boolean): void {
    leaf.group__?.show(leaf);
    void leaf.loadIfDeferred().catch(reportError);
    if (leaf.group__?.side === 'root') this.#lastRoot = leaf;
    if (leaf !== this.activeLeaf) {
      for (const each of this.#all) each.containerEl.toggleClass('mod-active', each === leaf);
      super.setActiveLeaf(leaf);
      this.fileShown(leaf);
    }
    if (typeof how === 'object' && how.focus && leaf.view instanceof MarkdownView) {
      leaf.view.editor.focus();
    }
  }

  override async revealLeaf(leaf: ShellLeaf): Promise<void> {
    await leaf.loadIfDeferred();
    const side = leaf.group__?.side;
    if (side === 'left' || side === 'right') this.#frame?.open(side);
    this.setActiveLeaf(leaf);
  }

  fileShown(leaf: ShellLeaf): void {
    if (leaf !== this.activeLeaf) return;
    if (leaf.view instanceof MarkdownView) this.activeEditor = leaf.view as never;
    const file = this.getActiveFile();
    if (file === this.#lastFile) return;
    this.#lastFile = file;
    if (file) this.#recent = [file.path, ...this.#recent.filter((path) => path !== file.path)];
    this.trigger('file-open', file);
  }

  leafGone(leaf: ShellLeaf): void {
    const group = leaf.group__;
    group?.remove(leaf);
    if (group) this.#closeIfEmpty(group);
    if (this.#lastRoot === leaf) this.#lastRoot = null;
    const next = this.getMostRecentLeaf();
    if (!this.activeLeaf && next) this.setActiveLeaf(next);
  }

  /** Closes an empty side, and removes an empty group with its window. */
  #closeIfEmpty(group: TabGroup): void {
    if (group.leaves.length > 0) return;
    if (group.side !== 'root') return this.#frame?.close(group.side);
    if (this.#groups.filter(({ side }) => side === 'root').length === 1) return;
    const own = group.el.ownerDocument.defaultView;
    group.el.remove();
    if (own !== window) own?.close();
    this.#groups = this.#groups.filter((each) => each !== group);
  }

  splitOf(leaf: ShellLeaf): unknown {
    const side: Side = leaf.group__?.side ?? 'root';
    return { left: this.leftSplit, root: this.rootSplit, right: this.rightSplit }[side];
  }

  /** Updates the extensions of open editors after plugins have added or removed some. */
  override updateOptions(): void {
    this.trigger('workbench:editor-extensions', [
      ...registrationsOf(inner<Shared>(this).app).editorExtensions,
    ]);
  }

  get #all(): ShellLeaf[] {
    return inner<Shared>(this).leaves;
  }

  #place(group: TabGroup): ShellLeaf {
    const leaf = new ShellLeaf(inner<Shared>(this).app);
    this.#all.push(leaf);
    group.add(leaf);
    return leaf;
  }

  #group(side: Side): TabGroup {
    const group = this.#groups.find((each) => each.side === side);
    if (!group) throw new Error('The workspace is not shown yet.');
    return group;
  }

  #rootGroup(): TabGroup {
    return this.#lastRoot?.group__ ?? this.#group('root');
  }

  #addRootGroup(): TabGroup {
    const group = new TabGroup('root', () => this.setActiveLeaf(this.#place(group)));
    this.#groups.push(group);
    this.#frame?.root.append(group.el);
    return group;
  }
}

/** Checks with `in`, because the mocks throw on unknown properties. */
function fileOf(leaf: ShellLeaf | null): TFile | null {
  const view: object | null = leaf?.view ?? null;
  return view && 'file' in view ? (view.file as TFile | null) : null;
}
