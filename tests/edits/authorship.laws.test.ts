/**
 * Property test of the words that the agent wrote, against a plain reference that gives each word
 * its writer as it is typed.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, ChangeDecision, UserDecision } from '#model/change';
import type { ChangeId, ProposalId } from '#model/ids';
import { proposeText } from '#model/edit/cut-edits';
import { decideEdits } from '#model/edit/edit-decisions';
import { ANY_DEVICE, editsOf, readEdits } from '#model/edit/note-edits';
import { AuthorshipReplay } from '#edits/authorship';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { DEVICE } from './changes';

const PATH = 'A.md';

/** A word or line break and who may count as its writer; the user is never a wrong answer. */
interface Token {
  readonly id: number;
  readonly text: string;
  readonly writers: ReadonlySet<ChangeId>;
}

let lastId = 0;

/** @param writer null for the user */
function newToken(text: string, writer: ChangeId | null = null): Token {
  return { id: (lastId += 1), text, writers: new Set(writer === null ? [] : [writer]) };
}

/** Some words are typed by both, which makes it hard to tell copies apart. */
const SHARED = ['the', 'and', '-'];
const USERS = [...SHARED, 'tea', 'sun', 'boat', 'river', 'stone'];
const AGENTS = [...SHARED, 'milk', 'moon', 'ship', 'lake', 'rock', 'sand', 'hill'];

const words = (from: readonly string[]) =>
  fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...from) }, fc.constant('\n')), {
    maxLength: 7,
    size: 'max',
  });

/** Replaces words, or moves them to another place of the text without them. */
interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: readonly string[];
  readonly movedTo: number | null;
}

const splice = (from: readonly string[]): fc.Arbitrary<Splice> =>
  fc.record({
    at: fc.nat({ max: 60 }),
    removed: fc.nat({ max: 4 }),
    added: words(from),
    movedTo: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.nat({ max: 60 })),
  });

