/** Decides pending edits of a note, and changes what one edit proposes. */
import {
  endsWithLine,
  lineTexts,
  linesOf,
  onlyEnding,
  withEnding,
  withoutLastBreak,
} from '#text/list-diff';
import { findLinks, replaceLinks, retargetLinks } from '#text/link-reader';
import { blockRanges, isBlank } from '#text/note-blocks';
import { mergeThreeWay, type Merged, type MergeUnits } from '#text/three-way-merge';
import type { ProposalId } from '../ids';
import {
  type EditBlock,
  endingOf,
  lineHash,
  MAX_BLOCK_CHARS,
  printBlock,
  printFields,
} from './edit-block';
import {
  ANY_DEVICE,
  editsOf,
  findEdit,
  holdsEdits,
  isReady,
  type NoteEdit,
  type EditedText,
  type NotePart,
  printParts,
  readEdits,
  textPart,
} from './note-edits';
import { isOfProperties } from './property-edit';

/** `amend`: accept with the user's own text. `keep`: the edit stays pending. */
export type EditChoiceMade = 'accept' | 'reject' | 'keep' | { readonly amend: string };

/**
 * Why a decision is refused. `stale`: the lines were changed in the same words, or are gone.
 * `holds-edit`: the user's text holds a block. `unreadable`: another edit could not be read
 * afterward. `changed`: a part has other words than the user has seen.
 */
export type EditRefusal = 'stale' | 'changed' | 'holds-edit' | 'unreadable';

export interface RefusedEdit {
  readonly id: ProposalId;
  readonly reason: EditRefusal;
}

export interface DecidedText {
  readonly text: string;
  readonly done: readonly ProposalId[];
  readonly refused: readonly RefusedEdit[];
}

/** The note without what is left of damaged blocks; all other text stays. */
export function withoutDamaged(text: string): string {
  const lines = readEdits(text, ANY_DEVICE).damaged.flatMap(({ lines: own }) => own);
  if (lines.length === 0) return text;
  const ends = new Map(lines.map(({ from, to }) => [from, to]));
  const last = [...ends].sort(([a], [b]) => b - a);
  const rest = last.reduce((left, [from, to]) => left.slice(0, from) + left.slice(to), text);
  // What was in a fence that was not closed is read only now.
  return withoutDamaged(rest);
}

/** Edits that are kept, or whose decision is refused, stay as they are. */
export function decideEdits(
  edits: EditedText,
  choose: (edit: NoteEdit) => EditChoiceMade,
): DecidedText {
  const done: ProposalId[] = [];
  const refused: RefusedEdit[] = [];
  const parts = edits.parts.map((part): NotePart => {
    const { edit } = part;
    const choice = edit ? choose(edit) : 'keep';
    if (!edit || choice === 'keep') return part;
    const reason = reasonAgainst(choice, edit);
    if (reason !== null) {
      refused.push({ id: edit.id, reason });
      return part;
    }
    done.push(edit.id);
    return textPart(textFor(choice, edit, edits));
  });
  if (done.length === 0) return { text: printParts(edits.parts), done, refused };
  const text = printParts(anchored(edits.parts, edits.isOpen ? closed(parts) : parts));
  if (!keepsOthers(edits, done, text)) {
    const reason = 'unreadable' as const;
    return { text: printParts(edits.parts), done: [], refused: done.map((id) => ({ id, reason })) };
  }
  return { text, done, refused };
}

/** Of so many edits, all choices are tried; of more, only every other edit. */
const MAX_TRIED_WHOLLY = 5;

/** Whether edits can be accepted without the others, so that these can still be read. */
export function areApart(edits: EditedText): boolean {
  const ids = editsOf(edits).flatMap((edit) => (isReady(edit) ? [edit.id] : []));
  if (ids.length < 2) return true;
  return acceptedFirst(ids.length).every((isAccepted) => {
    const chosen = new Set(ids.filter((_, at) => isAccepted(at)));
    return (
      decideEdits(edits, ({ id }) => (chosen.has(id) ? 'accept' : 'keep')).refused.length === 0
    );
  });
}

/** Choices among edits by their places. */
function acceptedFirst(count: number): ((at: number) => boolean)[] {
  if (count > MAX_TRIED_WHOLLY) return [0, 1].map((rest) => (at: number) => at % 2 === rest);
  return Array.from({ length: 2 ** count - 2 }, (_, choice) => (at: number) => {
    return ((choice + 1) >> at) % 2 === 1;
  });
}

