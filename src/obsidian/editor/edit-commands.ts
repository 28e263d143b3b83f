/** Commands for accepting, rejecting, amending, visiting and undoing edits of the active note. */
import type { ActionResult } from '#model/failure';
import * as t from '#messages/command-messages';
import { MarkdownView, Notice, type Editor, type Plugin } from 'obsidian';
import type { ProposalId } from '#model/ids';
import type { UnappliedEdit } from '#model/pending-edit';
import type { Agent } from '#ports/app/agent';
import type { EditNavigation } from './edit-navigation';
import { type BlockPlace, blockPlaces } from './block-places';
import { activeMarkdownView } from '../vault/open-editors';
import type { RunInChat } from '../panel';
import type { ReviewWidgets } from './review-widgets';

export interface EditCommandDeps {
  readonly agent: Agent;
  readonly navigation: EditNavigation;
  readonly widgets: ReviewWidgets;
  readonly inChat: RunInChat;
  /** Decides an edit of a note, or all of them, and shows what failed. */
  readonly decide: (verdict: 'accept' | 'reject', edit: ProposalId | 'all', note: string) => void;
}

export function addEditCommands(
  plugin: Plugin,
  { agent, navigation, widgets, inChat, decide }: EditCommandDeps,
): void {
  const { app } = plugin;
  const tell = (
    result: Promise<ActionResult<{ readonly unapplied: readonly UnappliedEdit[] }>>,
  ): void => {
    void result.then((answer) => {
      const problems = answer.ok ? answer.unapplied.map(({ why }) => why) : [answer.reason];
      for (const problem of problems) new Notice(problem);
    });
  };

  /**
   * Adds a command that is available when there is an edit at the cursor and `isPossible` holds for
   * it.
   */
  const atCursor = (
    id: string,
    name: string,
    act: (place: BlockPlace, view: MarkdownView, note: string) => void,
    isPossible: (place: BlockPlace, view: MarkdownView) => boolean = () => true,
  ): void => {
    plugin.addCommand({
      id,
      name,
      editorCheckCallback: (checking, editor, info) => {
        const note = info.file?.path;
        if (note === undefined || !(info instanceof MarkdownView)) return false;
        const place = navigation.current(note, editor) ?? placeAtCursor(editor);
        if (!place || !isPossible(place, info)) return false;
        if (!checking) act(place, info, note);
        return true;
      },
    });
  };
  /**
   * Adds a command that is available when `isPossible` holds for the active note, in any view mode.
   */
  const inNote = (
    id: string,
    name: string,
    act: (note: string) => void,
    isPossible: (note: string) => boolean,
  ): void => {
    plugin.addCommand({
      id,
      name,
      checkCallback: (checking) => {
        const note = activeMarkdownView(app)?.file?.path;
        if (note === undefined || !isPossible(note)) return false;
        if (!checking) act(note);
        return true;
      },
    });
  };
  const whilePending = (id: string, name: string, act: () => void): void => {
    plugin.addCommand({
      id,
      name,
      checkCallback: (checking) => {
        if (agent.edits.pending().length === 0) return false;
        if (!checking) act();
        return true;
      },
    });
  };
  const isPending = (note: string): boolean =>
    agent.edits.pending().some(({ path }) => path === note);
  const widgetOf = ({ edit }: BlockPlace, { containerEl }: MarkdownView) =>
    widgets.find(containerEl, edit.id);

  atCursor('accept-edit', t.acceptAtCursor, ({ edit }, _, note) => decide('accept', edit.id, note));
  atCursor('reject-edit', t.rejectAtCursor, ({ edit }, _, note) => decide('reject', edit.id, note));
  atCursor(
    ...(['amend-edit', t.editAtCursor] as const),
    (place, view) => void widgetOf(place, view)?.with((widget) => widget.edit()),
    (place, view) => widgetOf(place, view) !== null,
  );
  atCursor(
    ...(['reply-to-edit', t.replyAtCursor] as const),
    (place, view) => void widgetOf(place, view)?.with((widget) => widget.reply()),
    (place, view) => widgetOf(place, view) !== null,
  );
  inNote(
    ...(['accept-all-edits', t.acceptAllInNote] as const),
    (note) => decide('accept', 'all', note),
    isPending,
  );
  inNote(
    ...(['reject-all-edits', t.rejectAllInNote] as const),
    (note) => decide('reject', 'all', note),
    isPending,
  );
  whilePending('next-edit', t.nextEdit, () => void navigation.go('next'));
  whilePending('previous-edit', t.previousEdit, () => void navigation.go('previous'));
  whilePending('show-edits', t.showPendingEdits, () => {
    void inChat({ do: 'show-edits' });
  });
  inNote(
    ...(['undo-last-change', t.undoLastChange] as const),
    (note) => void undoLast(note),
    () => true,
  );

  async function undoLast(note: string): Promise<void> {
    const last = (await agent.changes.noteHistory(note)).find(
      ({ undone, act, isByAgent }) => !undone && (act !== 'undo' || isByAgent === true),
    );
    if (last) tell(agent.changes.undo({ change: last.change }));
    else new Notice(t.nothingToUndo);
  }
}

/** The edit whose lines or block the cursor is in or next to; prefers its lines. */
function placeAtCursor(editor: Editor): BlockPlace | null {
  const at = editor.posToOffset(editor.getCursor());
  const places = blockPlaces(editor.getValue());
  return (
    places.find(({ linesFrom, from }) => linesFrom <= at && at < from) ??
    places.find(({ from, to }) => from < at && at <= to) ??
    places.find(({ from }) => from - 1 === at || from === at) ??
    null
  );
}
