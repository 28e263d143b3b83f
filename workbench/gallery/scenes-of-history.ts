/** Scenes of past chats, and of messages that were answered more than once. */
import { forkEvents } from '#model/conversations/fork';
import type { DeviceId } from '#model/ids';
import type { Scene } from './scene';
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

/** The same asked again, and answered in other words. */
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

export const HISTORY_SCENES: Readonly<Record<string, () => Scene>> = {
  chats,
  branches,
};
