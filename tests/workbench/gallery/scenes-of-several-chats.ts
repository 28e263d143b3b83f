/** Scenes of the list of other chats: at work, in need of the user, or finished unseen. */
import type { Act, Scene, Scenes } from './scene';
import { Script } from './script';
import { queuedEntry } from './scripted-agent';

/** @param seconds how long it has been at work */
function working(name: string, text: string, seconds: number): Script {
  const script = new Script(name, Date.now() - seconds * 1000).ask(text).step();
  script.call('search_files', { pattern: 'boat' }, '3 matches').stepEnd().step();
  return script.start(script.prepare('read_file', { path: 'Projects/Boat/Log of the summer.md' }));
}

function approval(): Script {
  const script = working('tidyup', 'Tidy up the boat project', 65);
  const card = {
    kind: 'approval',
    tool: 'delete',
    title: 'Delete Projects/Boat/Old list.md?',
    lines: ['1 note links to it: Index.md.', 'It goes to the vault’s trash.'],
    choices: ['delete', 'keep'],
  } as const;
  script.hold('delete', { path: 'Projects/Boat/Old list.md' }, card);
  return script;
}

function question(choices: readonly string[] = ['Shopping', 'Birthday']): Script {
  const script = working('eggs', 'Add eggs to the list', 12);
  const text = 'There are two lists that could be meant. **Which one?**';
  script.hold(
    'ask_user',
    { question: text },
    { kind: 'question', text, choices, allowFreeText: true },
  );
  return script;
}

/** Ends while another chat is shown. */
function ending(name: string, text: string): { readonly script: Script; readonly act: Act } {
  const script = new Script(name, Date.now() - 90_000).ask(text).step();
  return {
    script,
    act: {
      later: () => {
        script.say('The week had three meetings.');
        script.done('The week had three meetings, and the boat is sold.');
      },
    },
  };
}

export function severalChats(): Pick<Scene, 'scripts' | 'entries'> & { acts: readonly Act[] } {
  const shown = new Script('shown').ask('Which lists are there?').step().done('Two.');
  const finished = ending('week', 'Sum up my week');
  const long =
    'Compare everything that I wrote about the lease with the new contract, and the deposit';
  return {
    scripts: [
      question(),
      approval(),
      finished.script,
      working('lease', long, 7),
      working('boat', 'What did I do on the boat?', 41),
      shown,
    ],
    entries: [queuedEntry('Add milk to my shopping list', null, 1)],
    acts: [finished.act],
  };
}

const OPEN: Act = { unfold: true };

export const SEVERAL_CHATS_SCENES: Scenes = {
  'several-chats': severalChats,
  'several-chats-opened': () => {
    const scene = severalChats();
    return { ...scene, acts: [...scene.acts, OPEN] };
  },
  'several-chats-decided': () => ({
    scripts: [
      working('boat', 'What did I do on the boat?', 41),
      approval(),
      new Script('shown').ask('Which lists are there?').step().done('Two.'),
    ],
    acts: [OPEN, { click: 'Decide' }],
  }),
  'several-chats-two': () => ({
    scripts: [
      working('boat', 'What did I do on the boat?', 41),
      working('lease', 'Compare the lease with the new contract', 7),
      new Script('shown').ask('Which lists are there?').step().done('Two.'),
    ],
    acts: [OPEN],
  }),
  'several-chats-history': () => ({ ...severalChats(), place: 'chats' }),
};
