/** The requests of the soak test, and a model that carries them out and often fails to answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cut,
  earlyEnd,
  errorEvent,
  gatewayError,
  malformedInput,
  noAnswer,
  notAStream,
  overloaded,
  rateLimited,
  stall,
  statusError,
} from '#workbench/model/faults';
import { call, reply, type CallBlock, type Reply } from '#workbench/model/replies';
import { verdictOf } from '#workbench/model/scripted';
import type { Answer, Respond } from '#workbench/model/server';
import {
  blocksOf,
  lastSaid,
  toolResults,
  userWords,
  type ModelRequest,
  type ToolResult,
  type WireMessage,
} from '#workbench/model/wire';

const LISTS = 5;
export const MAX_ATTEMPTS = 8;
const CALLS_PER_STEP = 2;
/** The model thinks for up to this long, so that turns overlap. */
const MAX_THINKING_MS = 250;

const TREES = 'Alder Birch Cedar Elm Fir Hazel Maple Oak Pine Willow'.split(' ');
const PLACES = 'Barn Garden Hill Kitchen Lake Meadow River School Tower Valley'.split(' ');

/** `ask`: the model asks before it notes the item. `delete`: needs an approval. */
const KINDS = [
  ...['note', 'page', 'slot', 'ask', 'note', 'delete', 'note'],
  ...['books', 'note', 'property', 'slot', 'note', 'move', 'note'],
] as const;
export type Kind = (typeof KINDS)[number];

const TEXTS: Readonly<Record<Kind, (item: number) => string>> = {
  note: (item) => `Please note item ${item} on its list.`,
  ask: (item) => `Ask me, then note item ${item}.`,
  delete: (item) => `Delete the draft of item ${item}.`,
  page: (item) => `Write the page of item ${item}.`,
  slot: (item) => `Fill the slot of item ${item}.`,
  books: (item) => `Mark item ${item} in all books.`,
  property: (item) => `Set the property of item ${item}.`,
  move: (item) => `Archive the idea of item ${item}.`,
};

export const kindOf = (item: number): Kind => KINDS[item % KINDS.length]!;
export const textOf = (item: number): string => TEXTS[kindOf(item)](item);
/** The items that a text asks for. */
export const itemsIn = (text: string): number[] =>
  [...text.matchAll(/\bitem (\d+)\b/g)].map(([, digits]) => Number(digits));

export const listOf = (item: number) => `Lists/Soak ${item % LISTS}.md`;
/** The second place is for the undo of a move into a folder. */
export const ideaOf = (item: number) => [`Ideas/Idea ${item}.md`, `Archive/Idea ${item}.md`];
export const pageOf = (item: number) => `Pages/Page ${item}.md`;
export const BOOKS = ['Books/One.md', 'Books/Two.md', 'Books/Three.md'];
export const SLOTS = 'Lists/Slots.md';
export const PROPERTIES = 'Lists/Properties.md';

/** Its name can be said. */
export function draftOf(item: number): string {
  const draft = Math.floor(item / KINDS.length);
  const place = PLACES[Math.floor(draft / TREES.length) % PLACES.length];
  return `Drafts/${TREES[draft % TREES.length]} ${place}.md`;
}

export const pageText = (item: number) =>
  `# Page ${item}\n\n${Array.from({ length: 60 }, (_, at) => `Page ${item}, line ${at}: coûteux, 長い, 🙂.\n`).join('')}`;

/** The line of an item in a shared note, before and after its change; null for none. */
export const LINES: Readonly<
  Record<'note' | 'slot' | 'books' | 'property', (item: number) => [string | null, string]>
> = {
  note: (item) => [null, `- item ${item}`],
  slot: (item) => [`- slot ${item} is open`, `- slot ${item} is filled`],
  books: (item) => [`- mark ${item} is open`, `- mark ${item} is set`],
  property: (item) => [null, `p${item}: ${item}`],
};

/** The vault before the first request. */
export function filesFor(items: readonly number[]): Record<string, string> {
  const before = (kind: keyof typeof LINES) =>
    items
      .filter((item) => kindOf(item) === kind)
      .flatMap((item) => LINES[kind](item)[0] ?? [])
      .map((line) => `${line}\n`)
      .join('');
  const ofKind = (kind: Kind, entry: (item: number) => [string, string]) =>
    items.filter((item) => kindOf(item) === kind).map(entry);
  return Object.fromEntries([
    ...items.map((item) => [listOf(item), '# List\n']),
    ...BOOKS.map((book) => [book, `# Book\n\n${before('books')}`]),
    [SLOTS, `# Slots\n\n${before('slot')}`],
    [PROPERTIES, '---\nkind: soak\n---\n\n# Properties\n'],
    ...ofKind('delete', (item) => [draftOf(item), 'Draft\n']),
    ...ofKind('move', (item) => [ideaOf(item)[0]!, `# Idea ${item}\n`]),
  ]) as Record<string, string>;
}

