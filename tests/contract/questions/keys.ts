import { ItemView, Platform, Scope, type App, type Plugin } from 'obsidian';
import type { ContractQuestion } from '../question';

export const keyQuestions: readonly ContractQuestion[] = [
  {
    name: 'a hotkey is run before the focused element gets its key, unless a pushed scope has the key (observed)',
    about: [
      ...['App.keymap', 'App.scope', 'Keymap.pushScope', 'Keymap.popScope', 'Scope'],
      ...['Scope.register'],
    ],
    onScreen: true,
    ask: async ({ app, plugin }) =>
      pressing(plugin, (press) => {
        const before = press();
        const scope = scopeOf(app);
        app.keymap.pushScope(scope);
        const pushed = press();
        app.keymap.popScope(scope);
        return [before, pushed, press()];
      }),
    answer: ['hotkey', 'element', 'hotkey'],
  },
  {
    name: 'a hotkey is not run while the scope of the active view has the key (observed)',
    about: ['View.scope', 'Scope', 'Scope.register', 'App.scope'],
    onScreen: true,
    async ask({ app, plugin }) {
      plugin.registerView(SCOPED, (leaf) => new ScopedView(leaf));
      const leaf = app.workspace.getLeaf('tab');
      await leaf.setViewState({ type: SCOPED, active: true });
      const { view } = leaf;
      if (!(view instanceof ScopedView)) return 'no view';
      return pressing(plugin, (press) => {
        const before = press();
        view.scope = scopeOf(app);
        app.workspace.setActiveLeaf(leaf, { focus: true });
        return [before, press()];
      });
    },
    answer: ['hotkey', 'element'],
  },
];

const KEY = 'F9';
const SCOPED = 'contract-scoped';

class ScopedView extends ItemView {
  getViewType(): string {
    return SCOPED;
  }

  getDisplayText(): string {
    return 'Scoped';
  }
}

function scopeOf(app: App): Scope {
  const scope = new Scope(app.scope);
  scope.register(['Mod'], KEY, () => undefined);
  return scope;
}

/** Presses the hotkey of a command in a field, and says what got it. */
function pressing<Answer>(
  plugin: Plugin,
  ask: (press: () => 'hotkey' | 'element' | 'both' | 'nothing') => Answer,
): Answer {
  let isRun = false;
  plugin.addCommand({
    ...{ id: 'contract-key', name: 'Key', callback: () => void (isRun = true) },
    hotkeys: [{ modifiers: ['Mod'], key: KEY }],
  });
  const field = activeDocument.body.createEl('textarea');
  let isHeard = false;
  field.addEventListener('keydown', () => (isHeard = true));
  field.focus();
  try {
    return ask(() => {
      isRun = false;
      isHeard = false;
      const mod = Platform.isMacOS ? { metaKey: true } : { ctrlKey: true };
      const init = { key: KEY, code: KEY, ...mod, bubbles: true, cancelable: true };
      field.dispatchEvent(new KeyboardEvent('keydown', init));
      if (isRun) return isHeard ? 'both' : 'hotkey';
      return isHeard ? 'element' : 'nothing';
    });
  } finally {
    field.remove();
  }
}
