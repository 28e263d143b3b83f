/** Reads notes with the pending edits of this device accepted, which are the only ones that count. */
import { mayHoldBlock } from '#model/edit/edit-block';
import {
  type EditedText,
  editsOf,
  NO_DEVICE,
  type OwnEdits,
  readEdits,
  textsOf,
} from '#model/edit/note-edits';
import type { WaitingEdits } from '#ports/vault';
import { isNote } from '#text/paths';

/** Whether proposals can be written into the file as blocks. */
export function canHoldBlocks(path: string): boolean {
  return isNote(path);
}

/** Knows which edits of a note this device has proposed. */
export interface EditOwners {
  ownEdits(path: string): Promise<OwnEdits>;
}

/** A note with its pending edits; those of other devices leave their lines as they are. */
export async function readOwnEdits(
  path: string,
  raw: string,
  owners: EditOwners,
): Promise<EditedText> {
  return readEdits(raw, mayHoldBlock(raw) ? await owners.ownEdits(path) : NO_DEVICE);
}

/** The note's text with its pending edits accepted that are in `own`. */
export function acceptedText(path: string, raw: string, own: OwnEdits): string {
  return canHoldBlocks(path) ? textsOf(readEdits(raw, own)).after : raw;
}

/** The note's text with the pending edits of this device accepted. */
export async function ownText(path: string, raw: string, owners: EditOwners): Promise<string> {
  return canHoldBlocks(path) ? textsOf(await readOwnEdits(path, raw, owners)).after : raw;
}

/** The edits that leave the text as it is; null if there are none. */
export function waitingIn(edits: EditedText): WaitingEdits | null {
  const all = editsOf(edits);
  const foreign = all.filter(({ isOwn }) => !isOwn).length;
  const stale = all.filter(({ isOwn, isStale }) => isOwn && isStale).length;
  const damaged = edits.damaged.length;
  return foreign + stale + damaged > 0 ? { foreign, stale, damaged } : null;
}
