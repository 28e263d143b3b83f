/** Scenes of edits that are pending, decided or undone. */
import type { NoteChange, PendingEdit, PendingNote } from '#model/pending-edit';
import type { DecidedEdit } from '#model/event';
import type { ChangeId, ProposalId } from '#model/ids';
import type { ChangeNote } from '#model/message';
import { never, type Scene, type Scenes } from './scene';
import type { Reviewed } from './scripted-edits';
import { Script } from './script';

const TRIP = 'Projects/Lisbon trip.md';
const PACKING = 'Lists/Packing.md';

/**
 * One hunk of a proposal as [before, after]; an empty before is an insertion, an empty after a
 * deletion.
 */
type Part = readonly [before: string, after: string];

interface ProposedNote {
  readonly path: string;
  readonly isNew?: boolean;
  readonly parts: readonly Part[];
}

/** Adds calls that propose changes to notes, and returns the resulting pending edits. */
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
  const script = new Script(name).ask('Bring my notes about Lisbon up to date', 'typed', 'review');
  script.write({ type: 'mode-set', mode: 'review' }).step();
  script.say('The journal says that the hotel was moved by a day.');
  const proposed = proposing(script, [
    { path: TRIP, parts: [HOTEL, COSTS, OLD] },
    { path: PACKING, parts: [LIST] },
  ]);
  script.stepEnd().step().say(ANSWER).done(ANSWER);
  return proposed;
}

const ANSWER =
  'I propose the new dates in [[Projects/Lisbon trip]], and the adapter in [[Lists/Packing]].';

function pendingScene(): Scene {
  const { script, pending } = trip('proposed');
  return { scripts: [script], reviewed: { pending } };
}

/** One edit accepted, one amended, one rejected and one still pending. */
function decidedScene(): Scene {
  const { script, pending } = trip('decided');
  const [lisbon, packing] = pending;
  const [hotel, costs, old] = lisbon?.edits ?? [];
  if (!hotel || !costs || !old || !packing) return { scripts: [script] };
  decide(script, TRIP, [{ edit: hotel, choice: 'accept' }]);
  const after = costs.after.replace('| Castle | 15 |', '| Castle | 17 |');
  decide(script, TRIP, [{ edit: costs, choice: 'amend', after }]);
  decide(script, TRIP, [{ edit: old, choice: 'reject' }]);
  return { scripts: [script], reviewed: { pending: [packing] } };
}

/** An answer whose only edit was accepted. */
function acceptedScene(): Scene {
  const script = new Script('accepted').ask('Add milk', 'typed', 'review').step();
  const { pending } = proposing(script, [{ path: SHOPPING, parts: [['', '- [ ] milk\n']] }]);
  script.done('Milk is proposed for the list.');
  const [edit] = pending[0]?.edits ?? [];
  if (edit) decide(script, SHOPPING, [{ edit, choice: 'accept' }]);
  return { scripts: [script] };
}

/** An edit of another chat, to which an answer has added a line. */
function fromBeforeScene(): Scene {
  const other = new Script('before').ask('Add milk', 'typed', 'review').step();
  const { pending } = proposing(other, [{ path: SHOPPING, parts: [['', '- [ ] milk\n']] }]);
  other.done('Milk is proposed for the list.');
  const [note] = pending;
  const [edit] = note?.edits ?? [];
  if (!note || !edit) return { scripts: [other] };
  const script = new Script('added').ask('And soap', 'typed', 'review').step();
  const change: ChangeNote = {
    ...{ change: 'change-soap' as ChangeId, kind: 'write', path: SHOPPING, added: 1, removed: 0 },
    proposes: [edit.id],
  };
  script.call('edit_file', { path: SHOPPING }, 'Proposed.', {
    details: { kind: 'changes', changes: [change] },
  });
  script.done('Soap is proposed, too.');
  const after = `${edit.after}- [ ] soap\n`;
  const versions = [
    { after: edit.after, isCurrent: false, conversation: other.id, turn: other.turn },
    { after, isCurrent: true, conversation: script.id, turn: script.turn },
  ];
  const from = { conversation: script.id, turn: script.turn };
  const revised = { ...edit, ...from, after, isRevised: true as const };
  return {
    scripts: [other, script],
    reviewed: { pending: [{ ...note, edits: [revised] }], versions: { [edit.id]: versions } },
  };
}

