/** Keys that send a message while a turn is open; Enter alone lets it join the turn. */
import type { Delivery } from '#model/request';
import type { KeyHint } from '../chat/interaction-keys';

type Chosen = Exclude<Delivery, 'steer'>;

const KEYS: Readonly<Record<Chosen, KeyHint>> = {
  after: { shown: 'Alt+↵', shortcut: 'Alt+Enter' },
  stop: { shown: 'Ctrl+↵', shortcut: 'Control+Enter' },
};

const KEYS_ON_MAC: Readonly<Record<Chosen, KeyHint>> = {
  after: { shown: '⌥↵', shortcut: 'Alt+Enter' },
  stop: { shown: '⌘↵', shortcut: 'Meta+Enter' },
};

export function deliveryKey(delivery: Chosen, isMac: boolean): KeyHint {
  return (isMac ? KEYS_ON_MAC : KEYS)[delivery];
}

/** What the Enter key with these modifiers does; undefined to let the message join the turn. */
export function deliveryOf({
  altKey,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey'>): Chosen | undefined {
  if (ctrlKey || metaKey) return altKey ? undefined : 'stop';
  return altKey ? 'after' : undefined;
}
