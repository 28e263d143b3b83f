/** Scenes of the composer with drafts, attachments and mentions. */
import { type Attachment, type Selection, NO_DRAFT, type DraftText } from '#model/attachment';
import type { ContextEstimate } from '#ports/app/composer-port';
import { queuedEntry, spokenEntry } from './scripted-agent';
import type { ScriptedVault } from './scripted-composing';
import type { Act, Scene, Scenes } from './scene';
import { Script } from './script';

const TRIP = 'Projects/Lisbon trip.md';
const SELECTED: Selection = {
  kind: 'selection',
  path: TRIP,
  text: 'The hotel near Graça is booked from 12 April.',
  from: 12,
  to: 14,
};

const ATTACHED: readonly Attachment[] = [
  { kind: 'note', path: 'Lists/Packing.md' },
  { kind: 'note', path: 'Journal/2026-03-02.md', heading: 'Call with the hotel' },
  { kind: 'folder', path: 'Projects/Travel' },
  { kind: 'tag', tag: 'travel/europe' },
  { kind: 'note', path: 'Attachments/Map of the old town.png' },
  { kind: 'file', name: 'booking-confirmation-2026-03-02-final-signed.txt', text: 'Confirmed.' },
];

const VAULT: ScriptedVault = {
  files: [
    TRIP,
    'Projects/Lisbon budget.md',
    'Projects/Travel/Everything about the trams, lifts and stairs of Lisbon and its suburbs.md',
    'Journal/2026-03-02.md',
    'Lists/Packing.md',
    'People/Ines.md',
    'Attachments/Map of Lisbon.png',
    'Recipes/Pastéis de nata.md',
  ],
  folders: ['Projects', 'Projects/Lisbon pictures', 'Journal', 'Lists'],
  tags: [
    { tag: 'travel', notes: 14 },
    { tag: 'travel/europe/portugal', notes: 3 },
    { tag: 'recipe', notes: 1 },
  ],
  headings: { [TRIP]: ['Flights', 'Hotel', 'What to see on a day on which it rains'] },
};

const OUTLOOK: ContextEstimate = {
  parts: [
    { name: 'Your message', tokens: 12 },
    { name: 'Date, mode and updates', tokens: 140 },
    { name: 'Lists/Packing.md', tokens: 310 },
    { name: 'Projects/Travel/Everything about the trams, lifts and stairs.md', tokens: 18_400 },
    { name: 'Names of the notes in Projects/Travel', tokens: 96 },
  ],
  message: 18_958,
  fixed: 5_600,
  history: 142_000,
  window: 200_000,
};

const LINKED = 'Read https://a.example/page and add it to my reading list';

function writing(draft: Partial<DraftText>, more: Partial<Scene> = {}): Scene {
  const script = new Script('writing').ask('What is planned for April?').step();
  script.say('A trip to Lisbon, from the 12th.').done('A trip to Lisbon, from the 12th.');
  const drafts = new Map([[script.id, { ...NO_DRAFT, ...draft }]]);
  return { scripts: [script], ...more, vault: { ...VAULT, ...more.vault, drafts } };
}

function typing(text: string, more: Partial<Scene> = {}): Scene {
  const acts: Act[] = [{ write: text, into: 'Message' }];
  return writing({}, { ...more, acts });
}