function partlyScene(): Scene {
  const { script, pending } = trip('partly');
  const [lisbon, packing] = pending;
  const [hotel, ...others] = lisbon?.edits ?? [];
  if (!lisbon || !hotel || !packing) return { scripts: [script] };
  decide(script, TRIP, [{ edit: hotel, choice: 'accept' }]);
  decide(
    script,
    PACKING,
    packing.edits.map((edit) => ({ edit, choice: 'accept' })),
    ['One list item was moved by you meanwhile and was left where it is.'],
  );
  return { scripts: [script], reviewed: { pending: [{ ...lisbon, edits: others }] } };
}

interface Choice {
  readonly edit: PendingEdit;
  readonly choice: DecidedEdit['choice'];
  readonly after?: string;
}

function decide(
  script: Script,
  path: string,
  choices: readonly Choice[],
  problems: readonly string[] = [],
): void {
  script.wait(60_000).write({
    type: 'edits-decide',
    path,
    change: `change-decided-${choices[0]?.edit.id ?? ''}` as ChangeId,
    decisions: choices.map(({ edit, choice, after }) => ({
      ...{ proposal: edit.id, choice, before: edit.before, proposed: edit.after },
      ...(after === undefined ? {} : { after }),
    })),
    problems,
  });
}

const SHOPPING = 'Lists/Shopping.md';
const BOAT_TEXTS = {
  before:
    '---\nstatus: planned\ntags:\n  - boat\n---\n\n# Boat\n\nIt lies in the shed since October.\n',
  after:
    '---\nstatus: sold\ntags:\n  - boat\n  - archive\n---\n\n# Boat\n\nIt lies in the shed since October.\n',
};
const LIST_TEXTS = {
  before: `# Shopping\n\n${Array.from({ length: 12 }, (_, at) => `- [ ] thing ${at + 1}`).join('\n')}\n`,
  after: `# Shopping\n\n${Array.from({ length: 12 }, (_, at) => `- [${at === 6 ? 'x' : ' '}] thing ${at + 1}`).join('\n')}\n- [ ] milk\n`,
};

/** A turn in Apply mode with one change of every kind. */
function madeTurn(name: string): Script {
  const script = new Script(name).ask('Sort out the boat, and put milk on the list').step();
  const made = (tool: string, change: Omit<ChangeNote, 'change'>) =>
    script.call(tool, { path: change.path }, 'Done.', {
      details: {
        kind: 'changes',
        changes: [{ ...change, change: `change-${tool}-${name}` as ChangeId }],
      },
    });
  made('edit_file', { kind: 'write', path: SHOPPING, added: 2, removed: 1 });
  made('update_properties', { kind: 'write', path: 'Projects/Boat.md', added: 2, removed: 1 });
  made('move', {
    ...{ kind: 'move', path: 'Projects/Boat.md', to: 'Archive/2026/Boat.md' },
    ...{ added: 0, removed: 0, links: 3 },
  });
  made('create_folder', { kind: 'folder', path: 'Archive/2026', added: 0, removed: 0 });
  made('delete', { kind: 'delete', path: 'Projects/Boat offers.md', added: 0, removed: 14 });
  return script
    .stepEnd()
    .step()
    .say('The boat is in the archive.')
    .done('The boat is in the archive.');
}

const TEXTS = (name: string): NonNullable<Reviewed['texts']> => ({
  [`change-edit_file-${name}`]: LIST_TEXTS,
  [`change-update_properties-${name}`]: BOAT_TEXTS,
});

function undoneScene(): Scene {
  const script = madeTurn('undone');
  const changes = ['edit_file', 'update_properties', 'move', 'create_folder', 'delete'].map(
    (tool) => `change-${tool}-undone` as ChangeId,
  );
  script.wait(60_000).write({
    ...{ type: 'change-undo', undos: ['change-undo-1' as ChangeId], changes },
    ...{ undone: [SHOPPING], left: [] },
  });
  return { scripts: [script], reviewed: { undone: changes, texts: TEXTS('undone') } };
}

