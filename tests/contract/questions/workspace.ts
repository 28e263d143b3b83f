import {
  ItemView,
  MarkdownView,
  Plugin,
  type App,
  type HoverParent,
  type TAbstractFile,
  type WorkspaceLeaf,
} from 'obsidian';
import type { Host, ContractQuestion } from '../question';

export const workspaceQuestions: readonly ContractQuestion[] = [
  {
    name: 'setViewState creates the registered view in the leaf and resolves when it is open',
    about: [
      ...['App.workspace', 'Plugin.registerView', 'Workspace.getRightLeaf', 'WorkspaceLeaf.view'],
      ...['WorkspaceLeaf.setViewState', 'WorkspaceLeaf.getViewState', 'ViewState.type'],
      ...['ItemView', 'View.onOpen', 'View.getViewType'],
    ],
    async ask({ app, plugin }) {
      plugin.registerView(NOTED, (leaf) => new NotedView(leaf));
      const leaf = rightLeaf(app);
      const before = leaf.getViewState().type;
      await leaf.setViewState({ type: NOTED });
      const { view } = leaf;
      return [before, leaf.getViewState().type, view instanceof NotedView && view.noted];
    },
    answer: ['empty', 'contract-noted', ['opening', 'open']],
  },
  {
    name: 'a view has its content inside its container and knows the app',
    about: ['ItemView', 'ItemView.contentEl'],
    async ask(host) {
      const { view } = await openNoted(host);
      const inside = view.containerEl.contains(view.contentEl);
      view.contentEl.createDiv({ text: 'words' });
      return [
        inside,
        view.containerEl.textContent.includes('words'),
        view.app.keymap === host.app.keymap,
      ];
    },
    answer: [true, true, true],
  },
  {
    name: 'a leaf has its view’s title and icon',
    about: ['View.getDisplayText', 'View.icon', 'View.navigation'],
    async ask(host) {
      const { leaf, view } = await openNoted(host);
      return [leaf.getDisplayText(), leaf.getIcon(), view.navigation];
    },
    answer: ['Noted', 'star', false],
  },
  {
    name: 'active-leaf-change is triggered with the leaf that became active',
    about: ["Workspace.on('active-leaf-change')", 'WorkspaceLeaf.view'],
    async ask(host) {
      const { app, plugin } = host;
      const { leaf } = await openNoted(host);
      const other = app.workspace.getLeaf('tab');
      app.workspace.setActiveLeaf(other, { focus: true });
      const seen: boolean[] = [];
      plugin.registerEvent(
        app.workspace.on('active-leaf-change', (each) => {
          seen.push(each === leaf && each.view instanceof NotedView);
        }),
      );
      app.workspace.setActiveLeaf(leaf, { focus: true });
      return seen.at(-1);
    },
    answer: true,
  },
  {
    name: 'openFile opens a file whose name would be a link to a part of another note',
    about: ['WorkspaceLeaf.openFile', 'Vault.getFileByPath'],
    onScreen: true,
    async ask({ app, folder }) {
      await app.vault.create('C# notes.md', 'text');
      const file = app.vault.getFileByPath('C# notes.md');
      const leaf = app.workspace.getLeaf('tab');
      if (file) await leaf.openFile(file);
      const shown = leaf.view instanceof MarkdownView ? leaf.view.file?.path : null;
      return [shown, await folder.read('C.md')];
    },
    answer: ['C# notes.md', null],
  },
  {
    name: 'openLinkText takes “#” in a path for a part, and creates the note that it then names',
    about: ['Workspace.openLinkText', 'Workspace.getActiveFile'],
    onScreen: true,
    ownVault: 'It creates a note where the app puts new notes.',
    async ask({ app, folder }) {
      await app.vault.create('C# notes.md', 'text');
      await app.workspace.openLinkText('C# notes.md', '', false);
      return [app.workspace.getActiveFile()?.path, await folder.read('C.md')];
    },
    answer: ['C.md', ''],
  },
  {
    name: 'getMostRecentLeaf returns a plugin’s own view while that is active in the main area',
    about: ['Workspace.getMostRecentLeaf', 'Workspace.setActiveLeaf', 'Workspace.getLeaf'],
    onScreen: true,
    async ask({ app: { vault, workspace }, plugin }) {
      plugin.registerView(NOTED, (leaf) => new NotedView(leaf));
      const note = workspace.getLeaf('tab');
      await note.openFile(await vault.create('A.md', ''));
      const own = workspace.getLeaf('tab');
      await own.setViewState({ type: NOTED });
      return [note, own].map((leaf) => {
        workspace.setActiveLeaf(leaf, { focus: true });
        return workspace.getMostRecentLeaf() === leaf;
      });
    },
    answer: [true, true],
  },
  {
    name: 'getLeaf with `tab` returns a new leaf that takes a view',
    about: ['Workspace.getLeaf', 'WorkspaceLeaf.setViewState'],
    async ask({ app, plugin }) {
      plugin.registerView(NOTED, (leaf) => new NotedView(leaf));
      const before = app.workspace.getLeavesOfType(NOTED).length;
      for (const leaf of [app.workspace.getLeaf('tab'), app.workspace.getLeaf('tab')]) {
        await leaf.setViewState({ type: NOTED });
      }
      return app.workspace.getLeavesOfType(NOTED).length - before;
    },
    answer: 2,
  },
  {
    name: 'activeDocument is the document of activeWindow',
    about: ['activeWindow', 'activeDocument'],
    ask: async () => activeDocument === activeWindow.document,
    answer: true,
  },
  {
    name: 'a tab shows the title and icon of its view',
    about: ['View.getDisplayText', 'View.icon'],
    onScreen: true,
    async ask(host) {
      const { view } = await openNoted(host);
      const { right } = sidesOf(view.containerEl);
      const tab = right?.querySelector('.workspace-tab-header.is-active');
      return [tab?.textContent, tab?.querySelectorAll('svg.lucide-star').length];
    },
    answer: ['Noted', 1],
  },
  {
    name: 'detaching a leaf closes and unloads its view',
    about: ['View.onClose', 'Component.register'],
    async ask(host) {
      const { leaf, view } = await openNoted(host);
      const unloaded = new Promise<void>((resolve) => view.register(resolve));
      leaf.detach();
      await unloaded;
      return [view.noted, host.app.workspace.getLeavesOfType(NOTED).length];
    },
    answer: [['opening', 'open', 'closed'], 0],
  },
  {
    name: 'getLeavesOfType returns all leaves with a view of that type',
    about: ['Workspace.getLeavesOfType'],
    async ask(host) {
      const first = await openNoted(host);
      const second = rightLeaf(host.app);
      await second.setViewState({ type: NOTED });
      const leaves = host.app.workspace.getLeavesOfType(NOTED);
      return [leaves.length, leaves.includes(first.leaf), leaves.includes(second)];
    },
    answer: [2, true, true],
  },
  {
    name: 'getRightLeaf returns a new leaf each time',
    about: ['Workspace.getRightLeaf'],
    async ask({ app }) {
      const [first, second] = [rightLeaf(app), rightLeaf(app)];
      return first === second;
    },
    answer: false,
  },
  {
    name: 'getRightLeaf places the leaf in the right sidebar',
    about: ['Workspace.getRightLeaf'],
    onScreen: true,
    async ask(host) {
      const { view } = await openNoted(host);
      const { left, right } = sidesOf(view.containerEl);
      return [left !== null, right !== null];
    },
    answer: [false, true],
  },
  {
    name: 'getActiveViewOfType returns the active view only if it has the requested class',
    about: ['Workspace.getActiveViewOfType', 'ViewState.active', 'MarkdownView'],
    async ask(host) {
      const { leaf, view } = await openNoted(host);
      await leaf.setViewState({ type: NOTED, active: true });
      const { workspace } = host.app;
      return [
        workspace.getActiveViewOfType(NotedView) === view,
        workspace.getActiveViewOfType(ItemView) === view,
        workspace.getActiveViewOfType(MarkdownView),
      ];
    },
    answer: [true, true, null],
  },
  {
    name: 'revealLeaf resolves when the leaf has its own view',
    about: ['Workspace.revealLeaf', 'WorkspaceLeaf.view'],
    async ask(host) {
      const { leaf } = await openNoted(host);
      await host.app.workspace.revealLeaf(leaf);
      return leaf.view instanceof NotedView;
    },
    answer: true,
  },
  {
    name: 'revealLeaf expands a collapsed sidebar and selects the leaf’s tab',
    about: ['Workspace.revealLeaf'],
    onScreen: true,
    async ask(host) {
      const { workspace } = host.app;
      const { leaf, view } = await openNoted(host);
      await rightLeaf(host.app).setViewState({ type: 'empty' });
      workspace.rightSplit.collapse();
      const before = view.contentEl.isShown();
      await workspace.revealLeaf(leaf);
      return [before, workspace.rightSplit.collapsed, view.contentEl.isShown()];
    },
    answer: [false, false, true],
  },
  {
    name: 'resize is triggered when a sidebar is opened and when it is closed',
    about: ["Workspace.on('resize')"],
    onScreen: true,
    async ask({ app: { workspace } }) {
      let count = 0;
      const ref = workspace.on('resize', () => (count += 1));
      const counts: boolean[] = [];
      for (const change of ['expand', 'collapse', 'expand'] as const) {
        count = 0;
        workspace.rightSplit[change]();
        for (let tries = 0; count === 0 && tries < 50; tries += 1) {
          await new Promise((resolve) => window.setTimeout(resolve, 10));
        }
        counts.push(count > 0);
      }
      workspace.offref(ref);
      // It may have been open before.
      return counts.slice(1);
    },
    answer: [true, true],
  },
  {
    name: 'leaves survive unloading the plugin of their view and reopen the view when it is back',
    about: [
      'Plugin.registerView',
      'WorkspaceLeaf.view',
      'View.onClose',
      'WorkspaceLeaf.getViewState',
    ],
    async ask({ app, plugin }) {
      const load = () => {
        const passing = new Passing(app, plugin.manifest);
        passing.load();
        passing.registerView(NOTED, (leaf) => new NotedView(leaf));
        return passing;
      };
      const first = load();
      const leaf = rightLeaf(app);
      await leaf.setViewState({ type: NOTED });
      const { view } = leaf;
      if (!(view instanceof NotedView)) return 'no view';
      first.unload();
      await view.gone;
      const alone = [leaf.getViewState().type, leaf.view instanceof NotedView];
      const again = new Promise<void>((resolve) => (NotedView.onOpened = resolve));
      const second = load();
      await again;
      const back = leaf.view instanceof NotedView && leaf.view !== view;
      second.unload();
      return [alone, back, app.workspace.getLeavesOfType(NOTED).length];
    },
    answer: [['contract-noted', false], true, 1],
  },
  {
    name: 'openLinkText opens the note of a link and makes it the active file',
    about: ['Workspace.openLinkText', 'Workspace.getActiveFile', 'TAbstractFile.path'],
    async ask({ app }) {
      await app.vault.createFolder('x');
      const file = await app.vault.create('x/B.md', '# Part');
      await app.vault.create('x/C.md', '');
      await app.workspace.openLinkText('B#Part', '', false);
      const first = app.workspace.getActiveFile();
      await app.workspace.openLinkText('x/C', '', true);
      return [first === file, app.workspace.getActiveFile()?.path];
    },
    answer: [true, 'x/C.md'],
  },
  {
    name: 'openLinkText opens a note at a line',
    about: ['Workspace.openLinkText', 'OpenViewState.eState', 'Editor.getCursor'],
    onScreen: true,
    async ask({ app }) {
      await app.vault.create('A.md', 'One\nTwo\nThree\n');
      await app.workspace.openLinkText('A.md', '', 'tab', { eState: { line: 2 } });
      return app.workspace.getActiveViewOfType(MarkdownView)?.editor.getCursor().line;
    },
    answer: 2,
  },
  {
    name: 'openLinkText replaces the open note or opens a new tab',
    about: ['Workspace.openLinkText', 'Workspace.getLeavesOfType', 'FileView.file'],
    onScreen: true,
    ownVault: 'It needs an app in which no note was open.',
    async ask({ app }) {
      for (const path of ['A.md', 'B.md', 'C.md']) await app.vault.create(path, '');
      const open = async (link: string, newLeaf: boolean) => {
        await app.workspace.openLinkText(link, '', newLeaf);
        return app.workspace
          .getLeavesOfType('markdown')
          .map(({ view }) => (view instanceof MarkdownView ? view.file?.path : null));
      };
      return [await open('A', false), await open('B', false), await open('C', true)];
    },
    answer: [['A.md'], ['B.md'], ['B.md', 'C.md']],
  },
  {
    name: 'getActiveFile returns the last shown file while a view without a file is active',
    about: ['Workspace.getActiveFile'],
    async ask(host) {
      await host.app.vault.create('A.md', '');
      await host.app.workspace.openLinkText('A', '', false);
      const { leaf } = await openNoted(host);
      await leaf.setViewState({ type: NOTED, active: true });
      return host.app.workspace.getActiveFile()?.path;
    },
    answer: 'A.md',
  },
  {
    name: 'opening a note triggers file-open',
    about: ["Workspace.on('file-open')"],
    async ask({ app }) {
      const told: unknown[] = [];
      const ref = app.workspace.on('file-open', (file) => told.push(file?.path));
      await app.vault.create('A.md', '');
      await app.workspace.openLinkText('A', '', false);
      app.workspace.offref(ref);
      return told;
    },
    answer: ['A.md'],
  },
  {
    name: 'layout-change is triggered when a pane that is not active shows another note, and when it is closed',
    about: ["Workspace.on('layout-change')"],
    onScreen: true,
    async ask({ app }) {
      const { workspace } = app;
      const other = workspace.getLeaf('tab');
      workspace.setActiveLeaf(workspace.getLeaf('tab'), { focus: true });
      const counts: boolean[] = [];
      let count = 0;
      const ref = workspace.on('layout-change', () => (count += 1));
      const file = await app.vault.create('A.md', '');
      // Obsidian waits until the layout is settled.
      const settled = async () => {
        for (let tries = 0; count === 0 && tries < 100; tries += 1) {
          await new Promise((resolve) => window.setTimeout(resolve, 10));
        }
        counts.push(count > 0);
        count = 0;
      };
      await other.openFile(file, { active: false });
      await settled();
      other.detach();
      await settled();
      workspace.offref(ref);
      return counts;
    },
    answer: [true, true],
  },
  {
    name: 'dragManager has the file that is being dragged from the file list (observed)',
    about: ['App.dragManager', 'TAbstractFile.path'],
    onScreen: true,
    ownVault: 'It needs a list of files that shows its note.',
    async ask(host) {
      await host.app.vault.create('A.md', '');
      const row = () => document.querySelector('.nav-files-container [data-path="A.md"]');
      for (let tries = 0; !row() && tries < 100; tries += 1) {
        await new Promise((resolve) => window.setTimeout(resolve, 10));
      }
      const { dragManager } = host.app as unknown as {
        dragManager: { draggable: { file?: TAbstractFile } | null };
      };
      row()?.dispatchEvent(new DragEvent('dragstart', { bubbles: true }));
      const dragged = dragManager.draggable?.file?.path;
      row()?.dispatchEvent(new DragEvent('dragend', { bubbles: true }));
      return [dragged, dragManager.draggable];
    },
    answer: ['A.md', null],
  },
  {
    name: 'getActiveFile returns null if no file was shown',
    about: ['Workspace.getActiveFile'],
    ownVault: 'It needs an app in which no note was open.',
    ask: async ({ app }) => app.workspace.getActiveFile(),
    answer: null,
  },
  {
    name: 'onWindowMigrated calls back when a leaf has been moved to another window',
    about: ['HTMLElement.onWindowMigrated'],
    onScreen: true,
    async ask(host) {
      const { view } = await openNoted(host);
      const moved = new Promise<Window>((resolve) => {
        view.contentEl.onWindowMigrated(resolve);
      });
      host.app.workspace.moveLeafToPopout(view.leaf);
      const own = await moved;
      return [own !== window, own === view.contentEl.ownerDocument.defaultView];
    },
    answer: [true, true],
  },
  {
    name: 'iterateAllLeaves reaches a view, which contains its elements, whatever window it is in',
    about: ['Workspace.iterateAllLeaves', 'ItemView'],
    async ask(host) {
      const { view } = await openNoted(host);
      const found: unknown[] = [];
      host.app.workspace.iterateAllLeaves((leaf) => {
        if (leaf.view.containerEl.contains(view.contentEl)) found.push(leaf.view === view);
      });
      return found;
    },
    answer: [true],
  },
  {
    name: 'trigger passes its arguments to listeners of a workspace event',
    about: ['Events.trigger', 'Events.offref', 'HoverParent.hoverPopover'],
    async ask({ app: { workspace } }) {
      const told: unknown[] = [];
      const anyEvent = workspace as unknown as AnyEvent;
      const ref = anyEvent.on('hover-link', (...data) => told.push(...data));
      const hoverParent: HoverParent = { hoverPopover: null };
      const hover = { linktext: 'A', source: 'contract', hoverParent };
      workspace.trigger('hover-link', hover);
      workspace.offref(ref as never);
      workspace.trigger('hover-link', hover);
      return [told, told[0] === hover];
    },
    answer: [[{ linktext: 'A', source: 'contract', hoverParent: { hoverPopover: null } }], true],
  },
];

