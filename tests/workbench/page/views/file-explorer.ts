/** The file explorer in the left sidebar, with its file operations. */
import {
  type App,
  debounce,
  ItemView,
  Keymap,
  Menu,
  Modal,
  Setting,
  type TAbstractFile,
  TFile,
  TFolder,
  type WorkspaceLeaf,
} from 'obsidian-test-mocks/obsidian';
import type { DragManager } from '../../obsidian/app';
import { reportError } from '../../obsidian/events';
import { setIcon } from '../../obsidian/icons';

export const FILES = 'file-explorer';

export class FileExplorer extends ItemView {
  readonly #open = new Set<string>();
  #list: HTMLElement | null = null;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
  }

  override getViewType(): string {
    return FILES;
  }

  override getDisplayText(): string {
    return 'Files';
  }

  override getIcon(): string {
    return 'folder';
  }

  override async onOpen(): Promise<void> {
    const { vault, workspace } = this.app;
    const buttons = this.contentEl.createDiv('nav-buttons-container');
    this.#addButton(buttons, 'square-pen', 'New note', () => this.#create('note', ''));
    this.#addButton(buttons, 'folder-plus', 'New folder', () => this.#create('folder', ''));
    this.#list = this.contentEl.createDiv({
      cls: 'nav-files-container',
      attr: { role: 'tree', 'aria-label': 'Files' },
    });
    const drawSoon = debounce(() => this.#draw(), 20);
    for (const name of ['create', 'delete', 'rename'] as const) {
      this.registerEvent(vault.on(name, drawSoon));
    }
    // A new row would lose the click that is being made on the old one.
    this.registerEvent(workspace.on('file-open', () => this.#markActive()));
    workspace.onLayoutReady(() => this.#draw());
  }

  #draw(): void {
    this.#list?.empty();
    if (this.#list) this.#drawFolder(this.app.vault.getRoot(), this.#list, 0);
    this.#markActive();
  }

  #markActive(): void {
    const active = this.app.workspace.getActiveFile()?.path;
    for (const row of this.#list?.querySelectorAll<HTMLElement>('[data-path]') ?? [])
      row.toggleClass('is-active', row.dataset['path'] === active);
  }

  #drawFolder(folder: TFolder, into: HTMLElement, depth: number): void {
    const names = new Intl.Collator(undefined, { numeric: true });
    const children = [...folder.children].sort(
      (one, other) =>
        Number(other instanceof TFolder) - Number(one instanceof TFolder) ||
        names.compare(one.name, other.name),
    );
    for (const child of children) {
      const isFolder = child instanceof TFolder;
      const isOpen = isFolder && this.#open.has(child.path);
      const row = this.#row(child, into, depth);
      if (isFolder) {
        row.setAttribute('aria-expanded', String(isOpen));
        setIcon(row.createSpan('tree-item-icon'), isOpen ? 'chevron-down' : 'chevron-right');
      }
      row.createSpan({ cls: 'tree-item-inner', text: nameOf(child) });
      if (isOpen) this.#drawFolder(child, into, depth + 1);
    }
  }

  #row(file: TAbstractFile, into: HTMLElement, depth: number): HTMLElement {
    const row = into.createDiv({
      cls: `tree-item-self ${file instanceof TFolder ? 'nav-folder-title' : 'nav-file-title'}`,
      attr: { role: 'treeitem', tabindex: '0', draggable: 'true', 'data-path': file.path },
    });
    row.style.setProperty('--depth', String(depth));
    row.addEventListener('click', (event) => this.#press(file, event));
    row.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#press(file, event);
    });
    const { dragManager } = this.app as App & { dragManager: DragManager };
    row.addEventListener('dragstart', ({ dataTransfer }) => {
      const type = file instanceof TFolder ? 'folder' : 'file';
      dragManager.draggable = { type, file };
      const query = new URLSearchParams({ vault: this.app.vault.getName(), file: file.path });
      dataTransfer?.setData('text/plain', `obsidian://open?${query.toString()}`);
    });
    row.addEventListener('dragend', () => (dragManager.draggable = null));
    row.addEventListener('contextmenu', (event) => this.#menu(file, event));
    return row;
  }

  #press(file: TAbstractFile, event: MouseEvent | KeyboardEvent): void {
    if (file instanceof TFile) {
      const leaf = this.app.workspace.getLeaf(Keymap.isModEvent(event) || false);
      leaf.openFile(file).catch(reportError);
      return;
    }
    if (!this.#open.delete(file.path)) this.#open.add(file.path);
    this.#draw();
  }

  #menu(file: TAbstractFile, event: MouseEvent): void {
    const { fileManager, workspace } = this.app;
    const menu = Menu.create2__();
    const item = (title: string, icon: string, act: () => unknown) =>
      menu.addItem((each) =>
        each
          .setTitle(title)
          .setIcon(icon)
          .onClick(() => void act()),
      );
    if (file instanceof TFile) {
      item('Open in a new tab', 'file-plus', () => workspace.getLeaf('tab').openFile(file));
      item('Open to the right', 'separator-vertical', () =>
        workspace.getLeaf('split').openFile(file),
      );
    } else {
      item('New note', 'square-pen', () => this.#create('note', file.path));
    }
    item('Rename…', 'pencil', async () => {
      const name = await askForName(this.app, 'Rename', file.name);
      const folder = file.parent?.path ?? '/';
      if (name) await fileManager.renameFile(file, folder === '/' ? name : `${folder}/${name}`);
    });
    menu.addSeparator();
    menu.addItem((each) =>
      each
        .setTitle('Delete')
        .setIcon('trash-2')
        .setWarning(true)
        .onClick(() => void fileManager.trashFile(file)),
    );
    workspace.trigger('file-menu', menu, file, 'file-explorer-context-menu');
    menu.showAtMouseEvent(event);
  }

  async #create(kind: 'note' | 'folder', folder: string): Promise<void> {
    const name = await askForName(this.app, kind === 'note' ? 'New note' : 'New folder', '');
    if (!name) return;
    const path = folder === '' ? name : `${folder}/${name}`;
    if (folder) this.#open.add(folder);
    const { vault, workspace } = this.app;
    if (kind === 'folder') await vault.createFolder(path);
    else await workspace.getLeaf(false).openFile(await vault.create(withEnding(path), ''));
  }

  #addButton(into: HTMLElement, icon: string, label: string, act: () => Promise<void>): void {
    const button = into.createEl('button', {
      cls: 'clickable-icon nav-action-button',
      attr: { 'aria-label': label, title: label },
    });
    setIcon(button, icon);
    button.addEventListener('click', () => void act().catch(reportError));
  }
}

const withEnding = (path: string) => (/\.\w+$/.test(path) ? path : `${path}.md`);

function nameOf(file: TAbstractFile): string {
  return file instanceof TFile && file.extension === 'md' ? file.basename : file.name;
}

/** Resolves with null if the user cancels. */
function askForName(app: App, title: string, before: string): Promise<string | null> {
  return new Promise((resolve) => {
    const modal = Modal.create__(app);
    let name = before;
    let answer: string | null = null;
    const give = (): void => {
      answer = name.trim() || null;
      modal.close();
    };
    modal.setTitle(title);
    modal.setCloseCallback(() => resolve(answer));
    Setting.create__(modal.contentEl)
      .setName('Name')
      .addText((text) => {
        text.setValue(before).onChange((value) => (name = value));
        text.inputEl.addEventListener('keydown', ({ key }) => {
          if (key === 'Enter') give();
        });
      });
    Setting.create__(modal.contentEl).addButton((button) =>
      button.setButtonText(title.replace('…', '')).setCta().onClick(give),
    );
    modal.open();
  });
}
