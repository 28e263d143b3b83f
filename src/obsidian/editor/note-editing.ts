/** All that Parley adds to notes: pending edits and their bars, quick edits, and authorship. */
import type { Plugin } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import type { RunInChat } from '../panel';
import type { MountWhy } from './authorship-marks';
import { addAuthorship } from './authorship-toggle';
import { addEditCommands, type EditCommandDeps } from './edit-commands';
import { EditFocus } from './edit-focus';
import { EditNavigation } from './edit-navigation';
import { addNoteBars, type NoteBarDeps } from './note-bars';
import type { DecidePart } from './part-decisions';
import { followEdits } from './follow-edits';
import { addQuickEdit, type QuickEditDeps } from './quick-edit-command';
import { addReviewWidgets, type ReviewWidgetDeps } from './review-widgets';
import { addUndoHighlight } from './undo-highlight';

type Draw<Mount extends (...drawn: never[]) => Promise<unknown>> = (
  ...drawn: Parameters<Mount>
) => Awaited<ReturnType<Mount>>;

/** Draws in notes, once the app is built. */
interface NoteMounter {
  readonly mountEdit: Draw<ReviewWidgetDeps['mount']>;
  readonly mountQuickEdit: Draw<QuickEditDeps['mount']>;
  readonly mountNoteBar: Draw<NoteBarDeps['mount']>;
  readonly mountOrigin: Draw<MountWhy>;
  decide(...edit: Parameters<EditCommandDeps['decide']>): Promise<void>;
  decidePart(...part: Parameters<DecidePart>): Promise<void>;
}

export interface NoteEditingDeps {
  /** Rejects if the app could not start. */
  mounter(): Promise<NoteMounter>;
  /** Resolves when the agent is built; to null if it could not be. */
  agent(): Promise<Agent | null>;
  /** Resolves when the app is built, however often that has to be tried. */
  readonly whenBuilt: Promise<void>;
  readonly inChat: RunInChat;
}

/** Returns what adds the rest, once the agent is built. */
export function addNoteEditing(plugin: Plugin, deps: NoteEditingDeps): (agent: Agent) => void {
  const { mounter, inChat } = deps;
  const focus = new EditFocus(plugin.app);
  const decide = (run: (mounter: NoteMounter) => Promise<void>) =>
    // A chat says why the app could not start.
    void mounter().then(run, () => inChat({ do: 'focus' }));
  const widgets = addReviewWidgets(plugin, {
    ...{ focus, whenBuilt: deps.whenBuilt },
    mount: async (element, edit) => (await mounter()).mountEdit(element, edit),
    decidePart: (part) => decide((by) => by.decidePart(part)),
  });
  addQuickEdit(plugin, {
    mount: async (element, host) => (await mounter()).mountQuickEdit(element, host),
    agent: () => deps.agent(),
  });
  return (agent) => {
    const navigation = new EditNavigation(plugin.app, agent, focus);
    addNoteBars(plugin, {
      ...{ edits: agent.edits, focus, navigation },
      mount: async (element, bar) => (await mounter()).mountNoteBar(element, bar),
    });
    addEditCommands(plugin, {
      ...{ agent, navigation, widgets, inChat },
      decide: (...edit) => decide((by) => by.decide(...edit)),
    });
    addAuthorship(plugin, agent, async (element, card) =>
      (await mounter()).mountOrigin(element, card),
    );
    addUndoHighlight(plugin, agent);
    plugin.registerEditorExtension(followEdits({ look: (note) => agent.edits.look(note) }));
  };
}
