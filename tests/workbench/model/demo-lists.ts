/** The demo model's list skills: show a list, add items, remove items, tick items off. */
import {
  closeMatch,
  linkTo,
  locate,
  nameOf,
  type NumberedLine,
  numberedLines,
  reasonOf,
} from './demo-finding';
import { capital, type Intent, things } from './demo-intent';
import type { Ability, DemoTurn, Ending } from './demo-turn';

type Add = Extract<Intent, { kind: 'add' }>;
type Show = Extract<Intent, { kind: 'show' }>;
type TakeOff = Extract<Intent, { kind: 'take-off' }>;

export function* add(intent: Add, turn: DemoTurn): Ability {
  const { target, what, list } = intent;
  const found = yield* locate({
    name: target,
    activeNote: turn.activeNote,
    why: `I look for the note "${target}" first.`,
    plan: [`Find ${target}`, 'Read it', `Add ${what}`],
    question: `Which note is meant by "${target}"?`,
  });
  if (found.path === undefined) {
    if (found.answer !== undefined) return notUnderstood(found.answer);
    return yield* createList(intent);
  }
  const read = yield* readLines(found.path, 1);
  if ('ending' in read) return read.ending;
  const items = itemsOf(read.lines);
  const tasks =
    items.length > 0 ? items.every(({ box }) => box !== '') : /to-?do|task/i.test(target);
  const wanted = things(what, tasks);
  const there = wanted.filter((one) => findItem(items, one));
  const open = there.filter((one) => isTicked(findItem(items, one) ?? NOTHING));
  const missing = wanted.filter((one) => !there.includes(one));
  const where = linkTo(read.path);
  if (missing.length === 0 && open.length === 0) {
    const words = wanted.length > 1 ? 'are' : 'is';
    const numbers = there.map((one) => (findItem(items, one) ?? NOTHING).number);
    if (numbers.some((number) => read.proposed.includes(number))) {
      return done(
        `${listed(wanted)} ${words} proposed for ${where} already and ${wanted.length > 1 ? 'wait' : 'waits'} for your review, so I proposed nothing more.`,
      );
    }
    return done(`${listed(wanted)} ${words} on ${where} already, so I changed nothing.`);
  }
  const plainNote = items.length === 0 && !list;
  const edits: Edit[] = open.map((one) => {
    const item = findItem(items, one) ?? NOTHING;
    return rewriting(item, ticked(item, '[ ]'));
  });
  if (missing.length > 0) {
    // In a note without a list, the text becomes a paragraph.
    edits.push(
      plainNote
        ? { position: 'end', content: `\n${capital(what)}` }
        : adding(read.lines, missing, tasks),
    );
  }
  const [edited] = yield {
    why: `The note is there; the new ${missing.length > 1 ? 'lines go' : 'line goes'} at the end.`,
    doing: 2,
    calls: [{ name: 'edit_file', input: { path: read.path, edits } }],
  };
  if (edited?.isError) return failed(`I could not change ${where}`, edited.text);
  const parts = [
    missing.length > 0 ? `added ${listed(plainNote ? [what] : missing)} to ${where}` : '',
    open.length > 0 ? `opened ${listed(open)} again on ${where}, where it was ticked off` : '',
    there.length > open.length
      ? `left ${listed(there.filter((one) => !open.includes(one)))}, which was there already`
      : '',
  ].filter((part) => part !== '');
  return done(`${resultText(edited?.text)}${parts.join(', and ')}.`);
}

export function* takeOff({ target, what, tick }: TakeOff, turn: DemoTurn): Ability {
  const found = yield* locate({
    name: target,
    activeNote: turn.activeNote,
    why: `I look for the note "${target}" first.`,
    plan: [`Find ${target}`, 'Read it', `${tick ? 'Tick' : 'Take'} ${what} off`],
    question: `Which note is meant by "${target}"?`,
  });
  if (found.path === undefined) {
    if (found.answer !== undefined) return notUnderstood(found.answer);
    return notDone(`I found no note that could be "${target}", so I changed nothing.`);
  }
  const read = yield* readLines(found.path, 1);
  if ('ending' in read) return read.ending;
  const items = itemsOf(read.lines);
  const wanted = things(what, false);
  const lines = wanted.flatMap((one) => findItemLoosely(items, one) ?? []);
  const where = linkTo(read.path);
  if (lines.length === 0) return notDone(`${listed(wanted)} is not on ${where}.`);
  const toTick = tick && lines.every(({ box }) => box !== '');
  const edits = lines.map((item) => rewriting(item, toTick ? ticked(item, '[x]') : undefined));
  const [edited] = yield {
    why: toTick ? 'It is a task list, so the box is ticked.' : 'The line is taken out.',
    doing: 2,
    calls: [{ name: 'edit_file', input: { path: read.path, edits } }],
  };
  if (edited?.isError) return failed(`I could not change ${where}`, edited.text);
  const names = listed(lines.map(({ text }) => text));
  const words = toTick ? `ticked ${names} off on ${where}` : `took ${names} off ${where}`;
  const summary = `${resultText(edited?.text)}${words}.`;
  return lines.length === wanted.length ? done(summary) : { summary, outcome: 'partly' };
}

