/** Entry point of the page: opens the vault of its server with the built plugin. */
import type { View } from 'obsidian';
import { type App, MarkdownView, Notice, TFile } from 'obsidian-test-mocks/obsidian';
import type { Disk } from '../disk/disk';
import { createHttpDisk } from '../disk/http-disk';
import { ask } from '../disk/server-calls';
import { WorkbenchApp } from '../obsidian/app';
import { reportedErrors, reportError } from '../obsidian/events';
import { setIcon } from '../obsidian/icons';
import { hostModules, loadPlugin, type ModuleSource } from '../plugin-loader';
import type { OpenedSession, Session } from '../server/server';
import './app.css';
import { addCoreCommands } from './core-commands';
import * as functions from './functions';
import { addIcon, getIconIds, removeIcon } from './icons';
import { installShell } from './install';
import { listenForKeys } from './keymap';
import { nodeOfPage } from './page-node';
import { SettingWindow } from './settings/settings-window';
import { applyTheme, isDark, toggleTheme } from './theme';
import { FileExplorer, FILES } from './views/file-explorer';
import { ANY_FILE, AnyFileView } from './views/file-view';
import { MODEL, ModelPanel } from './views/model-panel';
import { addPagePreview } from './views/page-preview';
import { SEARCH, SearchView } from './views/search';
import { SMARTHOLE, SmartHolePanel } from './views/smarthole-panel';
import { Frame } from './workspace/frame';
import type { ShellWorkspace } from './workspace/shell-workspace';

async function open(): Promise<void> {
  const session = await ask<OpenedSession>('session', []);
  // Removes the token from the address bar, so that a copied URL does not reveal it.
  history.replaceState(null, '', '/');
  installShell(session.platform);
  applyTheme();
  const { base, configDir, secrets } = session;
  const disk = createHttpDisk(base);
  const app = WorkbenchApp.open({ disk, configDir, secrets });
  const workspace = app.workspace as ShellWorkspace;
  const settings = new SettingWindow(app);
  Object.assign(globalThis, { app });
  Object.assign(app, { setting: settings, isDarkMode: isDark });

  const showSmartHole = (): void =>
    void workspace.ensureSideLeaf(SMARTHOLE, 'left', { active: true, reveal: true });
  const showModel = (): void =>
    void workspace.ensureSideLeaf(MODEL, 'left', { active: true, reveal: true });
  drawBar(document.body, session, {
    openSettings: () => settings.open(),
    openModel: showModel,
    openSmartHole: showSmartHole,
  });
  const frame = new Frame(document.body);
  workspace.showIn(frame);
  addViews(app);
  addCoreCommands(app, settings, session);
  app.commands.activeView = () => workspace.getActiveViewOfType(MarkdownView as never);
  listenForKeys(app);

  followAddresses(app);
  addPagePreview(app);

  const watch = disk.watch((changed) => app.notice(changed));
  window.addEventListener('pagehide', () => watch.close());
  window.addEventListener('visibilitychange', () => saveAll(workspace));
  await workspace.ensureSideLeaf(FILES, 'left', { active: false, reveal: false });
  await loadBuiltPlugin(app, disk, session);
  showRegistrations(app, frame);
  const indexed = new Promise<unknown>((resolve) => app.metadataCache.on('resolved', resolve));
  await app.loadVault();
  if (!workspace.getMostRecentLeaf()) await openLastNote(app);
  Object.assign(window, {
    workbench: { app, errors: reportedErrors() },
  });
  await indexed;
  document.body.dataset['ready'] = 'yes';
}

function addViews({ registrations: { views } }: WorkbenchApp): void {
  const shown = <Made>(view: Made): View => view as unknown as View;
  views.set('markdown', (leaf) => shown(MarkdownView.create2__(leaf as never)));
  views.set(FILES, (leaf) => shown(new FileExplorer(leaf as never)));
  views.set(ANY_FILE, (leaf) => shown(new AnyFileView(leaf as never)));
  views.set(MODEL, (leaf) => shown(new ModelPanel(leaf as never)));
  views.set(SEARCH, (leaf) => shown(new SearchView(leaf as never)));
  views.set(SMARTHOLE, (leaf) => shown(new SmartHolePanel(leaf as never)));
}

/** Passes clicks on `obsidian://` links to the handlers that plugins registered. */
function followAddresses({ registrations: { protocolHandlers } }: WorkbenchApp): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a[href^="obsidian://"]');
    if (!link) return;
    event.preventDefault();
    const { host, searchParams } = new URL(link.getAttribute('href') ?? '');
    const data = { action: host, ...Object.fromEntries(searchParams) };
    void protocolHandlers.get(host)?.(data);
  });
}

interface Overridable {
  overrideSettings(changes: Record<string, unknown>): void;
}

async function loadBuiltPlugin(
  app: WorkbenchApp,
  disk: Disk,
  { pluginId, settings }: OpenedSession,
): Promise<void> {
  try {
    const plugin: object = await loadPlugin(app, pluginId, pageModules(disk));
    if ('overrideSettings' in plugin) (plugin as Overridable).overrideSettings(settings);
  } catch (error) {
    reportError(error);
    Notice.create__(`Failed to load plugin ${pluginId}: ${(error as Error).message}`, 0);
  }
}

