import { ItemView, MarkdownView, Platform, Scope, type App, type Plugin } from 'obsidian';
import type { ContractQuestion, Host } from '../question';

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
  {
    name: 'Mod+Enter does not reach a field in a sidebar, unless the scope of its view has the key (observed)',
    about: ['View.scope', 'Scope', 'Scope.register', 'App.scope'],
    onScreen: true,
    async ask(host) {
      const { view, field, activate } = await sideField(host);
      let isHeard = false;
      field.addEventListener('keydown', () => (isHeard = true));
      const reaches = () => {
        isHeard = false;
        activate();
        pressIn(field, 'Enter', true);
        return isHeard;
      };
      const before = reaches();
      view.scope = scopeOf(host.app, ['Mod'], 'Enter');
      return [before, reaches()];
    },
    answer: [false, true],
  },
  {
    name: 'a bare Escape that nothing handles leaves a sidebar view without navigation, unless the scope of its view has the key (observed)',
    about: ['View.scope', 'View.navigation', 'Scope', 'Scope.register', 'App.scope'],
    onScreen: true,
    async ask(host) {
      const { view, field, activate } = await sideField(host);
      const stays = async () => {
        activate();
        pressIn(field, 'Escape', false);
        await new Promise((resolve) => window.setTimeout(resolve, 50));
        return host.app.workspace.getActiveViewOfType(MarkdownView) === null;
      };
      const before = await stays();
      view.scope = scopeOf(host.app, [], 'Escape');
      return [before, await stays()];
    },
    answer: [false, true],
  },
];

const KEY = 'F9';
const SCOPED = 'contract-scoped';

class ScopedView extends ItemView {
  override navigation = false;

  getViewType(): string {
    return SCOPED;
  }

  getDisplayText(): string {
    return 'Scoped';
  }
}

function scopeOf(app: App, modifiers: 'Mod'[] = ['Mod'], key = KEY): Scope {
  const scope = new Scope(app.scope);
  scope.register(modifiers, key, () => undefined);
  return scope;
}

/** A field in a view of the right sidebar, beside an open note. */
async function sideField({ app, plugin }: Host) {
  const { vault, workspace } = app;
  await workspace.getLeaf('tab').openFile(await vault.create('A.md', 'text'));
  plugin.registerView(SCOPED, (leaf) => new ScopedView(leaf));
  const leaf = workspace.getRightLeaf(false);
  await leaf?.setViewState({ type: SCOPED, active: true });
  if (!leaf || !(leaf.view instanceof ScopedView)) throw new Error('There is no view.');
  const { view } = leaf;
  const field = view.contentEl.createEl('textarea');
  const activate = () => {
    workspace.setActiveLeaf(leaf, { focus: true });
    field.focus();
  };
  return { view, field, activate };
}

function pressIn(field: HTMLElement, key: string, withMod: boolean): void {
  const mod = Platform.isMacOS ? { metaKey: withMod } : { ctrlKey: withMod };
  const init = { key, code: key, ...mod, bubbles: true, cancelable: true };
  field.dispatchEvent(new KeyboardEvent('keydown', init));
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
      pressIn(field, KEY, true);
      if (isRun) return isHeard ? 'both' : 'hotkey';
      return isHeard ? 'element' : 'nothing';
    });
  } finally {
    field.remove();
  }
}
