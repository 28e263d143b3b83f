/** Every state of the panel that deserves a look, by name. */
import { failure } from '#model/failure';
import type { Entry } from '#model/inbound';
import type { ChangeNote } from '#model/message';
import { queuedEntry } from './scripted-agent';
import { Script } from './script';
import type { Scene } from './scene';
import { ANSWER_SCENES } from './scenes-of-answers';
import { HISTORY_SCENES } from './scenes-of-history';
import { REVIEW_SCENES } from './scenes-of-review';
import { TURN_END_SCENES } from './scenes-of-turn-ends';
import { carried, decidedByVoice, ended, inbox, paused } from './scenes-of-voice';

const TRIP = `Your spring plans are spread over three notes, and they mostly agree:

- [[Projects/Lisbon trip]] has flights on **12 April** and a hotel near *Graça*.
- [[Journal/2026-03-02]] says the hotel was moved by a day.
- [[Lists/Packing]] lacks an adapter.

## What does not fit

| Note | Arrival | Nights |
| --- | --- | ---: |
| Lisbon trip | 12 April | 5 |
| Journal | 13 April | 4 |

\`\`\`dataview
TABLE arrival, nights FROM "Projects"
\`\`\`

> Ask the hotel before the 1st.

1. Change the arrival in the project note
2. Add the adapter to the list
   - [x] plug type F
   - [ ] travel size

![A map](https://tiles.example.com/lisbon.png) and a [timetable](https://metrolisboa.pt).`;

function changed(path: string, added: number, removed: number): ChangeNote {
  return { change: `change-${path}` as ChangeNote['change'], kind: 'write', path, added, removed };
}

function milk(name: string): Script {
  const list = 'Lists/Shopping.md';
  return new Script(name)
    .ask('Add milk to my shopping list', 'voice')
    .step()
    .say('I’ll look at the list first.')
    .call('read_file', { path: list }, '1\t# Shopping\n2\t- [ ] bread', {
      details: { kind: 'read', paths: [list] },
    })
    .stepEnd()
    .step()
    .call(
      'edit_file',
      { path: list, edits: [{ position: 'end', content: '- [ ] milk' }] },
      'Done.',
      {
        details: { kind: 'changes', changes: [changed(list, 1, 0)] },
      },
    )
    .stepEnd()
    .step()
    .say('Added **milk** to [[Lists/Shopping]].')
    .done('Added **milk** to [[Lists/Shopping]].');
}

function finished(): Script {
  return milk('finished')
    .ask('What do my notes say about the trip in spring?')
    .step()
    .think('The person wants a summary over several notes. Search for the trip first.')
    .call('search_files', { pattern: 'Lisbon' }, '3 matches', {
      details: { kind: 'search', matches: 3, files: 3 },
    })
    .call('search_files', { pattern: 'spring' }, '2 matches', {
      details: { kind: 'search', matches: 2, files: 2 },
    })
    .call(
      'read_file',
      { paths: ['Projects/Lisbon trip.md', 'Journal/2026-03-02.md', 'Lists/Packing.md'] },
      '1\t# Lisbon',
      { takes: 2100 },
    )
    .stepEnd()
    .step()
    .say(TRIP)
    .done(TRIP);
}

function streaming(): Script {
  const text =
    'There are three notes about it. The first, [[Projects/Lisbon trip]], has the flights and';
  return milk('streaming').ask('Summarise the trip').step().delta({ type: 'text', text });
}

function planned(): Script {
  const script = new Script('planned')
    .ask('Tidy up my project notes: one folder per year, and fix the links.')
    .step()
    .say('I’ll list the projects, then move them year by year.')
    .plan(
      { text: 'List the project notes', state: 'done' },
      { text: 'Make a folder for each year', state: 'done' },
      { text: 'Move the notes of 2025', state: 'doing' },
      { text: 'Move the notes of 2026', state: 'open' },
      { text: 'Rename the archive', state: 'dropped' },
    )
    .call('list_files', { path: 'Projects' }, '14 files')
    .call('create_folder', { path: 'Projects/2025' }, 'Made.')
    .call('create_folder', { path: 'Projects/2026' }, 'Made.')
    .stepEnd()
    .step()
    .call('move', { source: 'Projects/Boat.md', destination: 'Projects/2025/' }, 'Moved.')
    .call('move', { source: 'Projects/Attic.md', destination: 'Projects/2025/' }, 'No such note.', {
      failed: true,
    });
  return script.start(
    script.prepare('move', { source: 'Projects/Garden.md', destination: 'Projects/2025/' }),
  );
}

function question(): Script {
  const script = new Script('question').ask('Add eggs to the list').step();
  script.hold(
    'ask_user',
    { question: 'Which list do you mean?' },
    {
      kind: 'question',
      text: 'There are two lists that could be meant. **Which one?**',
      choices: ['Lists/Shopping.md', 'Lists/Baking for the birthday.md'],
      allowFreeText: true,
    },
  );
  return script;
}