/** A hidden page may be discarded, so save everything. */
function saveAll(workspace: ShellWorkspace): void {
  workspace.iterateAllLeaves(({ view }) => {
    if (view instanceof MarkdownView) view.save().catch(reportError);
  });
}

const LAST_NOTE = 'workbench-last-note';

/** The note that was open before a reload, or else the first one. Remembers the next ones. */
async function openLastNote(app: WorkbenchApp): Promise<void> {
  const { vault, workspace } = app as unknown as App;
  const last = sessionStorage.getItem(LAST_NOTE);
  const first =
    (last === null ? null : vault.getFileByPath(last)) ??
    vault.getFileByPath('Welcome.md') ??
    vault.getMarkdownFiles()[0];
  if (first) await workspace.getLeaf(false).openFile(first);
  workspace.on('file-open', (file) => {
    if (file instanceof TFile) sessionStorage.setItem(LAST_NOTE, file.path);
  });
}

open().catch((error: unknown) => {
  console.error(error);
  document.body.dataset['ready'] = 'failed';
  const words = error instanceof Error ? error.message : String(error);
  const place = document.createElement('pre');
  place.className = 'workbench-failed';
  place.textContent = `The workbench could not open its vault.\n\n${words}`;
  document.body.append(place);
});

export interface BarActions {
  openSettings(): void;
  openModel(): void;
  openSmartHole(): void;
}

/** The bar at the top, which says what is real in the workbench and what is not. */
function drawBar(parent: HTMLElement, session: Session, actions: BarActions): void {
  const bar = parent.createEl('header', { cls: 'workbench-bar' });
  bar.createSpan({ cls: 'workbench-bar-name', text: 'Workbench' });
  const facts = bar.createDiv('workbench-bar-facts');
  const fact = (kind: 'real' | 'simulated', icon: string, text: string, title: string): void => {
    const el = facts.createSpan({ cls: `workbench-fact mod-${kind}`, attr: { title } });
    setIcon(el.createSpan('workbench-fact-icon'), icon);
    el.createSpan({ text });
  };
  fact('real', 'folder', session.base, 'Real: this folder. What you and Parley write lands there.');
  fact('real', 'package', 'The built plugin', 'Real: the same main.js that Obsidian would load.');
  if (session.hasDemoModel) {
    fact(
      'simulated',
      'flask-conical',
      'Demo model, not Claude',
      'A few rules. Set ANTHROPIC_API_KEY for Claude.',
    );
  } else {
    fact('real', 'sparkles', session.model, 'Real: requests go there.');
  }
  if (session.hasSimulatedSmartHole) {
    fact('simulated', 'radio', 'Simulated SmartHole', 'Type into its panel what you would say.');
  } else if (session.isSmartHoleFound) {
    fact('real', 'radio', 'SmartHole', 'Real: what you speak comes from there.');
  } else {
    const port = String(session.settings['smartHolePort']);
    fact(
      'simulated',
      'radio',
      'No SmartHole yet',
      `Nothing answered on port ${port} at the start. Parley connects as soon as it runs.`,
    );
  }
  fact('simulated', 'app-window', 'Not Obsidian', 'A stand-in that looks roughly like it.');
  const buttons = bar.createDiv('workbench-bar-buttons');
  const button = (icon: string, label: string, press: () => void): void => {
    const el = buttons.createEl('button', {
      cls: 'clickable-icon',
      attr: { 'aria-label': label, title: label },
    });
    setIcon(el, icon);
    el.addEventListener('click', press);
  };
  if (session.hasDemoModel) button('flask-conical', 'Demo model', actions.openModel);
  if (session.hasSimulatedSmartHole) button('radio', 'Simulated SmartHole', actions.openSmartHole);
  button('sun-moon', 'Light or dark', toggleTheme);
  button('settings', 'Settings', actions.openSettings);
}

/** Shows ribbon icons and status bar items of plugins, including those added later. */
function showRegistrations({ registrations, workspace }: WorkbenchApp, frame: Frame): void {
  const { ribbonIcons, statusBarItems, editorExtensions } = registrations;
  onAdd(ribbonIcons, ({ icon, title, el }) => {
    setIcon(el, icon);
    el.setAttribute('role', 'button');
    el.title = title;
    el.tabIndex = 0;
    el.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter' || key === ' ') el.click();
    });
    frame.ribbon.append(el);
  });
  onAdd(statusBarItems, (el) => frame.statusBar.append(el));
  onAdd(editorExtensions, () => workspace.updateOptions());
}

function onAdd<Item>(items: Set<Item>, show: (item: Item) => void): void {
  for (const item of items) show(item);
  const add = items.add.bind(items);
  items.add = (item) => {
    add(item);
    show(item);
    return items;
  };
}

const obsidian = {
  ...(hostModules('obsidian') as object),
  ...functions,
  ...{ addIcon, getIconIds, removeIcon },
};

/** Modules of Node that the page does not have are empty: bundled packages import them anyway. */
function pageModules(disk: Disk): ModuleSource {
  const node = nodeOfPage(disk);
  return (name) => {
    if (name === 'obsidian') return obsidian;
    return node[name] ?? (name.startsWith('node:') ? {} : hostModules(name));
  };
}
