/** Scenes of pending edits that are talked about. */
import type { ProposalId } from '#model/ids';
import type { EditVersion, PendingNote } from '#model/pending-edit';
import type { Act, Scene, Scenes } from './scene';
import { queuedEntry } from './scripted-agent';
import { proposing } from './scenes-of-review';
import { Script } from './script';

const NOTE = 'Projects/Lisbon trip.md';
const BEFORE = 'The hotel near *Graça* is booked from **12 April** for five nights.\n';
const FIRST =
  'The hotel near *Graça* is booked from **13 April** for four nights, as the [[Journal/2026-03-02]] says.\n';
const SECOND = 'The hotel near *Graça* is booked from **13 April**, four nights.\n';
const QUESTION = 'Why the 13th?';
const ANSWER =
  'Your journal of 2 March says that the flight was moved by a day, so the first night is the 13th.';

interface Talk {
  readonly script: Script;
  readonly note: PendingNote;
  readonly hunk: ProposalId;
}

function proposed(name: string): Talk {
  const script = new Script(name).ask('Bring my trip up to date', 'typed', 'review').step();
  const { pending } = proposing(script, [
    {
      path: NOTE,
      parts: [
        [BEFORE, FIRST],
        ['', '- [ ] Adapter for the plug\n'],
      ],
    },
  ]);
  script.done('I propose the new dates.');
  const [note] = pending;
  const hunk = note?.edits[0]?.id as ProposalId;
  if (!note) throw new Error('Nothing is proposed.');
  return { script, note, hunk };
}

/** What the user says about the edit, up to where the turn ends. */
function said({ script, hunk }: Talk, text: string): Script {
  return script
    .attach([{ kind: 'hunk', path: NOTE, hunk }])
    .ask(text, 'typed', 'review')
    .step();
}

function revised({ note, hunk }: Talk): NonNullable<Scene['reviewed']> {
  const version = (after: string, isCurrent: boolean): EditVersion => ({
    ...{ after, isCurrent, conversation: null, turn: null },
  });
  const edits = note.edits.map((edit) =>
    edit.id === hunk ? { ...edit, after: SECOND, isRevised: true as const } : edit,
  );
  return {
    pending: [{ ...note, edits }],
    versions: { [hunk]: [version(FIRST, false), version(SECOND, true)] },
  };
}

const OPEN: Act = { click: 'Reply' };

function openScene(): Scene {
  const { script, note } = proposed('reply-open');
  const acts: readonly Act[] = [OPEN, { write: 'shorter', into: 'Reply to this edit' }];
  return { scripts: [script], reviewed: { pending: [note] }, acts };
}

function answeredScene(): Scene {
  const talk = proposed('reply-answered');
  said(talk, QUESTION).done(ANSWER);
  return { scripts: [talk.script], reviewed: revised(talk), acts: [OPEN] };
}

function workingScene(): Scene {
  const talk = proposed('reply-working');
  said(talk, 'Leave out the journal');
  const { script, hunk } = talk;
  const entry = queuedEntry('Leave out the journal', script.id, 1, [
    { kind: 'hunk', path: NOTE, hunk },
  ]);
  const claimed = { state: 'claimed', conversation: script.id, turn: script.turn } as const;
  return {
    ...{ scripts: [script], reviewed: revised(talk), acts: [OPEN] },
    entries: [{ ...entry, ...claimed }],
  };
}

function failedScene(): Scene {
  const talk = proposed('reply-failed');
  said(talk, 'Leave out the journal').end({
    kind: 'failed',
    failure: {
      ...{ kind: 'network', sentence: 'Network error.', next: 'Please check your connection.' },
    },
    reply: 'Network error. Please check your internet connection. Parley retries when it is back.',
  });
  return { scripts: [talk.script], reviewed: revised(talk), acts: [OPEN] };
}

function widgetScene(): Scene {
  const talk = proposed('reply-widget');
  said(talk, QUESTION).done(ANSWER);
  const reviewed = revised(talk);
  const widgets = (reviewed.pending?.[0]?.edits ?? []).map(({ id, type, before, after }) => ({
    note: NOTE,
    block: { id: id as ProposalId, type, before, after },
  }));
  return { scripts: [talk.script], reviewed, widgets, acts: [OPEN] };
}

export const EDIT_REPLY_SCENES: Scenes = {
  'edit-reply-open': openScene,
  'edit-reply-working': workingScene,
  'edit-reply-answered': answeredScene,
  'edit-reply-failed': failedScene,
  'edit-reply-widget': widgetScene,
};