function conflictScene(): Scene {
  const script = madeTurn('conflict');
  const changes = ['change-edit_file-conflict' as ChangeId, 'change-move-conflict' as ChangeId];
  script.wait(60_000).write({
    ...{ type: 'change-undo', undos: ['change-undo-1' as ChangeId], changes, undone: [SHOPPING] },
    left: [
      {
        path: SHOPPING,
        why: 'You changed the same line since, so it was left as you have it.',
        conflict: { now: '- [ ] oat milk, two bottles', wanted: '- [ ] thing 7' },
      },
      { path: 'Archive/2026/Boat.md', why: 'There is another note at Projects/Boat.md by now.' },
    ],
  });
  return { scripts: [script], reviewed: { undone: [changes[0] ?? ''], texts: TEXTS('conflict') } };
}

/** A conversation that proposes edits to one note. */
function single(name: string, ask: string, note: ProposedNote): Scene {
  const script = new Script(name).ask(ask, 'typed', 'review').step();
  const { pending } = proposing(script, [note]);
  script.done('');
  return { scripts: [script], reviewed: { pending } };
}

/** More notes than the list shows at first. */
function manyScene(): Scene {
  const script = new Script('many').ask('Put every project under its year').step();
  const changes = Array.from({ length: 9 }, (_, at): ChangeNote => ({
    ...{
      change: `change-many-${at}` as ChangeId,
      kind: 'write',
      path: `Projects/Plan ${at + 1}.md`,
    },
    ...{ added: at + 1, removed: at % 3 },
  }));
  script
    .call('edit_file', { path: 'Projects/Plan 1.md' }, 'Done.', {
      details: { kind: 'changes', changes },
    })
    .done('All nine are under their year.');
  return { scripts: [script] };
}

function heldScene(): Scene {
  const script = new Script('held').ask('Make the board wider', 'typed', 'review').step();
  const path = 'Boards/Garden.canvas';
  const id = 'change-held' as ChangeId;
  const change: ChangeNote = {
    change: id,
    kind: 'hold',
    path,
    proposes: [id],
    added: 1,
    removed: 1,
  };
  script
    .call('write_file', { path }, 'Proposed.', { details: { kind: 'changes', changes: [change] } })
    .done('');
  const node = (width: number) =>
    `{\n  "nodes": [\n    { "id": "1", "type": "text", "text": "Beds", "x": 0, "y": 0, "width": ${width}, "height": 60 }\n  ],\n  "edges": []\n}\n`;
  const edit: PendingEdit = {
    ...{ id, type: 'replace', before: node(250), after: node(400), line: null },
    ...{ conversation: script.id, turn: script.turn },
  };
  return { scripts: [script], reviewed: { pending: [{ path, isNew: false, edits: [edit] }] } };
}

const NEW_NOTE = `---
tags:
  - meeting
date: 2026-03-04
---

# Garden day

We meet at **nine** at the shed.

1. Beds
2. Paths
   - gravel
   - ~~bark~~

\`\`\`js
const helpers = ['Ines', 'Tom'];
\`\`\`

See [[People/Ines]].
`;

function longScene(): Scene {
  const line = (at: number, word: string) =>
    `Paragraph ${at} is about the ${word} of the garden, about what was planted there in spring, and about what came of it by the autumn, when all of it had to be cut back.`;
  const text = (word: (at: number) => string) =>
    Array.from({ length: 60 }, (_, at) => line(at + 1, word(at))).join('\n\n') + '\n';
  const before = text(() => 'beds');
  const after = text((at) => (at % 7 === 3 ? 'paths and ponds' : 'beds'));
  return single('long-change', 'Correct the garden log', {
    path: 'Journal/Garden log.md',
    parts: [[before, after]],
  });
}

const FRONT: Part = [
  '---\nstatus: planned\ndue: 2026-04-12\ntags: [trip, spring]\nnights: 5\n---\n',
  '---\nstatus: booked\ndue: 2026-04-13\ntags: [trip, spring, lisbon]\nnights: 4\nhotel: Graça\n---\n',
];

const CODE: Part = [
  '## Setup\n\n```ts\nconst width = 250;\nconst height = 60;\n```\n\n1. Install it\n2. Start it\n',
  '### Setup\n\n```ts\nconst width = 400;\nconst height = 60;\nconst depth = 2;\n```\n\n1. Install it with **care**\n2. Read [the guide](https://example.com)\n3. Start it\n',
];

