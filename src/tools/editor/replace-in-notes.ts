import { reading } from '#messages/tool-messages';
import type { MakeChange } from '#policy/vault-api';
import * as z from 'zod/mini';
import type { CallResult } from '#model/message';
import { counted, firstNames, number } from '#messages/plural';
import { compileRule, type Replacement, type ReplaceRule } from '#search/replacements';
import { forEachInSlices, Slices } from '#ports/slices';
import type { MadeChange } from '#policy/vault-api';
import type { NoteEntry } from '#ports/vault';
import { allLinksIn } from '#text/link-reader';
import { isNote } from '#text/paths';
import { changeEach, choiceFields, itself, MAX_NOTES, type NoteOutcome } from '../bulk';
import { notesWhere } from '../librarian/note-conditions';
import { otherSpellings } from '../librarian/unmatched-glob';
import { countProgress } from '../progress';
import { couldNotBeRead } from '../result-format';
import {
  askedText,
  changed,
  changeNote,
  changeStatusText,
  defineTool,
  listResult,
  problem,
  proposalProblem,
  textAfter,
  type ToolContext,
  unchanged,
} from '../tool';
import type { PatternAnswer } from '../vault-search';
import { renderDiff } from './edit/diff-text';
import { describeOverlap } from './edit/edit-plan';
import { NoteView } from './edit/note-view';
import { inEndingOf } from './edit/replace-text';
import { firstOverlap, inOrder, replacingLines, type Splice } from './edit/splices';
import { quoted, withoutMark } from './edit/text-lines';

const MAX_REPLACEMENTS = 100;

const input = z
  .strictObject({
    replacements: z
      .array(
        z.strictObject({ old_text: z.string().check(z.minLength(1)), new_text: z.string() }).check(
          z.refine(({ old_text: old, new_text: put }) => old !== put, {
            message: 'old_text and new_text are the same.',
          }),
        ),
      )
      .check(
        z.minLength(1),
        z.maxLength(MAX_REPLACEMENTS, {
          message: `At most ${MAX_REPLACEMENTS} replacements in one call: split them over several.`,
        }),
      ),
    paths: choiceFields.paths.check(z.describe('Default: all notes.')),
    where: choiceFields.where.check(z.describe('As in update_properties.')),
    ignore_case: z.optional(z.boolean()),
    whole_words: z.optional(z.boolean()),
    regex: z.optional(z.boolean()).check(z.describe('new_text may have $1.')),
    count_only: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ paths, where }) => paths === undefined || where === undefined, {
      message: 'Give paths or where, not both.',
    }),
    z.refine(({ regex, whole_words: isWhole }) => !regex || !isWhole, {
      message: 'whole_words is for plain text; in a pattern write \\b or (?<!\\p{L}).',
    }),
  );

type Input = z.infer<typeof input>;