const NOTED = 'contract-noted';

/** A view that records its lifecycle. */
class NotedView extends ItemView {
  static onOpened: () => void = () => undefined;
  override icon = 'star';
  override navigation = false;
  readonly noted: string[] = [];
  readonly gone: Promise<void>;
  #leave: () => void = () => undefined;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.gone = new Promise((resolve) => (this.#leave = resolve));
  }

  getViewType(): string {
    return NOTED;
  }

  getDisplayText(): string {
    return 'Noted';
  }

  protected override async onOpen(): Promise<void> {
    this.noted.push('opening');
    await new Promise((resolve) => window.setTimeout(resolve));
    this.noted.push('open');
    NotedView.onOpened();
  }

  protected override async onClose(): Promise<void> {
    this.noted.push('closed');
    this.#leave();
  }
}

class Passing extends Plugin {}

function rightLeaf({ workspace }: App): WorkspaceLeaf {
  const leaf = workspace.getRightLeaf(false);
  if (!leaf) throw new Error('There is no right side.');
  return leaf;
}

async function openNoted({ app, plugin }: Host): Promise<{ leaf: WorkspaceLeaf; view: NotedView }> {
  plugin.registerView(NOTED, (leaf) => new NotedView(leaf));
  const leaf = rightLeaf(app);
  await leaf.setViewState({ type: NOTED });
  const { view } = leaf;
  if (!(view instanceof NotedView)) throw new Error('Another view was made.');
  return { leaf, view };
}

function sidesOf(el: HTMLElement) {
  return { left: el.closest('.mod-left-split'), right: el.closest('.mod-right-split') };
}

/** An emitter whose events are missing from the published types. */
interface AnyEvent {
  on(name: string, callback: (...data: unknown[]) => unknown): unknown;
}
