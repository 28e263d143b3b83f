/**
 * Puts another value into the lines of one property. Only the source of what differs is replaced:
 * list entries that stay, comments, quotes and line endings keep their characters.
 */
import { diffLists } from './list-diff';
import { yamlText } from './yaml-text';

interface Span {
  readonly start: number;
  readonly end: number;
}

type Splice = Span & { readonly text: string };

/** A value in the lines of a property, or an entry in the lines of a list. */
interface Node extends Span {
  /** After an anchor or a tag. */
  readonly inner: number;
  readonly kind: 'empty' | 'alias' | 'block-text' | 'block-list' | 'flow' | 'quoted' | 'plain';
}

/**
 * The lines of a property with the value `to` in the place of `from`; without the property if `to`
 * is undefined. Null if they are written in a way that is not read here.
 *
 * @param yaml prints a property as the host does
 */
export function withPropertyValue(
  source: string,
  valueStart: number,
  [from, to]: readonly [from: unknown, to: unknown],
  yaml: (name: string, value: unknown) => string,
): string | null {
  const node = readNode(source, valueStart, -1);
  if (!node) return null;
  const lineEnd = endOfLine(source, node.end);
  const rest = source.slice(node.end, lineEnd);
  if (!REST.test(rest)) return null;
  if (to === undefined) return source.slice(lineEnd);
  if (Array.isArray(from) && node.kind !== 'alias') {
    const list = readList(source, node);
    if (list?.entries.length !== from.length) return null;
    const isEmptied = Array.isArray(to) && to.length === 0 && list.kind === 'block';
    if (Array.isArray(to) && !isEmptied)
      return spliced(source, listSplices(source, list, from, to));
  }
  return withWholeValue(source, valueStart, node, [from, to], yaml);
}

function withWholeValue(
  source: string,
  valueStart: number,
  node: Node,
  [from, to]: readonly [from: unknown, to: unknown],
  yaml: (name: string, value: unknown) => string,
): string {
  const old = source.slice(node.start, node.end);
  const header = node.kind === 'block-text' ? node.inner : node.end;
  const comments = [
    ...(node.kind === 'empty' ? [] : commentsIn(source.slice(valueStart, node.start))),
    ...commentsIn(source.slice(header, endOfText(source, header)).replace(/^[|>+\-\d]+/, '')),
  ];
  // Lines of a block text can't follow several comments.
  const isQuoted = typeof to === 'string' && comments.length > 1;
  const printed = Array.isArray(to)
    ? printedList(to, from, old)
    : (inQuotesOf(old, to) ??
      (isQuoted ? ` ${yamlText(to, 'block')}` : yaml('x', to).slice(2).replace(/\n$/, '')));
  const isInline = !/[\r\n]/.test(old) && node.kind !== 'empty' && node.kind !== 'block-list';
  if (isInline && !printed.includes('\n')) {
    return source.slice(0, node.start) + printed.replace(/^ /, '') + source.slice(node.end);
  }
  const lineEnd = endOfLine(source, node.end);
  const ending = /\r?\n/.exec(source)?.[0] ?? '\n';
  const [first = '', ...below] = printed.split('\n');
  const [comment = '', ...more] = comments;
  const lines = [first.replace(/ $/, '') + comment, ...more.map((each) => ` ${each}`), ...below];
  return source.slice(0, valueStart) + lines.join(ending) + ending + source.slice(lineEnd);
}