function card(): Script {
  const script = new Script('card').ask('Delete the old boat note', 'text').step();
  script.say('It is linked from two notes, so have a look.');
  script.hold(
    'delete',
    { path: 'Projects/Boat.md' },
    {
      kind: 'card',
      tool: 'delete',
      title: 'Delete Projects/Boat.md?',
      lines: [
        '2 notes link to it: Index.md, Journal/2026-01-04.md.',
        'It goes to the vault’s trash and can be restored from there.',
      ],
      choices: ['delete', 'keep'],
    },
  );
  return script;
}

function allow(): Script {
  const script = new Script('allow').ask('Write the weekly review into AGENTS.md').step();
  script.hold(
    'edit_file',
    { path: 'AGENTS.md' },
    {
      kind: 'card',
      tool: 'edit_file',
      title: 'Allow this change of AGENTS.md?',
      lines: [
        'It tells every agent how to work in this vault.',
        'Changes AGENTS.md (+2 −1 lines).',
      ],
      choices: ['allow-once', 'deny'],
      changes: [
        {
          path: 'AGENTS.md',
          before: '# House rules\n\n- Lists go into Lists.\n- Write in English.\n',
          after:
            '# House rules\n\n- Lists go into Lists.\n- Write in the language of the note.\n- Review the week on Sundays.\n',
        },
      ],
    },
  );
  return script;
}

/** What was asked, decided and refused, when all of it is over. */
function settled(): Script {
  const script = new Script('settled').ask('Tidy up the lists').step();
  const waiting = script.hold(
    'ask_user',
    { question: 'Which list may go?' },
    { kind: 'question', text: 'Which list may go?', choices: ['None'], allowFreeText: true },
  );
  script.resolve(waiting, { kind: 'answer', text: 'The one of 2019', via: 'voice' });
  script.finish(waiting.call, { text: 'The person said next: The one of 2019', failed: false });
  script.step().say('That one is linked from nowhere.');
  const card = script.hold(
    'delete',
    { path: 'Lists/Presents 2019.md' },
    { kind: 'card', tool: 'delete', title: 'Delete it?', lines: [], choices: ['delete', 'keep'] },
  );
  script.resolve(card, { kind: 'choice', choice: 'keep' });
  script.finish(card.call, { text: 'The person decided against delete.', failed: true });
  script.step();
  const other = script.hold(
    'move',
    { source: 'Lists/Presents 2019.md', destination: 'Archive/' },
    {
      ...{ kind: 'card', tool: 'move', title: 'Allow move?', lines: [] },
      choices: ['allow-once', 'always', 'deny'],
    },
  );
  script.resolve(other, { kind: 'choice', choice: 'deny', reason: 'There is no archive.' });
  script.finish(other.call, { text: 'The person decided against move.', failed: true });
  return script
    .step()
    .call('edit_file', { path: 'Lists/Shopping.md' }, 'This conversation is Read only.', {
      failed: true,
      details: { kind: 'refused', by: 'mode' },
    })
    .call('write_file', { path: 'Lists/Index.md' }, 'write_file is switched off.', {
      failed: true,
      details: { kind: 'refused', by: 'permission' },
    })
    .stepEnd()
    .end({ kind: 'completed', outcome: 'not_done', reply: 'Nothing was changed.' });
}

function stopped(): Script {
  const text = 'There are three notes about it. The first, [[Projects/Lisbon trip]], has the';
  return milk('stopped')
    .ask('Summarise the trip')
    .step()
    .say(text)
    .cut()
    .end({ kind: 'stopped', reply: 'Stopped.' });
}

function problems(): Scene {
  const problems = [
    'A saved request could not be read and was left where it is: .smarthole/inbox/entry-20261121T093000000-abcdefgh.json',
  ];
  return { scripts: [milk('problems')], problems };
}

function failed(): Scene {
  const script = milk('failed').ask('And butter');
  const cause = failure('key', { detail: 'invalid x-api-key' });
  script
    .step()
    .void(cause)
    .end({ kind: 'failed', failure: cause, reply: `${cause.sentence} ${cause.next}` });
  return { scripts: [script], entries: [failedEntry(script)] };
}

function offline(): Scene {
  const script = milk('offline').ask('And butter');
  const cause = failure('network');
  script
    .step()
    .void(cause)
    .end({ kind: 'failed', failure: cause, reply: `${cause.sentence} ${cause.next}` });
  return { scripts: [script], entries: [failedEntry(script)] };
}

function failedEntry(script: Script): Entry {
  return {
    ...queuedEntry('And butter', script.id, 1),
    inbound: { ...queuedEntry('And butter', script.id, 1).inbound, id: script.entry },
    state: 'failed',
    nextTry: null,
    conversation: script.id,
    turn: script.turn,
    failure: failure('network'),
  };
}

