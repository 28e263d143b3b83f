import type { MakeChange } from '#policy/vault-api';
import * as z from 'zod/mini';
import type { CallResult, ChangeNote, FailureReason } from '#model/message';
import * as resultsText from '#messages/tool-messages';
import {
  inlineCode,
  isDelimiterRow,
  isTableRow,
  type LineContext,
  lineContexts,
} from '#text/note-structure';
import type { VaultProblem } from '#policy/vault-problems';
import { blankLinks, findLinks, linesWithLink, namesFor } from '#text/link-reader';
import { hasLinkPlace, linkPlacesIn } from '#text/link-places';
import { readHeading } from '#text/block-marks';
import { isNote } from '#text/paths';
import { taskFieldsFrom } from '#text/tasks';
import type { PrintedLine } from '../printed-lines';
import {
  alreadyText,
  askedText,
  changed,
  changeNote,
  defineTool,
  problem,
  proposalProblem,
  changeStatusText,
  textAfter,
  type ToolContext,
  unchanged,
} from '../tool';
import { lineNumbers, SHOWN_NUMBERS } from '../result-format';
import { closestPassage } from '#text/closest-passage';
import { Finder } from './edit/fuzzy-match';
import { contentsOf, cutLine, gapBelow, quoted, Lines, usualEnding } from './edit/text-lines';
import { lastTextLine } from './edit/headings';

const input = z.strictObject({
  source: z.string(),
  target: z.string().check(z.describe('May end in "#Heading".')),
  text: z
    .optional(z.string().check(z.regex(/^[^\n\r[\]|]+$/, 'Expected one line without [ ] and |.')))
    .check(z.describe('Shown instead of the name.')),
  context: z
    .optional(z.string().check(z.minLength(1)))
    .check(
      z.describe(
        'The link goes directly after this passage of source, which must occur exactly once; otherwise at the end.',
      ),
    ),
  both_ways: z.optional(z.boolean()).check(z.describe('Also link back, at the end of target.')),
});

export const linkNotes = defineTool<z.infer<typeof input>>({
  name: 'link_notes',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  adds: true,
  description:
    'Adds a link from source to target in the link style of this vault, if there is none yet.',
  input,
  example: { source: 'Home.md', target: 'Projects/Garden.md', context: 'the beds' },
  async run({ source, target, text: words, context: passage, both_ways: isBoth = false }, context) {
    const hash = target.indexOf('#');
    const heading = hash < 0 ? '' : target.slice(hash);
    const [from, to] = [
      await context.vault.find(source, 'file'),
      await context.vault.find(hash < 0 ? target : target.slice(0, hash), 'file'),
    ];
    if (!from.ok) return problem(from);
    if (!to.ok) return problem(to);
    if (heading !== '' && isNote(to.value.entry.path)) {
      const read = await context.vault.read(to.value.entry.path);
      if (!read.ok) return problem(read);
      const missing = missingHeading(to.value.entry.path, read.value.text, heading);
      if (missing !== null) return problem(missing, 'no-place');
    }
    const there = {
      to: to.value.entry.path,
      heading,
      words: words ?? '',
      passage: passage ?? null,
    };
    const link: Link = { from: from.value.entry.path, ...there };
    const back: Link = {
      ...{ from: there.to, to: link.from },
      ...{ heading: '', words: '', passage: null },
    };
    const preface = [
      ...(from.value.preface ? [`The source was found as ${from.value.entry.path}.`] : []),
      ...(to.value.preface ? [`The target was found as ${to.value.entry.path}.`] : []),
    ];
    const links = isBoth && link.from !== link.to ? [link, back] : [link];
    const sources = links.map((each) => each.from);
    return context.vault.alone(sources, async (change) => {
      const planned: Planned[] = [];
      for (const each of links) planned.push(await plan(each, context));
      const refused = planned.filter((each) => each.kind === 'refused');
      const [first] = refused;
      if (first) {
        const reasons = [...refused.map(({ text }) => text), ...planned.flatMap(notMade)];
        return problem([...preface, ...reasons].join('\n'), first.why);
      }
      return make(planned, preface, context, change);
    });
  },
});

