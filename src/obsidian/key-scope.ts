/**
 * Keys that Parley's fields use and Obsidian has hotkeys for. Obsidian runs a hotkey before any
 * element gets the key, unless a scope has the key. A scope's handler that returns undefined leaves
 * the key to the element.
 */
import { type App, Scope, type Modifier } from 'obsidian';

const KEYS: readonly (readonly [modifiers: Modifier[], key: string])[] = [
  [['Mod'], 'Enter'],
  [['Alt'], 'Enter'],
  [['Mod'], 'Backspace'],
  [['Mod'], 'Z'],
  [[], 'Escape'],
];

/** A scope that leaves these keys to the focused element; all others stay Obsidian's. */
export function fieldScope(app: App): Scope {
  const scope = new Scope(app.scope);
  for (const [modifiers, key] of KEYS) scope.register(modifiers, key, () => undefined);
  return scope;
}

/**
 * Leaves the keys to an element in a note while it has the focus.
 *
 * @returns call it when the element is removed
 */
export function keepKeys(app: App, element: HTMLElement): () => void {
  const scope = fieldScope(app);
  let isPushed = false;
  const push = () => {
    if (!isPushed) app.keymap.pushScope(scope);
    isPushed = true;
  };
  const pop = () => {
    if (isPushed) app.keymap.popScope(scope);
    isPushed = false;
  };
  const left = ({ relatedTarget }: FocusEvent) => {
    if (!element.contains(relatedTarget as Node | null)) pop();
  };
  element.addEventListener('focusin', push);
  element.addEventListener('focusout', left);
  return () => {
    element.removeEventListener('focusin', push);
    element.removeEventListener('focusout', left);
    pop();
  };
}
