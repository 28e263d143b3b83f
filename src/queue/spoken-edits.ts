/** Pending edits by voice: read them out, and accept or reject those that the user has heard. */
import * as t from '#messages/spoken-edit-messages';
import type { ConversationLog } from '#conversations/conversation-log';
import type { DecideReport, EditChoice, PendingEdit, PendingNote } from '#model/pending-edit';
import type { ActionResult } from '#model/failure';
import type { UserRequest } from '#model/request';
import { MAX_SAID_CHARS } from '#model/reply';
import { shorten } from '#text/shorten';
import { saidName, saidWords } from '#text/speech';
import { uncertainParts } from '#text/uncertain-text';
import type { EditPhrase } from '#voice/edit-phrases';
import type { TurnReplies } from '#voice/turn-replies';
import { type CommandAnswer, doneAnswer, notDoneAnswer } from './command-turns';

export interface EditDecisions {
  pending(): readonly PendingNote[];
  accept(choice: EditChoice): Promise<ActionResult<DecideReport>>;
  reject(choice: EditChoice): Promise<ActionResult<DecideReport>>;
}

export interface SpokenEditsDeps {
  readonly decisions: EditDecisions;
  readonly replies: TurnReplies;
  /** Whether the agent may know about a note. */
  seeing(): Promise<(path: string) => boolean>;
  /** Whether the user decided edits at or after this time. */
  hasDecidedSince(time: number): Promise<boolean>;
}

/** A listener can tell as many apart. */
const MAX_READ = 4;
const MAX_WORDS_CHARS = 50;

interface SpokenEdit {
  readonly path: string;
  readonly edit: PendingEdit;
}

export class SpokenEdits {
  readonly #deps: SpokenEditsDeps;
  /** Those that were read out last, whose places are their numbers. */
  #read: readonly SpokenEdit[] = [];

  constructor(deps: SpokenEditsDeps) {
    this.#deps = deps;
  }

