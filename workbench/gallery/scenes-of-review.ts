/** Scenes of edits that wait, are decided and are taken back. */
import type { PendingEdit, PendingNote } from '#model/edits';
import type { ChangeId, ProposalId } from '#model/ids';
import type { ChangeNote } from '#model/message';
import type { Reviewed } from './scripted-edits';
import { Script } from './script';

interface ReviewScene {
  readonly scripts: readonly Script[];
  readonly reviewed: Reviewed;
}

const TRIP = 'Projects/Lisbon trip.md';
const PACKING = 'Lists/Packing.md';

/** One part of a proposal, as [before, after]; an empty side is none. */
type Part = readonly [before: string, after: string];

interface ProposedNote {
  readonly path: string;
  readonly isNew?: boolean;
  readonly parts: readonly Part[];
}

/** A turn that proposes changes of notes, and the edits that then wait. */
export function proposing(
  script: Script,
  notes: readonly ProposedNote[],
): { script: Script; pending: PendingNote[] } {
  const pending = notes.map(({ path, isNew = false, parts }): PendingNote => {
    const edits = parts.map((part, at) => pendingEdit(script, path, part, at));
    const change: ChangeNote = {
      change: `change-${script.turn}-${path}` as ChangeId,
      kind: isNew ? 'create' : 'write',
      path,
      proposes: edits.map(({ id }) => id),
      added: parts.reduce((sum, [, after]) => sum + linesOf(after), 0),
      removed: parts.reduce((sum, [before]) => sum + linesOf(before), 0),
    };
    script.call(isNew ? 'write_file' : 'edit_file', { path }, 'Proposed.', {
      details: { kind: 'changes', changes: [change] },
    });
    return { path, isNew, edits };
  });
  return { script, pending };
}

function pendingEdit(script: Script, path: string, [before, after]: Part, at: number): PendingEdit {
  const type = before === '' ? 'add' : after === '' ? 'delete' : 'replace';
  return {
    id: `${script.turn}-${path}-${at}` as ProposalId,
    type,
    before,
    after,
    line: 4 + 9 * at,
    conversation: script.id,
    turn: script.turn,
  };
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

const HOTEL: Part = [
  'The hotel near *Graça* is booked from **12 April** for five nights. Breakfast is not included, but the bakery across the street opens at seven.\n',
  'The hotel near *Graça* is booked from **13 April** for four nights, as the [[Journal/2026-03-02]] says. Breakfast is not included, but the bakery across the street opens at seven.\n',
];

const LIST: Part = [
  '- [ ] Passport\n- [x] Tickets\n- [ ] Charger for the phone\n',
  '- [ ] Passport\n- [x] Tickets\n- [ ] Charger for the phone and the camera\n- [ ] Adapter\n',
];

const COSTS: Part = [
  '| Thing | Euro |\n| --- | ---: |\n| Flights | 214 |\n| Hotel | 390 |\n| Tram | 20 |\n',
  '| Thing | Euro |\n| --- | ---: |\n| Flights | 214 |\n| Hotel | 312 |\n| Castle | 15 |\n| Tram | 20 |\n',
];

const OLD: Part = ['> Ask the hotel about the second key before the 1st.\n', ''];

function trip(name: string): { script: Script; pending: PendingNote[] } {
  const script = new Script(name).ask('Bring my notes about Lisbon up to date').step();
  script.say(
    'The journal says that the hotel was moved by a day. I’ll propose what follows from it.',
  );
  return proposing(script, [
    { path: TRIP, parts: [HOTEL, COSTS, OLD] },
    { path: PACKING, parts: [LIST] },
  ]);
}

const ANSWER =
  'I propose the new dates in [[Projects/Lisbon trip]], and the adapter in [[Lists/Packing]].';

function pendingScene(): ReviewScene {
  const { script, pending } = trip('proposed');
  script.stepEnd().step().say(ANSWER).done(ANSWER);
  return { scripts: [script], reviewed: { pending } };
}

export const REVIEW_SCENES: Readonly<Record<string, () => ReviewScene>> = {
  'review-pending': pendingScene,
};
