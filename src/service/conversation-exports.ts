/** Writes conversations into notes of their own, which nothing of ours touches again. */
import type { Conversations } from '#conversations/repository';
import type { ConversationId } from '#model/ids';
import { illegalNameReason } from '#policy/legal-names';
import type { Clock } from '#ports/clock';
import type { ListedConversation } from '#ports/history';
import type { Metadata } from '#ports/metadata';
import type { NoteProblem, Notes } from '#ports/notes';
import { noteName } from '#tools/note-name';
import { conversationNote } from './conversation-note';

export interface ExportParts {
  readonly conversations: Pick<Conversations, 'list' | 'read'>;
  readonly notes: Pick<Notes, 'create' | 'list'>;
  readonly metadata: Pick<Metadata, 'newNoteFolder'>;
  readonly clock: Clock;
}

/** One goes where new notes go, several into a folder there. A sentence where that can't be, or not of all. */
export async function exportConversations(
  parts: ExportParts,
  ids: readonly ConversationId[] | 'all',
): Promise<{ notes: number; note: string } | string> {
  const { conversations, notes, metadata, clock } = parts;
  const chosen = (await conversations.list()).filter(
    ({ id, messages }) => messages > 0 && (ids === 'all' || ids.includes(id)),
  );
  const [only] = chosen;
  if (!only) return 'There is no conversation to be exported.';
  const taken = new Set(notes.list().map(({ path }) => path.toLowerCase()));
  const place = within(metadata.newNoteFolder());
  const folder = `Conversations ${clock.date(clock.now())}`;
  const into = chosen.length === 1 ? place : `${free(`${place}${folder}`, '', taken)}/`;
  let first = '';
  for (const [at, each] of chosen.entries()) {
    const written = await exportOne(parts, each, into, taken);
    if ('problem' in written) return failed(written.problem, at, chosen.length);
    first ||= written.path;
    await clock.pause();
  }
  return { notes: chosen.length, note: first };
}

async function exportOne(
  { conversations, notes, clock }: ExportParts,
  { id, title }: ListedConversation,
  folder: string,
  taken: Set<string>,
): Promise<{ path: string } | { problem: NoteProblem }> {
  const conversation = await conversations.read(id);
  if (!conversation) return { problem: { kind: 'missing' } };
  const text = conversationNote(conversation, clock);
  for (;;) {
    const path = free(`${folder}${nameOf(title)}`, '.md', taken);
    const made = await notes.create(path, text);
    if (made.ok) return { path };
    if (made.problem.kind !== 'exists') return made;
  }
}

/** A few words are names for files on no system (`CON`). */
function nameOf(title: string): string {
  const name = noteName(title);
  return [name, `Conversation ${name}`].find((each) => illegalNameReason(each) === null) ?? 'Chat';
}

/** The first of "Name", "Name 2", … that is not taken, which is taken from now on. */
function free(name: string, extension: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const path = `${name}${number === 1 ? '' : ` ${number}`}${extension}`;
    if (taken.has(path.toLowerCase())) continue;
    taken.add(path.toLowerCase());
    return path;
  }
}

function within(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

function failed(problem: NoteProblem, done: number, all: number): string {
  const detail = problem.kind === 'disk' ? ` (${problem.detail})` : '';
  const what = all === 1 ? 'The note could not be written.' : `${done} of ${all} were written.`;
  return `${what} Check that the disk is not full and the folder can be written to.${detail}`;
}
