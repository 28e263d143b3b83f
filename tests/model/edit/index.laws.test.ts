/** Compares what other readers of Markdown find in a note with pending edits and in the note before. */
import { type Node, Parser } from 'commonmark';
import fc from 'fast-check';
import type { MicromarkToken, Rule } from 'markdownlint';
import { lint } from 'markdownlint/sync';
import type { CachedMetadata, Pos } from 'obsidian';
import { describe, expect, it } from 'vitest';
import { getFrontMatterInfo } from '#workbench/obsidian/metadata/front-matter';
import { parseNote } from '#workbench/obsidian/metadata/note-parser';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { proposeText } from '#model/edit/cut-edits';
import { ANY_DEVICE, readEdits } from '#model/edit/note-edits';
import { options, pair } from './notes';

/** The lines of blocks, and blank lines. */
const OWN_LINES = /^ *```ai-edit\r?\n.*\r?\n *```\r?\n *#ai_edit\r?\n|^\s*\n/gm;

/** What Obsidian's index has of a note, by text and not by offset. */
function indexOf(text: string) {
  const cache = parseNote(text);
  const { frontmatter, frontmatterLinks, headings = [], links = [], embeds = [] } = cache;
  const textAt = ({ start, end }: Pos) => text.slice(start.offset, end.offset);
  return {
    ...{ frontmatter, frontmatterLinks, items: itemsOf(text, cache) },
    headings: headings.map(({ level, heading }) => [level, heading]),
    links: [links, embeds].map((own) => own.map(({ original }) => original)),
    blocks: Object.values(cache.blocks ?? {}).map(({ id, position }) => [
      id,
      textAt(position).replace(OWN_LINES, ''),
    ]),
    tags: cache.tags?.map(({ tag }) => tag).filter((tag) => tag !== '#ai_edit') ?? [],
  };
}

/** Items with their task, their id, and the place of their parent or of their list. */
function itemsOf(text: string, { listItems = [], sections = [] }: CachedMetadata) {
  const lists = sections.filter(({ type }) => type === 'list');
  return listItems.map(({ position: { start, end }, task, id, parent }) => {
    const above = listItems.findIndex(({ position }) => position.start.line === parent);
    const list = lists.findIndex(({ position }) => position.end.line >= start.line);
    return [text.slice(start.offset, end.offset), task, id, above < 0 ? `list ${list}` : above];
  });
}

/** All nodes that CommonMark's own parser finds, besides those of quotes. */
function nodesOf(text: string): Node[] {
  const walker = new Parser().parse(text).walker();
  const nodes: Node[] = [];
  let quotes = 0;
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step;
    if (node.type === 'block_quote') quotes += entering ? 1 : -1;
    if (entering && quotes === 0) nodes.push(node);
  }
  return nodes;
}

