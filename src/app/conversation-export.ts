/** Exports conversations to notes, which Parley does not change afterwards. */
import * as t from '#messages/history-messages';
import { callVerb } from '#messages/call-words';
import { changeText } from '#messages/change-words';
import { endWords, foundItems, isItemsOnly, resultText } from '#messages/result-text';
import { subjectOf, withoutObject } from '#messages/tool-words';
import type { Conversations } from '#conversations/repository';
import {
  type AnswerMessage,
  markedReply,
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
import type { CallResult, ChangeNote } from '#model/message';
import { marksOfChat } from '#model/chat-marks';
import { modelNameFrom } from '#model/model-name';
import { footnotesOf } from '#model/passage';
import type { RequestSource } from '#model/request';
import { lineTexts, linesOf } from '#text/list-diff';
import { inlineCode, lineContexts } from '#text/note-structure';
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
import { capitalize, clip, oneLine } from '#text/shorten';
import { uncertainParts } from '#text/uncertain-text';
import { type IsMark, withoutSourceMarks } from '#text/source-marks';

export interface ExportDeps {
  readonly conversations: Pick<Conversations, 'list' | 'read'>;
  readonly notes: Pick<NoteVault, 'create' | 'list'>;
  readonly metadata: Pick<Metadata, 'newNoteFolder'>;
  readonly clock: Clock;
}

/** Writes one conversation to a folder. Returns a sentence if that is impossible. */
export async function exportConversation(
  deps: ExportDeps,
  id: ConversationId,
  folder: string,
): Promise<{ note: string } | string> {
  const chosen = (await exportable(deps)).find((each) => each.id === id);
  if (!chosen) return t.noChatToExport;
  const written = await exportOne(deps, chosen, folder, pathsIn(deps));
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
  const footnotes = new Set<string>();
  const isMark = marksOfChat(() => turns);
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
    ...turns.flatMap((turn) => {
      const cite = citing(turn, isMark, print, footnotes);
      return turnParts(turn, clock, print, cite);
    }),
  ];
  if (footnotes.size > 0) parts.push([...footnotes].join('\n'));
  return `${parts.join('\n\n')}\n`;
}

/** Prints what a turn said, with names of footnotes where it is not printed as code. */
function citing({ passages }: Turn, isMark: IsMark, print: Print, footnotes: Set<string>): Print {
  return (text) => {
    const cited = footnotesOf(text, passages, isMark);
    const printed = print(cited.body);
    if (cited.footnotes.length === 0 || printed === asCode(cited.body)) {
      return print(withoutSourceMarks(text, isMark));
    }
    for (const footnote of cited.footnotes) footnotes.add(footnote);
    return printed;
  };
}

function yamlList(name: string, values: readonly string[]): string[] {
  return values.length === 0
    ? []
    : [`${name}:`, ...values.map((each) => `  - ${JSON.stringify(each)}`)];
}

