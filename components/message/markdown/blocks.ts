/**
 * Splits growing Markdown text into blocks and re-reads only its end when text is added. The
 * finished result equals a single reading of the whole text.
 */
import type { Links, Token, Tokens } from 'marked';
import type { Report } from './bounded-lexer';
import {
  allWithin,
  defineFootnote,
  footnotesBefore,
  footnotesHtml,
  splitFootnotes,
} from './note-syntax';
import { htmlOf, noLinks, normalize, read } from './renderer';

export interface Block {
  /** Its index; a block keeps it while the text grows. */
  readonly index: number;
  readonly html: string;
  /** Its source, shown if it cannot be drawn. */
  readonly raw: string;
  /** Whether it will not change any more. */
  readonly complete: boolean;
}

/**
 * Blocks that are drawn together, so that the browser skips the beginning of a long answer while
 * its end grows.
 */
export interface Page {
  readonly index: number;
  readonly blocks: readonly Block[];
}

interface Rendered extends Block {
  /** Number of footnotes before its own. */
  readonly notesBefore: number;
  /** Link names that its text looked up, and possibly others. */
  readonly asked: ReadonlySet<string>;
}

/** Few enough that a growing page is cheap, many enough that there are few pages. */
const PAGE = 8;

/** The footnotes' index, after all others. */
const LAST = -1;

/**
 * Whether a text begins with an earlier one. It is asked at every chunk of an answer, and engines
 * compare two long texts much faster than `startsWith` does.
 */
export function continues(text: string, earlier: string): boolean {
  return text.slice(0, earlier.length) === earlier;
}

export class Blocks {
  readonly #report: Report;
  /** The text as given, to detect a text that does not continue it. */
  #source = '';
  /** Pages that can change only by a link definition. */
  #full: readonly { readonly index: number; readonly blocks: readonly Rendered[] }[] = [];
  /** The settled blocks of the page that is not full yet. */
  #begun: readonly Rendered[] = [];
  /** Blocks that may still change. */
  #rest: readonly Block[] = [];
  #notes: readonly Rendered[] = [];
  #foot: readonly Block[] = [];
  /** Start of the unsettled rest in the normalized text. */
  #from = 0;
  #unsettled = 0;
  /** Link definitions of the settled blocks; the first of a name counts. */
  #links = noLinks();
  #definitions = '';
  /** Names defined in the unsettled rest when it was last read. */
  #open: readonly string[] = [];
  #pages: readonly Page[] = [];

  /** @param report receives errors of blocks that are shown as plain text */
  constructor(report: Report) {
    this.#report = report;
  }

  get list(): readonly Block[] {
    return this.#pages.flatMap(({ blocks }) => blocks);
  }

  /** The source of settled link definitions outside other blocks; they are not drawn. */
  get definitions(): string {
    return this.#definitions;
  }

  /** Number of characters at the end that the next update reads again. */
  get unsettled(): number {
    return this.#unsettled;
  }

