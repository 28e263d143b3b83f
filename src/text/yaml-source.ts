/** Reads where the values and list entries of a property are in its lines. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value in the lines of a property, or an entry in the lines of a list. */
export interface YamlNode extends Span {
  /** After an anchor or a tag. */
  readonly inner: number;
  readonly kind: 'empty' | 'alias' | 'block-text' | 'block-list' | 'flow' | 'quoted' | 'plain';
}

/** Where the next line starts, or the end of the text. */
export function startOfNextLine(source: string, at: number): number {
  const found = source.indexOf('\n', at);
  return found < 0 ? source.length : found + 1;
}

/** Before the line break. */
export function endOfText(source: string, at: number): number {
  const end = startOfNextLine(source, at);
  return end - (/\r?\n$/.exec(source.slice(at, end))?.[0].length ?? 0);
}

/**
 * Reads the value that follows `at`.
 *
 * @param indent of what contains the value; -1 for a property
 */
export function readNode(
  source: string,
  at: number,
  indent: number,
  limit = source.length,
): YamlNode | null {
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
export const ONLY_COMMENT = /^(?!#)[ \t\r\n]*(?:#|$)/;

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
  for (let at = from; at < limit; at = startOfNextLine(source, at)) {
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
  for (let at = startOfNextLine(source, from); at < limit; at = startOfNextLine(source, at)) {
    const line = source.slice(at, endOfText(source, at));
    const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
    if (blanks === line) continue;
    if (blanks.length <= Math.max(indent, 0)) break;
    end = at + line.length;
  }
  return end;
}

export interface FlowList {
  readonly kind: 'flow';
  readonly entries: readonly Span[];
  /** Offsets of the commas behind the entries; the last entry may have none. */
  readonly commas: readonly number[];
  /** After the opening bracket. */
  readonly open: number;
  /** After the closing bracket. */
  readonly end: number;
}

export interface BlockList {
  readonly kind: 'block';
  /** Each from its dash to the end of its content. */
  readonly entries: readonly (Span & { readonly value: YamlNode })[];
}

export function readList(source: string, node: YamlNode): FlowList | BlockList | null {
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

function readBlockList(source: string, { inner }: YamlNode): BlockList | null {
  const first = source.lastIndexOf('\n', inner) + 1;
  const indent = inner - first;
  if (!/^ *$/.test(source.slice(first, inner))) return null;
  const dash = new RegExp(`^ {${indent}}-(?=[ \\t\\r]|$)`);
  const starts: number[] = [];
  for (let at = first; at < source.length; at = startOfNextLine(source, at)) {
    if (dash.test(source.slice(at, endOfText(source, at)))) starts.push(at + indent);
  }
  const entries: (Span & { value: YamlNode })[] = [];
  for (const [index, start] of starts.entries()) {
    const limit = starts[index + 1] ?? source.length;
    const value = readNode(source, start + 1, indent, limit);
    if (!value) return null;
    const rest = source.slice(value.end, Math.min(endOfText(source, value.end), limit));
    if (!ONLY_COMMENT.test(rest)) {
      // A map whose first key is quoted, for example.
      const end = contentEnd(source, start, limit);
      entries.push({ start, end, value: { ...value, end, kind: 'plain' } });
    } else entries.push({ start, end: Math.max(value.end, start + 1), value });
  }
  return { kind: 'block', entries };
}
