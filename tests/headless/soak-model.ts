/** The requests of the soak test, and a model that carries them out and often fails to answer. */
import { cut, errorEvent, noAnswer, overloaded, rateLimited, stall } from '#workbench/model/faults';
import { call, reply, type Reply } from '#workbench/model/replies';
import { verdictOf } from '#workbench/model/scripted';
import type { Answer, Respond } from '#workbench/model/server';
import {
  blocksOf,
  toolResults,
  userWords,
  type ModelRequest,
  type WireMessage,
} from '#workbench/model/wire';

const NOTES = 5;
const MAX_ATTEMPTS = 5;
const REQUESTS_PER_DELETE = 12;

export const noteOf = (item: number) => `Lists/Soak ${item % NOTES}.md`;

const TREES = 'Alder Birch Cedar Elm Fir Hazel Maple Oak Pine Willow'.split(' ');
const PLACES = 'Barn Garden Hill Kitchen Lake Meadow River School Tower Valley'.split(' ');

/** Its name can be said. */
export function draftOf(item: number): string {
  const draft = Math.floor(item / REQUESTS_PER_DELETE);
  const place = PLACES[Math.floor(draft / TREES.length) % PLACES.length];
  return `Drafts/${TREES[draft % TREES.length]} ${place}.md`;
}

export interface SoakRequest {
  /** `ask`: the model asks before it notes the item. `delete`: needs an approval. */
  readonly kind: 'note' | 'ask' | 'delete';
  readonly text: string;
}

export function request(item: number): SoakRequest {
  if (item % 8 === 3) return { kind: 'ask', text: `Ask me, then note item ${item}.` };
  if (item % REQUESTS_PER_DELETE === 5)
    return { kind: 'delete', text: `Delete the draft of item ${item}.` };
  return { kind: 'note', text: `Please note item ${item} on its list.` };
}

/** Seeded random numbers from 0 (inclusive) to 1 (exclusive). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Answers as `honest` does, with faults in between. */
export function troubledModel(random: () => number, counts: Map<string, number>): Respond {
  const faults: [string, (over: Reply) => Answer][] = [
    ['429', () => rateLimited(0)],
    ['529', () => overloaded()],
    ['cut stream', (over) => cut(over)],
    ['error in the stream', (over) => errorEvent(over)],
    ['stall', (over) => stall(over)],
    ['no answer', () => noAnswer()],
  ];
  return async (asked, context) => {
    const answer = await honest(asked, context);
    if (random() > 0.12 || answer.kind === 'fault') return answer;
    const [name, lay] = faults[Math.floor(random() ** 1.5 * faults.length)]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return lay(answer);
  };
}

/**
 * Does everything that the user asked for in this conversation and that is not done yet, including
 * what was said as an answer. Its only state is the request, so it can be restarted like the plugin itself.
 */
export const honest: Respond = ({ messages, tools = [] }: ModelRequest) => {
  if (tools.length === 0) return reply('A soak.');
  const results = toolResults(messages);
  const resultsOf = (name: string) => results.filter(({ callId }) => callId.startsWith(`${name}_`));
  const asked = messages.filter(({ role }) => role === 'user').flatMap(allSaid);
  const answers = results.filter(({ callId }) => callId.startsWith('ask')).map(({ text }) => text);
  const said = [...asked, ...answers].join('\n');
  const moment = messages.length;
  const done: number[] = [];
  for (const [, words, digits] of said.matchAll(/(then note|note|draft of) item (\d+)\b/gi)) {
    const item = Number(digits);
    if (done.includes(item)) continue;
    done.push(item);
    if (/draft/i.test(words!)) {
      if (resultsOf(`delete${item}`).length > 0) continue;
      return reply('Next.', call('delete', { path: draftOf(item) }, `delete${item}_${moment}`));
    }
    const own = resultsOf(`note${item}`);
    const isSettled = own.some((result) => verdictOf(result) !== 'not done');
    if (isSettled || own.length >= MAX_ATTEMPTS) continue;
    if (/then/i.test(words!) && resultsOf(`ask${item}`).length === 0) {
      return reply(
        call('ask_user', { question: `Which list for item ${item}?` }, `ask${item}_${moment}`),
      );
    }
    const edits = [{ position: 'end', content: `- item ${item}` }];
    return reply(
      'Next.',
      call('edit_file', { path: noteOf(item), edits }, `note${item}_${moment}`),
    );
  }
  const summary = `Done with ${done.length} items.`;
  return reply(call('done', { summary, outcome: 'done' }, `end_${moment}`));
};

/** What the user said in a message: several requests, each with its context, may share one. */
function allSaid(message: WireMessage): string[] {
  const texts = blocksOf(message.content).filter((block) => block.type === 'text');
  return texts.map((block) => userWords({ ...message, content: [block] }));
}
