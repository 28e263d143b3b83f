/**
 * Judges a soak run by what is on disk and by what the doubles of SmartHole and of the model server
 * recorded, without the program's own readers.
 */
import type { Change, ChangeFate } from '#model/change';
import type { Event, EventOf, EventType, TurnEnd } from '#model/event';
import { namesIn, PLUGIN, readFileIn, visibleFilesIn } from './driver';
import { plainTitle, type ForeignLine } from './soak-faults';
import {
  BOOKS,
  draftOf,
  ideaOf,
  isMade,
  itemsIn,
  kindOf,
  LINES,
  listOf,
  pageOf,
  pageText,
  PROPERTIES,
  SLOTS,
  type Kind,
} from './soak-model';
import type { Heard, Sent, SoakUser } from './soak-user';

/** What happened beside a foreign line within this time may have overwritten it. */
const NEAR_MS = 100;
/** SmartHole waits as long for an ack. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Words that are spoken earlier cannot be about a notification. */
const MIN_HEARING_MS = 1_000;

interface LoggedChange {
  readonly change: Change;
  readonly fate: ChangeFate | undefined;
}

export interface Run {
  readonly vault: string;
  readonly items: readonly number[];
  readonly sent: readonly Sent[];
  readonly foreign: readonly ForeignLine[];
  /** Spoken texts that SmartHole gave away because it got no answer. */
  readonly givenAway: readonly string[];
  /** Texts that Stop gave back; they may have been sent again. */
  readonly returned: readonly string[];
  readonly undos: readonly { readonly from: number; readonly to: number }[];
}

export class SoakJudge {
  readonly #run: Run;
  readonly #events: readonly Event[];
  readonly #changes: readonly LoggedChange[];
  readonly problems: string[] = [];
  readonly counts = new Map<string, number>();