function turnParts(turn: Turn, clock: Dates, print: Print, cite: Print): string[] {
  const { request, answers, steering, end, model } = turn;
  const userMessage = (source: { text: string; source: RequestSource; time: number }) => [
    `## ${t.askedAt(source.source, clock.describe(source.time))}`,
    print(source.text),
  ];
  const answer = `## ${t.answeredBy(plainWords(modelNameFrom(model)))}`;
  const steps = validSteps(turn);
  const joined = [...answers, ...steering].sort((a, b) => a.time - b.time);
  const entries: Entry[] = [];
  for (const [at, step] of steps.entries()) {
    entries.push(...stepEntries(step, print));
    const next = steps[at + 1];
    const here = joined.filter((each) => isAfter(each, step) && !(next && isAfter(each, next)));
    if (here.length > 0)
      entries.push(...[...here.flatMap(userMessage), answer].map((part) => ({ part })));
  }
  const parts = foldedWork(entries, cite);
  const said = end?.kind === 'completed' ? markedReply(turn) : '';
  const reply = said === '' ? '' : cite(said);
  const plain = (text: string) => print(withoutSourceMarks(text));
  const isSaid = foldedWork(entries, plain).some((part) => part === plain(said));
  return [
    ...userMessage(request),
    ...joined.filter((each) => !steps.some((step) => isAfter(each, step))).flatMap(userMessage),
    answer,
    ...parts,
    ...(reply === '' || isSaid ? [] : [reply]),
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
  if (end.kind !== 'completed') return [callout('warning', endWords(end), print(end.reply))];
  return end.outcome === 'done' ? [] : [callout('warning', endWords(end), '')];
}

/** What a turn said, did, or asked, in its order. */
type Entry = { readonly said: string } | { readonly call: ToolCall } | { readonly part: string };

/** Calls that are shown as what they say or ask. */
const SHOWN_ALONE: ReadonlySet<string> = new Set(['done', 'ask_user', 'send_message']);

function stepEntries({ parts, calls }: Step, print: Print): Entry[] {
  const texts = parts.flatMap((part) =>
    part.type === 'text' && part.text.trim() !== '' ? [{ said: part.text }] : [],
  );
  const done = calls.flatMap((call): Entry[] => {
    const result = call.state === 'finished' ? call.result : null;
    const isAlone = SHOWN_ALONE.has(call.part.name) && result?.failed !== true;
    const said = result?.details?.kind === 'message' ? [{ part: print(result.details.text) }] : [];
    const asked = questionParts(call, print).map((part) => ({ part }));
    return isAlone ? [...said, ...asked] : [{ call }, ...asked];
  });
  return [...texts, ...done];
}

/** The parts of a turn. Calls and what was said between them are in folded callouts. */
function foldedWork(entries: readonly Entry[], print: Print): string[] {
  const parts: string[] = [];
  let work: Entry[] = [];
  const fold = () => {
    const calls = work.filter((entry) => 'call' in entry).length;
    if (calls > 0) parts.push(callout('example', t.exportSteps(calls), workText(work, print), '-'));
    work = [];
  };
  for (const [at, entry] of entries.entries()) {
    const next = entries.slice(at).find((each) => !('said' in each));
    const isWork = 'call' in entry || ('said' in entry && next !== undefined && 'call' in next);
    if (isWork) work.push(entry);
    else {
      fold();
      parts.push('said' in entry ? print(entry.said) : entry.part);
    }
  }
  fold();
  return parts;
}

/** A line for each call, and the texts between them. */
function workText(work: readonly Entry[], print: Print): string {
  const blocks: string[] = [];
  for (const [at, entry] of work.entries()) {
    if ('said' in entry) blocks.push(print(entry.said));
    if (!('call' in entry)) continue;
    const before = work[at - 1];
    const items = callLines(entry.call).map((line) => `- ${line}`);
    if (before && 'call' in before) blocks.push([blocks.pop(), ...items].join('\n'));
    else blocks.push(items.join('\n'));
  }
  return blocks.join('\n\n');
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

/** What a call did, in the words of the chat: what it was about, what came of it, and links. */
function callLines(call: ToolCall): string[] {
  const result = call.state === 'finished' ? call.result : null;
  const { details } = result ?? {};
  if (details?.kind === 'changes') return details.changes.map(changeLine);
  const { name } = subjectOf(call.part);
  const verb = callVerb(call);
  const links = result ? foundLinks(result) : '';
  const isLinksOnly = result !== null && isItemsOnly(result) && links !== '';
  const isSilent = details === undefined && result?.userText === undefined && !result?.failed;
  const words = result && !isLinksOnly && !isSilent ? plainLine(resultText(result)) : '';
  const head =
    name === '' || isLinksOnly ? withoutObject(verb) : `${verb} ${plainLine(name)}`.trimEnd();
  if (isLinksOnly) return [`${plainWords(head)} ${links}`];
  return [`${plainWords(head)}${words === '' ? '' : `: ${words}`}${links && ` (${links})`}`];
}

function changeLine(change: ChangeNote): string {
  const { path, to } = change;
  // A deleted note is nowhere.
  if (change.kind === 'delete' || change.kind === 'folder') {
    return capitalize(plainLine(changeText(change)));
  }
  const linked = { ...change, path: linkOrPath(path), ...(to && { to: linkOrPath(to) }) };
  return capitalize(changeText(linked));
}

const MAX_LINE_CHARS = 300;

/** A line that means nothing but its words in Markdown. */
function plainLine(text: string): string {
  return clip(oneLine(plainWords(text.replace(/\n+/g, ', '))), MAX_LINE_CHARS, '…');
}

/** A path with another meaning in Markdown stays in the code. */
const LINKED_PATH = /^[^[\]|#^<>`%$\\\n]+$/;

/** Links to the notes and files that a call found; '' if there are none. */
function foundLinks(result: CallResult): string {
  const { items, isCut } = foundItems(result);
  const paths = items.flatMap((item) => ('path' in item ? [item.path] : []));
  const files = [...new Set(paths)].filter((path) => !path.endsWith('/') && LINKED_PATH.test(path));
  return files.map(linkTo).join(', ') + (files.length > 0 && isCut ? ', …' : '');
}

/** Words without signs that mean something in Markdown. */
function plainWords(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s._:/,;()“”‘’'"+−→…?-]/gu, '').replace(/\s+/g, ' ');
}

/** Links to notes have no extension. */
function linkTo(path: string): string {
  return `[[${withoutNoteExtension(path)}]]`;
}

function linkOrPath(path: string): string {
  return LINKED_PATH.test(path) ? linkTo(path) : plainWords(path);
}

function callout(type: string, title: string, text: string, fold = ''): string {
  const lines = text === '' ? [] : text.split('\n').map((line) => `> ${line}`.trimEnd());
  return [`> [!${type}]${fold} ${title}`, ...lines].join('\n');
}

/** Text that would run, load from elsewhere, or be taken for a pending edit is exported as code. */
function textOf(text: string): string {
  const plain = STRAY_MARKS.reduce(withoutStray, text.trim());
  const isInert = uncertainParts(plain, () => null).length === 0 && !plain.includes('ai-edit');
  return isInert && !leavesFenceOpen(plain) && !plain.includes('<!--') ? plain : asCode(text);
}

function asCode(text: string): string {
  return fenced('text', text.trim());
}

/** Signs around comments and formulas. One without the other could swallow the texts after it. */
const STRAY_MARKS = ['%%', '$$'];

/** The last one outside of code is escaped if it has no other. */
function withoutStray(text: string, mark: string): string {
  const contexts = lineContexts(['', ...lineTexts(text)]).slice(1);
  const found: number[] = [];
  let start = 0;
  linesOf(text).forEach((line, at) => {
    if (contexts[at] !== 'code' && contexts[at] !== 'indented-code') {
      const code = inlineCode(line);
      for (let from = line.indexOf(mark); from >= 0; from = line.indexOf(mark, from + 2)) {
        if (!code.some((span) => span.from <= from && from < span.to)) found.push(start + from);
      }
    }
    start += line.length;
  });
  const last = found.length % 2 === 1 ? found.at(-1) : undefined;
  if (last === undefined) return text;
  const escaped = [...mark].map((sign) => `\\${sign}`).join('');
  return text.slice(0, last) + escaped + text.slice(last + mark.length);
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
