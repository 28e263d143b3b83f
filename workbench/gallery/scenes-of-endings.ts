/** Scenes of the ways in which a turn can end, each with its next step. */
import { failure, type Failure, type FailureKind } from '#model/failure';
import type { LimitReason } from '#model/event';
import type { QueuedRequest } from '#model/request';
import { queuedEntry } from './scripted-agent';
import { changed, milk } from './scenes-of-turns';
import type { Scene, Scenes } from './scene';
import { Script } from './script';

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
  const cause = failure(kind, detail ? { detail } : {});
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
  ['day-money', 'Stopped: the money set for one day is used up.'],
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

export const ENDING_SCENES: Scenes = {
  'ended-partly': () => ({
    scripts: [outcome('partly', 'Nine of the twelve are moved. Three are open elsewhere.')],
  }),
  'ended-not-done': () => ({
    scripts: [outcome('not_done', 'There is no archive, and I was not to make one.')],
  }),
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
