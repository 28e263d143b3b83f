/**
 * The demo model: a few rules behind the same API as Claude, for trying the plugin without a key.
 * It decides its next step from the request alone, and says what it can do when it does not
 * understand.
 */
import { type Intent, intentOf } from './demo-intent';
import { add, notDone, show, takeOff } from './demo-lists';
import { create, find, move, remove, rename } from './demo-notes';
import { about, question, recent, tour } from './demo-questions';
import {
  type Ability,
  type DemoCall,
  type DemoTurn,
  type Next,
  offeredCall,
  replay,
  turnOf,
} from './demo-turn';
import { call, type Pace, paced, reply, type Reply } from './replies';
import type { Respond } from './server';
import { blocksOf, isRecord, type ModelRequest, textOf, userWords, type WireTool } from './wire';

export const DEMO_WORDS = [
  'I am the demo model that comes with Parley: a few rules, not Claude. I know these requests:',
  '',
  '- "Add milk to my shopping list", "tick milk off my shopping list", "what is on my todo list?"',
  '- "Create a note about sourdough with …"',
  '- "What do my notes say about tomatoes?", or a question about the open note, which I answer by quoting it',
  '- "What did I write in the last few days?", "What is in this vault?"',
  '- "Rename Ideas to Old ideas", "move Ideas to the folder Archive", "delete Ideas"',
  '',
  'With an API key in the settings, Claude answers instead, and understands the rest.',
].join('\n');

/** A `respond` function for `startModelServer`; `pace` makes the stream look alive. */
export function demoModel(pace: Pace = {}): Respond {
  return (request) => paced(demoReply(request), pace);
}

export function demoReply(request: ModelRequest): Reply {
  const tools = request.tools ?? [];
  // Requests without tools come from the plugin itself, for a title or a summary.
  if (tools.length === 0) return reply(asideFor(request));
  const turn = turnOf(request);
  const intent = turn.isRewriting ? ({ kind: 'rewrite' } as const) : intentOf(turn.said);
  const ability = abilityFor(intent, turn);
  if (!ability) return reply(DEMO_WORDS);
  return replyFor(replay(ability, turn.steps), tools);
}

function abilityFor(intent: Intent, turn: DemoTurn): Ability | undefined {
  switch (intent.kind) {
    case 'add':
      return add(intent, turn);
    case 'take-off':
      return takeOff(intent, turn);
    case 'create':
      return create(intent);
    case 'find':
      return find(intent);
    case 'about':
      return about(intent, turn);
    case 'question':
      return question(intent, turn);
    case 'recent':
      return recent(intent, turn);
    case 'tour':
      return tour();
    case 'show':
      return show(intent, turn);
    case 'rename':
      return rename(intent, turn);
    case 'move':
      return move(intent, turn);
    case 'delete':
      return remove(intent, turn);
    case 'rewrite':
      return rewriting();
    case 'other':
      return undefined;
  }
}

// eslint-disable-next-line require-yield -- It needs no step.
function* rewriting(): Ability {
  return notDone(
    'The demo model can’t rewrite text, so nothing was changed. With an API key in the settings, Claude does it here.',
  );
}

function replyFor(next: Next, tools: readonly WireTool[]): Reply {
  const { plan } = next;
  if ('ending' in next) {
    const { summary, outcome } = next.ending;
    if (!offered('done', tools)) return reply(summary);
    const left = outcome === 'not_done' ? 'dropped' : 'done';
    const states = plan.map((text) => ({ text, state: left }));
    return reply(
      ...planned(states, tools),
      toolCall({ name: 'done', input: { summary, outcome } }, tools),
    );
  }
  const { why, calls, doing } = next.step;
  const missing = calls.find(({ name }) => !offered(name, tools));
  if (missing) {
    return reply(`For this I would need the tool ${missing.name}, which is switched off here.`);
  }
  const states = plan.map((text, at) => ({ text, state: stateAt(at, doing ?? 0) }));
  return reply(
    why,
    ...(doing === undefined ? [] : planned(states, tools)),
    ...calls.map((one) => toolCall(one, tools)),
  );
}

