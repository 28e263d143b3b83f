/** Entry point of the page: opens the vault of its server with the built plugin. */
import type { View } from 'obsidian';
import { MarkdownView, Notice, type App } from 'obsidian-test-mocks/obsidian';
import './app.css';
import { createHttpDisk } from '#workbench/disk/http-disk';
import { ask } from '#workbench/disk/server-calls';
import { WorkbenchApp } from '#workbench/obsidian/app';
import { reportError, reportedErrors } from '#workbench/obsidian/events';
import { loadPlugin } from '#workbench/plugin-loader';
import type { OpenedSession } from '#workbench/server/session';
import { drawBar } from './bar';
import { addCoreCommands } from './core-commands';
import { installShell } from './install';
import { listenForKeys } from './keymap';
import { pageModules } from './modules';
import { SettingWindow } from './settings/window';
import { showRegistrations } from './shown-registrations';
import { applyTheme, isDark } from './theme';
import { FILES, FileExplorer } from './views/file-explorer';
import { ANY_FILE, AnyFileView } from './views/file-view';
import { MODEL, ModelPanel } from './views/model-panel';
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

  const watch = disk.watch((changed) => app.notice(changed));
  window.addEventListener('pagehide', () => watch.close());
  window.addEventListener('visibilitychange', () => saveAll(workspace));
  await workspace.ensureSideLeaf(FILES, 'left', { active: false, reveal: false });
  await loadBuiltPlugin(app, session);
  showRegistrations(app, frame);
  await app.loadVault();
  await openFirstNote(app);
  Object.assign(window, {
    workbench: { app, errors: reportedErrors() },
  });
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
  { pluginId, settings }: OpenedSession,
): Promise<void> {
  try {
    const plugin: object = await loadPlugin(app, pluginId, pageModules);
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

async function openFirstNote(app: WorkbenchApp): Promise<void> {
  const { vault, workspace } = app as unknown as App;
  const first = vault.getFileByPath('Welcome.md') ?? vault.getMarkdownFiles()[0];
  if (first) await workspace.getLeaf(false).openFile(first);
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
