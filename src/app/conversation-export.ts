/** Exports conversations to notes, which Parley does not change afterwards. */
import * as t from '#messages/history-messages';
import { foundMore } from '#messages/tool-messages';
import {
  CHOICE_WORDS,
  foundItems,
  foundText,
  isItemsOnly,
  resultText,
  userChoice,
} from '#messages/result-text';
import type { Conversations } from '#conversations/repository';
import {
  type AnswerMessage,
  type Conversation,
  type SteeringMessage,
  validSteps,
  type Step,
  type ToolCall,
  type Turn,
  turnState,
} from '#model/conversation';
import { clickedText, questionText, summaryOf } from '#model/conversation-summary';
import type { ConversationId } from '#model/ids';
import type { CallResult } from '#model/message';
import type { RequestSource } from '#model/request';
import { lineTexts } from '#text/list-diff';
import { lineContexts } from '#text/note-structure';
import { illegalNameReason, withoutNoteExtension } from '#text/paths';
import type { Clock } from '#ports/clock';
import type {
  ExportControl,
  ExportPlan,
  ExportReport,
  ListedConversation,
} from '#ports/app/conversations-port';
import type { Metadata } from '#ports/metadata';
import type { NoteProblem, NoteVault } from '#ports/vault';
import { legalName } from '#tools/result-format';
import { clip } from '#text/shorten';
import { uncertainParts } from '#text/uncertain-text';

export interface ExportDeps {
  readonly conversations: Pick<Conversations, 'list' | 'read'>;
  readonly notes: Pick<NoteVault, 'create' | 'list'>;
  readonly metadata: Pick<Metadata, 'newNoteFolder'>;
  readonly clock: Clock;
}

/** Writes one conversation to the folder for new notes. Returns a sentence if that is impossible. */
export async function exportConversation(
  deps: ExportDeps,
  id: ConversationId,
): Promise<{ note: string } | string> {
  const chosen = (await exportable(deps)).find((each) => each.id === id);
  if (!chosen) return t.noChatToExport;
  const written = await exportOne(deps, chosen, deps.metadata.newNoteFolder(), pathsIn(deps));
  return 'path' in written ? { note: written.path } : t.exportAdvice(reasonText(written.reason));
}

/** The folder and the number of notes of an export of all conversations. */
export async function planExport(deps: ExportDeps): Promise<ExportPlan | string> {
  const { clock, metadata } = deps;
  const { length } = await exportable(deps);
  if (length === 0) return t.noChatToExport;
  const name = `${within(metadata.newNoteFolder())}${t.exportFolder(clock.date(clock.now()))}`;
  return { folder: free(name, '', pathsIn(deps)), notes: length };
}

/** Writes all conversations, one after the other, so that only one of them is in memory. */
export async function exportAll(
  deps: ExportDeps,
  folder: string,
  { signal, progress }: ExportControl,
): Promise<ExportReport> {
  const chosen = await exportable(deps);
  const taken = pathsIn(deps);
  const failed: ExportReport['failed'][number][] = [];
  const report = (notes: number, stoppedBy: ExportReport['stoppedBy']): ExportReport => ({
    ...{ notes, failed, stoppedBy },
    all: chosen.length,
  });
  for (const [at, each] of chosen.entries()) {
    if (signal.aborted) return report(at - failed.length, 'user');
    const written = await exportOne(deps, each, folder, taken);
    if ('reason' in written) {
      const { reason } = written;
      if (reason.kind === 'disk' && reason.full) return report(at - failed.length, 'full disk');
      failed.push({ title: each.title, reason: reasonText(reason) });
    }
    progress(at + 1, chosen.length);
    await deps.clock.pause();
  }
  return report(chosen.length - failed.length, null);
}

async function exportable({ conversations }: ExportDeps): Promise<readonly ListedConversation[]> {
  return (await conversations.list()).filter(({ messages }) => messages > 0);
}

/** In lower case, because most disks do not tell cases apart. */
function pathsIn({ notes }: ExportDeps): Set<string> {
  return new Set(notes.list().map(({ path }) => path.toLowerCase()));
}

async function exportOne(
  { conversations, notes, clock }: ExportDeps,
  { id, title }: ListedConversation,
  folder: string,
  taken: Set<string>,
): Promise<{ path: string } | { reason: NoteProblem }> {
  let conversation: Conversation | null;
  try {
    conversation = await conversations.read(id);
  } catch (error) {
    return { reason: { kind: 'disk', detail: String(error), full: false } };
  }
  if (!conversation) return { reason: { kind: 'missing' } };
  const text = conversationNote(conversation, clock);
  for (;;) {
    const path = free(`${within(folder)}${noteNameFor(title)}`, '.md', taken);
    const made = await notes.create(path, text);
    if (made.ok) return { path };
    if (made.reason.kind !== 'exists') return made;
  }
}