  /** Whether the words are about edits; otherwise they are for the agent. */
  async concerns({ time }: UserRequest, log: ConversationLog | null): Promise<boolean> {
    return (await this.#pendingIn(log)).length > 0 || this.#deps.hasDecidedSince(time);
  }

  async answer(
    { verb, which }: EditPhrase,
    { time, hearing }: UserRequest,
    log: ConversationLog | null,
  ): Promise<CommandAnswer> {
    const { replies, hasDecidedSince } = this.#deps;
    // A crash interrupted the command after it had decided. It must not decide the next edit.
    if (verb !== 'read' && (await hasDecidedSince(time))) return doneAnswer(t.decidedBefore);
    const all = await this.#pendingIn(log);
    if (all.length === 0) return doneAnswer(t.nothingPending);
    // Numbers are of no use once none of those edits waits in this chat.
    if (!this.#read.some((each) => all.some((edit) => isSame(each, edit)))) this.#read = [];
    if (verb === 'read') return this.#readOut(all, which);
    if (!hearing?.mayDecide || !replies.allowsDecisions)
      return notDoneAnswer(t.voiceIsOff(namesOf(all)));
    const heard = all.filter((each) => this.#wasHeard(each));
    if (typeof which === 'number' && this.#read.length > 0 && !this.#numbered(which))
      return notDoneAnswer(t.noSuchEdit(this.#read.length));
    const chosen = which === 'all' ? heard : this.#chosenBy(which, heard);
    if (chosen.length === 0) return this.#readOut(all, 'all');
    return this.#decide(verb, chosen, all.length);
  }

  async #pendingIn(log: ConversationLog | null): Promise<readonly SpokenEdit[]> {
    const sees = await this.#deps.seeing();
    return this.#deps.decisions
      .pending()
      .filter(({ path }) => sees(path))
      .flatMap(({ path, edits }) => edits.map((edit) => ({ path, edit })))
      .filter(({ edit }) => edit.conversation === log?.state.id && !edit.isForeign);
  }

  /** Whether it was read out, or the end of its turn was announced. */
  #wasHeard(found: SpokenEdit): boolean {
    const { turn } = found.edit;
    if (this.#read.some((each) => isSame(each, found))) return true;
    return turn !== null && this.#deps.replies.wasEndHeard(turn);
  }

  /** "It" is clear only while one edit is pending; numbers are those of the last reading. */
  #chosenBy(which: 'it' | number, heard: readonly SpokenEdit[]): readonly SpokenEdit[] {
    if (which === 'it') return heard.length === 1 ? heard : [];
    const named = this.#numbered(which);
    return named ? heard.filter((each) => isSame(named, each)) : [];
  }

  #numbered(number: number): SpokenEdit | undefined {
    return this.#read.at(number > 0 ? number - 1 : number);
  }

  #readOut(all: readonly SpokenEdit[], which: EditPhrase['which']): CommandAnswer {
    if (typeof which === 'number' && this.#read.length > 0) {
      const one = this.#numbered(which);
      return one ? doneAnswer(editText(one)) : notDoneAnswer(t.noSuchEdit(this.#read.length));
    }
    this.#read = all.slice(0, MAX_READ);
    for (;;) {
      const text = readText(this.#read, all.length);
      if (text.length <= MAX_SAID_CHARS || this.#read.length === 1) return doneAnswer(text);
      this.#read = this.#read.slice(0, -1);
    }
  }

  async #decide(
    verb: 'accept' | 'reject',
    chosen: readonly SpokenEdit[],
    pending: number,
  ): Promise<CommandAnswer> {
    const { decisions } = this.#deps;
    // What may run or load is decided where it is seen.
    const isUnclear = ({ edit }: SpokenEdit) => uncertainParts(edit.after, () => ({})).length > 0;
    const left = verb === 'accept' ? chosen.filter(isUnclear) : [];
    const wanted = chosen.filter((each) => !left.includes(each));
    const problems = left.length > 0 ? [t.decideOnScreen(namesOf(left))] : [];
    let count = 0;
    for (const path of new Set(wanted.map((each) => each.path))) {
      const among = wanted.filter((each) => each.path === path).map(({ edit }) => edit.id);
      const report = await decisions[verb]({ edit: 'all', note: path, among });
      if (report.ok) count += report.decided;
      problems.push(...(report.ok ? report.unapplied.map(({ why }) => why) : [report.reason]));
    }
    const decided = count === 0 ? [] : [t.decided(verb, count, namesOf(wanted))];
    const rest = count > 0 && pending > count ? [t.waiting(pending - count)] : [];
    const text = [...decided, ...problems, ...rest].join(' ');
    if (count === 0) return notDoneAnswer(text);
    return problems.length > 0 ? { outcome: 'partly', text } : doneAnswer(text);
  }
}

/** @param pending how many there are, of which some are not read */
function readText(read: readonly SpokenEdit[], pending: number): string {
  const [only] = read;
  if (only && pending === 1) return `${editText(only)} ${t.sayAcceptIt}`;
  const texts = read.map((each, at) => t.numbered(at + 1, editText(each)));
  return [t.waiting(pending), ...texts, t.sayAcceptAll(read.length)].join(' ');
}

/** What an edit changes, in a sentence. */
function editText({ path, edit: { type, before, after } }: SpokenEdit): string {
  const words = (text: string) => shorten(saidWords(text), MAX_WORDS_CHARS);
  return t.edit(type, saidName(path), words(before), words(after));
}

function namesOf(edits: readonly SpokenEdit[]): readonly string[] {
  return [...new Set(edits.map(({ path }) => saidName(path)))];
}

/** Ids are unique in a note only. */
function isSame(one: SpokenEdit, other: SpokenEdit): boolean {
  return one.edit.id === other.edit.id && one.path === other.path;
}
