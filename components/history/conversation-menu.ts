/** What turns did to notes and nobody has taken back, as one line. */
import type { Turn, UserAction } from '#model/conversation';
import type { ChangeId } from '#model/ids';
import type { ListedConversation } from '#ports/history';
import type { MenuItem } from '#ports/ui';
import type { ConversationActions } from '#stores/conversation-actions';
import type { EditsState } from '#stores/edits-state';
import { changesOf, reviewedOf, turnLine } from '../edits/turn-changes';

export interface StandingChanges {
  readonly line: string;
  /** The last one first. */
  readonly turns: readonly Turn[];
}

/** Null where nothing stands. */
export async function standingChanges(
  turns: readonly Turn[],
  acts: readonly UserAction[],
  edits: Pick<EditsState, 'find'>,
  undoneAmong: (ids: readonly ChangeId[]) => Promise<ReadonlySet<ChangeId>>,
): Promise<StandingChanges | null> {
  const all = turns.map((turn) => ({ turn, ...changesOf(turn) }));
  const find: EditsState['find'] = (id, note) => edits.find(id, note);
  const reviewed = (isUndone: (id: ChangeId) => boolean) =>
    all.map(({ turn, made, proposed }) => ({
      turn,
      made: made.filter(({ change }) => !isUndone(change)),
      notes: proposed
        .map((each) => reviewedOf(each, acts, { find, isUndone }))
        .filter(({ undone }) => !undone),
    }));
  const known = reviewed(() => false);
  const undone = await undoneAmong(
    known.flatMap(({ made, notes }) => [
      ...made.map(({ change }) => change),
      ...notes.flatMap((note) => [...note.changes, ...note.decided.map(({ change }) => change)]),
    ]),
  );
  const isUndone = (id: ChangeId) => undone.has(id);
  // What was rejected has left nothing in its note.
  const standing = reviewed(isUndone).filter(
    ({ made, notes }) => turnLine(made, notes, isUndone) !== turnLine([], [], isUndone),
  );
  if (standing.length === 0) return null;
  const line = turnLine(
    standing.flatMap(({ made }) => made),
    standing.flatMap(({ notes }) => notes),
    isUndone,
  );
  return { line, turns: standing.map(({ turn }) => turn).toReversed() };
}

export interface ConversationActs {
  readonly keeping: ConversationActions;
  rename(): void;
  remove(): void;
}

export function conversationMenu(
  { id, pinned, archived }: Pick<ListedConversation, 'id' | 'pinned' | 'archived'>,
  { keeping, rename, remove }: ConversationActs,
): MenuItem[] {
  return [
    { title: 'Rename', icon: 'pencil', run: rename },
    {
      title: pinned ? 'Unpin' : 'Pin',
      icon: pinned ? 'pin-off' : 'pin',
      run: () => void keeping.pin(id, !pinned),
    },
    {
      title: archived ? 'Take out of the archive' : 'Archive',
      icon: archived ? 'archive-restore' : 'archive',
      run: () => void keeping.archive(id, !archived),
    },
    { title: 'Export to a note', icon: 'file-output', run: () => void keeping.export(id) },
    { title: 'Delete', icon: 'trash-2', run: remove },
  ];
}
