import { openFile } from './vault/open-file';
import { readSecret, saveSecret } from './platform/secrets';
import { hotkeysElsewhere } from '#messages/key-messages';
import * as t from '#messages/notice-messages';
import {
  type App,
  type HoverParent,
  type View,
  getLinkpath,
  Menu,
  Notice,
  Platform,
  prepareFuzzySearch,
  setIcon,
  finishRenderMath,
  loadMathJax,
  loadMermaid,
  loadPrism,
  renderMath,
  type Plugin,
  type OpenViewState,
} from 'obsidian';
import type { Settings } from '#model/settings';
import type { HostCommand, HostCommands, SettingsTarget, ShowFile, Ui, CodeToken } from '#ports/ui';
import { embeddedContent } from './vault/embedded-content';
import { chooseExportFolder } from './folder-picker';
import { insertText } from './vault/open-editors';
import type { ActiveNoteWatch } from './editor/user-position';
import { droppedItems } from './vault/dropped-items';
import { discardImported, importAttachment } from './vault/import-attachment';

/** Obsidian's commands, which are missing from its published types. */
interface Commands {
  readonly commands: Readonly<Record<string, HostCommand>>;
  executeCommandById(id: string): boolean;
}

export function hostCommands(app: App): HostCommands {
  const { commands } = app as unknown as { commands?: Commands };
  return {
    all: () => Object.values(commands?.commands ?? {}).map(({ id, name }) => ({ id, name })),
    run(id) {
      try {
        return commands?.executeCommandById(id) ?? false;
      } catch {
        // An exception of another plugin's command counts as a failed run.
        return false;
      }
    },
  };
}

export function showFile(app: App): ShowFile {
  return async (path, { line, inNewTab }) => {
    await openFile(app, path, inNewTab, atLine(line ?? undefined));
  };
}

function atLine(line: number | undefined): OpenViewState {
  return line === undefined ? {} : { eState: { line: line - 1 } };
}

/** Obsidian's settings dialog, which is missing from its published types. */
interface SettingsDialog {
  open(): void;
  openTabById(id: string): unknown;
}

/** Obsidian's page of hotkeys, which is missing from its published types. */
interface HotkeysTab {
  readonly searchComponent?: { setValue(query: string): unknown };
  updateHotkeyVisibility?(): void;
}

export interface ObsidianUiDeps {
  readonly plugin: Pick<Plugin, 'app' | 'manifest'>;
  /** Source of hover previews. */
  readonly viewType: string;
  readonly reading: ActiveNoteWatch;
  settings(): Settings;
  /** Shows a setting or page in the open settings dialog. */
  showSetting(target: SettingsTarget): void;
}