export const replaceInNotes = defineTool<Input>({
  name: 'replace_in_notes',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  description:
    'Replaces texts in many notes, also in code, properties and links; renames no note. count_only only counts them, by note.',
  input,
  example: {
    replacements: [{ old_text: 'https://example.com/old/', new_text: 'https://example.com/new/' }],
    where: { folder: 'Work' },
    count_only: true,
  },
  reads: ({ count_only: onlyCounts }) => onlyCounts === true,
  async run(query, context) {
    const rules = query.replacements.map((each): ReplaceRule => ruleOf(each, query));
    for (const rule of rules) {
      const compiled = compileRule(rule);
      if (!compiled.ok) return problem(compiled.reason, 'invalid-input');
    }
    const scope = await scopeOf(query, context);
    if ('failed' in scope) return scope;
    const found = await candidates(rules, scope, context);
    if ('failed' in found) return found;
    const notes = [...found.notes].sort();
    const hints = [
      ...couldNotBeRead(found.unread),
      ...(await otherCase(query, rules, scope, found.matches, context)),
      ...(found.others.length === 0
        ? []
        : [
            `It also occurs in ${counted(found.others.length, 'file')} that ${found.others.length === 1 ? 'is not a note' : 'are not notes'}, changed only if named in paths: ${firstNames(found.others, MAX_NAMES)}.`,
          ]),
    ];
    const told = (text: string) =>
      [scope.preface + text, ...hints.map((hint) => `Note: ${hint}`)].join('\n');
    if (notes.length === 0) {
      return unchanged(
        told(`${whatOf(rules)} ${verbOf(rules)} in none of ${scope.words}; nothing was changed.`),
      );
    }
    if (query.count_only) return countOnly(rules, notes, scope, told, context);
    if (notes.length > MAX_NOTES) {
      const reason = `${whatOf(rules)} ${verbOf(rules)} in ${counted(notes.length, 'note')}, and one call changes ${number(MAX_NOTES)} at most. Narrow them with where. Nothing was changed.`;
      return problem(told(reason), 'invalid-input');
    }
    const tally = new Tally(notes.length === 1);
    const dead = await deadLinks(notes, context);
    const result = await changeEach(notes, context, WORDS, itself, (path) =>
      context.vault.alone([path], (change) => replaceIn(path, rules, tally, context, change)),
    );
    hints.push(...(await newlyDead(tally.relinked, dead, context)));
    const { excerpts } = tally;
    if (query.regex && result.details?.kind === 'unchanged')
      hints.push('Matches that are empty, or stay the same, are not replaced.');
    const total = notes.length > 1 ? totalText(tally.passages) : '';
    const shown =
      excerpts.length > 0 ? [`${result.text}\n\n${excerpts.join('\n\n')}`] : [result.text];
    return { ...result, text: told(total + shown.join('')) };
  },
});

const WORDS = { did: 'Replaced text in', todo: 'replace text in', areCounts: true } as const;
const MAX_NAMES = 5;
/** Notes whose first changed lines are shown. */
const MAX_EXCERPTS = 3;

function ruleOf(
  { old_text: written, new_text: replacement }: Input['replacements'][number],
  { regex, ignore_case: ignoresCase, whole_words: isWhole }: Input,
): ReplaceRule {
  return {
    ...{ written, replacement, literal: !regex, caseSensitive: !ignoresCase },
    wholeWords: isWhole === true,
  };
}

function whatOf(rules: readonly ReplaceRule[]): string {
  return rules.map(({ written }) => quoted(written)).join(' or ');
}

function verbOf(rules: readonly ReplaceRule[]): string {
  return rules.length === 1 ? 'occurs' : 'occur';
}

interface Scope {
  readonly preface: string;
  readonly entries: readonly NoteEntry[];
  /** Whether only notes are changed, and other files that have the text are named. */
  readonly isAll: boolean;
  /** Such as "1,200 notes". */
  readonly words: string;
}

async function scopeOf({ paths, where }: Input, context: ToolContext): Promise<Scope | CallResult> {
  const { vault } = context;
  const listing = await vault.listing();
  if (paths !== undefined) {
    const entries = new Map<string, NoteEntry>();
    let preface = '';
    for (const raw of paths) {
      const found = await vault.find(raw, 'file');
      if (!found.ok) return problem({ ...found, reason: `${found.reason} Nothing was changed.` });
      entries.set(found.value.entry.path, found.value.entry);
      preface += found.value.preface;
    }
    const words = counted(entries.size, 'file');
    return { preface, entries: [...entries.values()], isAll: false, words };
  }
  if (where === undefined) {
    const words = counted(listing.notes.length, 'note');
    return { preface: '', entries: listing.searchable, isAll: true, words };
  }
  const chosen = await notesWhere(where, context);
  if ('reason' in chosen) return problem(chosen.reason, 'missing');
  const isChosen = new Set(chosen.paths);
  const entries = listing.notes.filter(({ path }) => isChosen.has(path));
  return { preface: chosen.preface, entries, isAll: false, words: counted(entries.length, 'note') };
}

interface Candidates {
  readonly notes: ReadonlySet<string>;
  readonly others: readonly string[];
  readonly unread: readonly string[];
  /** Matches of each rule. */
  readonly matches: readonly number[];
}