function stateAt(at: number, doing: number): string {
  if (at < doing) return 'done';
  return at === doing ? 'doing' : 'open';
}

/** Plans are only for tasks of several steps. */
function planned(steps: readonly { text: string; state: string }[], tools: readonly WireTool[]) {
  if (steps.length < 2 || !offered('plan', tools)) return [];
  return [toolCall({ name: 'plan', input: { steps } }, tools)];
}

function offered(name: string, tools: readonly WireTool[]): boolean {
  return offeredCall({ name, input: {} }, tools) !== null;
}

function toolCall(wanted: DemoCall, tools: readonly WireTool[]) {
  const { name, input } = offeredCall(wanted, tools) ?? wanted;
  return call(name, input);
}

/**
 * Answers of the demo model to requests of the plugin itself, which have no tools: titles,
 * summaries, descriptions. It only repeats parts of the request.
 */
function asideFor(request: ModelRequest): string {
  const asked = request.messages.map((message) => userWords(message)).join('\n');
  const given = request.messages
    .flatMap(({ content }) => blocksOf(content).map(blockText))
    .join('\n');
  const said = linesOf(given);
  const format = isRecord(request.output_config) ? request.output_config.format : undefined;
  const schema = isRecord(format) && isRecord(format.schema) ? format.schema.properties : undefined;
  if (isRecord(schema)) {
    const title = titleOf(asked, said);
    return JSON.stringify(Object.fromEntries(Object.keys(schema).map((name) => [name, title])));
  }
  if (/\bdescription\b/i.test(asked)) return descriptionOf(given);
  if (/\btitle\b[^.]*\bsummary\b/i.test(asked)) {
    return `${titleOf(asked, said)}\n\n${summaryOf(said.slice(0, 4))}`;
  }
  if (/\bsummary\b/i.test(asked)) return summaryOf(said.slice(-20));
  return titleOf(asked, said) || 'Conversation';
}

function blockText(block: { readonly [field: string]: unknown }): string {
  return textOf([{ type: 'text', ...block }]);
}

/** The quoted messages, without their context. */
function linesOf(given: string): string[] {
  return [...given.matchAll(/^((?:Person|Agent|User|You): (?!<).+)$/gm)].map(([line]) => line);
}

/** The first words of the first message. */
function titleOf(asked: string, [first]: readonly string[]): string {
  const quoted =
    first?.replace(/^\w+: /, '') ??
    /(?:user|person|you|said)\W{1,4}(.+)/i.exec(asked)?.[1] ??
    asked;
  return quoted
    .replace(/[^\p{L}\p{N}'’ -]+/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .reduce((title, word) => {
      const longer = title === '' ? word : `${title} ${word}`;
      return longer.length > MAX_TITLE_CHARS ? title : longer;
    }, '');
}

const MAX_TITLE_CHARS = 60;

/** What was said, the answers first, because the title is what was asked. */
function summaryOf(said: readonly string[]): string {
  const isAnswer = (line: string) => /^(?:Agent|You): /.test(line);
  const lines = [...said.filter(isAnswer), ...said.filter((line) => !isAnswer(line))];
  return lines.map((line) => shortened(line.replace(/^\w+: /, ''))).join('\n');
}

/** Cut between words. */
function shortened(line: string): string {
  return line.length <= 200 ? line : `${line.slice(0, 200).replace(/\s\S*$/, '')} …`;
}

function descriptionOf(given: string): string {
  const places = [...given.matchAll(/^[-*] (.+)$/gm)].map(([, place]) => place);
  const kept = places.length > 0 ? ` ${places.join('; ')}.` : '';
  return `I manage notes in Obsidian.${kept} The demo model wrote this from a list.`.slice(
    0,
    1_000,
  );
}
