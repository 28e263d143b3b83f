/** Redirects links in notes and canvases from one file, heading or block to another. */
import { lineTexts } from './list-diff';
import { foldHeading, hasLinkPlace, type LinkPlaces } from './link-places';
import {
  findLinks,
  isExternal,
  isLiteralLine,
  linkAddress,
  linkPath,
  linkSubpath,
  linkText,
  parseLink,
  type TextLink,
} from './link-reader';
import { blankCodeOutsideLinks, isDelimiterRow, lineContexts } from './note-structure';
import { isNote, nameOf, withoutNoteExtension } from './paths';

export interface Redirect {
  /** Whether a link of this name, which is '' within the note, leads to the old file. */
  isOld(name: string): boolean;
  /** With its `#`, as is `subpath`; '' for all links to the file. */
  readonly oldSubpath: string;
  /** The new file, as links of this note or canvas name it in the user's settings. */
  readonly name: string;
  readonly path: string;
  /** Whether the note itself is the new file. */
  readonly isSame: boolean;
  readonly subpath: string;
  readonly places: LinkPlaces;
}

export interface RedirectedText {
  readonly text: string;
  readonly count: number;
  /** Links, as they were written, whose own heading or block the new file does not have. */
  readonly lost: readonly string[];
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

class Redirection {
  readonly splices: Splice[] = [];
  readonly lost: string[] = [];
  count = 0;

  constructor(readonly redirect: Redirect) {}

  /** @param written the link for a message */
  next(name: string, subpath: string, written: string): string | null {
    if (!this.redirect.isOld(name)) return null;
    const next = nextSubpath(subpath, this.redirect);
    if (next === null) return null;
    this.count += 1;
    if (next.isLost) this.lost.push(written);
    return next.subpath;
  }