/** The files of the scope that have one of the texts. */
async function candidates(
  rules: readonly ReplaceRule[],
  scope: Scope,
  context: ToolContext,
): Promise<Candidates | CallResult> {
  const notes = new Set<string>();
  const others = new Set<string>();
  const unread = new Set<string>();
  const matches: number[] = [];
  for (const rule of rules) {
    const answer = await grep(rule, scope, context);
    if (!answer.ok) return refusal(rule, answer.kind);
    matches.push(answer.result.matches);
    for (const { id } of answer.result.found) (scope.isAll && !isNote(id) ? others : notes).add(id);
    for (const path of answer.result.unread) unread.add(path);
  }
  return { notes, others: [...others].sort(), unread: [...unread], matches };
}

async function grep(
  { written, literal, wholeWords, caseSensitive }: ReplaceRule,
  { entries }: Scope,
  context: ToolContext,
  maxExcerpts = 0,
): Promise<PatternAnswer> {
  const { vault, search, signal } = context;
  return search.grep({
    ...{ written, literal: literal === true, wholeWords: wholeWords === true },
    ...{ caseSensitive: caseSensitive === true, among: entries, signal },
    ...{ contextLines: 0, maxExcerpts, onlyCounts: maxExcerpts === 0 },
    ...{ excludedTag: vault.excludedTag(), sees: await vault.seeing() },
    progress: countProgress(context, 'file', reading),
  });
}

function refusal({ written }: ReplaceRule, why: 'stopped' | 'too-slow'): CallResult {
  return why === 'stopped'
    ? problem('The search was stopped before it finished. Nothing was changed.', 'unfinished')
    : problem(
        `The pattern ${quoted(written)} takes too long, so the search was ended and nothing was changed. Write one repetition instead of several within or after each other.`,
        'invalid-input',
      );
}

const MAX_SPELLINGS = 50;

/** Says in which other case the text occurs, or with which other signs. */
async function otherCase(
  { ignore_case: ignoresCase, regex }: Input,
  rules: readonly ReplaceRule[],
  scope: Scope,
  matches: readonly number[],
  context: ToolContext,
): Promise<string[]> {
  const hints: string[] = [];
  for (const [at, rule] of (regex || rules.length > 3 ? [] : rules).entries()) {
    const exact = matches[at] ?? 0;
    const { written } = rule;
    const answer = ignoresCase
      ? null
      : await grep({ ...rule, caseSensitive: false }, scope, context, MAX_SPELLINGS);
    if (answer?.ok && answer.result.matches > exact) {
      const lines = answer.result.found.flatMap(({ excerpts }) => excerpts.flat());
      const covered = new Set(rules.map((each) => each.written));
      const spellings = spellingsIn(
        lines.map(({ text }) => text),
        written,
      ).filter((each) => !covered.has(each));
      const count = answer.result.matches - exact;
      const often = rules.length === 1 ? ` ${counted(count, 'time')}` : '';
      if (spellings.length > 0)
        hints.push(
          `${quoted(written)} occurs${often} in another case: ${firstNames(
            spellings.map((each) => quoted(each)),
            MAX_NAMES,
          )}.`,
        );
    }
    const escaped = written.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const asked = { written: escaped, caseSensitive: !ignoresCase, multiline: false };
    const none = { matches: exact, lines: 0, files: 0, searched: 0, found: [], unread: [] };
    const loose = await otherSpellings(asked, none, async (pattern) => {
      const found = await grep({ ...rule, ...pattern, literal: false }, scope, context, MAX_NAMES);
      return found.ok ? found.result : null;
    });
    hints.push(...loose);
  }
  return hints;
}

/** How a text is written in lines that have it in any case, without itself. */
function spellingsIn(lines: readonly string[], written: string): string[] {
  const spellings = new Set<string>();
  const wanted = written.toLowerCase();
  for (const line of lines) {
    const lower = line.toLowerCase();
    // Some letters have another length in lower case.
    if (lower.length !== line.length) continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      spellings.add(line.slice(at, at + wanted.length));
    }
  }
  spellings.delete(written);
  return [...spellings];
}

