/**
 * Puts another value into the lines of one property. Only the source of what differs is replaced:
 * list entries that stay, comments, quotes and line endings keep their characters.
 */
import { diffLists } from './list-diff';
import { yamlText } from './yaml-text';
import {
  type BlockList,
  startOfNextLine,
  endOfText,
  type FlowList,
  type YamlNode,
  readList,
  readNode,
  ONLY_COMMENT,
  type Span,
} from './yaml-source';

type Splice = Span & { readonly text: string };

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
  const lineEnd = startOfNextLine(source, node.end);
  const rest = source.slice(node.end, lineEnd);
  if (!ONLY_COMMENT.test(rest)) return null;
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
  node: YamlNode,
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
  const lineEnd = startOfNextLine(source, node.end);
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
  const place = at > 0 ? startOfNextLine(source, near.end) : aboveComments(source, lineStart);
  const ending =
    source.slice(endOfText(source, near.end), startOfNextLine(source, near.end)) || '\n';
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
  return {
    start: source.lastIndexOf('\n', start) + 1,
    end: startOfNextLine(source, end),
    text: '',
  };
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
  if (blanks !== null && comma !== undefined && ONLY_COMMENT.test(behind)) {
    const place = startOfNextLine(source, comma);
    return [
      {
        start: place,
        end: place,
        text: fresh.map((each) => `${blanks}${each},${ending}`).join(''),
      },
    ];
  }
  if (blanks !== null && comma === undefined && ONLY_COMMENT.test(behind)) {
    const place = startOfNextLine(source, near.end);
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
    const isLast = ONLY_COMMENT.test(source.slice(end, textEnd));
    const blanks = blanksBefore(source, entry.start);
    const gap = comma === undefined ? 0 : blanksAfter(source, end);
    splices.push(
      isLast && blanks !== null
        ? { start: entry.start - blanks.length, end: startOfNextLine(source, end), text: '' }
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
