/** Finds the note that the user means: by name, by heading, or by asking. */
import type { Ability, DemoStep } from './demo-turn';

export interface DemoFinding {
  readonly path?: string;
  /** The user's reply if it names none of the choices. */
  readonly answer?: string;
}

/** Synonyms for a list. */
const SAME: readonly (readonly string[])[] = [
  ['shopping', 'groceries', 'grocery'],
  ['todo', 'to-do', 'to do', 'task'],
  ['reading', 'books', 'book'],
];
const FILLER = new Set(['list', 'lists', 'note', 'notes', 'the', 'my', 'of', 'a', 'to', 'file']);

export interface Search {
  readonly name: string;
  readonly why: string;
  readonly plan: readonly string[];
  /** Asked when several notes match. */
  readonly question: string;
  readonly activeNote?: string | undefined;
}

export function* locate(search: Search): Ability<DemoFinding> {
  const { name } = search;
  if (/^(?:this|it|here|current|the current)(?: note| list)?$/i.test(name) && search.activeNote) {
    return { path: search.activeNote };
  }
  const wanted = wordsOf(name);
  const pattern = globFor(name, wanted);
  const first: DemoStep = {
    why: search.why,
    plan: search.plan,
    doing: 0,
    calls: [{ name: 'list_files', input: { pattern, max_results: 50 } }],
  };
  const [listed] = yield first;
  let paths = listed?.isError ? [] : pathsIn(listed?.text ?? '');
  if (paths.length === 0) {
    const heading = `^#+ .*${wanted.map(stem).map(escaped).join('.*')}`;
    const [hits] = yield {
      why: `No note has that name, so I look at the headings.`,
      calls: [{ name: 'search_files', input: { pattern: heading, max_results: 20 } }],
    };
    paths = hits?.isError ? [] : pathsIn(hits?.text ?? '');
  }
  const ranked = paths
    .map((path) => ({ path, score: scoreOf(path, name, wanted) }))
    .sort((one, other) => other.score - one.score);
  const best = ranked.filter(({ score }) => score === ranked[0]?.score).map(({ path }) => path);
  if (best.length <= 1) return best[0] === undefined ? {} : { path: best[0] };
  const choices = best.slice(0, 5);
  const [answer] = yield {
    why: 'Several notes could be meant, and a wrong guess would be a nuisance.',
    calls: [
      {
        name: 'ask_user',
        input: { question: search.question, choices, allow_free_text: true },
      },
    ],
  };
  const path = answer?.isError ? undefined : chosen(answer?.text ?? '', choices);
  return path === undefined ? { answer: answer?.text ?? '' } : { path };
}

export function wordsOf(name: string): string[] {
  const words = nameOf(name)
    .toLowerCase()
    .split(/[\s_/-]+/)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !FILLER.has(word));
  return telling.length > 0 ? telling : words;
}

/** Strips plural endings, so that "recipe" finds "Recipes". */
export function stem(word: string): string {
  if (word.length <= 4) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/oes$/, 'o')
    .replace(/(ss)$|s$/, '$1');
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function globFor(name: string, wanted: readonly string[]): string {
  const group = sameAs(name);
  if (group) return `*{${group.join(',')}}*`;
  // `?` in place of characters that are special in a glob.
  return `*${wanted.map((word) => stem(word).replace(/[^\p{L}\p{N}]/gu, '?')).join('*')}*`;
}

function sameAs(name: string): readonly string[] | undefined {
  const bare = name
    .toLowerCase()
    .replace(/\b(?:lists?|note|my|the)\b/g, '')
    .trim();
  return SAME.find((group) => group.some((word) => stem(word) === stem(bare)));
}

function scoreOf(path: string, name: string, wanted: readonly string[]): number {
  const own = nameOf(path).toLowerCase();
  const bare = name.toLowerCase().replace(/\.md$/, '');
  const words = wordsOf(own);
  const group = sameAs(name) ?? [];
  let score = 0;
  if (path.toLowerCase() === name.toLowerCase() || own === bare) score = 100;
  else if (own === wanted.join(' ') || own === `${wanted.join(' ')} list`) score = 90;
  else if (same(words.map(stem), wanted.map(stem))) score = 85;
  else if (group.some((word) => stem(word) === stem(words.join(' ')))) score = 70;
  else if (wanted.every((word) => own.includes(stem(word)))) score = 60 - words.length;
  else if (group.some((word) => own.includes(stem(word)))) score = 40 - words.length;
  if (/^(?:templates?|archive|attachments)\b/i.test(folderOf(path))) score -= 50;
  return score;
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

const NUMBERED = /^\s*(\d+)(?:\t|\s*[│|→]\s?|:(?: |$))(.*)$/;
const EXCERPT = /^\s*(?:>\s*)?\d+\s*[:\-│|→\t]\s?/;

/** The numbered lines of a result; if there are none, all its lines, numbered from 1. */
export function numberedLines(text: string): NumberedLine[] {
  const lines = text.split('\n');
  const numbered = lines.flatMap((line) => {
    const match = NUMBERED.exec(line);
    return match ? [{ number: Number(match[1]), text: match[2] ?? '' }] : [];
  });
  if (numbered.length > 0) return numbered;
  return lines.map((line, index) => ({ number: index + 1, text: line }));
}

/** Note paths at the start of lines, without duplicates, in order. */
export function pathsIn(text: string): string[] {
  const found = text.split('\n').flatMap((line) => {
    if (EXCERPT.test(line) && !/^\d{4}-\d\d/.test(line)) return [];
    const match = /^(?:[-*•]\s+|#+\s+|\d+\.\s+)?[`"[]*((?:[^\s`"[\]:|<>][^`"[\]:|<>]*?)?\.md)\b/i;
    const path = match.exec(line)?.[1];
    return path && path !== '.md' ? [path.replace(/^\.?\//, '')] : [];
  });
  return [...new Set(found)];
}

/** The note that an error message suggests as a close match. */
export function closeMatch(text: string): string | undefined {
  const after = /(?:close match\w*|did you mean|meant|candidates?)\W*([\s\S]*)/i.exec(text)?.[1];
  return /[`"'[]*([^`"'[\]\n:]+?\.md)\b/.exec(after ?? '')?.[1]?.trim();
}

/** The first line of an error message, for the user. */
export function reasonOf(text: string): string {
  const first = text.trim().split('\n')[0] ?? '';
  return first === '' ? 'The tool gave no reason.' : first;
}

export function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.md$/i, '');
}

export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

export function linkTo(path: string): string {
  return `[[${nameOf(path)}]]`;
}

/** The choice that an answer names last, by text, or else by number. */
function chosen(answer: string, choices: readonly string[]): string | undefined {
  const lower = answer.toLowerCase();
  const said = choices
    .flatMap((choice) => [choice, nameOf(choice)].map((words) => ({ choice, words })))
    .map(({ choice, words }) => ({
      choice,
      length: words.length,
      at: lower.lastIndexOf(words.toLowerCase()),
    }))
    .filter(({ at }) => at >= 0)
    .sort(
      (one, other) => other.at + other.length - (one.at + one.length) || other.length - one.length,
    );
  if (said[0]) return said[0].choice;
  const ordinal = ['first', 'second', 'third', 'fourth', 'fifth'].findIndex((word) =>
    lower.includes(word),
  );
  const number = ordinal >= 0 ? ordinal : Number(/\b([1-9])\b/.exec(lower)?.[1] ?? 0) - 1;
  return choices[number];
}
