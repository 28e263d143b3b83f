/** Scenes of spoken requests, of the inbox, and of conversations that end or go on elsewhere. */
import { failure } from '#model/failure';
import type { Entry } from '#model/inbound';
import { queuedEntry } from './scripted-agent';
import { Script } from './script';

const SHOPPING = 'Lists/Shopping.md';

function answered(name: string, device?: string): Script {
  return new Script(name, undefined, device)
    .ask('What is still open for the garden day?')
    .step()
    .say('Two things: the seed order, and who brings the wheelbarrow.')
    .done('Two things: the seed order, and who brings the wheelbarrow.');
}

export function paused(): { scripts: Script[]; entries: Entry[] } {
  const script = new Script('paused').ask('Sort my project notes by year').step();
  script.say('I’ll look at them first.').call('list_files', { pattern: 'Projects/**' }, '14 notes');
  script.stepEnd().write({ type: 'turn-pause', turn: script.turn });
  return { scripts: [script], entries: [queuedEntry('And tell me which have none', script.id, 1)] };
}

export function ended(): Script {
  return answered('ended').write({ type: 'conversation-end', reason: 'idle' });
}

export function carried(): Script {
  return answered('carried', 'device-2');
}

/** A question answered and a deletion decided, both in spoken words. */
export function decidedByVoice(): Script {
  const script = new Script('byvoice').ask('Clear out my old lists', 'voice').step();
  const question = script.hold(
    'ask_user',
    { question: 'Which one?' },
    { kind: 'question', text: 'Which one?', choices: [], allowFreeText: true },
  );
  script.resolve(question, { kind: 'answer', text: 'the packing list', via: 'voice' }).step();
  const card = script.hold(
    'delete',
    { path: SHOPPING },
    {
      kind: 'card',
      tool: 'delete',
      title: `Delete ${SHOPPING}?`,
      lines: [],
      choices: ['delete', 'keep'],
    },
  );
  script.write({
    type: 'answer-end',
    turn: script.turn,
    message: 'message-spoken' as never,
    entry: null,
    text: 'Simone, delete it',
    source: 'voice',
    reply: { to: 'chat' },
    decides: card.id,
  });
  script.resolve(card, { kind: 'choice', choice: 'delete' }).start(card.call);
  script.finish(card.call, { text: 'Deleted.', failed: false });
  return script.step().say('It is in the trash.').done('It is in the trash.');
}

export function inbox(): { scripts: Script[]; entries: Entry[] } {
  const script = answered('inbox');
  const spoken = (text: string, count: number): Entry => {
    const entry = queuedEntry(text, null, count);
    return { ...entry, inbound: { ...entry.inbound, source: 'voice' } };
  };
  const base = { attempts: 1, firstFailed: 0, state: 'failed' } as const;
  const where = { conversation: 'conversation-other' as never, turn: 'turn-other' as never };
  return {
    scripts: [script],
    entries: [
      {
        ...spoken('Add eggs and butter to my shopping list', 1),
        ...base,
        ...where,
        failure: failure('overloaded'),
        nextTry: Date.UTC(2026, 10, 21, 14, 5),
      },
      {
        ...spoken('Write down that the shed key is with Ines', 2),
        ...base,
        ...where,
        failure: failure('billing'),
        nextTry: null,
      },
      spoken('What do I have to bring tomorrow?', 3),
      { ...queuedEntry('Tidy the reading list', null, 4), device: 'device-2' as never },
    ],
  };
}