function reasonAgainst(
  choice: Exclude<EditChoiceMade, 'keep'>,
  edit: NoteEdit,
): EditRefusal | null {
  if (typeof choice !== 'string') return holdsEdits(choice.amend) ? 'holds-edit' : null;
  return choice === 'accept' && edit.isStale ? 'stale' : null;
}

function textFor(
  choice: Exclude<EditChoiceMade, 'keep'>,
  { lines, after, blanks }: NoteEdit,
  edits: EditedText,
): string {
  if (choice === 'reject') return lines + blanks.before;
  if (choice === 'accept') return after + blanks.after;
  return (
    amended(choice.amend, after === '' ? lines : after, printParts(edits.parts)) + blanks.after
  );
}

/** Without the last line break, which is not part of the text, unless an edit stays at the end. */
function closed(parts: readonly NotePart[]): NotePart[] {
  if (parts.at(-1)?.edit !== null) return [...parts];
  const last = parts.findLastIndex(({ raw }) => raw !== '');
  return parts.map((part, at) => {
    if (at !== last) return part;
    const raw = withoutLastBreak(part.raw);
    return part.edit === null ? textPart(raw) : { ...part, raw };
  });
}

/**
 * Text that the user typed, with the note's line endings, whole lines, and the blank lines that the
 * proposed text begins and ends with, which users leave out.
 */
function amended(text: string, like: string, note: string): string {
  const ending = onlyEnding(note) ?? '\n';
  const lines = withEnding(text, ending);
  if (isBlank(lines)) return '';
  const above = /^(?:[ \t]*\r?\n)*/.exec(like)?.[0] ?? '';
  const start = /^[ \t]*\r?\n/.test(lines) ? '' : withEnding(above, ending);
  const wanted = breaksAtEnd(like);
  return start + lines + ending.repeat(Math.max(0, wanted - breaksAtEnd(lines)));
}

function breaksAtEnd(text: string): number {
  return (/(?:[ \t]*\r?\n)*$/.exec(text)?.[0].match(/\n/g) ?? []).length;
}

/**
 * Adapts the blocks of edits that stay to what a decision changed around their lines: the line above
 * them, and the number of blank lines below.
 */
export function anchored(old: readonly NotePart[], parts: readonly NotePart[]): NotePart[] {
  let [was, is] = ['', ''];
  return parts.map((part, at) => {
    const { edit } = part;
    const [oldHash, hash] = [lineHash(was), lineHash(is)];
    was = lastLine(old[at]?.before ?? '') ?? was;
    is = lastLine(part.before) ?? is;
    if (!edit) return part;
    const { block, isExact } = edit;
    const above = block.above === oldHash ? hash : block.above;
    const isKnown = isExact && block.blank === blanksBelow(old, at);
    const blank = isKnown ? blanksBelow(parts, at) : block.blank;
    const isSame = above === block.above && blank === block.blank;
    return isSame ? part : withBlock(part, { ...block, above, blank });
  });
}

/** The number of blank lines below an edit as its block says it. */
function blanksBelow(parts: readonly NotePart[], at: number): number | null {
  let count = linesOf(parts[at]?.edit?.blanks.before ?? '').length;
  for (const { before } of parts.slice(at + 1)) {
    const lines = linesOf(before);
    const text = lines.findIndex((line) => !isBlank(line));
    count += text < 0 ? lines.length : text;
    if (text >= 0) return count === 1 ? null : count;
  }
  return count === 0 ? null : count;
}

/** The last line that is not blank; null if there is none. */
function lastLine(text: string): string | null {
  return linesOf(text).findLast((line) => !isBlank(line)) ?? null;
}