/** Changes that the drawn text does not show. */
const HIDDEN: readonly Part[] = [
  [
    'Book at [the hotel](https://hotel.example/book), see [[Costs|the table]].\n',
    'Book at [the hotel](https://h0tel.example/book?to=other), see [[Old/Costs|the table]].\u200B\n',
  ],
  ['> [!note] Key\n> Ask for the second key.\n', '> [!danger]- Key\n> Ask for the third key.\n'],
  [
    `| Day | Plan |\n| --- | --- |\n${Array.from({ length: 14 }, (_, at) => `| ${at + 1} | walk |\n`).join('')}| 15 | walk | 3 |\n`,
    `| Day | Plan |\n| --- | --- |\n${Array.from({ length: 14 }, (_, at) => `| ${at + 1} | tram |\n`).join('')}| 15 | walk | 4 |\n`,
  ],
  [
    '---\nroom: "12"\nnote: ok\n---\n## Steps\n\n* Pay\n* Sleep\n',
    '---\nroom: 12\nnote: ok\u202E\n---\n# Steps\n\n- Pay\n- Sleep long\n',
  ],
];

function listScene(): Scene {
  const { script, pending } = trip('list');
  const other = new Script('other').ask('Note the meeting of the garden group', 'voice').step();
  const more = proposing(other, [
    { path: 'Meetings/Garden day.md', isNew: true, parts: [['', NEW_NOTE]] },
  ]);
  other.done('It is proposed as a new note.');
  return {
    scripts: [other, script],
    reviewed: { pending: [...pending, ...more.pending] },
    place: 'edits',
  };
}

function historyScene(): Scene {
  const { script } = trip('noted');
  const voice = new Script('voice').ask('Put the adapter on the packing list', 'voice').step();
  voice.done('Done.');
  const at = Date.now();
  const base: NoteChange = {
    ...{ change: 'change-1' as ChangeId, kind: 'write', act: 'change', path: PACKING, to: null },
    ...{ time: at - 3_000_000, conversation: script.id, turn: script.turn, tool: 'edit_file' },
    ...{ source: 'typed', added: 2, removed: 1, fate: 'done', undone: false, choice: null },
  };
  const changes: NoteChange[] = [
    {
      ...base,
      act: 'undo',
      change: 'change-5' as ChangeId,
      added: 0,
      removed: 1,
      time: at - 60_000,
    },
    {
      ...base,
      change: 'change-4' as ChangeId,
      conversation: voice.id,
      source: 'voice',
      added: 1,
      removed: 0,
      undone: true,
    },
    {
      ...base,
      act: 'decide',
      choice: 'reject',
      change: 'change-3' as ChangeId,
      time: at - 90_000_000,
      added: 0,
      removed: 2,
    },
    { ...base, act: 'propose', change: 'change-2' as ChangeId, time: at - 90_600_000 },
    {
      ...{ ...base, kind: 'move', path: 'Packing list.md', to: PACKING, time: at - 900_000_000 },
      ...{ change: 'change-1' as ChangeId, conversation: null, added: 0, removed: 0 },
    },
  ];
  return {
    scripts: [voice, script],
    reviewed: {
      history: { [PACKING]: changes },
      texts: { 'change-2': LIST_TEXTS },
    },
    place: { note: PACKING },
  };
}

const LONG_PATH =
  'Projects/2026/Everything that has to do with the house/Lease, deposit and what the plumber said in March.md';

function widgetScene({ script, pending } = trip('widgets')): Scene {
  const widgets = (pending[0]?.edits ?? []).map(({ id, type, before, after }) => ({
    note: TRIP,
    block: { id: id as ProposalId, type, before, after },
  }));
  return { scripts: [script], reviewed: { pending }, widgets };
}

/** An edit whose lines have changed, one of another device, and one of which parts are offered. */
function mixedScene(): Scene {
  const { script, pending } = trip('mixed');
  const [lisbon, ...others] = pending;
  if (!lisbon) return { scripts: [script] };
  const edits = lisbon.edits.map((edit, at) => {
    if (at === 0) return { ...edit, isStale: true as const };
    return at === 1 ? { ...edit, isForeign: true as const } : edit;
  });
  return {
    scripts: [script],
    reviewed: { pending: [{ ...lisbon, edits }, ...others] },
    place: 'edits',
  };
}

function modesScene(): Scene {
  const { script, pending } = trip('modes');
  return { scripts: [script], reviewed: { pending: pending.slice(1) }, told: [] };
}

