/**
 * Reads a note with pending edits: which lines each edit is about, and what the note is without its
 * blocks and with all edits accepted. Keeps no state, so that other programs may change the note at
 * any time.
 */
import {
  linesOf,
  onlyEnding,
  withEnding,
  type LineEnding,
  withoutLastBreak,
} from '#text/list-diff';
import { blockAbove, NoteLineReader } from '#text/note-structure';
import { isBlank } from '#text/note-blocks';
import type { ProposalId } from '../ids';
import {
  type EditBlock,
  endedLike,
  endingOf,
  isClosingLine,
  isFenceLine,
  isFieldsLine,
  isOpeningLine,
  isTagLine,
  linesOfBlocks,
  mayHoldBlock,
  readFields,
  DEFAULT_TAG,
  trimmedLines,
} from './edit-block';
import { findLines, type FoundLines } from './find-lines';

/** Whether this device has proposed the edit with this id for a note; a copy never counts. */
export type OwnEdits = (id: string) => boolean;

/** For readers of what blocks say, to which it makes no difference who has proposed them. */
export const ANY_DEVICE: OwnEdits = () => true;
/** For readers that know of no edit. The text after is the text before. */
export const NO_DEVICE: OwnEdits = () => false;

/** A pending edit as it is in its note. */
export interface NoteEdit {
  /** That of its block; for a copy followed by its number, so that it is unique in the note. */
  readonly id: EditBlock['id'];
  /** What the block says, in the line endings of the note. */
  readonly block: EditBlock;
  /** False if this device does not know it, or it is a copy; it can be decided on request. */
  readonly isOwn: boolean;
  /** Its lines were changed in the same words, or are gone. */
  readonly isStale: boolean;
  /** The lines in the note that the edit is about. */
  readonly lines: string;
  /** What accepting puts in their place; equal to `lines` if the edit is stale. */
  readonly after: string;
  /** Whether `lines` are exactly those that the block repeats, so that parts can be decided. */
  readonly isExact: boolean;
  /** Offset of the opening fence, from the beginning of the part. */
  readonly fence: number;
  /** Offset below the tag, from the beginning of the part. */
  readonly end: number;
  /** The blank lines that stay below the lines, and below what accepting puts in their place. */
  readonly blanks: { readonly before: string; readonly after: string };
}

/** A region of a note. All parts in order are the note. */
export interface NotePart {
  /** As it is stored. */
  readonly raw: string;
  /** Without blocks. */
  readonly before: string;
  /** With all edits accepted that count. */
  readonly after: string;
  /** Its lines and its block, if the part is an edit. */
  readonly edit: NoteEdit | null;
}

/** What is left of a block that another program or the user has cut apart. */
export interface DamagedBlock {
  /** Offsets in the note of the lines that certainly belong to a block, each with its ending. */
  readonly lines: readonly { readonly from: number; readonly to: number }[];
}

export interface EditedText {
  readonly parts: readonly NotePart[];
  readonly damaged: readonly DamagedBlock[];
  /**
   * Whether the note ends with a block without a line break. Then the last line break of the text
   * before and after is not in the note.
   */
  readonly isOpen: boolean;
  /** Whose edits count. */
  readonly own: OwnEdits;
}

/** Reads a note with its edits, of which those in `own` count in its text after. */
export function readEdits(text: string, own: OwnEdits): EditedText {
  if (!mayHoldBlock(text)) return { parts: commonPart(text), damaged: [], isOpen: false, own };
  return new EditReader(text).read(own);
}

/** Whether the edit counts: the text after has what it proposes. */
export function isReady({ isOwn, isStale }: NoteEdit): boolean {
  return isOwn && !isStale;
}

export function printParts(parts: readonly NotePart[]): string {
  return parts.map(({ raw }) => raw).join('');
}

/** The text of the note without its blocks, and with all edits accepted that count. */
export function textsOf({ parts, isOpen }: EditedText): { before: string; after: string } {
  const join = (side: 'before' | 'after') => {
    const text = parts.map((part) => part[side]).join('');
    return isOpen ? withoutLastBreak(text) : text;
  };
  return { before: join('before'), after: join('after') };
}

export function editsOf({ parts }: EditedText): NoteEdit[] {
  return parts.flatMap(({ edit }) => edit ?? []);
}

/** Whether any part of the text is read as a block, or as what is left of one. */
export function holdsEdits(text: string): boolean {
  const { parts, damaged } = readEdits(text, ANY_DEVICE);
  return damaged.length > 0 || parts.some(({ edit }) => edit !== null);
}

/** Text that is no edit. */
export function textPart(text: string): NotePart {
  return { raw: text, before: text, after: text, edit: null };
}

function commonPart(text: string): NotePart[] {
  return text === '' ? [] : [textPart(text)];
}