type Became = 'replaced' | 'only proposed' | 'replaced in part';

function becameOf({ status }: MadeChange): Became {
  if (status === 'proposed' || status === 'joined') return 'only proposed';
  return status === 'partly' ? 'replaced in part' : 'replaced';
}

function totalText(passages: ReadonlyMap<Became, number>): string {
  if (passages.size === 0) return '';
  const all = [...passages.values()].reduce((sum, each) => sum + each, 0);
  const each = Array.from(passages, ([became, count]) => `${number(count)} ${became}`).join(', ');
  return `${counted(all, 'passage')} in all${passages.size > 1 ? `: ${each}` : ''}. `;
}

/** What was replaced so far. */
class Tally {
  /** Passages by what became of their notes. */
  readonly passages = new Map<Became, number>();
  readonly excerpts: string[] = [];
  /** Notes in which the names of links have changed. */
  readonly relinked: string[] = [];

  /** @param isOnly whether there is only one note, whose result says all of it */
  constructor(readonly isOnly: boolean) {}
}

/** The replacements in a text of a note, of all rules, or a result that says why there are none. */
async function splicesIn(
  note: NoteView,
  rules: readonly ReplaceRule[],
  { search, signal }: ToolContext,
): Promise<Splice[] | CallResult> {
  const answer = await search.replacements({ rules, texts: [note.text] }, signal);
  if (!answer.ok) return refusal(rules[0]!, answer.kind);
  return (answer.found[0] ?? []).flatMap((each, at) => each.map(spliceOf(note, at + 1)));
}

function spliceOf(note: NoteView, edit: number): (each: Replacement) => Splice {
  return ({ from, to, text }) => ({
    ...{ edit, start: from, end: to },
    text: inEndingOf(note, text, note.text.slice(from, to)),
  });
}

async function replaceIn(
  path: string,
  rules: readonly ReplaceRule[],
  tally: Tally,
  context: ToolContext,
  change: MakeChange,
): Promise<NoteOutcome> {
  const { vault, notes } = context;
  const failed = (result: CallResult): NoteOutcome => ({ result, words: '' });
  const read = await vault.read(path);
  if (!read.ok) return failed(problem(read));
  const before = read.value.text;
  const note = new NoteView(path, before, notes.of(path));
  const splices = await splicesIn(note, rules, context);
  if ('failed' in splices) return failed(splices);
  if (splices.length === 0) {
    return failed(
      unchanged(`Nothing to replace in ${path}: what matches is empty, or stays the same.`),
    );
  }
  const ordered = inOrder(splices);
  const overlap = firstOverlap(ordered);
  if (overlap)
    return failed(
      problem(`${path} was not changed. ${describeOverlap(overlap, note)}`, 'no-match'),
    );
  const after = note.finish(ordered, false);
  if (after === before) return failed(unchanged(`The text of ${path} stays the same.`));
  const block = proposalProblem(path, after);
  if (block !== null) return failed(problem(block));
  const effect = { kind: 'write', path, before, after } as const;
  const done = await change(effect, replacingLines(note.lines, ordered));
  if (!done.ok) return failed(problem(done));
  const made = textAfter(done.value);
  notes.wrote(path, before, askedText(done.value), made);
  const became = becameOf(done.value);
  tally.passages.set(became, (tally.passages.get(became) ?? 0) + splices.length);
  if (linkNames(before) !== linkNames(after)) tally.relinked.push(path);
  const words = counted(splices.length, 'passage');
  const text = changeStatusText(done.value, 'Changed', `${words} in ${path}.`);
  if (tally.excerpts.length < MAX_EXCERPTS) {
    const options = tally.isOnly ? {} : { context: 0, maxPassages: 1 };
    const diff = renderDiff(withoutMark(before), withoutMark(made), options);
    notes.show(path, made, diff.printed);
    const lines = diff.text.split('\n').filter((line) => /^[+-]/.test(line));
    tally.excerpts.push(tally.isOnly ? diff.text : [path, ...lines].join('\n'));
  }
  return { result: changed(text, changeNote(done.value)), words, made: done.value };
}