/** The part with another block in the place of its own. */
export function withBlock(part: NotePart, block: EditBlock): NotePart {
  const { raw, edit } = part;
  if (!edit) return part;
  const own = linesOf(raw.slice(edit.fence, edit.end));
  const [opener = ''] = own;
  const ending = endingOf(opener);
  const indent = /^[^`~]*/.exec(opener)?.[0] ?? '';
  const lines = printBlock(block, indent, ending).join('');
  const isLast = !raw.slice(0, edit.end).endsWith('\n');
  const printed = isLast ? lines.slice(0, -ending.length) : lines;
  return { ...part, raw: raw.slice(0, edit.fence) + printed + raw.slice(edit.end) };
}

/** Whether all edits that were not decided are read as before. */
export function keepsOthers(old: EditedText, done: readonly ProposalId[], text: string): boolean {
  const left = editsOf(readEdits(text, old.own));
  const decided = new Set<string>(done);
  const wanted = editsOf(old).filter((edit) => isReady(edit) && !decided.has(edit.id));
  return wanted.every(({ id, lines, after }) =>
    left.some((edit) => {
      // The last edit of a note may lack the last line break.
      const isSame =
        edit.lines === lines && withoutLastBreak(edit.after) === withoutLastBreak(after);
      return edit.id === id && isReady(edit) && isSame;
    }),
  );
}

/** An edit within its note, read with all pending edits accepted. */
export interface EditInText {
  readonly edit: NoteEdit;
  /** The text above and below what it proposes. */
  readonly above: string;
  readonly below: string;
}

/** Null if the note has no edit with this id. */
export function placeOfEdit(edits: EditedText, id: ProposalId): EditInText | null {
  const at = edits.parts.findIndex(({ edit }) => edit?.id === id);
  const edit = edits.parts[at]?.edit;
  if (!edit) return null;
  const text = (parts: readonly NotePart[]) => parts.map(({ after }) => after).join('');
  const below = edit.blanks.after + text(edits.parts.slice(at + 1));
  return { edit, above: text(edits.parts.slice(0, at)), below };
}

/**
 * Why an edit cannot propose a text. `foreign`: this device has not proposed it. `outside`: it would change other lines. `same`: it is the text
 * before, so nothing would be proposed. `merged`: its Markdown would run into the lines around it.
 * `properties`: the edit is about the front matter, and the text is none. `too-long`: the block would
 * be too long.
 */
export type RevisionRefusal =
  'gone' | 'foreign' | 'stale' | 'outside' | 'same' | 'merged' | 'properties' | 'too-long';

export type EditRevision =
  | { readonly ok: true; readonly text: string; readonly edit: NoteEdit }
  | { readonly ok: false; readonly reason: RevisionRefusal };

/** Makes the note read `newAfter` with all edits accepted, by changing what one edit proposes. */
export function reviseEdit(edits: EditedText, id: ProposalId, newAfter: string): EditRevision {
  const place = placeOfEdit(edits, id);
  if (!place) return { ok: false, reason: 'gone' };
  const { above, below } = place;
  const whole = edits.isOpen ? `${newAfter}\n` : newAfter;
  const end = whole.length - below.length;
  if (end < above.length || !whole.startsWith(above) || !whole.endsWith(below)) {
    return { ok: false, reason: 'outside' };
  }
  const text = whole.slice(above.length, end);
  const isWhole = text === '' || below === '' || text.endsWith('\n');
  return isWhole ? chooseText(edits, id, text) : { ok: false, reason: 'outside' };
}

/** Lets an edit propose another text. */
export function chooseText(edits: EditedText, id: ProposalId, text: string): EditRevision {
  const place = placeOfEdit(edits, id);
  if (!place) return { ok: false, reason: 'gone' };
  const { edit } = place;
  if (!edit.isOwn) return { ok: false, reason: 'foreign' };
  if (edit.isStale) return { ok: false, reason: 'stale' };
  if (text === edit.after) return { ok: true, text: printParts(edits.parts), edit };
  if (text === edit.lines) return { ok: false, reason: 'same' };
  const isProperties = isOfProperties(edit.block);
  // Blank lines at the end of an exact copy count among those below the lines.
  const before = edit.isExact ? edit.block.before : edit.lines;
  const block = { ...edit.block, before, after: text };
  if (isProperties && !isOfProperties(block)) return { ok: false, reason: 'properties' };
  if (runsIntoOthers(place, text)) return { ok: false, reason: 'merged' };
  if (printFields(block).length > MAX_BLOCK_CHARS) return { ok: false, reason: 'too-long' };
  const parts = edits.parts.map((part) => (part.edit === edit ? withBlock(part, block) : part));
  const now = printParts(parts);
  const found = findEdit(readEdits(now, edits.own), id);
  if (found?.lines !== edit.lines || withoutLastBreak(found.after) !== withoutLastBreak(text)) {
    return { ok: false, reason: 'merged' };
  }
  return { ok: true, text: now, edit: found };
}

/** Whether a text, unlike the one before it, does not consist of whole blocks. */
function runsIntoOthers({ edit, above, below }: EditInText, text: string): boolean {
  const bordersAround = (middle: string) => {
    const lines = lineTexts(above + middle + below);
    const borders = new Set([lines.length]);
    for (const { from, to } of blockRanges(lines)) {
      for (let line = from; line <= firstText(lines, from, to); line += 1) borders.add(line);
    }
    const first = linesOf(above).length;
    return [first, first + linesOf(middle).length].map((line) => borders.has(line));
  };
  const [was, is] = [bordersAround(edit.after), bordersAround(text)];
  return was.some((isBorder, at) => isBorder && is[at] !== true);
}

function firstText(lines: readonly string[], from: number, to: number): number {
  let line = from;
  while (line < to && isBlank(lines[line])) line += 1;
  return line;
}

/** Rewrites links on both sides of all edits, as the host does in the lines of a note. */
export function rewriteEdits(edits: EditedText, rewrite: (text: string) => string): string {
  const parts = edits.parts.map((part) => {
    const { edit } = part;
    if (!edit) return part;
    const said = { before: rewrite(edit.block.before), after: rewrite(edit.block.after) };
    // The host may not have updated the links in the lines yet.
    const isDone = edit.lines !== edit.block.before;
    const { before, after } = isDone ? asInLines(edit.lines, said) : said;
    const isSame = before === edit.block.before && after === edit.block.after;
    return isSame ? part : withBlock(part, { ...edit.block, before, after });
  });
  return printParts(parts);
}

/** The texts with links spelled as the host has spelled them in the lines, if nothing else differs. */
function asInLines(
  lines: string,
  said: { readonly before: string; readonly after: string },
): { readonly before: string; readonly after: string } {
  const around = (text: string) => replaceLinks(text, () => '\0');
  if (lines === said.before || around(lines) !== around(said.before)) return said;
  const [own, old] = [findLinks(lines), findLinks(said.before)];
  if (own.length !== old.length) return said;
  const targets = new Map(old.map(({ target }, at) => [target, own[at]?.target ?? target]));
  const after = retargetLinks(said.after, ({ target }) => targets.get(target) ?? null);
  return { before: lines, after };
}

/**
 * Like `mergeThreeWay`, for notes as they are stored: a block is merged as a whole, or conflicts. That
 * a decision about a neighbor has only adapted a block is no conflict.
 */
export function mergeNotes(base: string, mine: string, theirs: string): Merged {
  const [old, own, other] = [blocksById(base), blocksById(mine), blocksById(theirs)];
  const ids = [...old.keys()];
  const says = (blocks: BlocksById, id: string) => blocks.get(id)?.says === old.get(id)?.says;
  const isSame = (blocks: BlocksById, id: string) => blocks.get(id)?.raw === old.get(id)?.raw;
  const ofMine = ids.filter((id) => says(own, id) && !says(other, id));
  const ofTheirs = ids.filter((id) => says(other, id) && !isSame(own, id));
  return mergeThreeWay(
    base,
    withBlocksOf(old, mine, ofMine),
    withBlocksOf(old, theirs, ofTheirs),
    BLOCKS_AND_LINES,
  );
}

/** The blocks of a note as they are stored, and what they say without where they are. */
type BlocksById = ReadonlyMap<string, { readonly raw: string; readonly says: string }>;

function blocksById(text: string): BlocksById {
  return new Map(
    readEdits(text, ANY_DEVICE).parts.flatMap(({ raw, edit }) => {
      if (!edit) return [];
      const { id, before, after, tag } = edit.block;
      const stored = raw.slice(edit.fence, edit.end);
      const isLast = !endsWithLine(stored);
      return [[edit.id, { raw: stored, says: JSON.stringify([id, before, after, tag, isLast]) }]];
    }),
  );
}

/** The text with some of its blocks as they are in another one. */
function withBlocksOf(blocks: BlocksById, text: string, ids: readonly string[]): string {
  if (ids.length === 0) return text;
  return readEdits(text, ANY_DEVICE)
    .parts.map(({ raw, edit }) => {
      const stored = edit && ids.includes(edit.id) ? blocks.get(edit.id)?.raw : undefined;
      return edit && stored !== undefined
        ? raw.slice(0, edit.fence) + stored + raw.slice(edit.end)
        : raw;
    })
    .join('');
}

const BLOCKS_AND_LINES: MergeUnits = {
  of: (text) =>
    readEdits(text, ANY_DEVICE).parts.flatMap(({ raw, edit }) =>
      edit
        ? [
            ...linesOf(raw.slice(0, edit.fence)),
            raw.slice(edit.fence, edit.end),
            ...linesOf(raw.slice(edit.end)),
          ]
        : linesOf(raw),
    ),
  hasWords: (text) => !holdsEdits(text),
};