type Step =
  | { readonly kind: 'type'; readonly splices: readonly Splice[] }
  | { readonly kind: 'write' | 'propose'; readonly splices: readonly Splice[] }
  | { readonly kind: 'decide'; readonly choices: readonly ('accept' | 'reject' | 'amend')[] }
  | { readonly kind: 'undo' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('type' as const),
    splices: fc.array(splice(USERS), { minLength: 1, maxLength: 3, size: 'max' }),
  }),
  fc.record({
    kind: fc.constantFrom('write' as const, 'propose' as const),
    splices: fc.array(splice(AGENTS), { minLength: 1, maxLength: 3, size: 'max' }),
  }),
  fc.record({
    kind: fc.constant('decide' as const),
    choices: fc.array(fc.constantFrom('accept', 'accept', 'reject', 'amend'), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  fc.record({ kind: fc.constant('undo' as const) }),
);

const printed = (tokens: readonly Token[]) =>
  tokens.map(({ text }) => (text === '\n' ? '\n' : `${text} `)).join('');

interface Proposed {
  readonly by: ChangeId;
  readonly tokens: readonly Token[];
}

/** A note with its change log, in which each word knows its writer. */
class TaggedNote {
  readonly changes: Change[] = [];
  readonly proposedBy = new Map<string, ChangeId>();
  raw = '';
  /** The words without pending edits. */
  tokens: Token[] = [];
  /** The words with all pending edits accepted, while there are any. */
  #proposed: Proposed | null = null;
  /** The state before the last change, if nothing happened since. */
  #last: { readonly id: ChangeId; readonly raw: string; readonly tokens: Token[] } | null = null;
  /** The words before the user typed, since the change log has only the result. */
  #untyped: readonly Token[] | null = null;
  #count = 0;

  take(step: Step): void {
    switch (step.kind) {
      case 'type':
        // The user may type around pending edits, but the reference keeps out of that.
        if (this.#proposed) return;
        this.#untyped ??= this.tokens;
        this.tokens = spliced(this.tokens, step.splices, null);
        this.raw = printed(this.tokens);
        this.#last = null;
        return;
      case 'write':
        if (this.#proposed) return;
        return this.#write(step.splices);
      case 'propose':
        if (this.#proposed) return;
        return this.#propose(step.splices);
      case 'decide':
        if (this.#proposed) this.#decide(this.#proposed, step.choices);
        return;
      case 'undo':
        return this.#undo();
    }
  }

  /** Ends what the user typed. */
  settle(): void {
    if (this.#untyped) this.tokens = settled(this.#untyped, this.tokens, null);
    this.#untyped = null;
  }

  #write(splices: readonly Splice[]): void {
    this.settle();
    const id = this.#mint();
    const tokens = settled(this.tokens, spliced(this.tokens, splices, id), id);
    this.#log(id, printed(tokens), tokens);
  }

  #propose(splices: readonly Splice[]): void {
    if (printed(spliced(this.tokens, splices, null)) === this.raw) return;
    this.settle();
    const id = this.#mint();
    const tokens = settled(this.tokens, spliced(this.tokens, splices, id), id);
    let blocks = 0;
    const mint = () => `${id}-${(blocks += 1)}` as ProposalId;
    const options = { mint, tag: 'ai_edit' };
    const raw =
      proposeText(readEdits(this.raw, ANY_DEVICE), printed(tokens), options)?.text ?? this.raw;
    const edits = editsOf(readEdits(raw, ANY_DEVICE));
    if (edits.length === 0) return;
    for (const each of edits) this.proposedBy.set(each.id, id);
    this.#log(id, raw, this.tokens);
    this.#proposed = { by: id, tokens };
    this.#last = null;
  }

  #decide(
    { by, tokens: proposed }: Proposed,
    choices: readonly ('accept' | 'reject' | 'amend')[],
  ): void {
    const id = this.#mint();
    const decisions: ChangeDecision[] = [];
    const tokens: Token[] = [];
    const accepted = new Set<Token>();
    const pieces = readEdits(this.raw, ANY_DEVICE).parts;
    const places = { before: 0, after: 0 };
    for (const piece of pieces) {
      const before = tokensAt(this.tokens, places.before, piece.before);
      const after = tokensAt(proposed, places.after, piece.after);
      places.before += piece.before.length;
      places.after += piece.after.length;
      const block = piece.edit;
      if (!block) {
        tokens.push(...before);
        continue;
      }
      const choice = choices[decisions.length % choices.length] ?? 'accept';
      if (choice !== 'reject') for (const each of after) accepted.add(each);
      const amended = choice === 'amend' ? [...after, newToken('amended')] : after;
      tokens.push(...(choice === 'reject' ? before : amended));
      decisions.push({
        ...{ proposal: block.id, choice },
        ...(choice === 'amend' ? { after: printed(amended) } : {}),
      });
    }
    const { text: raw, refused } = decideEdits(readEdits(this.raw, ANY_DEVICE), (block) => {
      const decision = decisions.find(({ proposal }) => proposal === block.id);
      return decision?.after === undefined
        ? decision?.choice === 'reject'
          ? 'reject'
          : 'accept'
        : { amend: decision.after };
    });
    expect(refused).toEqual([]);
    this.#proposed = null;
    const left = new Set(tokens.flatMap((each) => (accepted.has(each) ? [] : [each.id])));
    const decided = tokens.map((token) => {
      // The user accepted a word here whose removal there was rejected.
      const isCopy = accepted.has(token) && left.has(token.id);
      return isCopy ? newToken(token.text, by) : token;
    });
    const placed = settled(this.tokens, decided, by);
    this.#log(id, raw, spacedAs(raw, placed), { kind: 'decide', decisions });
  }

  /** Undoes the last change, or redoes it, if nothing happened since. */
  #undo(): void {
    if (!this.#last) return;
    const { id, raw, tokens } = this.#last;
    this.#log(this.#mint(), raw, tokens, { kind: 'undo', changes: [id] });
  }

  #log(id: ChangeId, after: string, tokens: Token[], act?: UserDecision): void {
    const before = this.raw;
    this.changes.push({
      ...{ kind: 'write', path: PATH, before, after, id, time: this.#count },
      origin: {
        ...{ device: DEVICE, conversation: null, turn: null, call: null },
        ...{ tool: 'edit_file', source: 'typed' },
      },
      ...(act ? { act } : {}),
    });
    this.#last = { id, raw: before, tokens: this.tokens };
    this.raw = after;
    this.tokens = tokens;
  }

  #mint(): ChangeId {
    return `change-${(this.#count += 1)}` as ChangeId;
  }
}

function countOf({ text }: Token, tokens: readonly Token[]): number {
  return tokens.filter((each) => each.text === text).length;
}

/** The tokens whose printed text starts at this offset; the text may lack the last line break. */
function tokensAt(tokens: readonly Token[], from: number, text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  for (const token of tokens) {
    if (at >= from && at < from + text.length) found.push(token);
    at += printed([token]).length;
  }
  return found;
}

/** The same words with the line breaks of the text, since deciding an edit can add one. */
function spacedAs(text: string, tokens: readonly Token[]): Token[] {
  const words = tokens.filter((token) => token.text !== '\n');
  const spaced = (text.match(/\n|[^\n ]+/g) ?? []).map((each): Token => {
    if (each === '\n') return newToken(each);
    const token = words.shift();
    expect(token?.text).toBe(each);
    return token ?? newToken(each);
  });
  expect(words).toEqual([]);
  return spaced;
}

/** The words after these edits, in order. A word that was moved is a new one. */
function spliced(
  start: readonly Token[],
  splices: readonly Splice[],
  writer: ChangeId | null,
): Token[] {
  const tokens = [...start];
  for (const { at, removed, added, movedTo } of splices) {
    const place = at % (tokens.length + 1);
    const gone = tokens.splice(place, removed);
    if (movedTo === null) {
      tokens.splice(place, 0, ...added.map((text) => newToken(text, writer)));
    } else {
      const moved = gone.map((each) => ({ ...each, id: newToken(each.text).id }));
      tokens.splice(movedTo % (tokens.length + 1), 0, ...moved);
    }
  }
  return tokens;
}

/**
 * Words that a change leaves in place or moves keep their writers. But a change is only a text before
 * and a text after. Where it removes a word and places the same one, it cannot be told from other
 * histories of these texts, so these count as well:
 * - each word that it removed or placed may be any of them with the same letters;
 * - as many words and line breaks as possible may have stayed in place.
 */
function settled(old: readonly Token[], tokens: readonly Token[], by: ChangeId | null): Token[] {
  const before = new Set(old.map(({ id }) => id));
  const after = new Set(tokens.map(({ id }) => id));
  const removed = old.filter(({ id }) => !after.has(id));
  const placed = new Set(tokens.filter(({ id }) => !before.has(id)));
  const loose = [...removed, ...placed];
  const isMoved = removed.some(({ text }) => [...placed].some((each) => each.text === text));
  const others = isMoved ? writersIfMostStay(old, tokens, by) : [];
  return tokens.map((token, index) => {
    const alike = loose.filter(({ text }) => placed.has(token) && text === token.text);
    const isNew = placed.has(token) && countOf(token, tokens) > countOf(token, old);
    const possible = [token, ...alike].flatMap(({ writers }) => [...writers]);
    return {
      ...token,
      writers: new Set([...possible, ...(others[index] ?? []), ...(by && isNew ? [by] : [])]),
    };
  });
}

/** Who may have written each word if as many as possible stayed in place. */
function writersIfMostStay(
  old: readonly Token[],
  tokens: readonly Token[],
  by: ChangeId | null,
): ReadonlySet<ChangeId>[] {
  const starts = stayedTable(old, tokens);
  const ends = stayedTable(old.toReversed(), tokens.toReversed());
  const stayedAround = (i: number, j: number, length: number) =>
    (starts[i]?.[j] ?? 0) + (ends[old.length - i - length]?.[tokens.length - j - 1] ?? 0);
  const stayed = starts[old.length]?.[tokens.length] ?? 0;
  return tokens.map(({ text }, j) => {
    const found = new Set<ChangeId>();
    for (const [i, each] of old.entries()) {
      if (each.text !== text || stayedAround(i, j, 1) + 1 < stayed) continue;
      for (const writer of each.writers) found.add(writer);
    }
    const isPlaced = [...old.keys(), old.length].some((i) => stayedAround(i, j, 0) === stayed);
    if (by && isPlaced) found.add(by);
    return found;
  });
}

/** How many words can stay in place, for each length of both starts. */
function stayedTable(old: readonly Token[], tokens: readonly Token[]): number[][] {
  const table = [Array.from({ length: tokens.length + 1 }, () => 0)];
  for (const [i, { text }] of old.entries()) {
    const last = table[i] ?? [];
    const row = [0];
    for (const [j, token] of tokens.entries()) {
      const through = token.text === text ? (last[j] ?? 0) + 1 : 0;
      row.push(Math.max(through, last[j + 1] ?? 0, row[j] ?? 0));
    }
    table.push(row);
  }
  return table;
}

function replayOf({ changes, proposedBy }: TaggedNote): AuthorshipReplay {
  const undone = changes.flatMap(({ act }) => (act?.kind === 'undo' ? act.changes : []));
  const replay = new AuthorshipReplay((id) => proposedBy.get(id) ?? null, new Set(undone));
  for (const change of changes) replay.take(change);
  return replay;
}

test(
  'the words marked as the agent’s were all written by it, after any edits of the user',
  () => {
    let written = 0;
    let marked = 0;
    fc.assert(
      fc.property(
        words(USERS),
        fc.array(step, { minLength: 1, maxLength: 9, size: 'max' }),
        (start, steps) => {
          const note = new TaggedNote();
          note.tokens = start.map((text) => newToken(text));
          note.raw = printed(note.tokens);
          for (const each of steps) note.take(each);
          note.settle();
          const ranges = replayOf(note).ranges(PATH, note.raw);
          let at = 0;
          let side = 0;
          const wrong: string[] = [];
          for (const piece of readEdits(note.raw, ANY_DEVICE).parts) {
            const stored = piece.raw.length;
            if (!piece.edit) {
              let offset = at;
              for (const token of tokensAt(note.tokens, side, piece.before)) {
                const { text, writers } = token;
                const { length } = text;
                if (text !== '\n') {
                  expect(note.raw.slice(offset, offset + length)).toBe(text);
                  const marks = ranges.filter(
                    ({ from, to }) => from < offset + length && to > offset,
                  );
                  for (const { change } of marks) {
                    if (!writers.has(change)) wrong.push(`${text} at ${offset} by ${change}`);
                  }
                  if (writers.size > 0) written += 1;
                  if (marks.length > 0) marked += 1;
                }
                offset += printed([token]).length;
              }
            }
            at += stored;
            side += piece.before.length;
          }
          expect(wrong).toEqual([]);
        },
      ),
      cases,
    );
    // The test would also pass if nothing were ever marked.
    expect(marked / written).toBeGreaterThan(0.5);
  },
  CASES_TIMEOUT_MS,
);
