/** Pending edits, read out and decided by voice. */
import type { PendingEdit } from '#model/pending-edit';
import { counted, listFirst } from './plural';

const MAX_NAMES = 3;
const inNotes = (names: readonly string[]) => listFirst(names, MAX_NAMES);

export function edit(type: PendingEdit['type'], note: string, removed: string, added: string) {
  if (type === 'add' || removed === '') return `Add “${added}” to ${note}.`;
  if (type === 'delete' || added === '') return `Delete “${removed}” from ${note}.`;
  return `Replace “${removed}” with “${added}” in ${note}.`;
}
export const numbered = (number: number, text: string) => `${ORDINALS[number - 1]}: ${text}`;
const ORDINALS = ['First', 'Second', 'Third', 'Fourth'];
export const waiting = (count: number) => `${counted(count, 'edit waits', 'edits wait')}.`;
export const sayAcceptIt = 'Say “accept it” or “reject it”.';
export const sayAcceptAll = (read: number) =>
  `Say “accept all” or “reject the ${read > 1 ? 'second' : 'first'}”.`;
export const decided = (verb: 'accept' | 'reject', count: number, notes: readonly string[]) =>
  `${verb === 'accept' ? 'Accepted' : 'Rejected'} ${counted(count, 'edit')} in ${inNotes(notes)}.`;
export const nothingPending = 'No edit waits.';
export const decidedBefore = 'Already decided.';
export const noSuchEdit = (count: number) =>
  `Only ${counted(count, 'edit was', 'edits were')} read out.`;
export const voiceIsOff = (notes: readonly string[]) =>
  `Voice decisions are off, so decide in Obsidian: the edits in ${inNotes(notes)}.`;
export const decideOnScreen = (notes: readonly string[]) =>
  `Decide in Obsidian what may run or load from elsewhere: ${inNotes(notes)}.`;