export function* show({ target }: Show, turn: DemoTurn): Ability {
  const found = yield* locate({
    name: target,
    activeNote: turn.activeNote,
    why: `I look for the note "${target}".`,
    plan: [`Find ${target}`, 'Read it out'],
    question: `Which note is meant by "${target}"?`,
  });
  if (found.path === undefined) {
    if (found.answer !== undefined) return notUnderstood(found.answer);
    return notDone(`I found no note that could be "${target}".`);
  }
  const read = yield* readLines(found.path, 1);
  if ('ending' in read) return read.ending;
  const open = itemsOf(read.lines).filter((item) => !isTicked(item));
  if (open.length === 0) return done(`There is nothing open on ${linkTo(read.path)}.`);
  return done(`On ${linkTo(read.path)}:\n\n${open.map(({ text }) => `- ${text}`).join('\n')}`);
}

function* createList({ target, what, list }: Add): Ability {
  const title = capital(target.replace(/ list$/i, ''));
  if (!list) {
    const create = `Create ${title}`;
    const [answer] = yield {
      why: 'There is no such note, and the name may be misheard.',
      calls: [
        {
          name: 'ask_user',
          input: {
            question: `I found no note called "${title}". Shall I create it?`,
            choices: [create, 'Leave it'],
          },
        },
      ],
    };
    if (answer?.isError || !/create|yes|sure|\bok/i.test(answer?.text ?? '')) {
      return notDone(`There is no note called "${title}", and I left it at that.`);
    }
  }
  const tasks = /to-?do|task/i.test(target);
  const lines = things(what, tasks).map((one) => (tasks ? `- [ ] ${one}` : `- ${one}`));
  const path = list ? `Lists/${title}.md` : `${title}.md`;
  const [written] = yield {
    why: `There is no such list yet, so I begin one.`,
    doing: 2,
    calls: [
      { name: 'write_file', input: { path, content: `# ${title}\n\n${lines.join('\n')}\n` } },
    ],
  };
  if (written?.isError) return failed('I could not create the list', written.text);
  return done(`There was no ${target}, so I created ${linkTo(path)} with ${what} on it.`);
}

type Read =
  | {
      readonly path: string;
      readonly lines: NumberedLine[];
      /** The lines that only wait in edits. */
      readonly proposed: readonly number[];
    }
  | { readonly ending: Ending };

/** Reads a note; if that fails with a close match in the error, reads the match. */
export function* readLines(path: string, doing: number): Ability<Read> {
  let name = path;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const [read] = yield {
      why: attempt === 0 ? `I read ${nameOf(name)} to see how it is written.` : `I try ${name}.`,
      doing,
      calls: [{ name: 'read_file', input: { path: name } }],
    };
    if (read && !read.isError) {
      const [, proposed = ''] = /only proposed lines? ([\d, ]+)/.exec(read.text) ?? [];
      const numbers = proposed.split(', ').map(Number);
      return { path: name, lines: numberedLines(read.text), proposed: numbers };
    }
    const close = closeMatch(read?.text ?? '');
    if (close === undefined)
      return { ending: failed(`I could not read ${name}`, read?.text ?? '') };
    name = close;
  }
  return { ending: notDone(`I could not read ${path}.`) };
}

const NOTHING = { number: 0, line: '', indent: '', marker: '', box: '', text: '' };

export function done(summary: string): Ending {
  return { summary, outcome: 'done' };
}

export function notDone(summary: string): Ending {
  return { summary, outcome: 'not_done' };
}

export function failed(what: string, reason: string): Ending {
  return notDone(`${what}: ${reasonOf(reason)}`);
}

function notUnderstood(answer: string): Ending {
  return notDone(`I could not tell which note you meant by "${reasonOf(answer)}".`);
}

/** A proposed change must not be reported as made. */
export function resultText(result: string | undefined): string {
  return /propos/i.test(result ?? '') ? 'Proposed for your review: ' : 'I ';
}

export function listed(names: readonly string[]): string {
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

export interface Item {
  readonly number: number;
  readonly line: string;
  readonly indent: string;
  readonly marker: string;
  /** `[ ]`, `[x]`, or '' for none. */
  readonly box: string;
  readonly text: string;
}

interface Edit {
  readonly old_text?: string;
  readonly new_text?: string;
  readonly position?: string;
  readonly content?: string;
}

const ITEM = /^(\s*)([-*+]|\d+[.)])\s+(?:(\[.\])\s+)?(.*)$/;
const SETTLED = /\b(?:done|completed?|finished|bought|archived?|later|someday|waiting|read)\b/i;

