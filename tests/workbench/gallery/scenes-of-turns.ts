/** Scenes of running turns and of reading answers. */
import { failure } from '#messages/failures';
import * as turnEndings from '#messages/turn-ending-messages';
import type { Attachment } from '#model/attachment';
import type { LimitReason } from '#model/event';
import { type Failure, type FailureKind } from '#model/failure';
import type { ChangeNote } from '#model/message';
import type { QueuedRequest } from '#model/request';
import type { Scene, Scenes } from './scene';
import { Script } from './script';
import { queuedEntry } from './scripted-agent';

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

/** A turn that still runs counts its seconds. */
function secondsAgo(seconds: number): number {
  return Date.now() - seconds * 1000;
}

function milk(name: string, time?: number): Script {
  const list = 'Lists/Shopping.md';
  return new Script(name, time)
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

/** Calls that found something, opened. */
function found(): Script {
  return new Script('found')
    .ask('Where is Lisbon in my notes?')
    .step()
    .call('search_files', { pattern: 'Lisbon' }, '', {
      details: {
        ...{ kind: 'search', matches: 62, files: 4 },
        found: {
          items: [
            { path: 'Projects/Travel/Lisbon in spring.md', line: 3, text: '# Lisbon in spring' },
            {
              path: 'Projects/Travel/Lisbon in spring.md',
              line: 114,
              text: 'Booked the night train to Lisbon, with a bed by the window and breakfast',
            },
            { path: 'Journal/2026-03-02.md', line: 1, text: 'Lisbon' },
            { path: 'ملاحظات.md', line: 9, text: 'رحلة إلى Lisbon في الربيع' },
          ],
          isCut: true,
        },
      },
    })
    .call('list_tags', { filter: 'travel' }, '', {
      details: {
        ...{ kind: 'list', thing: 'tag', count: 2 },
        found: {
          items: [
            { tag: '#travel', text: '12 notes' },
            { tag: '#travel/portugal', text: '4 notes' },
          ],
          isCut: false,
        },
      },
    })
    .call('read_file', { path: 'Journal/2026-03-02.md' }, '', {
      details: { kind: 'read', paths: ['Journal/2026-03-02.md'] },
    })
    .done('In three notes.');
}

export function finished(): Script {
  return milk('finished')
    .ask('What do my notes say about the trip in spring?')
    .step()
    .think('The user wants a summary over several notes. Search for the trip first.')
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
  return milk('streaming', secondsAgo(10))
    .ask('Summarize the trip')
    .step()
    .delta({ type: 'text', text });
}

function planned(): Script {
  const script = new Script('planned', secondsAgo(20))
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

/** Two calls to an MCP server, one of which reports progress. */
function outside(): Script {
  const script = new Script('outside', secondsAgo(15))
    .ask('Which of my receipts are not in the books yet?')
    .step()
    .say('I’ll ask the book-keeping server.')
    .call('ledger_list_accounts', {}, 'Two accounts.');
  const call = script.prepare('ledger_match_receipts', { year: 2026 });
  const text =
    'Using ledger match receipts: 12 of 40: receipt-2026-03-14-groceries-and-garden-tools.pdf';
  return script.start(call).write({ type: 'call-progress', turn: script.turn, call, text });
}

function retrying(): Script {
  const cause = failure('overloaded');
  return milk('retrying')
    .ask('And butter')
    .step()
    .void(cause)
    .retry(cause, Date.now() + 4200);
}

function long(): Script {
  const script = new Script('long');
  for (let count = 1; count <= 66; count += 1) {
    script.ask(`Question ${count}: what changed?`).step();
    const answer = `Answer ${count}. Nothing of note.\n\n- one\n- two`;
    script.say(answer).done(answer);
  }
  return script;
}

function summarized(): Script {
  const usage = { input: 30_000, output: 700, cacheRead: 0, cacheWrite: 0 };
  const old = 'Person: We were at the packing list.\n\nParley: Yes, the adapter is still missing.';
  const summary =
    'The user asked for milk on the shopping list; Lists/Shopping.md has it now. The trip is planned in Projects/Lisbon trip.md.';
  const script = new Script('summarized');
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

/** A trace of several steps with thinking, one failure and one long result. */
function traced(): Script {
  const lines = Array.from({ length: 40 }, (_, at) => `${at + 1}\tA line of the garden log`);
  return new Script('traced')
    .ask('What did I plant last year?')
    .step()
    .think('The garden log has it, if it was kept.\n\nOtherwise the journal of April and May.')
    .call('read_file', { path: 'Journal/Garden log.md', start_line: 1 }, lines.join('\n'), {
      details: { kind: 'read', paths: ['Journal/Garden log.md'] },
      takes: 1400,
    })
    .call('search_files', { pattern: '(plant|sow)(ed|n)?', file_pattern: 'Journal/**' }, 'None', {
      details: { kind: 'search', matches: 0, files: 0 },
    })
    .call('read_file', { path: 'Journal/Beds.md' }, '`Journal/Beds.md` does not exist.', {
      failed: true,
    })
    .stepEnd()
    .step()
    .say('Beans, chard and two kinds of **beetroot**.')
    .done('Beans, chard and two kinds of **beetroot**.');
}

const ATTACHED: readonly Attachment[] = [
  { kind: 'note', path: 'Projects/Lisbon trip.md' },
  { kind: 'note', path: 'Lists/Packing.md', heading: 'Clothes' },
  { kind: 'folder', path: 'Journal/2026' },
  { kind: 'tag', tag: 'travel/europe' },
  { kind: 'selection', path: 'Notes/Hotels.md', text: 'Graça, 62 €', from: 12, to: 14 },
  { kind: 'file', name: 'booking-confirmation-2026-03-02.txt', text: 'Confirmed.' },
];

function sent(): Script {
  return new Script('sent')
    .beside('Projects/Lisbon trip.md')
    .attach(ATTACHED, {
      'Projects/Lisbon trip.md': '# Lisbon\n\nFlights on 12 April.\n'.repeat(12),
      'Journal/2026': '2026-03-02.md\n2026-03-09.md\n',
    })
    .ask('Do these agree?')
    .step()
    .say('They do not: the hotel was moved by a day.')
    .done('They do not: the hotel was moved by a day.');
}

const SONNET = 'claude-sonnet-5-5';

function readThrough(): Script {
  const notes = ['Lisbon trip', 'Porto', 'Azores'].map((name) => `Projects/${name}.md`);
  const journal = ['2026-03-02', '2026-03-09', '2026-03-17', '2026-04-01', '2026-04-04'];
  const answer = 'Three trips are planned this year, and only **Lisbon** has a date.';
  const other = 'The hotel near *Graça* is cheaper by a third.';
  return new Script('turn-end')
    .beside('Projects/Lisbon trip.md')
    .ask('Which trips are planned this year?')
    .step()
    .call('read_file', { paths: notes }, '1\t# Lisbon', {
      details: { kind: 'read', paths: notes },
      takes: 1200,
    })
    .call('read_file', { path: 'Journal' }, '1\t', {
      details: { kind: 'read', paths: journal.map((day) => `Journal/${day}.md`) },
      takes: 800,
    })
    .stepEnd()
    .step()
    .say(answer)
    .done(answer)
    .beside('Travel/Hotels in Lisbon and around, spring 2026.md')
    .by(SONNET)
    .ask('And which hotel is cheaper?')
    .step()
    .say(other)
    .done(other);
}

function lookedUp(): Script {
  const page = (title: string, host: string) => ({ title, url: `https://${host}/pruning` });
  const read = page('When to prune old apple trees, and how much of them', 'orchard.example');
  const found = [
    read,
    page('Obstbaumschnitt für Anfänger', 'garten.example'),
    page('تقليم أشجار التفاح', 'bustan.example'),
    page('', 'www.trees.example'),
  ];
  const answer = 'Prune them in *late winter*, before the buds swell, and never more than a third.';
  return new Script('looked-up')
    .ask('When do I prune the old apple tree? Look it up.')
    .step()
    .call('web_search', { query: 'pruning old apple trees' }, 'Found 4 pages', {
      details: { kind: 'sources', sources: found },
      takes: 900,
    })
    .call('read_webpage', { url: read.url }, 'Title: When to prune', {
      details: { kind: 'sources', sources: [read] },
      takes: 1400,
    })
    .call('read_file', { path: 'Journal/Garden log.md' }, '1\t# Garden log', {
      details: { kind: 'read', paths: ['Journal/Garden log.md'] },
    })
    .stepEnd()
    .step()
    .say(answer)
    .done(answer);
}

function silent(): Script {
  return new Script('silent', secondsAgo(31)).ask('What did I plant last year?').step();
}

function thinking(): Script {
  return silent().delta({ type: 'thinking', text: 'The garden log has it, if it was kept.' });
}

/** New text arrives at the end while the user reads further up. */
function longAndMore(): Scene {
  const script = long();
  return {
    scripts: [script],
    acts: [
      { scroll: 'Messages', to: 0 },
      { later: () => void script.ask('One more').step().say('Here it is.').done('Here it is.') },
    ],
  };
}

export const TURN_SCENES: Scenes = {
  finished: () => ({ scripts: [finished()] }),
  found: () => ({
    scripts: [found()],
    acts: [{ unfold: true }, { scroll: 'Messages', to: 0 }],
  }),
  silent: () => ({ scripts: [silent()] }),
  thinking: () => ({ scripts: [thinking()] }),
  streaming: () => ({ scripts: [streaming()] }),
  plan: () => ({ scripts: [planned()] }),
  outside: () => ({ scripts: [outside()] }),
  retrying: () => ({ scripts: [retrying()] }),
  trace: () => ({ scripts: [traced()] }),
  'trace-opened': () => ({
    scripts: [traced()],
    acts: [{ unfold: true }, { scroll: 'Messages', to: 0 }],
  }),
  attached: () => ({ scripts: [sent()] }),
  'attached-opened': () => ({ scripts: [sent()], acts: [{ unfold: true }] }),
  consulted: () => ({ scripts: [readThrough()] }),
  'looked-up': () => ({ scripts: [lookedUp()] }),
  costs: () => ({
    scripts: [readThrough()],
    acts: [{ click: 'Model and cost' }, { click: '3 more' }],
  }),
  long: longAndMore,
  summarized: () => ({ scripts: [summarized()] }),
  'summarized-opened': () => ({ scripts: [summarized()], acts: [{ unfold: true }] }),
};

function stopped(): Script {
  const text = 'There are three notes about it. The first, [[Projects/Lisbon trip]], has the';
  return milk('stopped')
    .ask('Summarise the trip')
    .step()
    .say(text)
    .cut()
    .end({ kind: 'stopped', reply: 'Stopped.' });
}

/** Server messages for the failures that a user could not guess. */
const DETAILS: Partial<Record<FailureKind, string>> = {
  key: 'invalid x-api-key',
  unexpected: "TypeError: Cannot read properties of undefined (reading 'turns')",
  'unknown-model':
    'model: claude-haiku-4-5-20251001-with-a-long-name-of-a-server-of-ones-own:latest',
};

function failedBy(kind: FailureKind): Scene {
  const script = milk(kind).ask('And butter');
  const detail = DETAILS[kind];
  const server = kind === 'endpoint' ? { server: '127.0.0.1:9' } : {};
  const cause = failure(kind, { ...(detail ? { detail } : {}), ...server });
  script
    .step()
    .void(cause)
    .end({ kind: 'failed', failure: cause, reply: `${cause.sentence} ${cause.next}` });
  return { scripts: [script], entries: [failedEntry(script, cause)] };
}

function failedEntry(script: Script, cause: Failure): QueuedRequest {
  return {
    ...queuedEntry('And butter', script.id, 1),
    request: { ...queuedEntry('And butter', script.id, 1).request, id: script.entry },
    state: 'failed',
    nextTry: null,
    conversation: script.id,
    turn: script.turn,
    failure: cause,
  };
}

const LIMITS: readonly [reason: LimitReason, reply: string][] = [
  ['steps', 'The step limit for one request was reached before the work was finished.'],
  ['day-money', turnEndings.dayCostLimit(2)],
  ['no-answer', 'The question was not answered within the hour, so the turn ended.'],
];

function limited(reason: LimitReason, reply: string): Script {
  const changes = [changed('Projects/2025/Boat.md', 12, 4), changed('Projects/Garden.md', 3, 0)];
  return new Script(`limited-${reason}`)
    .ask('Rewrite all project notes in the new template')
    .step()
    .call('edit_file', { path: 'Projects/2025/Boat.md' }, 'Done.', {
      details: { kind: 'changes', changes },
    })
    .stepEnd()
    .end({ kind: 'limited', reason, reply });
}

function outcome(name: 'partly' | 'not_done', reply: string): Script {
  const script = new Script(name).ask('Move the notes of last year into the archive').step();
  return script.say(reply).stepEnd().end({ kind: 'completed', outcome: name, reply });
}

/** An earlier failed turn, which offers no next step once another turn follows. */
function earlier(): Script {
  return limited('steps', LIMITS[0]?.[1] ?? '')
    .ask('Stop, wait')
    .end({ kind: 'stopped', reply: 'Stopped.' });
}

function stoppedWriting(): Script {
  const script = new Script('stopped-writing')
    .ask('Write down what we said about the garden')
    .step();
  const malformed = '{"path":"Notes/Garden in spring.md","content":"# Gar';
  script.part({ type: 'call', wireId: '', name: 'write_file', input: {}, malformed });
  const call = `${script.turn}.1.0` as never;
  return script
    .cut()
    .finish(call, { text: 'Not run: the user stopped the turn.', failed: true })
    .end({ kind: 'stopped', reply: 'Stopped.' });
}

/** A request that failed, and was answered when it was tried again. */
function retried(isLater = false): Script {
  const script = milk('retried').ask('And butter').step();
  const cause = failure('network', { detail: 'getaddrinfo ENOTFOUND api.anthropic.com' });
  script.void(cause).end({ kind: 'failed', failure: cause, reply: cause.sentence });
  const { entry } = script;
  if (isLater) script.wait(60_000).ask('What is on it?').step().say('Milk.').done('Milk.');
  return script.wait(300_000).retryOf(entry, 'And butter').step().say('Added.').done('Added.');
}

function emptyAnswer(): Script {
  const reply = turnEndings.emptyAnswer('claude-haiku-4-5-20251001');
  const script = new Script('empty-answer').ask('Add milk').step().stepEnd('end');
  return script.end({ kind: 'completed', outcome: 'not_done', reply });
}

const FAILURES: readonly FailureKind[] = [
  'key',
  'billing',
  'network',
  'rate-limit',
  'endpoint',
  'too-long',
  'refused',
  'unknown-model',
  'file',
  'disk-full',
  'unexpected',
];

/** Scenes of the ways in which a turn can end, each with its next step. */
export const ENDING_SCENES: Scenes = {
  'ended-partly': () => ({
    scripts: [outcome('partly', 'Nine of the twelve are moved. Three are open elsewhere.')],
  }),
  'ended-not-done': () => ({
    scripts: [outcome('not_done', 'There is no archive, and I was not to make one.')],
  }),
  'empty-answer': () => ({ scripts: [emptyAnswer()] }),
  retried: () => ({ scripts: [retried()] }),
  'retried-opened': () => ({ scripts: [retried()], acts: [{ unfold: true }] }),
  'retried-later': () => ({ scripts: [retried(true)] }),
  stopped: () => ({ scripts: [stopped()] }),
  'stopped-writing': () => ({ scripts: [stoppedWriting()] }),
  'limited-and-stopped': () => ({ scripts: [earlier()] }),
  ...Object.fromEntries(
    LIMITS.map(([reason, reply]) => [
      `limited-${reason}`,
      () => ({ scripts: [limited(reason, reply)] }),
    ]),
  ),
  ...Object.fromEntries(FAILURES.map((kind) => [`failed-${kind}`, () => failedBy(kind)])),
  'failed-opened': () => ({ ...failedBy('unknown-model'), acts: [{ unfold: true }] }),
};
