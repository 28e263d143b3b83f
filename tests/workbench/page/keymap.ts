/** Dispatches keys: first to the topmost scope, then to the hotkeys of commands. */
import type { Command } from 'obsidian';
import { Platform, Scope } from 'obsidian-test-mocks/obsidian';
import type { WorkbenchApp } from '#workbench/obsidian/app';
import { CORE_HOTKEYS, EDITOR_HOTKEYS } from './core-hotkeys';
import { afterConstructor, inner, patch } from './patch';

interface Handler {
  readonly scope: Scope;
  /** Sorted and joined by commas; null for any modifiers. */
  readonly modifiers: string | null;
  readonly key: string | null;
  readonly func: (event: KeyboardEvent, context: object) => unknown;
}

/** The parent that a scope was made with. */
const parents = new WeakMap<object, Scope>();

export function patchKeymap(): void {
  afterConstructor(Scope, 'constructor__', (scope, parent?: Scope) => {
    if (parent) parents.set(scope, parent);
  });
  patch(Scope, {
    register(modifiers, key, func) {
      const handler = {
        ...{ scope: this, key, func: func as Handler['func'] },
        modifiers: modifiers ? joined(modifiers) : null,
      };
      inner<{ handlers: Handler[] }>(this).handlers.push(handler);
      return handler;
    },
  });
}

/**
 * Keys go to the pushed scope on top, or else to the scope of the active view, then to its parents;
 * the app's own scope runs hotkeys. This happens on `window` in the capture phase, before any
 * element gets the key.
 */
export function listenForKeys(app: WorkbenchApp): void {
  listenIn(window, app);
  app.workspace.on('window-open', (_, popout) => listenIn(popout as Window, app));
}

export function listenIn(own: Window, app: WorkbenchApp): void {
  // Escapes that no element handled leave a view that is not for navigation, such as a sidebar.
  own.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && pressedWith(event) === '' && !event.defaultPrevented) {
      leaveSideView(app, event);
    }
  });
  own.addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing) return;
      const { scopeStack } = inner<{ scopeStack: Scope[] }>(app.keymap);
      const view = app.workspace.activeLeaf?.view?.scope as Scope | null | undefined;
      handle(scopeStack.at(-1) ?? view ?? app.scope, app, event);
    },
    true,
  );
}

/** Keys that a view's or a pushed scope has taken, which Obsidian then leaves alone. */
const taken = new WeakSet<KeyboardEvent>();

function handle(scope: Scope, app: WorkbenchApp, event: KeyboardEvent): void {
  for (let at: Scope | undefined = scope; at; at = parents.get(at)) {
    if (isHandled(at, event)) {
      taken.add(event);
      return;
    }
    if (at === app.scope) runHotkey(app, event);
  }
}

function leaveSideView(app: WorkbenchApp, event: KeyboardEvent): void {
  const view = app.workspace.activeLeaf?.view;
  if (taken.has(event) || !view || view.navigation) return;
  const leaf = app.workspace.getMostRecentLeaf();
  if (leaf && leaf !== app.workspace.activeLeaf) app.workspace.setActiveLeaf(leaf, { focus: true });
}

function isHandled(scope: Scope, event: KeyboardEvent): boolean {
  const pressed = pressedWith(event);
  for (const handler of [...inner<{ handlers: Handler[] }>(scope).handlers].reverse()) {
    if (handler.modifiers !== null && handler.modifiers !== pressed) continue;
    if (handler.key !== null && !isKey(handler.key, event)) continue;
    const context = { modifiers: pressed, key: event.key, vkey: event.key };
    if (handler.func(event, context) === false) {
      event.preventDefault();
      event.stopPropagation();
    }
    return true;
  }
  return false;
}

function runHotkey(app: WorkbenchApp, event: KeyboardEvent): void {
  const pressed = pressedWith(event);
  const command = app.commands.listCommands().find((each) => hasHotkey(each, pressed, event));
  const isRun = command !== undefined && app.commands.executeCommandById(command.id);
  if (!isRun && !isCoreHotkey(pressed, event)) return;
  event.preventDefault();
  event.stopPropagation();
}

function isCoreHotkey(pressed: string, event: KeyboardEvent): boolean {
  const isInEditor = (event.target as Element | null)?.closest?.('.cm-content') !== null;
  const all = { ...CORE_HOTKEYS, ...(isInEditor && EDITOR_HOTKEYS) };
  return Object.values(all)
    .flat()
    .some((each) => {
      const names = each.split('+');
      return joined(names.slice(0, -1)) === pressed && isKey(names.at(-1) ?? '', event);
    });
}

function hasHotkey({ hotkeys = [] }: Command, pressed: string, event: KeyboardEvent): boolean {
  return hotkeys.some(({ modifiers, key }) => joined(modifiers) === pressed && isKey(key, event));
}

const isKey = (key: string, event: KeyboardEvent) => key.toLowerCase() === event.key.toLowerCase();

function pressedWith(event: KeyboardEvent): string {
  const { altKey, ctrlKey, metaKey, shiftKey } = event;
  const pressed = Object.entries({ Alt: altKey, Ctrl: ctrlKey, Meta: metaKey, Shift: shiftKey });
  return pressed.flatMap(([name, isDown]) => (isDown ? [name] : [])).join(',');
}

function joined(modifiers: readonly string[]): string {
  const mod = Platform.isMacOS ? 'Meta' : 'Ctrl';
  return modifiers
    .map((name) => (name === 'Mod' ? mod : name))
    .sort()
    .join(',');
}
