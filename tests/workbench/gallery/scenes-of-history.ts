/** Scenes of the chat history and of messages with several answers. */
import { forkEvents } from '#model/conversation-fork';
import type { DeviceId } from '#model/ids';
import { never, type Scene, type Scenes } from './scene';
import { Script } from './script';

const HOUR = 3_600_000;

function talk(name: string, asked: string, hours: number, device?: string): Script {
  const script = new Script(name, Date.now() - hours * HOUR, device).ask(asked).step();
  return script.say('It is done as you asked.').done('It is done as you asked.');
}

function holding(name: string, hours: number): Script {
  const script = new Script(name, Date.now() - hours * HOUR).ask('Which list is for eggs?').step();
  const question = { question: 'Which list?' };
  const draft = { text: 'Which list?', choices: [], allowFreeText: true } as const;
  script.hold('ask_user', question, { kind: 'question', ...draft });
  return script;
}

/** A fork of a conversation with a different answer to the same message. */
function fork(of: Script, name: string, answer: string): Script {
  const [start, ...events] =
    forkEvents(of.events, {
      ...{ id: `conversation-${name}` as never, parent: of.id, before: of.turn },
      ...{ device: 'device-1' as DeviceId, now: Date.now() },
    }) ?? [];
  const script = new Script(name, start?.time);
  script.events.push(...events);
  return script.ask('Paint the shed green').step().say(answer).done(answer);
}

function chats(): Scene {
  const shed = talk('shed', 'Paint the shed green', 30);
  const running = new Script('running', Date.now() - HOUR / 4).ask('Tidy up the recipes').step();
  const pinned = talk('rules', 'House rules for new notes', 900);
  pinned.write({ type: 'pin-set', pinned: true });
  return {
    scripts: [
      talk('old', 'What did we plant in spring, and where is the map of the beds?', 2_000),
      pinned,
      talk('trip', 'Plan the trip to Lisbon', 200),
      talk('elsewhere', 'Add soap to the list', 60, 'device-2'),
      shed,
      fork(shed, 'shed-again', 'It is green now.'),
      holding('eggs', 2),
      running,
    ],
    place: 'chats',
  };
}

function branches(): Scene {
  const shed = talk('shed', 'Paint the shed', 3);
  return { scripts: [shed, fork(shed, 'shed-again', 'It is green now.')] };
}

const LONG_TITLE =
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikbesitzerversammlung, and what was said there about the new house rules';

/** Titles that overflow, including a single long word and a right-to-left one. */
function longTitles(): Scene {
  const long = talk('long', LONG_TITLE, 1);
  long.write({ type: 'pin-set', pinned: true });
  return {
    scripts: [
      talk(
        'right',
        'ما هي خطة السفر إلى لشبونة في شهر أبريل، وماذا ينقص في قائمة الأمتعة؟',
        4,
        'device-2',
      ),
      talk('address', 'https://example.com/a/very/long/address/that/has/no/space/at/all?q=1', 3),
      fork(long, 'long-again', 'It is done.'),
      long,
    ],
    place: 'chats',
  };
}

/** More chats than the list renders at first. */
function manyChats(): Scene {
  const scripts = Array.from({ length: 120 }, (_, at) =>
    talk(`many-${at}`, `Question ${120 - at} about the garden`, (120 - at) * 9),
  );
  return { scripts, place: 'chats' };
}

function searched(query: string): Scene {
  return { ...chats(), acts: [{ write: query, into: 'Search all chats' }] };
}

function narrowed(state: string): Scene {
  return {
    ...chats(),
    acts: [{ click: 'Filters' }, { write: state, into: 'Any status' }],
  };
}

function withRow(choose: string): Scene {
  return { ...chats(), acts: [{ menu: 'More actions for Plan the trip to Lisbon', choose }] };
}

/** Editing and resending a message whose changes are applied to notes. */
function asksAgain(): Scene {
  const shed = new Script('again').ask('Write the shed into the list').step();
  const path = 'Lists/Jobs.md';
  const change = { change: 'change-again', kind: 'write', path, added: 3, removed: 0 } as const;
  shed
    .call('edit_file', { path }, 'Done.', {
      details: { kind: 'changes', changes: [change as never] },
    })
    .done('The shed is on the list.');
  return { scripts: [shed] };
}

export const HISTORY_SCENES: Scenes = {
  chats,
  'chats-none': () => ({ scripts: [], place: 'chats' }),
  'chats-many': manyChats,
  'chats-long-titles': longTitles,
  'chats-found': () => searched('done'),
  'chats-found-none': () => searched('submarine'),
  'chats-searching': () => ({ ...searched('shed'), answers: { conversations: { search: never } } }),
  'chats-found-in-part': () => ({
    ...searched('shed'),
    answers: {
      conversations: {
        search: () => Promise.resolve({ ok: true, hits: [], complete: false, unread: 2 }),
      },
    },
  }),
  'chats-filters': () => ({ ...chats(), acts: [{ click: 'Filters' }] }),
  'chats-narrowed': () => narrowed('waiting'),
  'chats-narrowed-to-none': () => narrowed('archived'),
  'chats-renaming': () => withRow('Rename'),
  'chats-deleted': () => withRow('Delete'),
  'chats-restore': () => ({
    ...chats(),
    acts: [
      { menu: 'More actions for Plan the trip to Lisbon', choose: 'Delete' },
      { click: 'Filters' },
      { write: 'deleted', into: 'Any status' },
    ],
  }),
  'chats-delete-all': () => ({
    ...chats(),
    scripts: chats().scripts.map((each) =>
      each.write({ type: 'conversation-end', reason: 'idle' }),
    ),
    acts: [{ menu: 'More actions for all chats', choose: 'Delete closed chats' }],
  }),
  branches,
  'asked-again': () => ({ ...asksAgain(), acts: [{ click: 'Edit and ask again' }] }),
  'asked-again-undo': () => ({ ...asksAgain(), acts: [{ click: 'Regenerate' }] }),
  'title-renaming': () => ({ ...asksAgain(), acts: [{ menu: 'More', choose: 'Rename' }] }),
};