/** A block as lines of the note, from 0. */
interface BlockLines {
  readonly block: EditBlock;
  /** Of the opening fence. */
  readonly fence: number;
  /** Below the tag, or below the closing fence if there is no tag. */
  readonly to: number;
}

class EditReader {
  readonly #raw: readonly string[];
  readonly #lines: readonly string[];
  readonly #blocks: BlockLines[] = [];
  readonly #damaged: number[][] = [];

  constructor(text: string) {
    this.#raw = linesOf(text);
    this.#lines = this.#raw.map(withoutLastBreak);
  }

  read(own: OwnEdits): EditedText {
    this.#findBlocks();
    const found = this.#blocks.map(({ block, fence }, at) =>
      findLines(this.#lines, this.#raw, {
        block,
        fence,
        from: this.#blocks[at - 1]?.to ?? 0,
        above: (line) => this.#lineAbove(line),
      }),
    );
    const parts: NotePart[] = [];
    const copies = new Map<string, number>();
    let from = 0;
    this.#blocks.forEach((each, at) => {
      const lines = found[at];
      if (!lines) return;
      parts.push(...commonPart(this.#text(from, lines.from)));
      const { id } = each.block;
      const copy = (copies.get(id) ?? 0) + 1;
      copies.set(id, copy);
      const end = found[at + 1]?.from ?? this.#raw.length;
      from = each.to;
      while (from < end && isBlank(this.#lines[from])) from += 1;
      const isOwn = copy === 1 && own(id);
      parts.push(this.#part(each, lines, from, { id: copyId(id, copy), isOwn }));
    });
    parts.push(...commonPart(this.#text(from, this.#raw.length)));
    const isOpen = from === this.#raw.length && !(this.#raw.at(-1) ?? '').endsWith('\n');
    return {
      parts,
      damaged: this.#damaged.map((lines) => ({ lines: lines.map((at) => this.#offsets(at)) })),
      isOpen: isOpen && this.#blocks.length > 0,
      own,
    };
  }

  #text(from: number, to: number): string {
    return this.#raw.slice(from, to).join('');
  }

  #offsets(line: number): { from: number; to: number } {
    const from = this.#text(0, line).length;
    return { from, to: from + (this.#raw[line] ?? '').length };
  }

  /** @param to below the blank lines below the block */
  #part(
    lines: BlockLines,
    found: FoundLines,
    to: number,
    named: Pick<NoteEdit, 'id' | 'isOwn'>,
  ): NotePart {
    const { block, fence } = lines;
    const { text, after, isExact } = found;
    const trailing = linesOf(block.before).length - trimmedLines(block.before).length;
    const blanks = {
      before: this.#blanksBelow(lines, to, 0),
      after: this.#blanksBelow(lines, to, trailing),
    };
    const isLast = to === this.#raw.length;
    const accepted = after === null || isLast ? after : endedLike(after, this.#raw[fence]);
    const edit: NoteEdit = {
      ...{ ...named, block, isStale: after === null, isExact, blanks },
      lines: text,
      after: accepted ?? text,
      fence: this.#text(found.from, fence).length,
      end: this.#text(found.from, lines.to).length,
    };
    const raw = this.#text(found.from, to);
    const before = text + blanks.before;
    return { raw, before, after: isReady(edit) ? edit.after + blanks.after : before, edit };
  }

  /**
   * The blank lines that stay below an edit without its block. Those above the fence, within the
   * block and below it are otherwise not part of any text.
   *
   * @param fewer number of blank lines that are part of the edit
   */
  #blanksBelow(lines: BlockLines, to: number, fewer: number): string {
    let below = 0;
    while (isBlank(this.#lines[lines.to + below])) below += 1;
    const isLast = lines.to + below === this.#raw.length;
    const wanted = Math.max(0, (lines.block.blank ?? (isLast ? 0 : 1)) - fewer);
    // The next edit may begin with blank lines, which are among those below this one.
    const inNext = lines.to + below - to;
    const kept = Math.max(0, wanted - inNext);
    const missing = Math.min(Math.max(0, wanted - below), this.#blanksWithin(lines));
    const ending = endingOf(this.#raw[lines.fence]);
    return ending.repeat(missing) + this.#text(Math.max(lines.to, to - kept), to);
  }

  /** Blank lines above the fence of a block, and above its tag. */
  #blanksWithin({ fence, to }: BlockLines): number {
    let count = 0;
    for (let at = fence - 1; isBlank(this.#lines[at]); at -= 1) count += 1;
    for (let at = fence; at < to; at += 1) if (isBlank(this.#lines[at])) count += 1;
    return count;
  }

  /** The nearest line above that is neither blank nor part of a block; empty if there is none. */
  #lineAbove(line: number): string {
    let block = this.#blocks.findLastIndex(({ fence }) => fence < line);
    for (let at = line - 1; at >= 0; at -= 1) {
      const { fence = -1, to = -1 } = this.#blocks[block] ?? {};
      if (at < to && at >= fence) {
        at = fence;
        block -= 1;
      } else if (!isBlank(this.#lines[at])) return this.#lines[at] ?? '';
    }
    return '';
  }

  #findBlocks(): void {
    const { from, to } = linesOfBlocks(this.#lines) ?? { from: 0, to: 0 };
    // The tag may be all that is left below the closing fence.
    const reader = new NoteLineReader(
      this.#lines,
      'note',
      blockAbove(this.#lines, Math.max(0, from - 1)),
    );
    /** The open fence of a block. */
    let open: { readonly fence: number; readonly inner: string[] } | null = null;
    let done = 0;
    for (let at = reader.at, line = reader.read(); line; at = reader.at, line = reader.read()) {
      if (open && (line.kind !== 'fenced' || !line.continues)) {
        const isClosed = line.kind === 'fence-end' && line.continues;
        done = this.#takeFence(open.fence, at, isClosed, open.inner.join('\n'));
        open = null;
        if (isClosed) continue;
      }
      if (open) open.inner.push(line.rest);
      else if (at > to) break;
      else if (at < done) continue;
      else if (line.kind === 'fence-start' && isOpeningLine(line.rest)) {
        open = { fence: at, inner: [] };
      } else if (line.kind !== 'fenced' && line.context !== 'comment')
        this.#takeLoose(at, line.kind);
    }
    if (open) this.#takeFence(open.fence, this.#lines.length, false, open.inner.join('\n'));
  }

  /** @param end of the closing fence, or below the last line if the fence was never closed */
  #takeFence(fence: number, end: number, isClosed: boolean, json: string): number {
    const block = isClosed ? readFields(json) : null;
    if (!block) {
      this.#takeDamaged(fence, end, isClosed);
      return end;
    }
    let to = end + 1;
    while (isBlank(this.#lines[to])) to += 1;
    to = isTagLine(this.#lines[to] ?? '', block.tag) ? to + 1 : end + 1;
    const ending = endingOf(this.#raw[fence]);
    this.#blocks.push({ block: inEnding(block, ending), fence, to });
    return to;
  }

  /** A fence that holds more or less than the JSON. */
  #takeDamaged(fence: number, end: number, isClosed: boolean): void {
    const own = [fence];
    for (let at = fence + 1; at < end; at += 1)
      if (isFieldsLine(this.#lines[at] ?? '')) own.push(at);
    if (isClosed) {
      const isTagged = this.#isTag(end + 1);
      // It may be the end of another fence, which was opened within this one.
      const within = this.#lines.slice(fence + 1, end).filter((line) => isFenceLine(line));
      const isOwn = own.at(-1) === end - 1 || within.length % 2 === 0;
      if (isOwn || isTagged) own.push(end, ...(isTagged ? [end + 1] : []));
    } else if (own.length > 1) {
      const below = (own.at(-1) ?? fence) + 1;
      if (this.#isTag(below)) own.push(below);
    }
    this.#damaged.push(own);
  }

  /** What is left of a block without its beginning. */
  #takeLoose(at: number, kind: string): void {
    const line = this.#lines[at] ?? '';
    if (kind === 'text' && isFieldsLine(line)) {
      const own = [at];
      if (isClosingLine(this.#lines[at + 1] ?? '')) {
        own.push(at + 1);
        if (this.#isTag(at + 2)) own.push(at + 2);
      } else if (this.#isTag(at + 1)) own.push(at + 1);
      this.#damaged.push(own);
      // The closing fence would otherwise be found once more.
    } else if (
      kind === 'fence-start' &&
      isClosingLine(line) &&
      this.#isTag(at + 1) &&
      !this.#damaged.at(-1)?.includes(at)
    ) {
      this.#damaged.push([at, at + 1]);
    }
  }

  #isTag(at: number): boolean {
    return isTagLine(this.#lines[at] ?? '', DEFAULT_TAG);
  }
}

/** No block has such an id, so that it names the copy only. */
function copyId(id: ProposalId, copy: number): ProposalId {
  return copy === 1 ? id : (`${id}~${copy}` as ProposalId);
}

/** An editor may have changed the line endings of the note. */
function inEnding(block: EditBlock, ending: LineEnding): EditBlock {
  const { before, after } = block;
  const said = onlyEnding(before === '' ? after : before);
  if (said === null || said === ending) return block;
  return { ...block, before: withEnding(before, ending), after: withEnding(after, ending) };
}

/** The edit with this id; null if the note has none. */
export function findEdit(edits: EditedText, id: string): NoteEdit | null {
  return editsOf(edits).find((each) => each.id === id) ?? null;
}