export const REVIEW_SCENES: Scenes = {
  'review-pending': pendingScene,
  'review-partly': partlyScene,
  'review-accepted': acceptedScene,
  'review-from-before': fromBeforeScene,
  'review-stale-and-foreign': mixedScene,
  'review-decided': decidedScene,
  'review-decided-opened': () => ({ ...decidedScene(), acts: [{ unfold: true }] }),
  'review-many': manyScene,
  'review-made': () => ({ scripts: [madeTurn('made')], reviewed: { texts: TEXTS('made') } }),
  'review-undone': undoneScene,
  'review-conflict': conflictScene,
  'review-held': heldScene,
  'review-new-note': () =>
    single('new-note', 'Note the meeting of the garden group', {
      ...{ path: 'Meetings/Garden day.md', isNew: true, parts: [['', NEW_NOTE]] },
    }),
  'review-properties': () =>
    single('properties', 'Bring the trip up to date', { path: TRIP, parts: [FRONT, CODE] }),
  'review-hidden': () =>
    single('hidden', 'Bring the trip up to date', { path: TRIP, parts: HIDDEN.slice(0, 2) }),
  'review-hidden-long': () =>
    single('hidden-long', 'Bring the trip up to date', { path: TRIP, parts: HIDDEN.slice(2) }),
  'review-long': longScene,
  'review-rtl': () =>
    single('rtl-change', 'صحح القائمة', {
      path: 'قوائم/التسوق.md',
      parts: [
        [
          '- [ ] خبز\n- [ ] حليب\n\nنلتقي يوم الأحد عند الساعة التاسعة.\n',
          '- [ ] خبز\n- [x] حليب\n- [ ] بيض\n\nنلتقي يوم الاثنين عند الساعة العاشرة.\n',
        ],
      ],
    }),
  'review-cjk': () =>
    single('cjk-change', '旅行のメモを直して', {
      path: '旅行/リスボン.md',
      parts: [
        [
          '四月十二日にリスボンへ行きます。ホテルは五泊です。\n',
          '四月十三日にリスボンへ行きます。ホテルは**四泊**です。🧳\n',
        ],
      ],
    }),
  'review-editing': () => ({ ...pendingScene(), acts: [{ click: 'Edit' }] }),
  'review-as-written': () => ({ ...pendingScene(), acts: [{ click: 'Show source' }] }),
  'review-texts': () => ({
    ...{ scripts: [madeTurn('texts')], reviewed: { texts: TEXTS('texts') } },
    acts: [
      { click: 'Changes in Shopping' },
      { click: 'Changes in Boat' },
      { click: 'Changes in Boat offers' },
    ],
  }),
  'edits-list': listScene,
  'edits-list-accepted': () => ({ ...listScene(), acts: [{ click: 'Accept all 5 edits' }] }),
  'edits-list-one': () => ({
    ...single('one', 'Bring the trip up to date', { path: TRIP, parts: [FRONT, OLD] }),
    place: 'edits',
  }),
  'edits-damaged': () => {
    const scene = single('damaged', 'Bring the trip up to date', { path: TRIP, parts: [FRONT] });
    const pending = scene.reviewed?.pending ?? [];
    const other = { path: LONG_PATH, isNew: false, edits: [], damaged: 2 };
    const damaged = [...pending.map((note) => ({ ...note, damaged: 1 })), other];
    return { ...scene, reviewed: { pending: damaged }, place: 'edits' };
  },
  'edits-none': () => ({
    scripts: [new Script('none').ask('Hello').step().done('Hi.')],
    place: 'edits',
  }),
  'note-history': historyScene,
  'note-history-opened': () => ({ ...historyScene(), acts: [{ click: 'View' }] }),
  'note-history-none': () => ({ ...historyScene(), place: { note: LONG_PATH } }),
  'note-history-loading': () => ({
    ...historyScene(),
    answers: { changes: { noteHistory: never } },
  }),
  'edit-widgets': () => widgetScene(),
  'edit-widgets-mixed': () => {
    const { scripts, reviewed } = mixedScene();
    const [script] = scripts;
    return script ? widgetScene({ script, pending: [...(reviewed?.pending ?? [])] }) : { scripts };
  },
  'edit-widget-editing': () => ({ ...widgetScene(), acts: [{ click: 'Edit' }] }),
  modes: modesScene,
};