  constructor(run: Run) {
    this.#run = run;
    this.#events = this.#linesIn<Event>('conversations', /^conversation-.*\.jsonl$/);
    const lines = this.#linesIn<ChangeLogLine>('ledger', /\.\d+\.jsonl$/);
    const fates = new Map<string, ChangeFate>();
    for (const line of lines) if (line.type === 'fate') fates.set(line.change, line.fate);
    this.#changes = lines.flatMap((line) =>
      line.type === 'change' ? [{ change: line.change, fate: fates.get(line.change.id) }] : [],
    );
  }

  of<Type extends EventType>(type: Type): EventOf<Type>[] {
    return this.#events.filter((event): event is EventOf<Type> => event.type === type);
  }

  /** Each request that was accepted has begun or joined one turn, or answered one, or was given back. */
  requests(): void {
    const starts = this.of('turn-start');
    const ends = new Map<string, TurnEnd>(this.of('turn-end').map(({ turn, end }) => [turn, end]));
    /** Whether its request may have another turn, because this one failed, or was not trusted. */
    const mayRunAgain = (turn: string) => {
      const end = ends.get(turn);
      return end?.kind === 'failed' || (end?.kind === 'stopped' && end.by === 'closing');
    };
    for (const { turn } of starts)
      if (!ends.has(turn)) this.problems.push(`the turn ${turn} never ended`);
    const taken = new Map<string, number>();
    const take = (id: string | null) => id !== null && taken.set(id, (taken.get(id) ?? 0) + 1);
    /** Requests by the words, and by the ids of SmartHole's messages. */
    const byMessage = new Map<string, string>();
    const note = (id: string | null, reply: { to: string; messageIds?: readonly string[] }) => {
      for (const message of reply.messageIds ?? []) if (id !== null) byMessage.set(message, id);
    };
    for (const { turn, requestId, request } of starts) {
      if (!mayRunAgain(turn)) take(requestId);
      note(requestId, request.reply);
    }
    for (const { request } of this.of('steer-join')) {
      take(request.id);
      note(request.id, request.reply);
    }
    for (const { requestId, reply } of this.of('answer-end')) {
      take(requestId);
      note(requestId, reply);
    }
    for (const [id, times] of taken) {
      if (times > 1) this.problems.push(`the request ${id} ran ${times} times`);
    }
    const returned = [...this.#run.returned];
    for (const { text, how, accepted, id, took } of this.#run.sent) {
      const [item] = itemsIn(text);
      const isGivenAway =
        accepted === null ? this.#run.givenAway.includes(text) : took > ANSWER_TIMEOUT_MS;
      if (how === 'spoken' && isGivenAway && byMessage.has(id ?? ''))
        this.problems.push(`"${text}" ran after SmartHole had given it away`);
      if (accepted !== true || item === undefined || id === null) continue;
      this.#count(`accepted, ${how}`);
      const request = how === 'typed' ? id : byMessage.get(id);
      if (request !== undefined && taken.has(request)) continue;
      const given = returned.indexOf(text);
      if (given >= 0) returned.splice(given, 1);
      else if (how === 'spoken' && this.#isStopped(text)) this.#count('stopped before they began');
      else this.problems.push(`"${text}" (${how}) was accepted and never ran`);
    }
  }

  /** Whether a spoken stop took the words back before they had a turn, and the chat says so. */
  #isStopped(text: string): boolean {
    return this.of('turn-notice').some((notice) => notice.text.includes(text));
  }

  /** Each change that the change log has is there once, and the notes hold nothing else. */
  notes(): void {
    const { vault, items } = this.#run;
    const files = visibleFilesIn(vault);
    const undone = this.#changes.some(({ change: { act } }) => act?.kind === 'undo');
    const verdicts = this.#verdicts();
    for (const item of items) {
      const kind = kindOf(item);
      const found = this.#timesOf(item, files);
      if (found === null) continue;
      const logged = this.#loggedTimes(item);
      if (!logged.includes(found))
        this.problems.push(
          `${kind} ${item} is there ${found} times, ${logged.join(' or ')} by the change log`,
        );
      const made = verdicts.get(item);
      const wasUndone = undone && this.#isUndone(item);
      if (made === true && found === 0 && !wasUndone)
        this.problems.push(`${kind} ${item} was reported as done and is not there`);
      if (made === false && found > 0)
        this.problems.push(`${kind} ${item} is there and was reported as not made`);
      this.#count(found > 0 ? 'changes found' : wasUndone ? 'changes undone' : 'changes not made');
    }
    for (const [path, text] of Object.entries(files)) this.#lines(path, text);
    this.#deletions(files);
  }

  /**
   * Each end of a turn to which the user listened was shown once: alone, or in the number of one
   * notification for several.
   *
   * @param uncertain titles that may have been shown twice, because something broke meanwhile
   */
  announcements(heard: readonly Heard[], uncertain: ReadonlySet<string>) {
    const combined = heard
      .map(({ text }) => Number(/\b(\d+) requests\b/.exec(titleOf(text))?.[1] ?? 0))
      .reduce((sum, each) => sum + each, 0);
    const toSmartHole = ({ to }: { readonly to: string }) => to === 'smarthole';
    const listening = new Set([
      ...this.of('turn-start').flatMap((e) => (toSmartHole(e.request.reply) ? [e.turn] : [])),
      ...this.of('steer-join').flatMap((e) => (toSmartHole(e.request.reply) ? [e.turn] : [])),
      ...this.of('answer-end').flatMap((e) => (toSmartHole(e.reply) ? [e.turn] : [])),
    ]);
    const replies = this.of('turn-end')
      .filter(({ turn, end }) => listening.has(turn) && end.kind === 'completed')
      .map(({ end: { reply } }) => reply)
      .filter((reply) => /^Finished item \d+\.$/.test(reply));
    const shown = replies.map((reply) => heard.filter(({ text }) => text.includes(reply)));
    const several = shown.filter(({ length }) => length > 1);
    for (const [first, ...others] of several) {
      const title = plainTitle(titleOf(first!.text));
      if (others.length > 1 || !uncertain.has(title))
        this.problems.push(`shown ${others.length + 1} times: ${title}`);
    }
    const alone = shown.filter(({ length }) => length > 0).length;
    return { ends: replies.length, alone, combined, twice: several.length };
  }

  /** Spoken words decided the approval that they were meant for, and answered what was announced. */
  spokenAnswers(user: Pick<SoakUser, 'meantBy' | 'announcedAt' | 'saidAt'>): void {
    const answers = this.of('answer-end');
    for (const { decides, reply } of answers) {
      if (decides === undefined || reply.to !== 'smarthole') continue;
      if (!reply.messageIds.some((id) => user.meantBy(id) === decides))
        this.problems.push(`words for another approval decided ${decides}`);
    }
    for (const { interaction: question } of this.of('interaction-start')) {
      const end = this.of('interaction-end').find((each) => each.interaction === question.id);
      const turn = this.of('turn-start').find((each) => each.turn === question.turn);
      const isSaid = end?.resolution.kind === 'answer' && end.resolution.via === 'voice';
      if (question.kind !== 'question' || turn?.request.reply.to !== 'smarthole' || !isSaid)
        continue;
      const words = answers.find(({ requestId }) => requestId === end.requestId)?.text ?? '';
      const announced = user.announcedAt(question);
      if (announced === null || user.saidAt(words) < announced + MIN_HEARING_MS)
        this.problems.push(`"${words}" answered a question that could not have been heard`);
    }
  }

  /** The items whose turn has completed and whose change was given up after many attempts. */
  givenUp(): readonly number[] {
    const completed = new Set(
      this.of('turn-end').flatMap(({ turn, end }) => (end.kind === 'completed' ? [turn] : [])),
    );
    const verdicts = this.#verdicts();
    return this.of('turn-start')
      .filter(({ turn }) => completed.has(turn))
      .flatMap(({ request }) => itemsIn(request.text))
      .filter((item) => kindOf(item) !== 'delete' && !(verdicts.get(item) ?? verdicts.has(item)));
  }

  /** Whether the results of an item's change say that it was made; null if that is unknown. */
  #verdicts(): Map<number, boolean | null> {
    const made = new Map<string, number>();
    for (const { turn, step, index, part } of this.of('part-end')) {
      if (part.type !== 'call') continue;
      const [item] = itemsOfCall(part.name, part.input);
      if (item !== undefined) made.set(`${turn}.${step}.${index}`, item);
    }
    const verdicts = new Map<number, boolean | null>();
    for (const { call, result } of this.of('call-end')) {
      const item = made.get(call);
      if (item === undefined || verdicts.get(item) === true) continue;
      verdicts.set(item, isMade({ text: result.text, isError: result.failed }));
    }
    return verdicts;
  }

  /** How often the change of an item is in the notes; null if it is not counted. */
  #timesOf(item: number, files: Readonly<Record<string, string>>): number | null {
    const kind = kindOf(item);
    const all = Object.values(files).join('\n').split('\n');
    const times = (line: string) => all.filter((each) => each === line).length;
    switch (kind) {
      case 'note':
      case 'ask':
        return times(LINES.note(item)[1]);
      case 'property':
        return times(LINES.property(item)[1]);
      case 'slot':
      case 'books': {
        const [before, after] = LINES[kind](item);
        const places = kind === 'slot' ? 1 : BOOKS.length;
        const sum = times(before!) + times(after);
        if (sum !== places) this.problems.push(`${kind} ${item} is there ${sum} times`);
        return times(after);
      }
      case 'page': {
        const page = files[pageOf(item)];
        if (page === undefined) return 0;
        if (page !== pageText(item)) this.problems.push(`page ${item} has a part of its text`);
        return 1;
      }
      case 'move': {
        const there = ideaOf(item).filter((path) => files[path] === `# Idea ${item}\n`);
        if (there.length !== 1) this.problems.push(`idea ${item} is there ${there.length} times`);
        return null;
      }
      case 'delete':
        return null;
    }
  }

  /**
   * How often it may be there by the texts before and after each change that was made. Whether the
   * last ones were is not recorded if the disk refused that.
   */
  #loggedTimes(item: number): number[] {
    const kind = kindOf(item);
    const line =
      kind === 'page'
        ? `Page ${item}, line 0: coûteux, 長い, 🙂.`
        : LINES[kind === 'ask' ? 'note' : (kind as keyof typeof LINES)]?.(item)[1];
    if (line === undefined) return [0];
    let times = [0];
    for (const { change, fate } of this.#changes) {
      if (fate === 'not-done') continue;
      const before = 'before' in change ? change.before : null;
      const after = 'after' in change ? change.after : null;
      const more = timesIn(after, line) - timesIn(before, line);
      if (more === 0) continue;
      const made = times.map((each) => each + more);
      times = fate === 'done' || fate === 'finished-now' ? made : [...new Set([...times, ...made])];
    }
    return times;
  }

  /** Whether the change log has an undo that took the item back. */
  #isUndone(item: number): boolean {
    const kind = kindOf(item);
    const line = LINES[kind === 'ask' ? 'note' : (kind as keyof typeof LINES)]?.(item)[1];
    return this.#changes.some(({ change }) => {
      if (change.act?.kind !== 'undo') return false;
      if (kind === 'page') return change.path === pageOf(item);
      const before = 'before' in change ? change.before : null;
      return line !== undefined && timesIn(before, line) > 0;
    });
  }

  /** Checks that a shared note has all expected lines and no others. */
  #lines(path: string, text: string): void {
    const { items, foreign } = this.#run;
    const is = (kind: Kind) => (item: number) => kindOf(item) === kind;
    const lines = text.split('\n').filter((line) => line !== '');
    const mine = foreign.filter((each) => each.path === path);
    for (const { line, at } of mine) {
      const times = lines.filter((each) => each === line).length;
      if (times === 1) continue;
      if (times === 0 && this.#isNear(path, at)) this.#count('foreign lines overwritten');
      else this.problems.push(`"${line}" is ${times} times in ${path}`);
    }
    const lists = items.filter((item) => listOf(item) === path && /note|ask/.test(kindOf(item)));
    const allowed: Readonly<Record<string, readonly (string | null)[]>> = {
      [SLOTS]: ['# Slots', ...items.filter(is('slot')).flatMap(LINES.slot)],
      [PROPERTIES]: [
        ...['---', 'kind: soak', '---', '# Properties'],
        ...items.filter(is('property')).flatMap(LINES.property),
      ],
      ...Object.fromEntries(
        BOOKS.map((book) => [book, ['# Book', ...items.filter(is('books')).flatMap(LINES.books)]]),
      ),
    };
    const own = path.startsWith('Lists/Soak')
      ? ['# List', ...lists.flatMap(LINES.note), ...mine.map(({ line }) => line)]
      : allowed[path];
    if (!own) return;
    const unmeant = lines.filter((line) => !own.includes(line));
    if (unmeant.length > 0)
      this.problems.push(`${path} has ${unmeant.length} other lines: ${unmeant[0]}`);
    const heads = lines.filter((line) => /^# |^kind: soak/.test(line)).length;
    if (heads !== own.filter((line) => /^# |^kind: soak/.test(line ?? '')).length)
      this.problems.push(`${path} has ${heads} headings`);
  }

  /** Whether Parley wrote the note, or undid something, when another program did. */
  #isNear(path: string, at: number): boolean {
    const isDuring = (from: number, to: number) => from - NEAR_MS <= at && at <= to + NEAR_MS;
    if (this.#run.undos.some(({ from, to }) => isDuring(from, to))) return true;
    return this.#changes.some(
      ({ change }) => change.path === path && isDuring(change.time, change.time),
    );
  }

  #deletions(files: Readonly<Record<string, string>>): void {
    const deletions = this.#run.items.filter((item) => kindOf(item) === 'delete');
    const gone = deletions.filter((item) => files[draftOf(item)] === undefined);
    for (const item of deletions) {
      const text = files[draftOf(item)];
      if (text !== undefined && text !== 'Draft\n') this.problems.push(`draft ${item} was changed`);
    }
    const allowed = this.of('interaction-end').filter(
      ({ resolution }) => resolution.kind === 'choice' && resolution.choice === 'delete',
    );
    if (gone.length > allowed.length) this.problems.push('a note was deleted without a decision');
    this.counts.set('notes deleted', gone.length);
  }

  /** Lines of files in one of Parley's folders. A kill, or a full disk, may have torn some. */
  #linesIn<Line>(folder: string, names: RegExp): Line[] {
    return namesIn(this.#run.vault, `${PLUGIN}/${folder}`)
      .filter((name) => names.test(name))
      .flatMap((name) =>
        (readFileIn(this.#run.vault, `${PLUGIN}/${folder}/${name}`) ?? '').split('\n'),
      )
      .filter((line) => line !== '')
      .flatMap((line): Line[] => {
        try {
          return [JSON.parse(line) as Line];
        } catch {
          this.#count(`torn lines in ${folder}`);
          return [];
        }
      });
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

const titleOf = (text: string) => text.split('\n')[0]!;

function timesIn(text: string | null, line: string): number {
  return text === null ? 0 : text.split('\n').filter((each) => each === line).length;
}

/** The item of a call, by what it writes. */
function itemsOfCall(name: string, input: unknown): number[] {
  const written = JSON.stringify(input) ?? '';
  const patterns: Readonly<Record<string, RegExp>> = {
    edit_file: /- (?:item|slot) (\d+)/,
    write_file: /Page (\d+)\.md/,
    replace_in_notes: /mark (\d+)/,
    update_properties: /"p(\d+)"/,
    move: /Idea (\d+)\.md/,
  };
  const found = patterns[name]?.exec(written)?.[1];
  return found === undefined ? [] : [Number(found)];
}

type ChangeLogLine =
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'fate'; readonly change: string; readonly fate: ChangeFate };