export function obsidianUi(deps: ObsidianUiDeps): Ui {
  const { viewType, reading, settings } = deps;
  const { app, manifest } = deps.plugin;
  return {
    isMac: Platform.isMacOS,
    setIcon,
    menu(anchor, items) {
      const menu = new Menu();
      for (const item of items) {
        if (item === null) {
          menu.addSeparator();
          continue;
        }
        menu.addItem((row) => {
          if (typeof item === 'string') {
            row.setTitle(item).setIsLabel(true);
            return;
          }
          row.setTitle(item.title).onClick(() => item.run());
          if (item.icon) row.setIcon(item.icon);
          if (item.checked !== undefined) row.setChecked(item.checked);
          if (item.disabled) row.setDisabled(true);
        });
      }
      // A closing menu drops the focus; give it back to the anchor for keyboard users.
      menu.onHide(() => {
        const { activeElement, body } = anchor.ownerDocument;
        if (activeElement === null || activeElement === body) anchor.focus();
      });
      const { left, bottom } = anchor.getBoundingClientRect();
      menu.showAtPosition({ x: left, y: bottom + 4 }, anchor.ownerDocument);
    },
    openNote(link, where, line) {
      if (app.vault.getFileByPath(link))
        return void openFile(app, link, where === 'tab', atLine(line));
      // Obsidian would create a missing note wherever the link says, even in a hidden folder.
      if (app.metadataCache.getFirstLinkpathDest(getLinkpath(link), '') === null) {
        new Notice(t.linkToNothing(getLinkpath(link)));
        return;
      }
      void app.workspace.openLinkText(link, '', where === 'tab');
    },
    previewNote(event, link, anchor) {
      const hoverParent = hoverParentOf(app, anchor);
      const hover = { event, source: viewType, hoverParent, targetEl: anchor };
      app.workspace.trigger('hover-link', { ...hover, linktext: link, sourcePath: '' });
    },
    searchTag: (tag) => void showSearch(app, `tag:${tag}`),
    embedded: (link) => embeddedContent(app, link),
    formula: (source, isBlock) => renderers.formula(source, isBlock),
    codePieces: (code, language) => renderers.codePieces(code, language),
    diagram: (source) => renderers.diagram(source),
    putText: (text, goal) => insertText(app, text, goal),
    notice(text) {
      new Notice(text);
    },
    chooseExportFolder: () => chooseExportFolder(app, `${manifest.id}-export-folder`),
    onWindowChange: (element, listener) => element.onWindowMigrated(listener),
    fuzzy(typed) {
      const find = prepareFuzzySearch(typed);
      return (text) => {
        const found = find(text);
        return found && { score: found.score, marks: found.matches };
      };
    },
    reading: () => reading.now(),
    onReading: (listener) => reading.onChange(listener),
    dropped: (event) => droppedItems(app, event),
    keepInVault: (file) => importAttachment(app, file),
    discardImported: (path) => discardImported(app, path),
    openSettings(target) {
      const { setting } = app as unknown as { setting?: SettingsDialog };
      setting?.open();
      setting?.openTabById(manifest.id);
      if (target !== undefined) deps.showSetting(target);
    },
    openHotkeys() {
      const { setting } = app as unknown as { setting?: SettingsDialog };
      setting?.open();
      const tab = setting?.openTabById('hotkeys') as HotkeysTab | null | undefined;
      if (!tab) return void new Notice(hotkeysElsewhere);
      tab.searchComponent?.setValue(manifest.name);
      tab.updateHotkeyVisibility?.();
    },
    hasSeen: (name) => Boolean(app.loadLocalStorage(`${manifest.id}-seen-${name}`)),
    setSeen: (name) => app.saveLocalStorage(`${manifest.id}-seen-${name}`, true),
    copy: copyText,
    hasKey: () => readSecret(app, settings().apiKeyName) !== null,
    saveKey(key) {
      try {
        saveSecret(app, settings().apiKeyName, key);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    },
  };
}

/** The view around an element, which keeps the preview and closes an earlier one. */
function hoverParentOf({ workspace }: App, element: HTMLElement): HoverParent {
  let found: HoverParent = { hoverPopover: null };
  workspace.iterateAllLeaves(({ view }) => {
    if (view.containerEl.contains(element) && 'hoverPopover' in view)
      found = view as HoverParent & View;
  });
  return found;
}

/** Copies in the window in use, because a browser refuses others. Rejects if it is not possible. */
export function copyText(text: string): Promise<void> {
  return activeWindow.navigator.clipboard.writeText(text);
}

/** Opens Obsidian's search view with this query. */
async function showSearch({ workspace }: App, query: string): Promise<void> {
  const leaf = workspace.getLeavesOfType('search')[0] ?? workspace.getLeftLeaf(false);
  if (!leaf) return;
  await leaf.setViewState({ type: 'search', active: true, state: { query } });
  await workspace.revealLeaf(leaf);
}

interface PrismToken {
  readonly type: string;
  readonly alias?: string | readonly string[];
  readonly content: PrismContent;
}

type PrismContent = string | PrismToken | readonly PrismContent[];

interface Prism {
  readonly languages: Readonly<Record<string, unknown>>;
  tokenize(code: string, grammar: object): PrismContent;
}

interface Mermaid {
  parse(source: string, options: { suppressErrors: true }): Promise<unknown>;
  render(id: string, source: string): Promise<{ readonly svg: string }>;
}

let diagrams = 0;

/**
 * Formulas, highlighted code and diagrams through the libraries that Obsidian loads on demand.
 * Callers must sanitize the result.
 */
const renderers: Pick<Ui, 'formula' | 'codePieces' | 'diagram'> = {
  formula: (source, isBlock) =>
    orNull(async () => {
      await loadMathJax();
      const drawn = renderMath(source, isBlock);
      await finishRenderMath();
      return drawn;
    }),
  codePieces: (code, language) =>
    orNull(async () => {
      const prism = (await loadPrism()) as Prism;
      const grammar = Object.hasOwn(prism.languages, language) && prism.languages[language];
      // Prism lists helper functions among its languages.
      return grammar && typeof grammar === 'object'
        ? piecesOf(prism.tokenize(code, grammar))
        : null;
    }),
  diagram: (source) =>
    orNull(async () => {
      const mermaid = (await loadMermaid()) as Mermaid;
      // Mermaid renders an invalid diagram as an error image and leaves it in the document.
      if (!(await mermaid.parse(source, { suppressErrors: true }))) return null;
      diagrams += 1;
      return (await mermaid.render(`parley-diagram-${diagrams}`, source)).svg;
    }),
};

/** Null if the library is missing or throws, as it does for invalid input. */
async function orNull<Drawn>(draw: () => Promise<Drawn | null>): Promise<Drawn | null> {
  try {
    return await draw();
  } catch {
    return null;
  }
}

function piecesOf(content: PrismContent): CodeToken[] {
  if (typeof content === 'string') return [content];
  if (!('type' in content)) return content.flatMap(piecesOf);
  const { type, alias = [], content: inside } = content;
  return [{ kinds: [type, alias].flat().join(' '), inside: piecesOf(inside) }];
}
