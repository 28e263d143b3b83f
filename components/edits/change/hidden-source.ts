/** Finds what changes in the source of a block, but is not seen when the block is drawn. */
import { withInvisibleMarks } from '#text/invisible-characters';
import { diffLists } from '#text/list-diff';
import { wordPattern } from '#text/word-reader';
import type { ChangedValue } from './changed-values';

/** A block as source and as sanitized nodes. */
export interface Drawn {
  readonly raw: string;
  readonly nodes: DocumentFragment;
}

/**
 * Source with words that no drawn word shows. Signs without words count only if both sides are
 * drawn with the same elements: otherwise the drawing shows what they do.
 *
 * @param before null if the block is added, as `after` is if it is removed
 */
export function hiddenChanges(before: Drawn | null, after: Drawn | null): ChangedValue[] {
  if (before?.raw === after?.raw) return [];
  const isAlike = before && after && shapeOf(before.nodes) === shapeOf(after.nodes);
  const [old = [], young = []] = [before, after].map((side) =>
    (side ? hiddenRuns(side) : []).filter((run) => isAlike || hasWord(run)),
  );
  const changes = new Map<string, ChangedValue>();
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of diffLists(old, young)) {
    const [gone, come] = [old.slice(beforeFrom, beforeTo), young.slice(afterFrom, afterTo)];
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1) {
      const change = { name: null, before: gone[at] ?? null, after: come[at] ?? null };
      changes.set(`${change.before}\n${change.after}`, withoutBrackets(change));
    }
  }
  return [...changes.values()];
}

/** Names of its elements in order. The level of a heading is hardly seen. */
function shapeOf(nodes: DocumentFragment): string {
  return Array.from(nodes.querySelectorAll('*'), ({ localName }) =>
    localName.replace(/^h[1-6]$/, 'h'),
  ).join(' ');
}

/** The number of a list item is drawn, as it will count. */
const LIST_NUMBER = /^[\s>*+-]*\d+[.)]$/;

function hasWord(run: string): boolean {
  return /[\p{L}\p{N}]/u.test(run) && !LIST_NUMBER.test(run);
}

/** What surrounds the target of a link or the text of a cell. */
const BRACKETS = /^(?:!?\[\[|\]\(|\]\[|\|)\s*(.*?)[\][()|!\s]*$/u;

function withoutBrackets(change: ChangedValue): ChangedValue {
  const [before = null, after = null] = [change.before, change.after].map(
    (run) => (run !== null && BRACKETS.exec(run)?.[1]) || run,
  );
  return before === after ? change : { ...change, before, after };
}

/** A word, sign, address, or tag without attributes, and the blanks before it. */
const TOKEN = new RegExp(
  `\\s*(?:https?://[^\\s<>()[\\]"|]*[\\p{L}\\p{N}/]|</?[a-z]+>|${wordPattern('', '\\S').source})`,
  'gu',
);

/** Source between what is seen of it, line by line; signs without words one by one. */
function hiddenRuns({ raw, nodes }: Drawn): string[] {
  const source = tokensOf(withInvisibleMarks(raw));
  const isShown = shownAmong(source.map(trimmed), tokensOf(shownText(nodes)).map(trimmed));
  const runs = [''];
  source.forEach((token, at) => {
    if (isShown[at] === true || token.includes('\n')) runs.push('');
    if (isShown[at] === false) runs.push((runs.pop() ?? '') + token);
  });
  return runs.flatMap((run) => {
    if (hasWord(run)) return [run.replace(/^[\s>]+/, '')];
    return run.split(/\s+/).flatMap((signs) => signs.replace(/-{3,}/, '---') || []);
  });
}

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

function trimmed(text: string): string {
  return text.trim();
}

/** Each drawn token shows one token of the source: one in the same order if there is one. */
function shownAmong(source: readonly string[], drawn: readonly string[]): boolean[] {
  const isShown = source.map(() => true);
  const elsewhere = new Map<string, number>();
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of diffLists(source, drawn)) {
    isShown.fill(false, beforeFrom, beforeTo);
    for (const token of drawn.slice(afterFrom, afterTo).filter(hasWord)) {
      elsewhere.set(token, (elsewhere.get(token) ?? 0) + 1);
    }
  }
  return source.map((token, at) => {
    const count = elsewhere.get(token) ?? 0;
    if (isShown[at] === true || count === 0) return isShown[at] === true;
    // Drawn in another place, such as a footnote.
    elsewhere.set(token, count - 1);
    return true;
  });
}

/** What a reader sees of it as text, or as a box or language beside it. */
function shownText(nodes: DocumentFragment): string {
  const texts: string[] = [];
  const all = nodes.ownerDocument.createTreeWalker(nodes);
  while (all.nextNode()) {
    const { currentNode: node } = all;
    if (node.nodeType === Node.ELEMENT_NODE) texts.push(...signsOf(node as Element));
    else texts.push(node.nodeValue ?? '');
  }
  return texts.join(' ');
}

function signsOf(element: Element): string[] {
  const { localName, className } = element;
  if (localName === 'input') return [element.hasAttribute('checked') ? '[x]' : '[ ]'];
  const language = localName === 'code' ? /language-(\S+)/.exec(className)?.[1] : null;
  const note = element.matches('.footnote-link') ? element.getAttribute('title') : null;
  // Those of a block of code are no tags of its source.
  const tags = element.closest('pre') ? [] : [`<${localName}>`, `</${localName}>`];
  return [...tags, language ?? '', note ?? ''];
}
