/**
 * The texts that a pending edit has proposed so far. They are not stored: each is in the change of
 * the change log that proposed it.
 */
import * as t from '#model/messages/edit-messages';
import type { Change, Origin } from '#model/change';
import { withEnding } from '#model/diff/list-diff';
import type { DecidedEdit } from '#model/event';
import type { ChangeId, ConversationId, DeviceId, ProposalId } from '#model/ids';
import type { EditVersion } from '#model/pending-edit';
import { blockEnding, parseNote, printNote } from '#model/proposal/proposal-format';
import { chooseHunkText, findHunk, type HunkTexts } from '#model/proposal/revise-hunk';
import type { NoteVault } from '#ports/vault';
import { applyChange } from './apply-change';
import type { ChangeLog } from './change-log';
import type { ChangeList } from './change-list';
import { noteProblemText } from './decide-edits';
import type { HunkTarget } from './edit-revision';

/** All versions of a hunk, oldest first; empty if the note does not have it. */
export async function versionsOf(
  hunk: ProposalId,
  raw: string,
  changeLog: ChangeLog,
): Promise<readonly EditVersion[]> {
  const now = textsIn(raw, hunk);
  if (!now) return [];
  const listed = (await changeLog.changes()).versions(hunk);
  const changes = await changeLog.read(listed);
  const found: { texts: HunkTexts; origin: Origin | null }[] = [];
  const add = (texts: HunkTexts | null, origin: Origin | null) => {
    if (texts && !found.some((each) => isSame(each.texts, texts))) found.push({ texts, origin });
  };
  for (const { id } of listed) {
    const change = changes.get(id);
    if (change?.kind !== 'write' && change?.kind !== 'create') continue;
    // The user may have changed the text of the block by hand.
    if (change.kind === 'write') add(textsIn(change.before, hunk), null);
    add(textsIn(change.after, hunk), change.origin);
  }
  add(now, null);
  return found.map(({ texts, origin }) => ({
    ...texts,
    isCurrent: isSame(texts, now),
    conversation: origin?.conversation ?? null,
    turn: origin?.turn ?? null,
  }));
}

function textsIn(raw: string, hunk: ProposalId): HunkTexts | null {
  const segment = findHunk(parseNote(raw), hunk)?.segment;
  if (!segment) return null;
  const { before, after } = segment.block;
  return { before, after, ending: blockEnding(segment.raw) };
}

function isSame(one: HunkTexts, other: HunkTexts): boolean {
  const plain = ({ after }: HunkTexts) => withEnding(after, '\n').replace(/\n$/, '');
  return plain(one) === plain(other);
}

export interface VersionDeps {
  readonly changeLog: ChangeLog;
  readonly notes: NoteVault;
  readonly list: ChangeList;
  readonly device: DeviceId;
  mintChange(): ChangeId;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface ChosenVersion {
  readonly change: ChangeId;
  readonly conversation: ConversationId | null;
  readonly decision: DecidedEdit;
}

/** The user may keep typing; give up after this many tries. */
const MAX_TRIES = 5;

/**
 * Lets the hunk propose one of its versions again. Returns a sentence if that is impossible, and
 * null if it proposes this version already.
 *
 * @param version its place among the versions, from 0
 */
export async function chooseVersion(
  { path, hunk }: HunkTarget,
  version: number,
  { changeLog, notes, list, device, mintChange, now }: VersionDeps,
): Promise<ChosenVersion | string | null> {
  for (let tries = 1; ; tries += 1) {
    const read = await notes.read(path);
    if (!read.ok) return noteProblemText(read.problem);
    const before = read.value.text;
    const wanted = (await versionsOf(hunk, before, changeLog))[version];
    const segments = parseNote(before);
    const place = findHunk(segments, hunk);
    if (!place) return t.editGone;
    if (!wanted) return t.noSuchVersion;
    if (wanted.isCurrent) return null;
    const chosen = chooseHunkText(segments, hunk, wanted);
    if (!chosen.ok) return t.versionDoesNotFit;
    const unknown = { conversation: null, turn: null, tool: '', source: 'typed' } as const;
    const origin = { ...(list.proposing(hunk)?.origin ?? unknown), device, call: null };
    const change: Change = {
      ...{ kind: 'write', path, before, after: printNote(chosen.segments), proposes: [hunk] },
      ...{ id: mintChange(), time: now(), origin, act: { kind: 'choose', proposal: hunk } },
    };
    const result = await applyChange(change, changeLog, notes);
    if (result.ok) {
      const { conversation } = origin;
      return { change: change.id, conversation, decision: chosenBy(change, hunk) };
    }
    if (result.problem.kind === 'changed' && tries < MAX_TRIES) continue;
    return noteProblemText(result.problem);
  }
}

/** What a change that chose a version did, for the conversation. */
export function chosenBy(change: Change, hunk: ProposalId): DecidedEdit {
  const old = change.kind === 'write' ? textsIn(change.before, hunk) : null;
  const now = change.kind === 'write' ? textsIn(change.after, hunk) : null;
  return {
    ...{ proposal: hunk, choice: 'choose', before: old?.before ?? '' },
    ...{ proposed: old?.after ?? '', after: now?.after ?? '' },
  };
}