  finish(text: string): RedirectedText {
    let result = '';
    let done = 0;
    for (const splice of this.splices.sort((a, b) => a.from - b.from)) {
      result += text.slice(done, splice.from) + splice.text;
      done = splice.to;
    }
    return { text: result + text.slice(done), count: this.count, lost: this.lost };
  }
}

/** Where a link with this subpath leads; null if it does not lead to the old place. */
function nextSubpath(
  own: string,
  { oldSubpath, subpath, places }: Redirect,
): { readonly subpath: string; readonly isLost: boolean } | null {
  const isThere = (each: string) => hasLinkPlace(places, each);
  if (oldSubpath === '') {
    if (own === '') return { subpath, isLost: false };
    return isThere(own) ? { subpath: own, isLost: false } : { subpath, isLost: true };
  }
  const [parts, old] = [partsOf(own), partsOf(oldSubpath)];
  const at = parts.findIndex((_, from) =>
    old.every((part, index) => samePart(part, parts[from + index] ?? '')),
  );
  if (at < 0) return null;
  const below = parts.slice(at + old.length).map((part) => `#${part}`);
  if (below.length === 0) return { subpath, isLost: false };
  const kept = [subpath + below.join(''), below.join('')].find(isThere);
  return { subpath: kept ?? subpath, isLost: kept === undefined };
}

function partsOf(subpath: string): string[] {
  return subpath.split('#').filter((part) => part.trim() !== '');
}

function samePart(a: string, b: string): boolean {
  const [one, other] = [a.trim(), b.trim()];
  if (one.startsWith('^') || other.startsWith('^'))
    return one.toLowerCase() === other.toLowerCase();
  return foldHeading(one) === foldHeading(other);
}

/** The part of a link that names its place, for another place. */
function written(link: TextLink, subpath: string, redirect: Redirect, text: string): string {
  const { name, path, isSame } = redirect;
  const target = isSame && subpath !== '' ? '' : name;
  if (link.isWiki) return target + subpath;
  const file = target !== '' && isNote(path) ? `${withoutNoteExtension(target)}.md` : target;
  // An address in angle brackets may have blanks and parentheses.
  if (text.charAt(link.targetFrom - 1) === '<') return file.replaceAll('#', '%23') + subpath;
  const places = partsOf(subpath).map((part) => `#${linkAddress(part).replace(/^%5E/, '^')}`);
  return linkAddress(file) + places.join('');
}

/**
 * The words that a link in double brackets keeps for its readers, who would otherwise see "New > Part"
 * where the name of a note was, or the id of a block; null if it needs none.
 */
function keptText(link: TextLink, place: string): string | null {
  const { isWiki, isEmbed, text, subpath } = link;
  if (!isWiki || isEmbed || text !== null || !place.includes('#')) return null;
  const isForBlock = place.includes('#^') && !subpath.includes('#^');
  if (subpath !== '' && !isForBlock) return null;
  const words = partsOf(subpath).at(-1)?.trim() ?? withoutNoteExtension(nameOf(linkPath(link)));
  return words === linkText({ ...link, target: '', subpath: place }) ? null : words;
}

/** @param bar between the place and the words of a link; escaped in a table */
function redirectLink(
  link: TextLink,
  text: string,
  redirection: Redirection,
  bar = '|',
): { readonly from: number; readonly to: number; readonly text: string } | null {
  if (isExternal(link)) return null;
  const whole = text.slice(link.from, link.to);
  const next = redirection.next(linkPath(link), linkSubpath(link), whole);
  if (next === null) return null;
  const { targetFrom, target, subpath } = link;
  const place = written(link, next, redirection.redirect, text);
  const words = keptText(link, place);
  return {
    ...{ from: targetFrom, to: targetFrom + target.length + subpath.length },
    text: words === null ? place : place + bar + words,
  };
}

/** Redirects the links of a note. */
export function redirectLinks(content: string, redirect: Redirect): RedirectedText {
  const redirection = new Redirection(redirect);
  addSplices(content, redirection);
  return redirection.finish(content);
}

function addSplices(content: string, redirection: Redirection): void {
  const lines = lineTexts(content);
  const contexts = lineContexts(lines);
  let start = 0;
  let isRow = false;
  for (const [at, line] of content.split('\n').entries()) {
    const context = contexts[at];
    isRow &&= line.includes('|');
    isRow ||= isDelimiterRow(lines, at + 1);
    if (line.includes('[') && !isLiteralLine(context)) {
      if (context === 'front-matter') addPropertyLinks(line, start, redirection);
      else {
        const blanked = blankCodeOutsideLinks(line);
        for (const link of findLinks(blanked)) {
          const splice = redirectLink(link, line, redirection, isRow ? '\\|' : '|');
          if (splice) redirection.splices.push(moved(splice, start));
        }
      }
    }
    start += line.length + 1;
  }
}

function moved({ from, to, text }: Splice, by: number): Splice {
  return { from: from + by, to: to + by, text };
}

const QUOTED_VALUE = /'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)"/g;

/** In the front matter, a quoted value is a link if it is nothing else. */
function addPropertyLinks(line: string, start: number, redirection: Redirection): void {
  for (const { 0: quotedValue, 1: single, index } of line.matchAll(QUOTED_VALUE)) {
    const form = single === undefined ? DOUBLE : SINGLE;
    const { text, offsets } = unescaped(quotedValue.slice(1, -1), form);
    const link = parseLink(text);
    if (!link) continue;
    const by = text.length - text.trimStart().length;
    const shifted = { ...link, from: link.from + by, to: link.to + by };
    const splice = redirectLink(
      { ...shifted, targetFrom: link.targetFrom + by },
      text,
      redirection,
    );
    if (splice) redirection.splices.push(escapedSplice(splice, offsets, form, start + index + 1));
  }
}

/** How a quoted text writes its characters. */
interface QuotedForm {
  readonly unit: RegExp;
  read(unit: string): string;
  write(text: string): string;
}

const SINGLE: QuotedForm = {
  unit: /''|[^]/gu,
  read: (unit) => (unit === "''" ? "'" : unit),
  write: (text) => text.replaceAll("'", "''"),
};

const DOUBLE: QuotedForm = {
  unit: /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|[^])|[^]/gu,
  read: (unit) => {
    if (!unit.startsWith('\\')) return unit;
    const code = /^\\[ux](.+)$/.exec(unit)?.[1];
    if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
    return { '\\n': '\n', '\\t': '\t', '\\r': '\r' }[unit] ?? unit.slice(1);
  },
  write: (text) => JSON.stringify(text).slice(1, -1),
};