  /**
   * @param finished whether nothing follows, so that a definition at the very end counts, too
   * @param hasMore whether more is read soon; the footnotes are left out until then
   */
  update(source: string, finished: boolean, hasMore = false): readonly Page[] {
    if (!continues(source, this.#source)) this.#reset();
    this.#source = source;
    const from = this.#from;
    const rest = normalize(source).slice(this.#from);
    const { tokens, asked, links } = read(rest, {
      before: this.#links,
      report: this.#report,
    });
    const cut = finished ? tokens.length : completeCount(tokens);
    const defined = cut > 0 ? this.#complete(tokens.slice(0, cut), asked) : [];
    // What looked like a definition may have become something else.
    const gone = this.#open.filter((name) => !(name in links));
    this.#open = Object.keys(links).filter((name) => !(name in this.#links));
    const changed = [...defined, ...gone];
    if (changed.length > 0) this.#redraw(changed, links, asked);
    const { text, notes } = splitFootnotes(tokens.slice(cut));
    this.#unsettled = rest.length - (this.#from - from);
    const reading = { asked, complete: false };
    this.#rest = kept(this.#rest, this.#rendered(text, this.#count, reading));
    const items = hasMore ? [] : [...this.#notes, ...this.#rendered(notes, 0, reading)];
    const foot = {
      index: LAST,
      html: footnotesHtml(items.map(({ html }) => html)),
      raw: items.map(({ raw }) => raw).join('\n'),
      complete: finished,
    };
    this.#foot = kept(this.#foot, items.length > 0 ? [foot] : []);
    const open = [...this.#begun, ...this.#rest];
    const pages: Page[] = [...this.#full];
    for (let at = 0; at < open.length; at += PAGE) {
      pages.push({ index: pages.length, blocks: open.slice(at, at + PAGE) });
    }
    if (this.#foot.length > 0) pages.push({ index: LAST, blocks: this.#foot });
    this.#pages = pages;
    return pages;
  }

  get #count(): number {
    return this.#full.length * PAGE + this.#begun.length;
  }

  /** Returns the defined names. */
  #complete(tokens: Token[], asked: ReadonlySet<string>): string[] {
    this.#from += tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    const { text, notes } = splitFootnotes(tokens);
    const settled = { asked, complete: true };
    this.#begun = [...this.#begun, ...this.#rendered(text, this.#count, settled)];
    this.#notes = [...this.#notes, ...this.#rendered(notes, 0, settled)];
    const inFull = this.#begun.length - (this.#begun.length % PAGE);
    const full = [...this.#full];
    for (let at = 0; at < inFull; at += PAGE) {
      full.push({ index: full.length, blocks: this.#begun.slice(at, at + PAGE) });
    }
    this.#full = full;
    this.#begun = this.#begun.slice(inFull);
    const defined: string[] = [];
    for (const { type, raw } of tokens) if (type === 'def') this.#definitions += raw;
    for (const token of allWithin(tokens)) {
      const name = defineFootnote(this.#links, token);
      if (name !== null) defined.push(name);
      if (token.type !== 'def') continue;
      const { tag, href, title } = token as Tokens.Def;
      if (tag in this.#links) continue;
      this.#links[tag] = { href, title };
      defined.push(tag);
    }
    return defined;
  }

  /**
   * Re-reads settled blocks whose links these definitions may change.
   * @param asked of the blocks that were read together with the definitions
   */
  #redraw(changed: readonly string[], links: Links, asked: ReadonlySet<string>): void {
    const redrawn = (block: Rendered, isNote: boolean): Rendered => {
      if (block.asked === asked || !changed.some((name) => block.asked.has(name))) return block;
      const { tokens, asked: askedNow } = read(block.raw, {
        before: links,
        notes: block.notesBefore,
        report: this.#report,
      });
      const drawn = isNote ? splitFootnotes(tokens).notes.slice(0, 1) : tokens;
      return {
        ...block,
        html: htmlOf(drawn, this.#report),
        asked: new Set([...block.asked, ...askedNow]),
      };
    };
    const inText = (block: Rendered) => redrawn(block, false);
    this.#full = this.#full.map((page) => {
      const blocks = page.blocks.map(inText);
      return blocks.some((block, at) => block !== page.blocks[at]) ? { ...page, blocks } : page;
    });
    this.#begun = this.#begun.map(inText);
    this.#notes = this.#notes.map((note) => redrawn(note, true));
  }

  /** @param state what all of them have in common */
  #rendered(
    tokens: readonly Token[],
    first: number,
    state: Pick<Rendered, 'asked' | 'complete'>,
  ): Rendered[] {
    const made: (Rendered & { raw: string })[] = [];
    for (const group of groups(tokens)) {
      const html = htmlOf(group, this.#report);
      const raw = group.map((token) => token.raw).join('');
      const last = made.at(-1);
      // marked leaves trailing white space out of a list, but parses the list by it.
      if (last && group[0]?.type === 'space') last.raw += raw;
      if (html === '') continue;
      const notesBefore = raw.includes('^') ? footnotesBefore(group) : 0;
      made.push({ index: first + made.length, html, raw, notesBefore, ...state });
    }
    return made;
  }

  #reset(): void {
    this.#full = [];
    this.#begun = [];
    this.#rest = [];
    this.#notes = [];
    this.#foot = [];
    this.#from = 0;
    this.#unsettled = 0;
    this.#links = noLinks();
    this.#definitions = '';
    this.#open = [];
  }
}

const BLANK_LINE = /\n[ \t]*\n[ \t]*$/;

/**
 * Number of tokens of an unfinished text that cannot change. The last block can change; so can the
 * one before it unless its kind ends with a blank line, because a paragraph may become a list's
 * next item; and so can blocks next to these without a blank line or heading between them.
 */
function completeCount(tokens: readonly Token[]): number {
  let open = 0;
  for (let at = tokens.length - 1; at > 0; at -= 1) {
    const next = tokens[at];
    if (next?.type === 'space') continue;
    open += 1;
    const space = tokens[at - 1]?.type === 'space' ? tokens[at - 1] : undefined;
    const before = space ? tokens[at - 2] : tokens[at - 1];
    if (!before) return 0;
    // Adjacent texts are drawn into the same paragraph.
    if (before.type === 'text' || next?.type === 'text') continue;
    const isApart = BLANK_LINE.test(`${before.raw.slice(-80)}${space?.raw ?? ''}`);
    if (isApart && (open > 1 || endsAtBlankLine(before))) return at;
    if (open > 1 && isOverAtLineEnd(before, next)) return at;
  }
  return 0;
}

/** Whether nothing after the line between two blocks can change the first one. */
function isOverAtLineEnd(before: Token, next: Token | undefined): boolean {
  const types = [before.type, next?.type];
  // Two lists next to each other have different marks.
  if (before.type === 'list' && next?.type === 'list') return true;
  return types.includes('heading') || before.type === 'hr' || isFence(before);
}

function isFence({ type, raw }: Token): boolean {
  return type === 'code' && /^ *[`~]/.test(raw);
}

function endsAtBlankLine(token: Token): boolean {
  // Indented code continues below.
  return ['paragraph', 'heading', 'hr', 'formula-block'].includes(token.type) || isFence(token);
}

/** Tokens that are drawn together: adjacent texts form one paragraph. */
function groups(tokens: readonly Token[]): Token[][] {
  const made: Token[][] = [];
  for (const token of tokens) {
    const before = made.at(-1);
    if (token.type === 'text' && before?.[0]?.type === 'text') before.push(token);
    else made.push([token]);
  }
  return made;
}

/** Returns the same objects where nothing changed, so that they are not drawn again. */
function kept(before: readonly Block[], blocks: readonly Block[]): Block[] {
  const byIndex = new Map(before.map((block) => [block.index, block]));
  return blocks.map((block) => {
    const known = byIndex.get(block.index);
    return known?.html === block.html && known.complete === block.complete ? known : block;
  });
}