/** Both links are placed before either is made, so that a refusal leaves no half behind. */
function notMade(planned: Planned, at: number): string[] {
  if (planned.kind !== 'placed') return [];
  const { from } = planned.link;
  const hint = at === 0 ? ` To add only the link in ${from}, leave out both_ways.` : '';
  return [`${from} was not changed either, because both links are made or none.${hint}`];
}

async function make(
  planned: readonly Planned[],
  preface: readonly string[],
  context: ToolContext,
  change: MakeChange,
): Promise<CallResult> {
  const lines = [...preface];
  const changes: ChangeNote[] = [];
  for (const each of planned) {
    if (each.kind !== 'placed') {
      lines.push(each.text);
      continue;
    }
    const done = await put(each, context, change);
    if (done.ok) {
      lines.push(done.text);
      changes.push(done.change);
      continue;
    }
    lines.push(done.reason);
    const [half] = changes;
    if (!half) return problem(lines.join('\n'), done.kind);
    const { from } = each.link;
    lines.push(`Only half was done: the link in ${half.path}, not the one in ${from}.`);
    return {
      ...changed(lines.join('\n'), half),
      failed: true,
      userText: resultsText.linkedOneWay(half.path, from),
    };
  }
  const all = lines.join('\n');
  return changes.length > 0 ? changed(all, ...changes) : unchanged(all);
}

interface Link {
  readonly from: string;
  readonly to: string;
  /** With its `#`; empty if there is none. */
  readonly heading: string;
  readonly words: string;
  readonly passage: string | null;
}

interface Placed {
  readonly kind: 'placed';
  readonly link: Link;
  /** The link as written. */
  readonly written: string;
  readonly before: string;
  readonly after: string;
  /** Offset of the link in `after`, without the byte order mark. */
  readonly at: number;
  /** Where it is, such as "at its end". */
  readonly where: string;
}

type Planned =
  | Placed
  | { readonly kind: 'present'; readonly text: string }
  | { readonly kind: 'refused'; readonly text: string; readonly why: FailureReason };

async function plan(link: Link, context: ToolContext): Promise<Planned> {
  const { vault } = context;
  const { from, to, heading, words, passage } = link;
  const failed = (text: string, why: FailureReason): Planned => ({ kind: 'refused', text, why });
  if (!isNote(from))
    return failed(`${from} is not a note, so no link can be put into it.`, 'invalid-input');
  const read = await vault.read(from);
  if (!read.ok) return failed(read.reason, read.kind);
  const before = read.value.text;
  const written = vault.link(from, to, heading, words);
  const names = namesFor((await vault.metadata()).of(from), to);
  const linesIn = (text: string) =>
    linesWithLink(text, [written, ...names.map((name) => `[[${name}]]`)], heading);
  const lines = linesIn(before);
  if (lines.length > 0) {
    context.notes.show(
      from,
      before,
      lines.slice(0, SHOWN_NUMBERS).map((line) => [line, null]),
    );
    const text = `${from} already links to ${to}${heading} (${lineNumbers(lines)}); nothing was added.`;
    const isIn = (other: string) => linesIn(other).length > 0;
    return { kind: 'present', text: alreadyText(text, read.value, isIn) };
  }
  const place = placeOf(before, written, passage);
  if (!place.ok) {
    context.notes.show(from, before, place.printed);
    return failed(`${from} was not changed: ${place.reason}`, 'no-place');
  }
  const { after } = place;
  const effect = { kind: 'write', path: from, before, after } as const;
  const block = proposalProblem(from, after);
  if (block !== null) return failed(block, 'other');
  const refusal = await vault.refusalOf(effect);
  if (refusal) return failed(refusal.reason, refusal.kind);
  return { kind: 'placed', link, written, before, after, at: place.at, where: place.words };
}