/** Whether the stand-in for Obsidian's index, which knows less Markdown, reads the note rightly. */
function isReadRightly(text: string): boolean {
  if (/^\uFEFF|\$\$|%%|^\[.*\]:|> *(?:```|- )/m.test(text)) return false;
  const { contentStart } = getFrontMatterInfo(text);
  const nodes = nodesOf(text.slice(contentStart));
  const isOther = ({ type, info }: Node) =>
    type === 'html_block' || (type === 'code_block' && info === null);
  if (nodes.some(isOther)) return false;
  const above = text.slice(0, contentStart).split('\n').length - 2;
  const linesOf = (type: Node['type']) =>
    nodes.flatMap((node) => (node.type === type ? node.sourcepos[0][0] + above : []));
  const { headings = [], listItems = [] } = parseNote(text);
  const starts = (found: readonly { position: Pos }[]) =>
    found.map(({ position }) => position.start.line);
  return (
    String(linesOf('heading')) === String(starts(headings)) &&
    String(linesOf('item')) === String(starts(listItems))
  );
}

/** The note as a tree that CommonMark's own parser reads, without the blocks of edits. */
function treeOf(text: string): string[] {
  const lines: string[] = [];
  const walker = new Parser().parse(bodyOf(text)).walker();
  let depth = 0;
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step;
    if (isOfBlock(node)) continue;
    const { type, literal, destination, title, info, level, listType, listTight } = node;
    const own = [
      type,
      literal,
      destination,
      title,
      info,
      level,
      type === 'list' && listType,
      listTight,
    ];
    // The parser leaves an empty paragraph where link definitions are underlined.
    const isEmpty = type === 'paragraph' && node.firstChild === null;
    if (entering && !isEmpty) lines.push(`${depth} ${JSON.stringify(own)}`);
    if (node.isContainer) depth += entering ? 1 : -1;
  }
  return lines;
}

/** Without what other readers of Markdown do not know: the byte order mark and the front matter. */
function bodyOf(file: string): string {
  const text = file.replaceAll('\uFEFF', '');
  return text.slice(getFrontMatterInfo(text).contentStart);
}

function isOfBlock(node: Node): boolean {
  if (node.type === 'paragraph') return wordsIn(node) === '#ai_edit';
  if (node.type === 'code_block') return node.info === 'ai-edit';
  return node.parent !== null && isOfBlock(node.parent);
}

function wordsIn(node: Node): string {
  let text = '';
  for (let each = node.firstChild; each; each = each.next) text += each.literal ?? `<${each.type}>`;
  return text;
}

/**
 * Formulas and HTML below other text, an empty list item, a numbered one below code, an underlined
 * table row, and what follows a footnote without a blank line, which micromark reads in another way
 * than CommonMark's own parser.
 */
const READ_OTHERWISE =
  /\$\$|<[a-z/!]|^ *-\r?$|\|[^]*^=+\r?$|\[\^[^]*^[\d=|]|^\uFEFF?(?:\t| {4}).*\r?\n\s*\d/m;

/** Tokens of micromark that contain others; all other tokens are compared by their text. */
const CONTAINERS = ['listUnordered', 'listOrdered', 'blockQuote', 'gfmFootnoteDefinition', 'table'];
const LEAVES = [
  ...['paragraph', 'atxHeading', 'setextHeading', 'thematicBreak', 'codeFenced', 'codeIndented'],
  ...['htmlFlow', 'mathFlow', 'definition', 'tableHead', 'tableRow', 'listItemPrefix', 'link'],
  ...['image', 'gfmFootnoteCall', 'literalAutolink', 'undefinedReference'],
];

/** The note as micromark with GitHub's tables and footnotes reads it, without the blocks of edits. */
function gitHubTreeOf(text: string): string[] {
  const found: string[] = [];
  const take = (tokens: readonly MicromarkToken[], depth: number) => {
    for (const { type, text: words, children } of tokens) {
      if (/^```ai-edit\r?\n|^#ai_edit$/.test(words)) continue;
      const isContainer = CONTAINERS.includes(type);
      if (isContainer) found.push(`${depth} ${type}`);
      // It may cut lines of code in a row apart.
      else if (type === 'codeIndented' && found.at(-1)?.startsWith(`${depth} ${type}`) === true) {
        found.push(`${found.pop() ?? ''}\n${words.trimEnd()}`);
      } else if (LEAVES.includes(type)) found.push(`${depth} ${type} ${words.trimEnd()}`);
      take(children, depth + 1);
    }
  };
  const rule: Rule = {
    ...{ names: ['read-note'], description: 'Reads the note', tags: ['all'], parser: 'micromark' },
    function: ({ parsers }) => take(parsers.micromark.tokens, 0),
  };
  const [note, config] = [bodyOf(text), { 'read-note': true }];
  lint({ strings: { note }, frontMatter: null, config, customRules: [rule] });
  return found;
}

/** The text before of a generated change, and the note in which the change is proposed. */
function proposedIn(
  isChosen: (before: string) => boolean,
  check: (before: string, note: string) => void,
): void {
  const property = fc.property(pair, ([before, after]) => {
    fc.pre(before !== after && isChosen(before));
    const note = proposeText(readEdits(before, ANY_DEVICE), after, options())?.text;
    fc.pre(note !== undefined);
    check(before, note);
  });
  fc.assert(property, cases);
}

describe('A note with pending edits', { timeout: CASES_TIMEOUT_MS }, () => {
  it('has the index of the note before in the stand-in for Obsidian, but for the tag of edits', () => {
    proposedIn(isReadRightly, (before, note) => expect(indexOf(note)).toEqual(indexOf(before)));
  });

  it("reads like the note before for CommonMark's own parser", () => {
    proposedIn(
      () => true,
      (before, note) => expect(treeOf(note)).toEqual(treeOf(before)),
    );
  });

  it('reads like the note before for micromark, which knows the tables and footnotes of GitHub', () => {
    proposedIn(
      (before) => !READ_OTHERWISE.test(before),
      (before, note) => expect(gitHubTreeOf(note)).toEqual(gitHubTreeOf(before)),
    );
  });

  it('reads like the note before where the tag would be underlined for GitHub', () => {
    const before = '\n\n%%\nhid\n%%\na | b\n- | -\n[^1]: foot\n    more\nSet\n---\n';
    const after = before.replace('[^1]: foot\n', '');
    const note = proposeText(readEdits(before, ANY_DEVICE), after, options())?.text ?? '';
    expect(note).toContain('ai-edit');
    expect(gitHubTreeOf(note)).toEqual(gitHubTreeOf(before));
  });

  it.each([
    ['link definitions above an underlined line', '[ref]: http://x\nHead\n---\n'],
    ['an empty list item', '- a\n-\n- b\n'],
    ['a block id at the top', '---\na: 1\n---\n^id\n'],
  ])('reads like the note before with %s', (_, before) => {
    const above =
      proposeText(readEdits(before, ANY_DEVICE), `New.\n\n${before}`, options())?.text ?? '';
    const first = proposeText(
      readEdits(before, ANY_DEVICE),
      before.replace(/.*\n/, 'x\n'),
      options(),
    )?.text;
    for (const note of [above, first ?? '']) {
      expect(note).toContain('ai-edit');
      expect([treeOf(note), indexOf(note)]).toEqual([treeOf(before), indexOf(before)]);
    }
  });
});