/** A note name for a title. Some words, such as `CON`, are not valid file names. */
function noteNameFor(title: string): string {
  const name = legalName(title);
  return (
    [name, t.exportName(name)].find((each) => illegalNameReason(each) === null) ??
    t.exportFallbackName
  );
}

/** The first free path of "Name", "Name 2", …, which is then added to `taken`. */
function free(name: string, extension: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const path = `${name}${number === 1 ? '' : ` ${number}`}${extension}`;
    if (taken.has(path.toLowerCase())) continue;
    taken.add(path.toLowerCase());
    return path;
  }
}

function within(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

function reasonText(problem: NoteProblem): string {
  if (problem.kind === 'missing') return t.chatUnreadable;
  return problem.kind === 'disk' ? problem.detail : t.exportFailed;
}

/** Longer inputs and results are cut; the conversation itself has all of it. */
const MAX_CODE_CHARS = 20_000;

type Dates = Pick<Clock, 'date' | 'describe'>;

/** Prints a text that a user or the model wrote. */
type Print = (text: string) => string;

export function conversationNote(conversation: Conversation, clock: Dates): string {
  const note = printedNote(conversation, clock, textOf);
  // Texts that load nothing alone may do so together, such as a picture and its definition.
  const isInert = uncertainParts(note, () => ({})).length === 0;
  return isInert ? note : printedNote(conversation, clock, asCode);
}

function printedNote(conversation: Conversation, clock: Dates, print: Print): string {
  const { id, title, summary, turns, started, updated } = conversation;
  const { sources, notes } = summaryOf(conversation);
  const properties = [
    `conversation: ${JSON.stringify(id)}`,
    `title: ${JSON.stringify(title)}`,
    `created: ${clock.date(started)}`,
    `updated: ${clock.date(updated)}`,
    ...yamlList('sources', sources),
    ...yamlList('models', [
      ...new Set(turns.flatMap(({ model }) => (model === '' ? [] : [model]))),
    ]),
    ...yamlList('notes', notes.map(linkTo)),
  ];
  const parts = [
    ['---', ...properties, '---'].join('\n'),
    ...(summary ? [callout('abstract', t.exportSummary, print(summary))] : []),
    ...turns.flatMap((turn) => turnParts(turn, clock, print)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function yamlList(name: string, values: readonly string[]): string[] {
  return values.length === 0
    ? []
    : [`${name}:`, ...values.map((each) => `  - ${JSON.stringify(each)}`)];
}

function turnParts(turn: Turn, clock: Dates, print: Print): string[] {
  const { request, answers, steering, end, model } = turn;
  const userMessage = (source: { text: string; source: RequestSource; time: number }) => [
    `## ${t.askedAt(source.source, clock.describe(source.time))}`,
    print(source.text),
  ];
  const answer = `## ${t.answeredBy(wordsOf(model))}`;
  const steps = validSteps(turn);
  const joined = [...answers, ...steering].sort((a, b) => a.time - b.time);
  const parts: string[] = [];
  for (const [at, step] of steps.entries()) {
    parts.push(...stepParts(step, print));
    const next = steps[at + 1];
    const here = joined.filter((each) => isAfter(each, step) && !(next && isAfter(each, next)));
    if (here.length > 0) parts.push(...here.flatMap(userMessage), answer);
  }
  const reply = end?.kind === 'completed' ? end.reply.trim() : '';
  const isSaid = parts.some((part) => part === print(reply));
  return [
    ...userMessage(request),
    ...joined.filter((each) => !steps.some((step) => isAfter(each, step))).flatMap(userMessage),
    answer,
    ...parts,
    ...(reply === '' || isSaid ? [] : [print(reply)]),
    ...endParts(turn, print),
  ];
}

/** Whether a message joined its turn after a step had begun. */
function isAfter(message: AnswerMessage | SteeringMessage, { index, started }: Step): boolean {
  return 'step' in message ? index <= message.step : started <= message.time;
}

function endParts(turn: Turn, print: Print): string[] {
  const { end } = turn;
  if (!end) return [callout('info', t.notOver(turnState(turn)), '')];
  if (end.kind !== 'completed') return [callout('warning', end.kind, print(end.reply))];
  return end.outcome === 'done' ? [] : [callout('warning', end.outcome.replace('_', ' '), '')];
}

/** The texts of a step, followed by its calls in a folded callout. */
function stepParts({ parts, calls }: Step, print: Print): string[] {
  const texts = parts.flatMap((part) =>
    part.type === 'text' && part.text.trim() !== '' ? [print(part.text)] : [],
  );
  if (calls.length === 0) return texts;
  const title = t.toolCalls(calls.length);
  const folded = callout('example', title, calls.map(callText).join('\n\n'), '-');
  return [...texts, folded, ...calls.flatMap((call) => questionParts(call, print))];
}

/** What a call asked the user, and what was clicked; answers in words are messages. */
function questionParts(call: ToolCall, print: Print): string[] {
  const resolved = 'resolved' in call ? call.resolved : null;
  const interaction = call.state === 'asking' ? call.interaction : resolved?.interaction;
  if (!interaction) return [];
  const answer = resolved && clickedText(resolved.resolution);
  const asked = callout('question', t.exportQuestion, print(questionText(interaction)));
  return answer === null ? [asked] : [asked, callout('quote', t.exportAnswer, print(answer))];
}

/** The answer to a question as the result of its call; null for any other call. */
function answerIn(call: ToolCall): string | null {
  const resolved = 'resolved' in call ? call.resolved : null;
  if (resolved?.interaction.kind !== 'question') return null;
  return resolved.resolution.kind === 'answer' ? resolved.resolution.text : null;
}

function noted(call: ToolCall): string {
  const choice = userChoice(call);
  if (choice) return ` (${CHOICE_WORDS[choice].toLowerCase()})`;
  return call.state === 'finished' && call.result.failed ? t.callFailed : '';
}

function callText(call: ToolCall): string {
  const { name, input } = call.part;
  const result = call.state === 'finished' ? call.result : null;
  const changes = result?.details?.kind === 'changes' ? result.details.changes : [];
  const links = [...new Set(changes.map(({ path, to }) => linkTo(to ?? path)))];
  const head = `**${wordsOf(name)}**${noted(call)}${links.map((link) => ` ${link}`).join('')}`;
  return [
    head,
    fenced('json', JSON.stringify(input, null, 2)),
    ...(result
      ? [fenced('text', answerIn(call) ?? foundInText(result)), ...foundLinks(result)]
      : []),
  ].join('\n\n');
}

function foundInText(result: CallResult): string {
  const { items, isCut } = foundItems(result);
  if (isItemsOnly(result)) return resultText(result);
  return [resultText(result), ...items.map(foundText), ...(isCut ? [foundMore] : [])].join('\n');
}

/** A path with another meaning in Markdown stays in the code. */
const LINKED_PATH = /^[^[\]|#^<>`%$\\\n]+$/;

/** Links to the notes and files that a call found. */
function foundLinks(result: CallResult): string[] {
  const paths = foundItems(result).items.flatMap((item) => ('path' in item ? [item.path] : []));
  const files = [...new Set(paths)].filter((path) => !path.endsWith('/') && LINKED_PATH.test(path));
  return files.length === 0 ? [] : [files.map(linkTo).join(', ')];
}

/** The name of a tool or model without signs that mean something in Markdown. */
function wordsOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}\s._:/-]/gu, '').replace(/\s+/g, ' ');
}

/** Links to notes have no extension. */
function linkTo(path: string): string {
  return `[[${withoutNoteExtension(path)}]]`;
}

function callout(type: string, title: string, text: string, fold = ''): string {
  const lines = text === '' ? [] : text.split('\n').map((line) => `> ${line}`.trimEnd());
  return [`> [!${type}]${fold} ${title}`, ...lines].join('\n');
}

/** Text that would run, load from elsewhere, or be taken for a pending edit is exported as code. */
function textOf(text: string): string {
  const plain = text.trim();
  const isInert = uncertainParts(plain, () => null).length === 0 && !plain.includes('ai-edit');
  return isInert && isWhole(plain) ? plain : asCode(plain);
}

function asCode(text: string): string {
  return fenced('text', text.trim());
}

/**
 * Whether the text leaves no comment, math or code block open, which would swallow the text after
 * it.
 */
function isWhole(text: string): boolean {
  const isPaired = (mark: string) => text.split(mark).length % 2 === 1;
  return !text.includes('<!--') && isPaired('%%') && isPaired('$$') && !leavesFenceOpen(text);
}

function leavesFenceOpen(text: string): boolean {
  // Neither the first line is front matter nor the last a part of a quote or list.
  return lineContexts(['', ...lineTexts(text), 'x']).at(-1) === 'code';
}

function fenced(language: string, text: string): string {
  // Plugins run code that begins like this, in whatever language.
  const harmless = /^\s*\$?=/.test(text) ? `…\n${text}` : text;
  const shown = clip(harmless, MAX_CODE_CHARS, '\n…');
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}