async function put(
  { link: { from }, written, before, after, at, where }: Placed,
  context: ToolContext,
  change: MakeChange,
): Promise<VaultProblem | { ok: true; text: string; change: ChangeNote }> {
  const done = await change({ kind: 'write', path: from, before, after });
  if (!done.ok) return done;
  const text = textAfter(done.value);
  context.notes.wrote(from, before, askedText(done.value), text);
  const now = new Lines(text.replace(/^\uFEFF/, ''));
  const line = now.lineAt(at);
  context.notes.show(from, text, [[line, now.content(line)]]);
  const made = changeStatusText(done.value, 'Added', `${written} to ${from}, ${where}.`);
  return {
    ok: true,
    text: `${made}\n${line}: ${now.content(line)}`,
    change: changeNote(done.value),
  };
}

type Place =
  | { ok: true; after: string; at: number; words: string }
  | { ok: false; reason: string; printed: readonly PrintedLine[] };

/**
 * The note after adding the link. A passage that does not occur exactly once is an error; the link
 * never goes to the end instead.
 */
function placeOf(before: string, link: string, passage: string | null): Place {
  const mark = before.startsWith('\uFEFF') ? 1 : 0;
  const text = before.slice(mark);
  const lines = new Lines(text);
  if (passage === null) {
    if (lineContexts([...contentsOf(lines), '']).at(-1) === 'code') {
      const problem =
        'it ends in a code block that is never closed, where a link would be plain text. Name a passage to put the link after.';
      return { ok: false, reason: problem, printed: [] };
    }
    const ending = usualEnding(text);
    const below = text.slice(lines.start(lastTextLine(lines) + 1)).replace(/^\s+$/, '');
    const above = text.slice(0, text.length - below.length);
    const gap = gapBelow(above, ending);
    const at = above.length + gap.length;
    const isApart = below === '' || /^[ \t]*\r?\n/.test(below);
    const after = `${before.slice(0, mark)}${above}${gap}${link}${ending}${isApart ? '' : ending}${below}`;
    return { ok: true, after, at, words: 'at its end' };
  }
  const { passages } = new Finder(text).find(passage);
  const [only, other] = passages;
  if (only && !other) {
    const heading = lines.lineAt(only.start);
    if (isWholeHeading(lines, heading, text.slice(only.start, only.end))) {
      const ending = usualEnding(text);
      const above = text.slice(0, lines.contentEnd(heading)) + ending + ending;
      const below = text.slice(lines.start(heading + 1));
      const isApart = below === '' || /^[ \t]*\r?\n/.test(below);
      const after = `${before.slice(0, mark)}${above}${link}${ending}${isApart ? '' : ending}${below}`;
      return { ok: true, after, at: above.length, words: 'below the heading' };
    }
    const end = only.start + text.slice(only.start, only.end).trimEnd().length;
    const literal = literalPlace(lines, end);
    if (literal !== null) {
      const problem = `the passage ${quoted(passage)} is in ${literal}, where a link would be plain text. Choose another passage, or leave it out to put the link at the end.`;
      return { ok: false, reason: problem, printed: [] };
    }
    const { at, isCell } = freePlace(lines, end);
    const shown = isCell ? link.replace(/(?<!\\)\|/g, '\\|') : link;
    const after = `${before.slice(0, mark)}${text.slice(0, at)} ${shown}${text.slice(at)}`;
    return { ok: true, after, at, words: 'after the passage' };
  }
  if (only) {
    const found = [...new Set(passages.map(({ start }) => lines.lineAt(start)))].slice(0, 8);
    const printed = found.map((line): PrintedLine => [line, cutLine(lines, line)]);
    const listed = printed.map(([line, words]) => `${line}: ${words}`).join('\n');
    const problem = `the passage ${quoted(passage)} occurs ${passages.length} times. Give more words around the one you mean:\n${listed}`;
    return { ok: false, reason: problem, printed };
  }
  const close = closestPassage(text, passage);
  const missing = `the passage ${quoted(passage)} does not occur in it.`;
  if (!close) return { ok: false, reason: missing, printed: [] };
  const line = lines.lineAt(close.start);
  const printed: PrintedLine[] = [[line, cutLine(lines, line)]];
  return {
    ok: false,
    reason: `${missing} The closest is:\n${line}: ${printed[0]?.[1] ?? ''}`,
    printed,
  };
}