function itemsOf(lines: readonly NumberedLine[]): Item[] {
  return lines.flatMap(({ number, text: line }) => {
    const match = ITEM.exec(line);
    if (!match) return [];
    const [, indent = '', marker = '', box = '', text = ''] = match;
    return [{ number, line, indent, marker, box, text }];
  });
}

function findItem(items: readonly Item[], what: string): Item | undefined {
  const wanted = bare(what);
  return (
    items.find((item) => bare(item.text) === wanted) ??
    items.find((item) => bare(item.text).replace(/\s*[(,–-].*$/, '') === wanted)
  );
}

/** Like `findItem`, but falls back to the only item that contains all of these words. */
function findItemLoosely(items: readonly Item[], what: string): Item | undefined {
  const words = bare(what)
    .split(' ')
    .filter((word) => word !== 'the');
  const holding = items.filter(({ text }) => words.every((word) => bare(text).includes(word)));
  return findItem(items, what) ?? (holding.length === 1 ? holding[0] : undefined);
}

function isTicked(item: Item): boolean {
  return /\[[xX]\]/.test(item.box);
}

/** The edit that appends items to the list in its own style. */
function adding(lines: readonly NumberedLine[], things: readonly string[], tasks: boolean): Edit {
  const last = lastItem(lines);
  if (!last) {
    const content = things.map((thing) => (tasks ? `- [ ] ${thing}` : `- ${thing}`)).join('\n');
    return { position: 'end', content };
  }
  const added = things.map((thing, at) => likeItem(last.item, thing, at + 1, last.capitals));
  return after(lines, last.end, added);
}

/**
 * The list that new items join: the first whose heading does not mean done, waiting or archived
 * items.
 */
function lastItem(lines: readonly NumberedLine[]) {
  const items = itemsOf(lines);
  const lists = new Map<string, Item[]>();
  let heading = '';
  for (const { number, text } of lines) {
    const title = /^(#+)\s+(.*)$/.exec(text)?.[2];
    if (title !== undefined) heading = `${number} ${title}`;
    const item = items.find((one) => one.number === number);
    if (item && item.indent === '') lists.set(heading, [...(lists.get(heading) ?? []), item]);
  }
  const open = [...lists].filter(([title], at) => at === 0 || !SETTLED.test(title));
  const list = (open.find(([title]) => !SETTLED.test(title)) ?? open[0])?.[1];
  const item = list?.at(-1);
  if (!list || !item) return undefined;
  let end = item.number;
  // Lines indented below an item belong to it.
  for (const line of lines) {
    if (line.number === end + 1 && /^(?:\t| {2,})\S/.test(line.text)) end = line.number;
  }
  const letters = list.filter(({ text }) => /^\p{L}/u.test(text));
  const capitals = letters.length > 0 && letters.every(({ text }) => /^\p{Lu}/u.test(text));
  return { item, end, capitals };
}

function likeItem(item: Item, thing: string, step: number, capitals: boolean): string {
  const number = /^(\d+)([.)])$/.exec(item.marker);
  const marker = number ? `${Number(number[1]) + step}${number[2]}` : item.marker;
  const box = item.box === '' ? '' : '[ ] ';
  return `${item.indent}${marker} ${box}${capitals ? capital(thing) : thing}`;
}

/**
 * Inserts lines after line `number`. Prefers an edit by text, extended by up to three lines above
 * until it is unique, because a line number may be out of date.
 */
function after(lines: readonly NumberedLine[], number: number, added: readonly string[]): Edit {
  const whole = lines.map(({ text }) => text).join('\n');
  const at = lines.findIndex((line) => line.number === number);
  for (let from = at; from >= 0 && from > at - 4; from -= 1) {
    const old = lines
      .slice(from, at + 1)
      .map(({ text }) => text)
      .join('\n');
    if (old.trim() !== '' && whole.split(old).length === 2) {
      return { old_text: old, new_text: [old, ...added].join('\n') };
    }
  }
  return lines[at + 1]
    ? { position: `insert:${number + 1}`, content: added.join('\n') }
    : { position: 'end', content: added.join('\n') };
}

/** The edit that replaces an item's line, or deletes it. */
function rewriting(item: Item, line: string | undefined): Edit {
  return line === undefined
    ? { position: `delete:${item.number}` }
    : { position: `replace:${item.number}`, content: line };
}

function ticked(item: Item, box: '[ ]' | '[x]'): string {
  return item.line.replace(item.box, box);
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`~[\]]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[.!]+$/, '')
    .trim();
}