/** Seeded random numbers from 0 (inclusive) to 1 (exclusive). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Whether the call of a result was made; null if that is unknown. */
export function isMade(result: Pick<ToolResult, 'text' | 'isError'>): boolean | null {
  if (result.text.startsWith('Not run')) return false;
  const verdict = verdictOf(result);
  return verdict === 'unknown' ? null : verdict === 'done';
}

const hasCall = ({ blocks }: Reply) => blocks.some(({ type }) => type === 'tool_use');

/** Answers as `honest` does, with faults in between. */
export function troubledModel(random: () => number, counts: Map<string, number>): Respond {
  const faults: [string, (over: Reply) => Answer][] = [
    ['model: 429', () => rateLimited(random() < 0.5 ? 0 : 1)],
    ['model: 529', () => overloaded()],
    ['model: cut stream', (over) => cut(over)],
    ['model: error in the stream', (over) => errorEvent(over)],
    ['model: 500', () => statusError(500)],
    ['model: early end', (over) => earlyEnd(over)],
    ['model: gateway error', () => gatewayError()],
    ['model: malformed input', (over) => (hasCall(over) ? malformedInput(over) : over)],
    ['model: no answer', () => noAnswer()],
    ['model: not a stream', () => notAStream()],
    ['model: stall', (over) => stall(over)],
  ];
  return async (asked, context) => {
    await sleep(MAX_THINKING_MS * random());
    const answer = await honest(asked, context);
    if (random() > 0.12 || answer.kind === 'fault') return answer;
    const [name, lay] = faults[Math.floor(random() ** 1.5 * faults.length)]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return lay(answer);
  };
}

/**
 * Does everything that the user asked for in this conversation and that is not done yet, including
 * what was said as an answer. Its only state is the request, so it can be restarted like the plugin
 * itself.
 */
export const honest: Respond = ({ messages, tools = [] }: ModelRequest) => {
  if (tools.length === 0) return reply('A soak.');
  const results = toolResults(messages);
  const resultsOf = (name: string) => results.filter(({ callId }) => callId.startsWith(`${name}_`));
  const asked = messages.filter(({ role }) => role === 'user').flatMap(allSaid);
  // Answers to questions, and words that declined a deletion.
  const answers = results.filter(({ callId }) => /^(ask|delete)/.test(callId));
  const said = [...asked, ...answers.map(({ text }) => text)].join('\n');
  const moment = messages.length;
  const calls: CallBlock[] = [];
  for (const item of new Set(itemsIn(said))) {
    const kind = kindOf(item);
    const own = resultsOf(`${kind}${item}`);
    const isSettled = own.some((result) => isMade(result) !== false);
    if (isSettled || own.length >= MAX_ATTEMPTS || (kind === 'delete' && own.length > 0)) continue;
    if (kind === 'ask' && resultsOf(`ask_${item}`).length === 0) {
      const question = { question: `Which list for item ${item}?` };
      if (calls.length === 0) return reply(call('ask_user', question, `ask_${item}_${moment}`));
      continue;
    }
    calls.push(callFor(kind, item, `${kind}${item}_${moment}`));
  }
  if (calls.length > 0) return reply('Next.', ...calls.slice(0, CALLS_PER_STEP));
  const own = itemsIn(allSaid(messages[lastSaid(messages)]!).at(-1) ?? '').at(-1);
  const summary = `Finished item ${own}.`;
  return reply(call('done', { summary, outcome: 'done' }, `end_${moment}`));
};

function callFor(kind: Kind, item: number, id: string): CallBlock {
  const replacing = ([before, after]: [string | null, string]) => ({
    old_text: before,
    new_text: after,
  });
  switch (kind) {
    case 'note':
    case 'ask': {
      const edits = [{ position: 'end', content: LINES.note(item)[1] }];
      return call('edit_file', { path: listOf(item), edits }, id);
    }
    case 'delete':
      return call('delete', { path: draftOf(item) }, id);
    case 'page':
      return call('write_file', { path: pageOf(item), content: pageText(item) }, id);
    case 'slot':
      return call('edit_file', { path: SLOTS, edits: [replacing(LINES.slot(item))] }, id);
    case 'books': {
      const replacements = [replacing(LINES.books(item))];
      return call('replace_in_notes', { paths: BOOKS, replacements }, id);
    }
    case 'property':
      return call('update_properties', { path: PROPERTIES, set: { [`p${item}`]: item } }, id);
    case 'move':
      return call('move', { source: ideaOf(item)[0], destination: 'Archive/' }, id);
  }
}

/** What the user said in a message: several requests, each with its context, may share one. */
function allSaid(message: WireMessage): string[] {
  const texts = blocksOf(message.content).filter((block) => block.type === 'text');
  return texts.map((block) => userWords({ ...message, content: [block] }));
}