/** A link in a heading would change its name, and so break the links to it. */
function isWholeHeading(lines: Lines, line: number, passage: string): boolean {
  const { text } = readHeading(lines.content(line)) ?? { text: '' };
  const isText = lineContexts(contentsOf(lines))[line - 1] === 'text';
  return text !== '' && isText && readHeading(`# ${passage.replace(/^[\s#]+/, '')}`)?.text === text;
}

const LITERAL_PLACES: Readonly<Record<LineContext, string | null>> = {
  'front-matter': 'the properties (use update_properties for them)',
  code: 'a code block',
  'indented-code': 'a code block',
  math: 'a formula',
  comment: null,
  text: null,
};

/**
 * Name of the block at this offset in which Markdown is not rendered, for messages; null if there
 * is none.
 */
function literalPlace(lines: Lines, offset: number): string | null {
  const line = lines.lineAt(Math.max(0, offset - 1));
  const contents = contentsOf(lines);
  if (isDelimiterRow(contents, line - 1)) return 'the row of dashes of a table';
  return LITERAL_PLACES[lineContexts(contents)[line - 1] ?? 'text'];
}

/**
 * Spans that a link must not be put into, besides links and inline code: formulas, addresses, tags,
 * footnotes, HTML and words.
 */
const UNBREAKABLE =
  /\[\^[^\]]*\]|\$[^$\s](?:[^$]*[^$\s])?\$|<[^<>]*>|[a-z][a-z\d+.-]*:\/\/[^\s<>|]+|#[\p{L}\p{M}\p{N}_/-]+|[\p{L}\p{M}\p{N}_]+/giu;

/** The first position from `offset` on, within the line, where a link breaks nothing. */
function freePlace(
  lines: Lines,
  offset: number,
): { readonly at: number; readonly isCell: boolean } {
  const line = lines.lineAt(Math.max(0, offset - 1));
  const start = lines.start(line);
  const content = lines.content(line);
  const column = offset - start;
  const isCell = isTableRow(contentsOf(lines), line - 1);
  const others = [...blankLinks(content).matchAll(UNBREAKABLE)].map(({ 0: { length }, index }) => ({
    from: index,
    to: index + length,
  }));
  const spans = [...findLinks(content), ...others, ...inlineCode(content)];
  let end = column;
  for (let moved = true; moved;) {
    const within = spans.filter(({ from, to }) => from < end && end < to);
    moved = within.length > 0;
    if (moved) end = Math.max(...within.map(({ to }) => to));
  }
  // A block id and the fields of a task must stay last, and a table cell ends before its bar.
  const name = /(?<!\s)\s+\^[A-Za-z0-9-]+\s*$/.exec(content);
  if (name && end > name.index) end = name.index;
  const bar = isCell ? /(?<!\s)\s*\|\s*$/.exec(content) : null;
  if (bar && end > bar.index) end = bar.index;
  const fields = taskFieldsFrom(content);
  if (fields !== null && end > fields) end = fields;
  return { at: start + end, isCell };
}

/** Why the heading or block cannot be linked to; null if it exists. */
export function missingHeading(path: string, text: string, subpath: string): string | null {
  const wanted = subpath.slice(1).split('#').at(-1)?.trim() ?? '';
  const places = linkPlacesIn(text);
  if (wanted === '' || hasLinkPlace(places, subpath)) return null;
  if (wanted.startsWith('^')) return `${path} has no block ${wanted}, so nothing was changed.`;
  const names = places.headings.slice(0, 20).map((heading) => `#${heading.text}`);
  const has = names.length === 0 ? 'It has no headings.' : `Its headings: ${names.join(', ')}.`;
  return `${path} has no heading "${wanted}", so nothing was changed. ${has}`;
}
