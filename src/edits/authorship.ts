/**
 * Which words of a note the agent wrote, found by replaying the note's changes. Pending edits do not
 * count until the user accepts them, and words that the user changed since are the user's.
 */
import type { Change } from '#model/change';
import { type AuthoredText, NO_WRITER, rewritten, unauthored, undone } from '#text/authored-text';
import type { ChangeId, ProposalId } from '#model/ids';
import { ANY_DEVICE, type NotePart, readEdits } from '#model/edit/note-edits';
import { canHoldBlocks } from './own-edits';

/** Characters of a note that the agent wrote, and the change that wrote them. */
export interface WrittenRange {
  readonly from: number;
  readonly to: number;
  readonly change: ChangeId;
}

/** Finds the change that proposed an edit; null if it is not in the change log. */
export type FindProposing = (proposal: ProposalId | ChangeId) => ChangeId | null;

export class AuthorshipReplay {
  readonly #proposing: FindProposing;
  /** Changes that an undo refers to, whose earlier text must be remembered. */
  readonly #undone: ReadonlySet<ChangeId>;
  readonly #before = new Map<ChangeId, { readonly state: AuthoredText; readonly order: number }>();
  readonly #writers: ChangeId[] = [];
  readonly #numbers = new Map<ChangeId, number>();
  #state: AuthoredText = unauthored('');
  #count = 0;

  /** @param undone changes that an undo refers to */
  constructor(proposing: FindProposing, undone: ReadonlySet<ChangeId>) {
    this.#proposing = proposing;
    this.#undone = undone;
  }

  /** Takes the next change of the note. */
  take(change: Change): void {
    if ('before' in change && change.before !== null && change.kind !== 'hold') {
      // The user typed between the changes.
      this.#rewrite(sideOf(change.path, change.before), NO_WRITER);
    }
    if (this.#undone.has(change.id)) {
      this.#before.set(change.id, { state: this.#state, order: this.#count });
    }
    this.#count += 1;
    switch (change.kind) {
      case 'create':
      case 'write':
        return this.#takeText(change);
      case 'delete':
        this.#state = unauthored('');
        return;
      case 'restore':
        this.#state = this.#earlier(change) ?? this.#state;
        return;
      default:
    }
  }

  /**
   * What the agent wrote of the note's current text, from the top.
   *
   * @param raw with its pending edits, and LF line endings
   */
  ranges(path: string, raw: string): WrittenRange[] {
    const pieces = piecesIn(path, raw);
    const { writers } = rewritten(this.#state, sideText(pieces), NO_WRITER);
    const ranges: WrittenRange[] = [];
    let at = 0;
    let stored = 0;
    for (const { raw: text, before, edit } of pieces) {
      const live = edit ? edit.lines.length : before.length;
      this.#addRanges(ranges, raw, writers.subarray(at, at + live), stored);
      at += before.length;
      stored += text.length;
    }
    return ranges;
  }

  #addRanges(ranges: WrittenRange[], raw: string, writers: Uint32Array, start: number): void {
    for (let from = 0; from < writers.length;) {
      const writer = writers[from];
      let to = from + 1;
      while (to < writers.length && writers[to] === writer) to += 1;
      const change = writer ? this.#writers[writer - 1] : undefined;
      const last = ranges.at(-1);
      if (change !== undefined && raw.slice(start + from, start + to).trim() !== '') {
        const isNext =
          last?.change === change && /^[^\S\n]*$/.test(raw.slice(last.to, start + from));
        if (isNext) ranges[ranges.length - 1] = { ...last, to: start + to };
        else ranges.push({ from: start + from, to: start + to, change });
      }
      from = to;
    }
  }

  #takeText(change: Extract<Change, { kind: 'create' | 'write' }>): void {
    const { act, path } = change;
    const after = sideOf(path, change.after);
    if (!act) {
      return this.#rewrite(after, this.#numberOf(change.id));
    }
    if (act.kind === 'undo') {
      const earlier = this.#earlier(change);
      this.#state = earlier
        ? undone(this.#state, earlier, after)
        : rewritten(this.#state, after, NO_WRITER);
      return;
    }
    // The hunk stays pending, so the text that counts is the same.
    if (act.kind === 'choose') return;
    const accepted = new Map<string, number>(
      act.decisions.flatMap(({ proposal, choice }) => {
        return choice === 'reject' ? [] : [[proposal, this.#writerOf(proposal)] as const];
      }),
    );
    const [first] = act.decisions;
    // What accepting a part writes is all that differs.
    if (first?.isPart) return this.#rewrite(after, accepted.get(first.proposal) ?? NO_WRITER);
    if (change.kind === 'write') this.#accept(path, change.before, accepted);
    // An edit held outside the note has no block in it.
    const isHeld = first?.choice === 'accept' && !hasBlock(path, change, first.proposal);
    this.#rewrite(after, isHeld ? (accepted.get(first.proposal) ?? NO_WRITER) : NO_WRITER);
  }

  /** Accepts these blocks as they were proposed; what the user made of them comes after. */
  #accept(path: string, raw: string, accepted: ReadonlyMap<string, number>): void {
    const pieces = piecesIn(path, raw).map((piece) => {
      const writer = piece.edit ? accepted.get(piece.edit.id) : undefined;
      return writer === undefined
        ? { text: piece.before, writer: NO_WRITER }
        : { text: acceptedPart(piece), writer };
    });
    const text = pieces.map((piece) => piece.text).join('');
    const by = new Uint32Array(text.length);
    let at = 0;
    for (const piece of pieces) {
      by.fill(piece.writer, at, at + piece.text.length);
      at += piece.text.length;
    }
    this.#rewrite(text, by);
  }

  #rewrite(text: string, by: number | Uint32Array): void {
    this.#state = rewritten(this.#state, text, by);
  }

  /** The text before the changes that this undo reverts. */
  #earlier({ act }: Change): AuthoredText | null {
    if (act?.kind !== 'undo') return null;
    const found = act.changes.flatMap((id) => this.#before.get(id) ?? []);
    found.sort((a, b) => a.order - b.order);
    return found[0]?.state ?? null;
  }

  #writerOf(proposal: ProposalId | ChangeId): number {
    const change = this.#proposing(proposal);
    return change === null ? NO_WRITER : this.#numberOf(change);
  }

  #numberOf(change: ChangeId): number {
    const known = this.#numbers.get(change);
    if (known !== undefined) return known;
    this.#writers.push(change);
    this.#numbers.set(change, this.#writers.length);
    return this.#writers.length;
  }
}

/** With LF line endings, as an editor has the text. */
function piecesIn(path: string, raw: string): readonly NotePart[] {
  const text = raw.replaceAll('\r\n', '\n');
  if (canHoldBlocks(path)) return readEdits(text, ANY_DEVICE).parts;
  return text === '' ? [] : [{ raw: text, before: text, after: text, edit: null }];
}

function sideText(pieces: readonly NotePart[]): string {
  return pieces.map(({ before }) => before).join('');
}

/** The note's text without its pending edits. */
function sideOf(path: string, raw: string): string {
  return sideText(piecesIn(path, raw));
}

/** The part as it is when its edit is accepted, whatever its status. */
function acceptedPart({ edit, before }: NotePart): string {
  return edit ? edit.after + edit.blanks.after : before;
}

function hasBlock(path: string, change: Change, id: ProposalId | ChangeId): boolean {
  const raw = change.kind === 'write' ? change.before : '';
  return piecesIn(path, raw).some(({ edit }) => edit?.id === id);
}