function limited(): Script {
  const list = 'Projects/2025/Boat.md';
  return new Script('limited')
    .ask('Rewrite all project notes in the new template')
    .step()
    .call('edit_file', { path: list }, 'Done.', {
      details: {
        kind: 'changes',
        changes: [changed(list, 12, 4), changed('Projects/Garden.md', 3, 0)],
      },
    })
    .stepEnd()
    .end({
      kind: 'limited',
      reason: 'steps',
      reply:
        'Stopped at the limit of steps for one turn, before the work was finished. Changed Projects/2025/Boat.md (+12 −4), changed Projects/Garden.md (+3 −0).',
    })
    .ask('Stop, wait')
    .end({ kind: 'stopped', reply: 'Stopped.' });
}

function limitedLast(): Script {
  return new Script('limitedlast')
    .ask('Rewrite all project notes in the new template')
    .step()
    .call('edit_file', { path: 'Projects/Boat.md' }, 'Done.', {
      details: { kind: 'changes', changes: [changed('Projects/Boat.md', 12, 4)] },
    })
    .stepEnd()
    .end({
      kind: 'limited',
      reason: 'steps',
      reply:
        'Stopped at the limit of steps for one turn, before the work was finished. Changed Projects/Boat.md (+12 −4).',
    });
}

function retrying(): Script {
  const cause = failure('overloaded');
  return milk('retrying')
    .ask('And butter')
    .step()
    .void(cause)
    .retry(cause, Date.now() + 4200);
}

function queued(): Scene {
  const script = planned();
  const entries = [
    queuedEntry('Then make an index note of all projects', script.id, 1),
    queuedEntry('And tell me which have no date, with a list by year please', script.id, 2),
  ];
  return { scripts: [script], entries };
}

function long(): Script {
  const script = new Script('long');
  for (let count = 1; count <= 200; count += 1) {
    script.ask(`Question ${count}: what changed?`).step();
    script.say(`Answer ${count}. Nothing of note.\n\n- one\n- two`).done(`Answer ${count}.`);
  }
  return script;
}

function summarised(): Script {
  const usage = { input: 30_000, output: 700, cacheRead: 0, cacheWrite: 0 };
  const old = 'Person: We were at the packing list.\n\nParley: Yes, the adapter is still missing.';
  const summary =
    'The person asked for milk on the shopping list; Lists/Shopping.md has it now. The trip is planned in Projects/Lisbon trip.md.';
  const script = new Script('summarised');
  script.write({ type: 'compaction-end', why: 'carried', summary: old, from: null, usage });
  script
    .ask('And what about the shopping?')
    .step()
    .call('read_file', { path: 'Lists/Shopping.md' }, '1\t- [ ] milk', {
      details: { kind: 'read', paths: ['Lists/Shopping.md'] },
    })
    .stepEnd();
  const from = { turn: script.turn, step: 1 };
  script.write({ type: 'compaction-end', why: 'window', summary, from, usage });
  const text = 'The limits of money do not apply here: what llama4 costs is not known.';
  return script
    .write({ type: 'turn-notice', turn: script.turn, text })
    .step()
    .say('Only milk is left to buy.')
    .done('Only milk is left to buy.');
}

function rightToLeft(): Script {
  const answer =
    'أضفت **الحليب** إلى [[Lists/Shopping]].\n\n- خبز\n- حليب\n\n```js\nconst x = 1;\n```\n\nAnd a line in English.';
  return new Script('rtl')
    .ask('أضف الحليب إلى قائمة التسوق', 'voice')
    .step()
    .say(answer)
    .done(answer);
}

export const SCENES: Readonly<Record<string, () => Scene>> = {
  'first-run': () => ({ scripts: [], key: false }),
  empty: () => ({ scripts: [] }),
  finished: () => ({ scripts: [finished()] }),
  streaming: () => ({ scripts: [streaming()] }),
  plan: () => ({ scripts: [planned()] }),
  question: () => ({ scripts: [question()] }),
  card: () => ({ scripts: [card()] }),
  allow: () => ({ scripts: [allow()] }),
  settled: () => ({ scripts: [settled()] }),
  stopped: () => ({ scripts: [stopped()] }),
  problems,
  failed,
  offline,
  limited: () => ({ scripts: [limited()] }),
  continue: () => ({ scripts: [limitedLast()] }),
  retrying: () => ({ scripts: [retrying()] }),
  queued,
  long: () => ({ scripts: [long()] }),
  summarised: () => ({ scripts: [summarised()] }),
  'right-to-left': () => ({ scripts: [rightToLeft()] }),
  paused,
  ended: () => ({ scripts: [ended()] }),
  'other-device': () => ({ scripts: [carried()] }),
  'by-voice': () => ({ scripts: [decidedByVoice()] }),
  inbox,
  ...ANSWER_SCENES,
  ...HISTORY_SCENES,
  ...REVIEW_SCENES,
  ...TURN_END_SCENES,
  'smarthole-refused': () => ({
    scripts: [finished()],
    connection: {
      kind: 'refused',
      reason: 'Another program is registered with SmartHole as "simone".',
      remedy:
        'Close the other one, such as a second vault, or set another wire name in the settings. Until then it is tried again every minute.',
      retryAt: null,
    },
  }),
  'smarthole-away': () => ({
    scripts: [finished()],
    connection: { kind: 'connecting', tries: 3 },
  }),
};