/** The comments of a text that has nothing else but white space, each with the blanks before it. */
function commentsIn(text: string): string[] {
  return text.match(/(?<![ \t])[ \t]+#[^\r\n]*/g) ?? [];
}

/** A block list; the value `from` keeps its source if it becomes an entry. */
function printedList(to: readonly unknown[], from: unknown, old: string): string {
  const isKept = (entry: unknown) =>
    from !== null && !/[\r\n]/.test(old) && isSame(entry, from) && old !== '';
  const entries = to.map((entry) => `\n  - ${isKept(entry) ? old : yamlText(entry, 'block')}`);
  return to.length === 0 ? ' []' : entries.join('');
}

/** The text in the quotes of the one it replaces; null if that had none. */
function inQuotesOf(old: string, to: unknown): string | null {
  if (typeof to !== 'string') return null;
  if (old.startsWith('"')) return ` ${JSON.stringify(to)}`;
  const isPrintable = !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(to);
  return old.startsWith("'") && isPrintable ? ` '${to.replaceAll("'", "''")}'` : null;
}

/** After the line break. */
function endOfLine(source: string, at: number): number {
  const found = source.indexOf('\n', at);
  return found < 0 ? source.length : found + 1;
}

/** Before the line break. */
function endOfText(source: string, at: number): number {
  const end = endOfLine(source, at);
  return end - (/\r?\n$/.exec(source.slice(at, end))?.[0].length ?? 0);
}

/**
 * Reads the value that follows `at`.
 *
 * @param indent of what contains the value; -1 for a property
 */
function readNode(source: string, at: number, indent: number, limit = source.length): Node | null {
  const start = skipGap(source, at, limit);
  let inner = start;
  for (let mark = markEnd(source, inner); mark > inner; mark = markEnd(source, inner)) {
    inner = skipGap(source, mark, limit);
  }
  if (start >= limit) return { start: at, end: at, inner: at, kind: 'empty' };
  const sign = source[inner] ?? '';
  if (inner >= limit) {
    const end = start + source.slice(start, limit).search(/[ \t\r\n]/);
    return { start, end, inner: end, kind: 'empty' };
  }
  const isDash = /^-(?=[ \t\r\n]|$)/.test(source.slice(inner, inner + 2));
  if (isDash) {
    const end = contentEnd(source, inner, limit);
    return { start, end, inner, kind: 'block-list' };
  }
  if (sign === '"' || sign === "'") {
    const end = quotedEnd(source, inner, limit);
    return end === null ? null : { start, end, inner, kind: 'quoted' };
  }
  if (sign === '[' || sign === '{') {
    const end = readFlow(source, inner, limit)?.end ?? null;
    return end === null ? null : { start, end, inner, kind: 'flow' };
  }
  if (sign === '|' || sign === '>') {
    const end = blockTextEnd(source, inner, indent, limit);
    return { start, end, inner, kind: 'block-text' };
  }
  const end = contentEnd(source, inner, limit);
  return { start, end, inner, kind: sign === '*' ? 'alias' : 'plain' };
}

/** The rest of a line with nothing but a comment. */
const REST = /^(?!#)[ \t\r\n]*(?:#|$)/;

/** The end of an anchor or a tag at `at`; `at` itself if there is none. */
function markEnd(source: string, at: number): number {
  return at + (/^[&!][^ \t\r\n]*/.exec(source.slice(at, at + 500))?.[0].length ?? 0);
}

/** Skips white space, line breaks and comments. */
function skipGap(source: string, at: number, limit: number): number {
  const gap = /(?:[ \t\r\n]|(?<=[ \t\r\n])#[^\n]*)*/y;
  gap.lastIndex = at;
  gap.exec(source);
  return Math.min(gap.lastIndex, limit);
}

/** The end of the last line that is neither empty nor a comment, without its comment. */
function contentEnd(source: string, from: number, limit: number): number {
  let end = from;
  /** Indentation of the line whose block text follows; its lines may look like comments. */
  let textIndent = Infinity;
  for (let at = from; at < limit; at = endOfLine(source, at)) {
    const line = source.slice(at, Math.min(endOfText(source, at), limit));
    const indent = indentAt(source, at);
    if (/^[ \t]*$/.test(line)) continue;
    if (indent > textIndent) {
      end = at + line.length;
      continue;
    }
    if (/^[ \t]*#/.test(line)) continue;
    const content = withoutComment(line);
    end = at + content.length;
    textIndent = /(?:^|[:-][ \t]+)[|>][+\-\d]*$/.test(content) ? indent : Infinity;
  }
  return end;
}

function indentAt(source: string, at: number): number {
  const start = source.lastIndexOf('\n', at - 1) + 1;
  return /^ */.exec(source.slice(start, endOfText(source, start)))?.[0].length ?? 0;
}

/** Whether a quote at `at` begins a quoted text, as opposed to one in the middle of a plain text. */
function isQuoteAfter(line: string, at: number): boolean {
  const before = withoutEnd(line.slice(Math.max(0, at - MAX_GAP_CHARS), at));
  return before === '' || /[:[{]$|^[ \t-]*-$/.test(before);
}

/** Longer gaps before a quote are not recognized. */
const MAX_GAP_CHARS = 50;

/** White space as in YAML, where others, such as no-break spaces, are text. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && /[ \t\r\n]/.test(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

function withoutComment(line: string): string {
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '#' && /[ \t\r\n]/.test(line[at - 1] ?? ' ')) return withoutEnd(line.slice(0, at));
    const isQuote = (sign === '"' || sign === "'") && isQuoteAfter(line, at);
    if (isQuote) at = (quotedEnd(line, at, line.length) ?? line.length) - 1;
  }
  return withoutEnd(line);
}

function quotedEnd(source: string, at: number, limit: number): number | null {
  const quoted = source[at] === '"' ? /"(?:[^"\\]|\\[^])*"/y : /'(?:[^']|'')*'/y;
  quoted.lastIndex = at;
  return quoted.test(source) && quoted.lastIndex <= limit ? quoted.lastIndex : null;
}

/** Before the line break of the last line that is indented more than `indent`. */
function blockTextEnd(source: string, from: number, indent: number, limit: number): number {
  let end = endOfText(source, from);
  for (let at = endOfLine(source, from); at < limit; at = endOfLine(source, at)) {
    const line = source.slice(at, endOfText(source, at));
    const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
    if (blanks === line) continue;
    if (blanks.length <= Math.max(indent, 0)) break;
    end = at + line.length;
  }
  return end;
}

interface FlowList {
  readonly kind: 'flow';
  readonly entries: readonly Span[];
  /** Offsets of the commas behind the entries; the last entry may have none. */
  readonly commas: readonly number[];
  /** After the opening bracket. */
  readonly open: number;
  /** After the closing bracket. */
  readonly end: number;
}

interface BlockList {
  readonly kind: 'block';
  /** Each from its dash to the end of its content. */
  readonly entries: readonly (Span & { readonly value: Node })[];
}

function readList(source: string, node: Node): FlowList | BlockList | null {
  if (node.kind === 'flow' && source[node.inner] === '[') return readFlow(source, node.inner);
  return node.kind === 'block-list' ? readBlockList(source, node) : null;
}

/** Reads a list or map in brackets; null if it does not end. */
function readFlow(source: string, from: number, limit = source.length): FlowList | null {
  const entries: Span[] = [];
  const commas: number[] = [];
  let depth = 0;
  /** Whether a quote at this place begins a quoted text. */
  let isFresh = true;
  let entryStart = -1;
  let entryEnd = -1;
  for (let at = from; at < limit;) {
    const sign = source.charAt(at);
    if (/[ \t\r\n]/.test(sign)) {
      at += 1;
      continue;
    }
    if (sign === '#' && /[ \t\r\n]/.test(source.charAt(at - 1))) {
      at = endOfText(source, at);
      continue;
    }
    if (depth === 1 && (sign === ',' || sign === ']' || sign === '}')) {
      if (entryStart >= 0) entries.push({ start: entryStart, end: entryEnd });
      entryStart = -1;
      if (sign !== ',') return { kind: 'flow', entries, commas, open: from + 1, end: at + 1 };
      commas.push(at);
      isFresh = true;
      at += 1;
      continue;
    }
    let end = at + 1;
    if (isFresh && (sign === '"' || sign === "'")) {
      const closed = quotedEnd(source, at, limit);
      if (closed === null) return null;
      end = closed;
      isFresh = false;
    } else if (sign === '[' || sign === '{') {
      depth += 1;
      isFresh = true;
    } else if (sign === ']' || sign === '}') {
      depth -= 1;
      isFresh = false;
    } else if (isFresh && (sign === '&' || sign === '!')) {
      while (end < limit && !/[ \t\r\n,[\]{}]/.test(source.charAt(end))) end += 1;
    } else isFresh = sign === ',' || sign === ':' || sign === '?';
    if (at > from) {
      if (entryStart < 0) entryStart = at;
      entryEnd = end;
    }
    at = end;
  }
  return null;
}

function readBlockList(source: string, { inner }: Node): BlockList | null {
  const first = source.lastIndexOf('\n', inner) + 1;
  const indent = inner - first;
  if (!/^ *$/.test(source.slice(first, inner))) return null;
  const dash = new RegExp(`^ {${indent}}-(?=[ \\t\\r]|$)`);
  const starts: number[] = [];
  for (let at = first; at < source.length; at = endOfLine(source, at)) {
    if (dash.test(source.slice(at, endOfText(source, at)))) starts.push(at + indent);
  }
  const entries: (Span & { value: Node })[] = [];
  for (const [index, start] of starts.entries()) {
    const limit = starts[index + 1] ?? source.length;
    const value = readNode(source, start + 1, indent, limit);
    if (!value) return null;
    const rest = source.slice(value.end, Math.min(endOfText(source, value.end), limit));
    if (!REST.test(rest)) {
      // A map whose first key is quoted, for example.
      const end = contentEnd(source, start, limit);
      entries.push({ start, end, value: { ...value, end, kind: 'plain' } });
    } else entries.push({ start, end: Math.max(value.end, start + 1), value });
  }
  return { kind: 'block', entries };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function listSplices(
  source: string,
  list: FlowList | BlockList,
  from: readonly unknown[],
  to: readonly unknown[],
): Splice[] {
  const key = (value: unknown) => JSON.stringify(value) ?? 'null';
  const splices: Splice[] = [];
  const removed = new Set<number>();
  for (const hunk of diffLists(from.map(key), to.map(key))) {
    const replaced = Math.min(hunk.beforeTo - hunk.beforeFrom, hunk.afterTo - hunk.afterFrom);
    for (let each = 0; each < replaced; each += 1) {
      const span = valueSpan(list, hunk.beforeFrom + each);
      const value = to[hunk.afterFrom + each];
      const old = source.slice(span.start, span.end);
      const text = inQuotesOf(old, value)?.slice(1) ?? yamlText(value, list.kind);
      splices.push({ ...span, text: span.start === span.end ? ` ${text}` : text });
    }
    for (let each = hunk.beforeFrom + replaced; each < hunk.beforeTo; each += 1) removed.add(each);
    const fresh = to
      .slice(hunk.afterFrom + replaced, hunk.afterTo)
      .map((value) => yamlText(value, list.kind));
    if (fresh.length > 0) {
      const at = hunk.beforeFrom + replaced;
      splices.push(
        ...(list.kind === 'flow' ? flowAdditions(source, list, at, fresh) : []),
        ...(list.kind === 'block' ? blockAdditions(source, list, at, fresh) : []),
      );
    }
  }
  if (list.kind === 'flow') splices.push(...flowRemovals(source, list, removed));
  else for (const each of removed) splices.push(blockRemoval(source, list, each));
  return splices;
}

function valueSpan(list: FlowList | BlockList, index: number): Span {
  const entry = list.entries[index] ?? { start: 0, end: 0 };
  const { start, end } = list.kind === 'block' ? (list.entries[index]?.value ?? entry) : entry;
  return { start, end };
}

function blockAdditions(
  source: string,
  list: BlockList,
  at: number,
  fresh: readonly string[],
): Splice[] {
  const near = list.entries[at - 1] ?? list.entries[at];
  if (!near) return [];
  const lineStart = source.lastIndexOf('\n', near.start) + 1;
  const mark = source.slice(lineStart, near.start + 1);
  const gap = /^[ \t]+(?=[^ \t])/.exec(source.slice(near.start + 1))?.[0] ?? ' ';
  const place = at > 0 ? endOfLine(source, near.end) : aboveComments(source, lineStart);
  const ending = source.slice(endOfText(source, near.end), endOfLine(source, near.end)) || '\n';
  const text = fresh.map((value) => mark + gap + value + ending).join('');
  return [{ start: place, end: place, text }];
}

/** The start of the lines with nothing but comments directly above a line, which stay with it. */
function aboveComments(source: string, lineStart: number): number {
  let top = lineStart;
  for (;;) {
    const start = source.lastIndexOf('\n', top - 2) + 1;
    if (start >= top || !/^[ \t]*#/.test(source.slice(start, top))) return top;
    top = start;
  }
}

function blockRemoval(source: string, list: BlockList, index: number): Splice {
  const { start, end } = list.entries[index] ?? { start: 0, end: 0 };
  return { start: source.lastIndexOf('\n', start) + 1, end: endOfLine(source, end), text: '' };
}

/** The blanks at the beginning of the line if nothing else is between them and `at`; else null. */
function blanksBefore(source: string, at: number): string | null {
  const before = source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*$/.test(before) && source.lastIndexOf('\n', at - 1) >= 0 ? before : null;
}

function flowAdditions(
  source: string,
  { entries, commas, open }: FlowList,
  at: number,
  fresh: readonly string[],
): Splice[] {
  const near = entries[at - 1];
  const next = entries[at];
  if (!near && !next) {
    return [{ start: open, end: open, text: fresh.join(', ') }];
  }
  const blanks = blanksBefore(source, (near ?? next)?.start ?? 0);
  const ending = source.includes('\r\n') ? '\r\n' : '\n';
  const between = blanks === null ? ', ' : `,${ending}${blanks}`;
  if (!near) {
    const start = next?.start ?? open;
    return [{ start, end: start, text: fresh.map((value) => value + between).join('') }];
  }
  const comma = commas[at - 1];
  const behind = source.slice((comma ?? near.end - 1) + 1, endOfText(source, near.end));
  // The comment on the line belongs to the entry before it.
  if (blanks !== null && comma !== undefined && REST.test(behind)) {
    const place = endOfLine(source, comma);
    return [
      {
        start: place,
        end: place,
        text: fresh.map((each) => `${blanks}${each},${ending}`).join(''),
      },
    ];
  }
  if (blanks !== null && comma === undefined && REST.test(behind)) {
    const place = endOfLine(source, near.end);
    const text = fresh.map((each) => blanks + each).join(`,${ending}`) + ending;
    return [
      { start: near.end, end: near.end, text: ',' },
      { start: place, end: place, text },
    ];
  }
  const text = fresh.map((value) => between + value).join('');
  return [{ start: near.end, end: near.end, text }];
}

function flowRemovals(
  source: string,
  { entries, commas }: FlowList,
  removed: ReadonlySet<number>,
): Splice[] {
  const splices: Splice[] = [];
  let lastKept = entries.length - 1;
  while (removed.has(lastKept)) lastKept -= 1;
  for (const index of removed) {
    const entry = entries[index];
    if (!entry) continue;
    const comma = commas[index];
    const end = comma === undefined ? entry.end : comma + 1;
    const textEnd = endOfText(source, end);
    const isLast = REST.test(source.slice(end, textEnd));
    const blanks = blanksBefore(source, entry.start);
    const gap = comma === undefined ? 0 : blanksAfter(source, end);
    splices.push(
      isLast && blanks !== null
        ? { start: entry.start - blanks.length, end: endOfLine(source, end), text: '' }
        : // The comment on the line belongs to its last entry.
          { start: entry.start, end: isLast ? textEnd : end + gap, text: '' },
    );
  }
  const comma = commas[lastKept];
  const isLastBare = commas.length < entries.length;
  if (comma !== undefined && isLastBare && lastKept < entries.length - 1) {
    splices.push({ start: comma, end: comma + 1 + blanksAfter(source, comma + 1), text: '' });
  }
  return splices;
}

/** The number of blanks at `at`; 0 if a comment follows, which needs one. */
function blanksAfter(source: string, at: number): number {
  return /^[ \t]*(?![ \t#])/.exec(source.slice(at, endOfText(source, at)))?.[0].length ?? 0;
}

function spliced(source: string, splices: readonly Splice[]): string {
  let text = '';
  let at = 0;
  for (const { start, end, text: put } of splices.toSorted((a, b) => a.start - b.start)) {
    if (start > at) text += source.slice(at, start);
    text += put;
    at = Math.max(at, end);
  }
  return text + source.slice(at);
}
