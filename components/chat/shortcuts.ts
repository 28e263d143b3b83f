/**
 * Keys of a chat: those that answer the first open question and decide the first open approval, and
 * those that send a message while a turn is open.
 */
import {
  declineChoice,
  grantChoice,
  type Approval,
  type ApprovalChoice,
  type Interaction,
  type Question,
} from '#model/interaction';
import type { Delivery } from '#model/request';

export type KeyAnswer =
  | { readonly question: Question; readonly choice: string }
  | { readonly approval: Approval; readonly choice: ApprovalChoice };

/** A key as a button shows it, and as `aria-keyshortcuts` names it. */
export interface ShortcutKey {
  readonly shown: string;
  readonly shortcut: string;
}

export const DECLINE: ShortcutKey = { shown: 'Esc', shortcut: 'Escape' };

const SHOWN = { Enter: '↵', Backspace: '⌫', Z: 'Z' } as const;

/** A key with Control or Command, named and shown as the system does. */
export function modKey(key: keyof typeof SHOWN, isMac: boolean): ShortcutKey {
  return isMac
    ? { shown: `⌘${SHOWN[key]}`, shortcut: `Meta+${key}` }
    : { shown: `Ctrl+${SHOWN[key]}`, shortcut: `Control+${key}` };
}

/** Choices beyond the ninth have no key. */
const MAX_NUMBERED = 9;

export const ANSWER_KEYS = `1–${MAX_NUMBERED}`;

/** The key of a question's choice, counted from 0; null if it has none. */
export function choiceKey(at: number): ShortcutKey | null {
  const digit = String(at + 1);
  return at < MAX_NUMBERED ? { shown: digit, shortcut: digit } : null;
}

/** The key of an approval's choice; null if it has none. */
export function approvalKey(
  approval: Approval,
  choice: ApprovalChoice,
  isMac: boolean,
): ShortcutKey | null {
  if (choice === grantChoice(approval)) return modKey('Enter', isMac);
  return choice === declineChoice(approval) ? DECLINE : null;
}

/** Questions and approvals have different keys, so the first of each has its own. */
export function hasKeys({ id, kind }: Interaction, waiting: readonly Interaction[]): boolean {
  return waiting.find((each) => each.kind === kind)?.id === id;
}

/**
 * What the key answers; null if nothing. A grant needs a modifier, so that no word that the user
 * begins to type can delete a note.
 *
 * @param waiting open interactions, the first one first
 */
export function keyAnswer(event: KeyboardEvent, waiting: readonly Interaction[]): KeyAnswer | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (event.repeat || altKey || shiftKey) return null;
  const hasModifier = ctrlKey || metaKey;
  const question = waiting.find((each) => each.kind === 'question');
  const choice =
    /^[1-9]$/.test(key) && !hasModifier ? question?.choices[Number(key) - 1] : undefined;
  if (question && choice !== undefined) return { question, choice };
  const approval = waiting.find((each) => each.kind === 'approval');
  if (!approval) return null;
  if (key === 'Escape' && !hasModifier) return { approval, choice: declineChoice(approval) };
  const grant = key === 'Enter' && hasModifier ? grantChoice(approval) : null;
  return grant && { approval, choice: grant };
}

/** Enter alone lets the message join the turn. */
type Chosen = Exclude<Delivery, 'steer'>;

export function deliveryKey(delivery: Chosen, isMac: boolean): ShortcutKey {
  if (delivery === 'stop') return modKey('Enter', isMac);
  return { shown: isMac ? '⌥↵' : 'Alt+↵', shortcut: 'Alt+Enter' };
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