/** A quoted text as it reads, and where each of its characters is written. */
function unescaped(
  raw: string,
  { unit, read }: QuotedForm,
): { readonly text: string; readonly offsets: readonly number[] } {
  const offsets: number[] = [];
  let text = '';
  for (const { 0: each, index } of raw.matchAll(unit)) {
    const characters = read(each);
    for (let at = 0; at < characters.length; at += 1) {
      offsets.push(each === characters ? index + at : index);
    }
    text += characters;
  }
  offsets.push(raw.length);
  return { text, offsets };
}

function escapedSplice(
  { from, to, text }: Splice,
  offsets: readonly number[],
  form: QuotedForm,
  by: number,
): Splice {
  return moved({ from: offsets[from] ?? 0, to: offsets[to] ?? 0, text: form.write(text) }, by);
}

/**
 * Redirects the links in cards of a canvas, and the cards that show the old file.
 *
 * @param isOldFile whether a path is that of the old file
 */
export function redirectCards(
  canvas: string,
  isOldFile: (path: string) => boolean,
  redirect: Redirect,
): RedirectedText {
  const redirection = new Redirection(redirect);
  for (const { text: words, file, subpath } of nodesIn(canvas)) {
    if (words) {
      const { text, offsets } = unescaped(canvas.slice(words.from, words.to), DOUBLE);
      const inner = new Redirection(redirect);
      addSplices(text, inner);
      redirection.count += inner.count;
      redirection.lost.push(...inner.lost);
      for (const splice of inner.splices)
        redirection.splices.push(escapedSplice(splice, offsets, DOUBLE, words.from));
    }
    const shown = file ? unescaped(canvas.slice(file.from, file.to), DOUBLE).text : '';
    if (!file || !isOldFile(shown)) continue;
    const own = subpath ? unescaped(canvas.slice(subpath.from, subpath.to), DOUBLE).text : '';
    const next = nextSubpath(own, redirect);
    if (next === null) continue;
    redirection.count += 1;
    if (next.isLost) redirection.lost.push(shown + own);
    const added =
      subpath || next.subpath === '' ? '' : `","subpath":"${DOUBLE.write(next.subpath)}`;
    redirection.splices.push({ ...file, text: DOUBLE.write(redirect.path) + added });
    if (subpath) redirection.splices.push({ ...subpath, text: DOUBLE.write(next.subpath) });
  }
  return redirection.finish(canvas);
}

/** Where the text between the quotes of a value is. */
interface ValueSpan {
  readonly from: number;
  readonly to: number;
}

type NodeSpans = Partial<Record<string, ValueSpan>>;

/** The texts of the cards of a canvas, which must be valid JSON, by their names. */
function nodesIn(json: string): NodeSpans[] {
  const nodes: NodeSpans[] = [];
  const open: { readonly isNode: boolean; key: string | null }[] = [];
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const top = open.at(-1);
    if (token === '{' || token === '[') {
      const isNode = token === '{' && open.length === 2 && open[0]?.key === 'nodes';
      if (isNode) nodes.push({});
      open.push({ isNode, key: null });
    } else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (top && json[index] === ',') top.key = null;
    } else if (token !== ':' && top) {
      const node = nodes.at(-1);
      if (top.key === null) top.key = JSON.parse(token) as string;
      else if (top.isNode && node) {
        node[top.key] = { from: index + 1, to: index + token.length - 1 };
      }
    }
  }
  return nodes;
}
