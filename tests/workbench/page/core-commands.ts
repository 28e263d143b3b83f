/** The core commands that the page supports, with the command palette and the quick switcher. */
import type { Command, Modifier } from 'obsidian';
import { MarkdownView } from 'obsidian-test-mocks/obsidian';
import type { WorkbenchApp } from '#workbench/obsidian/app';
import { show, toggleLive } from './editor/markdown-view';
import type { Session } from '../server/server';
import { MODEL } from './views/model-panel';
import { SMARTHOLE } from './views/smarthole-panel';
import type { SettingWindow } from './settings/settings-window';
import { FuzzyModal } from './popups';
import { toggleTheme } from './theme';

class Palette extends FuzzyModal<Command> {
  readonly #app: WorkbenchApp;

  constructor(app: WorkbenchApp) {
    super(app);
    this.#app = app;
    this.setPlaceholder('Select a command…');
  }

  override getItems(): Command[] {
    return this.#app.commands
      .listCommands()
      .sort((one, other) => one.name.localeCompare(other.name));
  }

  override getItemText({ name }: Command): string {
    return name;
  }

  override onChooseItem({ id }: Command): void {
    this.#app.commands.executeCommandById(id);
  }
}

class QuickSwitcher extends FuzzyModal<string> {
  constructor(app: WorkbenchApp) {
    super(app);
    this.setPlaceholder('Find a note…');
  }

  override getItems(): string[] {
    return this.app.vault.getMarkdownFiles().map(({ path }) => path);
  }

  override getItemText(path: string): string {
    return path.replace(/\.md$/, '');
  }

  override onChooseItem(path: string): void {
    const file = this.app.vault.getFileByPath(path);
    if (file) void this.app.workspace.getLeaf(false).openFile(file);
  }
}

export function addCoreCommands(
  app: WorkbenchApp,
  settings: SettingWindow,
  { hasDemoModel, hasSimulatedSmartHole }: Session,
): void {
  const { workspace } = app;
  const add = (
    id: string,
    name: string,
    act: () => void,
    key?: string,
    isThere?: () => boolean,
  ) => {
    const hotkeys = key === undefined ? [] : [{ modifiers: ['Mod'] as Modifier[], key }];
    const checkCallback = (checking: boolean): boolean => {
      if (isThere && !isThere()) return false;
      if (!checking) act();
      return true;
    };
    app.registrations.commands.set(id, { id, name, hotkeys, checkCallback });
  };
  const noteView = (): MarkdownView | null => {
    const view: unknown = workspace.getMostRecentLeaf()?.view;
    return view instanceof MarkdownView ? view : null;
  };
  const hasNote = () => noteView() !== null;

  add('command-palette:open', 'Open command palette', () => new Palette(app).open(), 'p');
  add('switcher:open', 'Open quick switcher', () => new QuickSwitcher(app).open(), 'o');
  add('app:open-settings', 'Open settings', () => settings.open(), ',');
  add('theme:toggle-light-dark', 'Toggle light and dark', toggleTheme);
  add('app:toggle-left-sidebar', 'Toggle left sidebar', () => toggleSide(app, 'left'));
  add('app:toggle-right-sidebar', 'Toggle right sidebar', () => toggleSide(app, 'right'));
  add('editor:save-file', 'Save current file', () => void noteView()?.save(), 's', hasNote);
  add(
    ...([
      'markdown:toggle-preview',
      'Toggle reading view',
      () => {
        const view = noteView();
        if (view) void show(view, view.getMode() === 'source' ? 'preview' : 'source');
      },
      'e',
      hasNote,
    ] as const),
  );
  add(
    ...([
      'editor:toggle-source',
      'Toggle live preview and source mode',
      () => {
        const view = noteView();
        if (view) toggleLive(view);
      },
      undefined,
      () => noteView()?.getMode() === 'source',
    ] as const),
  );
  add(
    ...([
      'workspace:split-vertical',
      'Split right',
      () => {
        const file = noteView()?.file;
        if (file) void workspace.getLeaf('split').openFile(file);
      },
      undefined,
      hasNote,
    ] as const),
  );
  if (hasSimulatedSmartHole) {
    add('workbench:smarthole', 'Workbench: Show the simulated SmartHole', () => {
      void workspace.ensureSideLeaf(SMARTHOLE, 'left', { active: true, reveal: true });
    });
  }
  if (!hasDemoModel) return;
  add('workbench:model', 'Workbench: Show the demo model', () => {
    void workspace.ensureSideLeaf(MODEL, 'left', { active: true, reveal: true });
  });
}

function toggleSide({ workspace }: WorkbenchApp, side: 'left' | 'right'): void {
  const split = side === 'left' ? workspace.leftSplit : workspace.rightSplit;
  (split as unknown as { toggle(): void }).toggle();
}
