/**
 * The default hotkeys of Obsidian, from its help's list. Most do nothing here, but as in Obsidian
 * they take their keys before any element gets them.
 */
export const CORE_HOTKEYS: Readonly<Record<string, readonly string[]>> = {
  'command-palette:open': ['Mod+P'],
  'switcher:open': ['Mod+O'],
  'app:open-settings': ['Mod+,'],
  'file-explorer:new-file': ['Mod+N'],
  'file-explorer:new-file-in-new-pane': ['Mod+Shift+N'],
  'workspace:new-tab': ['Mod+T'],
  'workspace:close': ['Mod+W'],
  'workspace:undo-close-pane': ['Mod+Shift+T'],
  'workspace:next-tab': ['Ctrl+Tab'],
  'workspace:previous-tab': ['Ctrl+Shift+Tab'],
  'workspace:goto-tab': ['Mod+1', 'Mod+2', 'Mod+3', 'Mod+4', 'Mod+5', 'Mod+6', 'Mod+7', 'Mod+8'],
  'workspace:goto-last-tab': ['Mod+9'],
  'markdown:toggle-preview': ['Mod+E'],
  'editor:open-search': ['Mod+F'],
  'editor:open-search-replace': ['Mod+H'],
  'global-search:open': ['Mod+Shift+F'],
  'graph:open': ['Mod+G'],
  'editor:save-file': ['Mod+S'],
  'editor:open-link-in-new-leaf': ['Mod+Enter'],
  'editor:open-link-in-new-split': ['Mod+Alt+Enter'],
  'editor:open-link-in-new-window': ['Mod+Alt+Shift+Enter'],
  'editor:follow-link': ['Alt+Enter'],
  'app:go-back': ['Mod+Alt+ArrowLeft'],
  'app:go-forward': ['Mod+Alt+ArrowRight'],
};

/** Those that act only in an editor that has the focus; elsewhere the element gets the key. */
export const EDITOR_HOTKEYS: Readonly<Record<string, readonly string[]>> = {
  'editor:toggle-bold': ['Mod+B'],
  'editor:toggle-italics': ['Mod+I'],
  'editor:insert-link': ['Mod+K'],
  'editor:toggle-checklist-status': ['Mod+L'],
  'editor:delete-paragraph': ['Mod+D'],
  'markdown:add-metadata-property': ['Mod+;'],
  'editor:toggle-comments': ['Mod+/'],
  'editor:indent-list': ['Mod+]'],
  'editor:unindent-list': ['Mod+['],
};
