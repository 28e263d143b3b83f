/**
 * The texts that a pending edit has proposed so far. They are not stored: each is in the change of
 * the change log that proposed it.
 */
import * as t from '#messages/edit-messages';
import type { Change, Origin } from '#model/change';
import { endsWithLine, onlyEnding, withEnding } from '#text/list-diff';
import type { DecidedEdit } from '#model/event';
import type { ChangeId, ConversationId, ProposalId } from '#model/ids';
import type { EditVersion } from '#model/pending-edit';
import { chooseText } from '#model/edit/edit-decisions';
import { ANY_DEVICE, findEdit, type NoteEdit, readEdits } from '#model/edit/note-edits';
import { isOfProperties, mergeProperties } from '#model/edit/property-edit';
import type { NoteVault } from '#ports/vault';
import { MAX_CHANGE_TRIES } from '#ports/retry';
import { applyChange } from './apply-change';
import type { ChangeLog } from './change-log';
import { type DecisionDeps, noteProblemText } from './decide-edits';
import type { HunkTarget } from './edit-revision';
import { linkRewriter } from './links-after-rename';

/** All versions of a hunk, oldest first; empty if the note does not have it. */
export async function versionsOf(
  hunk: ProposalId,
  raw: string,
  deps: VersionSources,
): Promise<readonly EditVersion[]> {
  const edit = findEdit(readEdits(raw, ANY_DEVICE), hunk);
  if (!edit) return [];
  return (await foundVersions(edit, deps)).map(({ after, origin }) => ({
    after,
    isCurrent: isSame(after, edit.after),
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
  edit: NoteEdit,
  { changeLog, notes }: VersionSources,
): Promise<readonly FoundVersion[]> {
  const list = await changeLog.changes();
  const listed = list.versions(edit.id);
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
      const then = findEdit(readEdits(text, ANY_DEVICE), edit.id)?.block;
      if (!then) return;
      add(textNow(edit, { before: relink(then.before), after: relink(then.after) }), origin);
    };
    // The user may have changed the text of the block by hand.
    if (change.kind === 'write') addFrom(change.before, null);
    addFrom(change.after, change.origin);
  }
  add(edit.after, null);
  return found;
}

/**
 * An earlier version of the text as the edit would propose it now: the properties and line endings
 * of the note may have changed since.
 */
function textNow({ lines, block }: NoteEdit, texts: { before: string; after: string }): string {
  const ending = onlyEnding(lines === '' ? block.after : lines);
  const [before, after] = [texts.before, texts.after].map((text) =>
    ending === null ? text : withEnding(text, ending),
  );
  if (before === undefined || after === undefined) return texts.after;
  const isProperties = isOfProperties(block) && before !== lines;
  const merged = isProperties ? mergeProperties({ before, after }, lines) : null;
  if (merged !== null) return merged;
  return endsWithLine(after) || !endsWithLine(lines) ? after : after + (ending ?? '\n');
}

/** A hunk at the end of a note may lack the last line break. */
function isSame(one: string, other: string): boolean {
  const plain = (text: string) => withEnding(text, '\n').replace(/\n$/, '');
  return plain(one) === plain(other);
}

export interface ChosenVersion {
  readonly change: ChangeId;
  readonly conversation: ConversationId | null;
  readonly decision: DecidedEdit;
}

/**
 * Lets the hunk propose one of its versions again. Returns a sentence if that is impossible, and
 * null if it proposes this version already.
 *
 * @param version its place among the versions, from 0
 */
export function chooseVersion(
  target: HunkTarget,
  version: number,
  deps: DecisionDeps,
): Promise<ChosenVersion | string | null> {
  return deps.changeLog.locks.run([target.path], () => choose(target, version, deps));
}

async function choose(
  { path, hunk }: HunkTarget,
  version: number,
  { changeLog, notes, list, device, mintChange, now }: DecisionDeps,
): Promise<ChosenVersion | string | null> {
  for (let tries = 1; ; tries += 1) {
    const read = await notes.read(path);
    if (!read.ok) return noteProblemText(path, read.reason);
    const before = read.value.text;
    const edits = readEdits(before, list.ownEdits(path));
    const edit = findEdit(edits, hunk);
    if (!edit) return t.editGone;
    const wanted = (await foundVersions(edit, { changeLog, notes }))[version];
    if (!wanted) return t.noSuchVersion;
    if (isSame(wanted.after, edit.after)) return null;
    const chosen = chooseText(edits, hunk, wanted.after);
    if (!chosen.ok) return t.versionDoesNotFit;
    const unknown = { conversation: null, turn: null, tool: '', source: 'typed' } as const;
    const known = wanted.origin ?? list.proposing(hunk)?.origin ?? unknown;
    const origin = { ...known, device, call: null };
    const change: Change = {
      ...{ kind: 'write', path, before, after: chosen.text, proposes: [hunk] },
      ...{ id: mintChange(), time: now(), origin, act: { kind: 'choose', proposal: hunk } },
    };
    const result = await applyChange(change, changeLog, notes);
    if (result.ok) {
      const { conversation } = origin;
      return { change: change.id, conversation, decision: chosenBy(change, hunk) };
    }
    if (result.reason.kind === 'changed' && tries < MAX_CHANGE_TRIES) continue;
    return noteProblemText(path, result.reason);
  }
}

/** What a change that chose a version did, for the conversation. */
export function chosenBy(change: Change, hunk: ProposalId): DecidedEdit {
  const [old, now] = (change.kind === 'write' ? [change.before, change.after] : []).map((text) =>
    findEdit(readEdits(text, ANY_DEVICE), hunk),
  );
  return {
    ...{ proposal: hunk, choice: 'choose', before: old?.lines ?? '' },
    ...{ proposed: old?.after ?? '', after: now?.after ?? '' },
  };
}
