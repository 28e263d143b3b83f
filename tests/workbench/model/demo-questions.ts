/** The demo model's answers about notes: their main points, what changed lately, and a tour. */
import { linkTo, locate, nameOf, pathsIn, stem, wordsOf } from './demo-finding';
import type { Intent } from './demo-intent';
import { done, failed, notDone } from './demo-lists';
import { find } from './demo-notes';
import { mainPoints, marked, matching, type Quote, readable } from './demo-sentences';
import type { Ability, DemoTurn, Ending } from './demo-turn';

type Of<Kind extends Intent['kind']> = Extract<Intent, { kind: Kind }>;

const MAX_NOTES = 4;
const MAX_FOLDERS = 12;
const MAX_NEWEST = 3;

/** Searches all notes if there is no note with that name. */
export function* about({ target, topic }: Of<'about'>, turn: DemoTurn): Ability {
  const named = [turn.activeNote, turn.attachedNote].find(
    (path) => path !== undefined && isNamed(path, target),
  );
  const found = named === undefined ? yield* locating(target, turn) : { path: named };
  if (found.path === undefined) return yield* find({ kind: 'find', topic: topic || target });
  return yield* quoting(found.path, topic === '' ? null : topic);
}

/** Null if no note is open, attached or linked that the question could be about. */
export function question({ words }: Of<'question'>, turn: DemoTurn): Ability | undefined {
  const linked = /\[\[([^\]|#]+)[^\]]*\]\]/.exec(turn.said)?.[1];
  const topic = words.replace(/\[\[[^\]]*\]\]/g, ' ');
  if (linked !== undefined) return about({ kind: 'about', target: linked, topic }, turn);
  const path = turn.attachedNote ?? turn.activeNote;
  return path === undefined ? undefined : quotingOrFinding(path, topic);
}

/** The question may be about another note than the open one. */
function* quotingOrFinding(path: string, topic: string): Ability {
  const answer = yield* quoting(path, topic);
  const words = topicWords(topic);
  if (answer.outcome === 'done' || words.length === 0) return answer;
  const elsewhere = yield* find({ kind: 'find', topic: words.join(' ') });
  return /^I found nothing\b/.test(elsewhere.summary) ? answer : elsewhere;
}

function* locating(target: string, turn: DemoTurn) {
  return yield* locate({
    name: target,
    activeNote: turn.activeNote,
    why: `I look for the note "${target}" first.`,
    plan: [`Find ${target}`, 'Read it', 'Quote what it says'],
    question: `Which note is meant by "${target}"?`,
  });
}

/** @param topic null for the main points */
function* quoting(path: string, topic: string | null): Ability {
  const [read] = yield {
    why: `I read ${linkTo(path)}.`,
    doing: 1,
    calls: [{ name: 'read_file', input: { path } }],
  };
  if (!read || read.isError) return failed(`I could not read ${linkTo(path)}`, read?.text ?? '');
  const lines = readable(read.text);
  if (topic === null) {
    const points = mainPoints(lines);
    if (points.length === 0) return done(`${linkTo(path)} has no text yet.`);
    return done(`The main points of ${linkTo(path)}, in its own words:\n\n${quoted(points, path)}`);
  }
  const wanted = topicWords(topic).map(stem);
  // "Sown" is to find "sow", if nothing has the word as it is.
  const exact = matching(lines, wanted);
  const shorter = wanted.map((word) => ` ${word.slice(0, Math.max(3, word.length - 1))}`);
  const sentences = exact.length > 0 ? exact : matching(lines, shorter);
  if (sentences.length === 0) {
    return notDone(
      `${linkTo(path)} says nothing with these words. The demo model only compares words; Claude understands them.`,
    );
  }
  return done(`${linkTo(path)} says:\n\n${quoted(sentences, path)}`);
}

function topicWords(topic: string): readonly string[] {
  return wordsOf(topic)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((word) => word.length > 2 && !STOP_WORDS.has(word));
}

const STOP_WORDS = new Set(
  'about and any are can could did does for from had has have her his how into its our should than that the their them then there these they this was were what when where which who whom whose why will with would you your'.split(
    ' ',
  ),
);

function quoted(quotes: readonly Quote[], path: string): string {
  return quotes.map((quote) => `- ${quotation(quote, path)}`).join('\n');
}

function quotation({ line, sentence }: Quote, path: string): string {
  return marked({ line, sentence: `“${sentence}”` }, path);
}

function isNamed(path: string, target: string): boolean {
  const bare = (name: string) =>
    nameOf(name)
      .toLowerCase()
      .replace(/[\s.!?]+$/, '');
  return bare(path) === bare(target);
}

/** Without the date of the request, the newest notes. */
export function* recent({ days }: Of<'recent'>, { today }: DemoTurn): Ability {
  const from = today === undefined ? undefined : daysBefore(today, days);
  const span = days === 0 ? 'today' : `in the last ${days} days`;
  const changed = from === undefined ? {} : { modified: { from } };
  const plan = ['List the notes by date', 'Read the newest', 'Say what they are about'];
  const first = { why: `I look at the notes changed ${span}.`, plan, doing: 0 };
  const [listed] = yield {
    ...first,
    calls: [{ name: 'query_notes', input: { ...changed, limit: 50 } }],
  };
  if (!listed || listed.isError) return failed('The notes could not be listed', listed?.text ?? '');
  let paths = pathsIn(listed.text);
  const count = Number(/^(\d+) notes?\b/m.exec(listed.text)?.[1] ?? paths.length);
  const isAnyNew = paths.length > 0;
  if (!isAnyNew) {
    const [newest] = yield {
      why: `No note was changed ${span}, so I look at the newest.`,
      calls: [{ name: 'query_notes', input: { limit: 10 } }],
    };
    paths = pathsIn(newest?.isError ? '' : (newest?.text ?? ''));
  }
  if (paths.length === 0) return done('There are no notes yet.');
  const parts = yield* firstSentences(byDay(paths).slice(0, MAX_NOTES));
  const notes = count === 1 ? '1 note was' : `${count} notes were`;
  const begin = isAnyNew
    ? `${notes} changed ${span}. ${count > MAX_NOTES ? 'Some of them' : 'They begin'}`
    : `No note was changed ${span}. The newest`;
  return done(`${begin}, in their own words:\n\n${parts.join('\n')}`);
}

/** Notes named by a day come first, the latest before the others. */
function byDay(paths: readonly string[]): readonly string[] {
  const dayOf = (path: string) => /^\d{4}-\d\d-\d\d/.exec(nameOf(path))?.[0] ?? '';
  return withoutTemplates(paths).toSorted((one, other) =>
    dayOf(one) < dayOf(other) ? 1 : dayOf(one) > dayOf(other) ? -1 : 0,
  );
}

function withoutTemplates(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !/^templates?\//i.test(path));
}

function* firstSentences(paths: readonly string[]): Ability<string[]> {
  const read = yield {
    why: 'I read the newest of them.',
    doing: 1,
    calls: paths.map((path) => ({ name: 'read_file', input: { path } })),
  };
  return paths.map((path, at) => {
    const [first] = read[at]?.isError ? [] : mainPoints(readable(read[at]?.text ?? ''));
    return first === undefined
      ? `- ${linkTo(path)}`
      : `- ${linkTo(path)}: ${quotation(first, path)}`;
  });
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}

export function* tour(): Ability {
  const [tree, newest] = yield {
    why: 'I look at the folders, and at the newest notes.',
    plan: ['Look at the folders', 'Read the newest notes', 'Describe the vault'],
    doing: 0,
    calls: [
      { name: 'explore_structure', input: { max_depth: 1 } },
      { name: 'query_notes', input: { limit: 10 } },
    ],
  };
  if (!tree || tree.isError) return failed('The vault could not be read', tree?.text ?? '');
  const [root = '', ...folders] = tree.text.split('\n').flatMap(folderLine);
  const notes = withoutTemplates(pathsIn(newest?.isError ? '' : (newest?.text ?? '')));
  if (notes.length === 0) return done('There are no notes yet.');
  return withFolders(root, folders, yield* firstSentences(notes.slice(0, MAX_NEWEST)));
}

function withFolders(root: string, folders: readonly string[], newest: readonly string[]): Ending {
  const more = folders.length > MAX_FOLDERS ? [`- and ${folders.length - MAX_FOLDERS} more`] : [];
  const listed =
    folders.length === 0
      ? []
      : ['', 'Folders:', '', ...folders.slice(0, MAX_FOLDERS).map((each) => `- ${each}`), ...more];
  return done(
    [`This vault has ${root}.`, ...listed, '', 'The newest notes:', '', ...newest].join('\n'),
  );
}

/** The contents of the vault, or the name and contents of a folder. */
function folderLine(line: string): string[] {
  const [, name = '', contents = ''] = /^ *(.+?) \((.+)\)$/.exec(line) ?? [];
  if (name === '') return [];
  return [name === '/' ? contents : `**${name.replace(/\/$/, '')}**: ${contents}`];
}
