/** A conversation as a note: what was said, with the calls folded away, and links to the notes that it changed. */
import { userChoice, type UserChoice } from '#model/turn-outcome';
import {
  standingSteps,
  turnState,
  type Conversation,
  type Step,
  type ToolCall,
  type Turn,
} from '#model/conversation';
import { summaryOf } from '#model/conversation-summary';
import type { Source } from '#model/inbound';
import { runningText } from '#policy/running-text';
import type { Clock } from '#ports/clock';

/** Characters of an input or a result; the conversation itself has all of it. */
const LONGEST_CODE = 20_000;

export function conversationNote(
  conversation: Conversation,
  clock: Pick<Clock, 'date' | 'describe'>,
): string {
  const { id, title, summary, turns, started, updated } = conversation;
  const { sources, notes } = summaryOf(conversation);
  const properties = [
    `conversation: ${JSON.stringify(id)}`,
    `title: ${JSON.stringify(title)}`,
    `created: ${clock.date(started)}`,
    `updated: ${clock.date(updated)}`,
    ...listed('sources', sources),
    ...listed('models', [...new Set(turns.flatMap(({ model }) => (model === '' ? [] : [model])))]),
    ...listed('notes', notes.map(linkTo)),
  ];
  const parts = [
    ['---', ...properties, '---'].join('\n'),
    ...(summary ? [callout('abstract', 'Summary', textOf(summary))] : []),
    ...turns.flatMap((turn) => turnParts(turn, clock)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function listed(name: string, values: readonly string[]): string[] {
  return values.length === 0
    ? []
    : [`${name}:`, ...values.map((each) => `  - ${JSON.stringify(each)}`)];
}

const ASKED: Record<Source, string> = {
  typed: 'You',
  voice: 'You, by voice',
  text: 'You, by SmartHole',
  mcp: 'A program',
};

function turnParts(turn: Turn, clock: Pick<Clock, 'describe'>): string[] {
  const { inbound, answers, end, model } = turn;
  const asked = (who: { text: string; source: Source; time: number }) => [
    `## ${ASKED[who.source]}, ${clock.describe(who.time)}`,
    textOf(who.text),
  ];
  const steps = standingSteps(turn);
  const said = steps.flatMap(stepParts);
  const reply = end?.kind === 'completed' ? end.reply.trim() : '';
  const isSaid = said.some((part) => part === textOf(reply));
  return [
    ...asked(inbound),
    ...answers.flatMap(asked),
    `## Parley${model === '' ? '' : `, ${model}`}`,
    ...said,
    ...(reply === '' || isSaid ? [] : [textOf(reply)]),
    ...endParts(turn),
  ];
}

function endParts(turn: Turn): string[] {
  const { end } = turn;
  if (!end) return [callout('info', `Not over: ${turnState(turn)}`, '')];
  if (end.kind !== 'completed') return [callout('warning', end.kind, textOf(end.reply))];
  return end.outcome === 'done' ? [] : [callout('warning', end.outcome.replace('_', ' '), '')];
}

/** Words as they were said, with the calls between them in one fold. */
function stepParts({ parts, calls }: Step): string[] {
  const said = parts.flatMap((part) =>
    part.type === 'text' && part.text.trim() !== '' ? [textOf(part.text)] : [],
  );
  if (calls.length === 0) return said;
  const title = calls.length === 1 ? '1 tool call' : `${calls.length} tool calls`;
  return [...said, callout('example', title, calls.map(callText).join('\n\n'), '-')];
}

const CHOICES: Record<UserChoice, string> = {
  kept: ' (kept)',
  denied: ' (denied)',
  'not-decided': ' (not decided)',
  stopped: ' (stopped)',
};

function noted(call: ToolCall): string {
  const choice = userChoice(call);
  if (choice) return CHOICES[choice];
  return call.state === 'finished' && call.result.failed ? ' (failed)' : '';
}

function callText(call: ToolCall): string {
  const { name, input } = call.part;
  const result = call.state === 'finished' ? call.result : null;
  const changes = result?.details?.kind === 'changes' ? result.details.changes : [];
  const links = [...new Set(changes.map(({ path, to }) => linkTo(to ?? path)))];
  const head = `**${name}**${noted(call)}${links.map((link) => ` ${link}`).join('')}`;
  return [
    head,
    fenced('json', JSON.stringify(input, null, 2)),
    ...(result ? [fenced('text', result.text)] : []),
  ].join('\n\n');
}

/** Only notes go by their names. */
function linkTo(path: string): string {
  return `[[${path.replace(/\.md$/, '')}]]`;
}

function callout(type: string, title: string, text: string, fold = ''): string {
  const lines = text === '' ? [] : text.split('\n').map((line) => `> ${line}`.trimEnd());
  return [`> [!${type}]${fold} ${title}`, ...lines].join('\n');
}

/** What would run, load from elsewhere, or be taken for a proposal by lying in a note is shown as code. */
function textOf(text: string): string {
  const plain = text.trim();
  const isInert = runningText('note.md', plain).length === 0 && !plain.includes('ai-edit');
  return isInert && isWhole(plain) ? plain : fenced('text', plain);
}

/** It leaves nothing open that would swallow what comes after it. */
function isWhole(text: string): boolean {
  const isPaired = (mark: string) => text.split(mark).length % 2 === 1;
  return !text.includes('<!--') && isPaired('%%') && isPaired('$$') && !leavesFenceOpen(text);
}

function leavesFenceOpen(text: string): boolean {
  let open = '';
  for (const [, fence = '', rest = ''] of text.matchAll(/^[\s>]*(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open !== '';
}

function fenced(language: string, text: string): string {
  const shown = text.length > LONGEST_CODE ? `${text.slice(0, LONGEST_CODE)}\n…` : text;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}
