/** Dispatches keys: first to the topmost scope, then to the hotkeys of commands. */
import type { Command } from 'obsidian';
import { Platform, Scope } from 'obsidian-test-mocks/obsidian';
import type { WorkbenchApp } from '#workbench/obsidian/app';
import { inner, patch } from './patch';

interface Handler {
  readonly scope: Scope;
  /** Sorted and joined by commas; null for any modifiers. */
  readonly modifiers: string | null;
  readonly key: string | null;
  readonly func: (event: KeyboardEvent, context: object) => unknown;
}

export function patchKeymap(): void {
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

export function listenForKeys(app: WorkbenchApp): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing) return;
      const { scopeStack } = inner<{ scopeStack: Scope[] }>(app.keymap);
      const scope = scopeStack.at(-1) ?? app.workspace.activeLeaf?.view?.scope;
      if (scope && isHandled(scope as Scope, event)) return;
      // A modal blocks hotkeys until it is closed.
      if (scopeStack.length === 0) runHotkey(app, event);
    },
    true,
  );
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
  if (!command || !app.commands.executeCommandById(command.id)) return;
  event.preventDefault();
  event.stopPropagation();
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