function linkNames(text: string): string {
  return text.includes('](') || text.includes('[[')
    ? allLinksIn(text)
        .map(({ name }) => name)
        .join('\n')
    : '';
}

/** The names of links that lead to no note, by the note that has them. */
async function deadLinks(
  paths: readonly string[],
  context: ToolContext,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metadata = await context.vault.metadata();
  const dead = new Map<string, ReadonlySet<string>>();
  await forEachInSlices(paths, context, (path) => {
    dead.set(path, new Set(metadata.deadLinksIn(path)));
  });
  return dead;
}

/** Says which links lead to no note since their names have changed. */
async function newlyDead(
  paths: readonly string[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
  context: ToolContext,
): Promise<string[]> {
  if (paths.length === 0) return [];
  const metadata = await context.vault.metadata(paths);
  const names = new Map<string, string[]>();
  await forEachInSlices(paths, context, (path) => {
    for (const name of metadata.deadLinksIn(path)) {
      if (before.get(path)?.has(name)) continue;
      names.set(name, [...(names.get(name) ?? []), path]);
    }
  });
  if (names.size === 0) return [];
  const each = [...names].slice(0, MAX_NAMES).map(([name, sources]) => {
    return `[[${name}]] in ${firstNames(sources, MAX_NAMES)}`;
  });
  const more = names.size > MAX_NAMES ? `; and ${number(names.size - MAX_NAMES)} more` : '';
  return [
    `These links lead to no note now: ${each.join('; ')}${more}. If the notes they led to are to have these names, rename them with move.`,
  ];
}

/** More lines than this are counted only. */
const MAX_LINES = 100;
/** Texts that are searched in one message to the worker. */
const MAX_BATCH_CHARS = 1_000_000;

async function countOnly(
  rules: readonly ReplaceRule[],
  paths: readonly string[],
  { words }: Scope,
  told: (text: string) => string,
  context: ToolContext,
): Promise<CallResult> {
  const counts = new Map<string, number>();
  const byRule = rules.map(() => 0);
  let batch: { readonly path: string; readonly text: string }[] = [];
  const count = async (): Promise<CallResult | null> => {
    const texts = batch.map(({ text }) => text);
    const answer = await context.search.replacements({ rules, texts }, context.signal);
    if (!answer.ok) return refusal(rules[0]!, answer.kind);
    for (const [at, each] of answer.found.entries()) {
      const sum = each.reduce((all, { length }) => all + length, 0);
      if (sum > 0) counts.set(batch[at]!.path, sum);
      for (const [rule, { length }] of each.entries()) byRule[rule]! += length;
    }
    batch = [];
    return null;
  };
  let characters = 0;
  const slices = new Slices(context.clock, context.signal);
  for (const path of paths) {
    if (slices.isDue) await slices.pause();
    const read = await context.vault.read(path);
    if (!read.ok) continue;
    const text = withoutMark(read.value.text);
    batch.push({ path, text });
    characters += text.length;
    if (characters < MAX_BATCH_CHARS) continue;
    characters = 0;
    const stopped = await count();
    if (stopped) return stopped;
  }
  const stopped = await count();
  if (stopped) return stopped;
  const total = byRule.reduce((sum, each) => sum + each, 0);
  const each =
    rules.length === 1
      ? ''
      : ` (${rules.map(({ written }, at) => `${quoted(written)}: ${number(byRule[at]!)}`).join(', ')})`;
  const rows = [...counts].slice(0, MAX_LINES).map(([path, sum]) => `  ${path}: ${number(sum)}`);
  const more = counts.size > MAX_LINES ? [`  … and ${number(counts.size - MAX_LINES)} more`] : [];
  const head = `${whatOf(rules)} ${verbOf(rules)} ${counted(total, 'time')} in ${number(counts.size)} of ${words}${each}. Nothing was changed yet.`;
  const items = Array.from(counts, ([path, sum]) => ({
    path,
    text: counted(sum, 'match', 'matches'),
  }));
  return listResult(told([head, ...rows, ...more].join('\n')), 'note', counts.size, items);
}