/** A drawing that stands in for a pasted picture. */
const MAP = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#8ac" d="M0 0h8v8H0z"/><path fill="#7a5" d="M0 5l3-2 5 4v1H0z"/></svg>',
)}`;

const PRESETS = [
  { name: 'Everything about the trip', attachments: ATTACHED },
  { name: 'House rules', attachments: ATTACHED.slice(0, 1) },
];

function long(): string {
  const line = 'This is a line of a long message that somebody has written with much care.';
  return Array.from({ length: 30 }, (_, at) => `${at + 1}. ${line}`).join('\n');
}

function queued(): Scene {
  const script = new Script('queued').ask('Tidy up my project notes').step();
  script.call('list_files', { path: 'Projects' }, '14 files');
  const entries = [
    queuedEntry('Then make an index note of all projects', script.id, 1),
    queuedEntry('And tell me which have no date, with a list by year please', script.id, 2),
    spokenEntry('Add eggs', script.id, 3),
  ];
  return { scripts: [script], entries, acts: [{ write: 'And one more', into: 'Message' }] };
}

/** A message joined the turn, one more is about to, and a third is written. */
function steering(): Scene {
  const script = new Script('steering').ask('Tidy up my project notes').step();
  script.say('I’ll look at the folder first.');
  script.call('list_files', { path: 'Projects' }, '14 files').stepEnd();
  script.steer('Leave the Lisbon trip as it is, please').step();
  script.say('I’ll leave that note alone and read the others.');
  script.call('read_file', { path: 'Projects/Lisbon budget.md' }, '1\tRent');
  const joins = queuedEntry('Use one heading style', script.id, 1);
  const after = queuedEntry('Then make an index note of all projects', script.id, 2);
  const entries = [
    { ...joins, request: { ...joins.request, when: 'steer' as const } },
    { ...after, request: { ...after.request, when: 'after' as const } },
  ];
  return {
    scripts: [script],
    entries,
    acts: [{ write: 'And sort them by year', into: 'Message' }],
  };
}

export const COMPOSER_SCENES: Scenes = {
  'composer-written': () => writing({ text: 'And what is missing on the packing list?' }),
  'composer-chips': () =>
    writing(
      { text: 'Do these agree?', attachments: ATTACHED },
      { reading: { note: TRIP, selection: SELECTED } },
    ),
  'composer-many-chips': () =>
    writing({
      attachments: Array.from({ length: 24 }, (_, at) => ({
        kind: 'note',
        path: `Journal/2026-03-${String(at + 1).padStart(2, '0')}.md`,
      })),
    }),
  'composer-picture': () =>
    writing(
      {
        text: 'What is on this map?',
        attachments: [{ kind: 'note', path: 'Attachments/Pasted image 20260302091500.png' }],
        imported: ['Attachments/Pasted image 20260302091500.png'],
      },
      { pictures: { 'Attachments/Pasted image 20260302091500.png': MAP } },
    ),
  'composer-from-link': () => writing({ text: LINKED, linked: [LINKED] }),
  'composer-long': () => writing({ text: long() }),
  'composer-right-to-left': () =>
    writing(
      {
        text: 'ماذا ينقص في قائمة الأمتعة؟',
        attachments: [{ kind: 'note', path: 'قوائم/الأمتعة.md' }],
      },
      { reading: { note: 'رحلات/رحلة لشبونة.md', selection: null } },
    ),
  'composer-mentions': () => typing('What does @lis'),
  'composer-mention-tags': () => typing('What is tagged @#tra'),
  'composer-mention-headings': () => typing('See @Lisbon trip#'),
  'composer-links': () => typing('Compare it with [[lis'),
  'composer-linked': () =>
    writing({
      text: 'Compare [[Packing]] and the notes of [[2026-03-02#Call with the hotel|March]], but not [[Nowhere]].',
      attachments: ATTACHED.slice(0, 2),
    }),
  'composer-no-notes': () => ({
    ...writing({}, { acts: [{ write: '@', into: 'Message' }] }),
    vault: {},
  }),
  'composer-commands': () => typing('/', { settings: { contextPresets: PRESETS } }),
  'composer-preset-name': () => ({
    ...writing({ attachments: ATTACHED.slice(0, 2) }),
    acts: [
      { write: '/Save', into: 'Message' },
      { click: 'Save attachments as preset' },
      { write: 'Everything about the trip', into: 'Preset name' },
    ],
  }),
  'composer-what-is-sent': () =>
    writing(
      { text: 'Do these agree?', attachments: ATTACHED.slice(0, 3) },
      { vault: { outlook: OUTLOOK }, acts: [{ click: 'Context: ' }] },
    ),
  'composer-too-much': () =>
    writing(
      { text: 'Do these agree?', attachments: ATTACHED.slice(0, 3) },
      {
        vault: { outlook: { ...OUTLOOK, message: 46_300 } },
        acts: [{ click: 'Send' }],
      },
    ),
  'composer-apply': () => writing({ text: 'Hello' }, { settings: { panelMode: 'apply' } }),
  'composer-read-only': () => writing({ text: 'Hello' }, { settings: { panelMode: 'read-only' } }),
  'composer-queue': queued,
  'composer-steering': steering,
  'composer-local-model': () =>
    typing('Hello', { settings: { model: 'hf.co/somebody/a-very-long-model-name-32b:Q4' } }),
};
