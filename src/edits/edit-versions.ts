/**
 * The texts that a pending edit has proposed so far. They are not stored: each is in the change of
 * the change log that proposed it.
 */
import * as t from '#messages/edit-messages';
import type { Change, Origin } from '#model/change';
import { withEnding } from '#text/list-diff';
import type { DecidedEdit } from '#model/event';
import type { ChangeId, ConversationId, DeviceId, ProposalId } from '#model/ids';
import type { EditVersion } from '#model/pending-edit';
import { blockEnding, parseNote, printNote } from '#model/proposal/proposal-format';
import {
  chooseHunkText,
  findHunk,
  type HunkPlace,
  type HunkTexts,
  textNow,
} from '#model/proposal/revise-hunk';
import type { NoteVault } from '#ports/vault';
import { applyChange } from './apply-change';
import type { ChangeLog } from './change-log';
import type { ChangeList } from './change-list';
import { noteProblemText } from './decide-edits';
import type { HunkTarget } from './edit-revision';
import { linkRewriter } from './link-rewrites';

/** All versions of a hunk, oldest first; empty if the note does not have it. */
export async function versionsOf(
  hunk: ProposalId,
  raw: string,
  deps: VersionSources,
): Promise<readonly EditVersion[]> {
  const place = findHunk(parseNote(raw), hunk);
  if (!place) return [];
  return (await foundVersions(hunk, place, deps)).map(({ after, origin }) => ({
    after,
    isCurrent: isSame(after, place.after),
    conversation: origin?.conversation ?? null,
    turn: origin?.turn ?? null,
  }));
}

export interface VersionSources {
  readonly changeLog: ChangeLog;
  readonly notes: Pick<NoteVault, 'list'>;
}

interface FoundVersion {
  /** What the hunk would propose now with this version. */
  readonly after: string;
  /** Null if the user wrote it into the note. */
  readonly origin: Origin | null;
}

async function foundVersions(
  hunk: ProposalId,
  place: HunkPlace,
  { changeLog, notes }: VersionSources,
): Promise<readonly FoundVersion[]> {
  const list = await changeLog.changes();
  const listed = list.versions(hunk);
  const changes = await changeLog.read(listed);
  const names = listed.length > 0 ? notes.list().map(({ path }) => path) : [];
  const found: FoundVersion[] = [];
  const add = (after: string, origin: Origin | null) => {
    if (!found.some((each) => isSame(each.after, after))) found.push({ after, origin });
  };
  for (const { id } of listed) {
    const change = changes.get(id);
    if (change?.kind !== 'write' && change?.kind !== 'create') continue;
    const relink = linkRewriter(list.renamesSince(id), names);
    const addFrom = (text: string, origin: Origin | null) => {
      const texts = textsIn(text, hunk);
      if (!texts) return;
      const { before, after, ending } = texts;
      add(textNow(place, { before: relink(before), after: relink(after), ending }), origin);
    };
    // The user may have changed the text of the block by hand.
    if (change.kind === 'write') addFrom(change.before, null);
    addFrom(change.after, change.origin);
  }
  add(place.after, null);
  return found;
}

function textsIn(raw: string, hunk: ProposalId): HunkTexts | null {
  const segment = findHunk(parseNote(raw), hunk)?.segment;
  if (!segment) return null;
  const { before, after } = segment.block;
  return { before, after, ending: blockEnding(segment.raw) };
}

/** A hunk at the end of a note may lack the last line break. */
function isSame(one: string, other: string): boolean {
  const plain = (text: string) => withEnding(text, '\n').replace(/\n$/, '');
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
    if (!read.ok) return noteProblemText(read.reason);
    const before = read.value.text;
    const segments = parseNote(before);
    const place = findHunk(segments, hunk);
    if (!place) return t.editGone;
    const wanted = (await foundVersions(hunk, place, { changeLog, notes }))[version];
    if (!wanted) return t.noSuchVersion;
    if (isSame(wanted.after, place.after)) return null;
    const chosen = chooseHunkText(segments, hunk, wanted.after);
    if (!chosen.ok) return t.versionDoesNotFit;
    const unknown = { conversation: null, turn: null, tool: '', source: 'typed' } as const;
    const known = wanted.origin ?? list.proposing(hunk)?.origin ?? unknown;
    const origin = { ...known, device, call: null };
    const change: Change = {
      ...{ kind: 'write', path, before, after: printNote(chosen.segments), proposes: [hunk] },
      ...{ id: mintChange(), time: now(), origin, act: { kind: 'choose', proposal: hunk } },
    };
    const result = await applyChange(change, changeLog, notes);
    if (result.ok) {
      const { conversation } = origin;
      return { change: change.id, conversation, decision: chosenBy(change, hunk) };
    }
    if (result.reason.kind === 'changed' && tries < MAX_TRIES) continue;
    return noteProblemText(result.reason);
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
