/**
 * Property test of the words that the agent wrote, against a plain reference that gives each word
 * its writer as it is typed.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, ChangeDecision, UserDecision } from '#model/change';
import type { ChangeId, ProposalId } from '#model/ids';
import { piecesOf } from '#model/proposal/before-and-after';
import { recutHunks } from '#model/proposal/cut-hunks';
import { decideHunks } from '#model/proposal/decide-hunks';
import { parseNote, printNote } from '#model/proposal/proposal-format';
import { AuthorshipReplay } from '#edits/authorship';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { DEVICE } from './changes';

const PATH = 'A.md';

/** A word or line break and who may count as its writer; the user is never a wrong answer. */
interface Token {
  readonly text: string;
  readonly writers: ReadonlySet<ChangeId>;
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

interface Typing {
  readonly old: readonly Token[];
  readonly typed: Set<Token>;
}

/** A note with its change log, in which each word knows its writer. */
class TaggedNote {
  readonly changes: Change[] = [];
  readonly proposedBy = new Map<string, ChangeId>();
  raw = '';
  /** The words without pending edits. */
  tokens: Token[] = [];
  /** The words with all pending edits accepted, while there are any. */
  #proposed: Token[] | null = null;
  /** The state before the last change, if nothing happened since. */
  #last: { readonly id: ChangeId; readonly raw: string; readonly tokens: Token[] } | null = null;
  /** What the user typed since the last change; the change log has only the result. */
  #typing: Typing | null = null;
  #count = 0;

  take(step: Step): void {
    switch (step.kind) {
      case 'type':
        // The user may type around pending edits, but the reference keeps out of that.
        if (this.#proposed) return;
        this.#typing ??= { old: this.tokens, typed: new Set() };
        this.tokens = spliced(this.tokens, step.splices, null, this.#typing);
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

  #write(splices: readonly Splice[]): void {
    const id = this.#mint();
    const tokens = spliced(this.tokens, splices, id);
    this.#log(id, printed(tokens), tokens);
  }

  #propose(splices: readonly Splice[]): void {
    const id = this.#mint();
    const tokens = spliced(this.tokens, splices, id);
    let blocks = 0;
    const mint = () => `${id}-${(blocks += 1)}` as ProposalId;
    const segments = recutHunks(parseNote(this.raw), printed(tokens), { mint, tag: 'ai_edit' });
    const raw = printNote(segments);
    if (!segments.some(({ kind }) => kind === 'block')) return;
    for (const each of segments) if (each.kind === 'block') this.proposedBy.set(each.block.id, id);
    this.#log(id, raw, this.tokens);
    this.#proposed = tokens;
    this.#last = null;
  }

  #decide(proposed: readonly Token[], choices: readonly ('accept' | 'reject' | 'amend')[]): void {
    const id = this.#mint();
    const decisions: ChangeDecision[] = [];
    const tokens: Token[] = [];
    const pieces = piecesOf(parseNote(this.raw));
    const places = { before: 0, after: 0 };
    for (const piece of pieces) {
      const before = tokensAt(this.tokens, places.before, piece.before);
      const after = tokensAt(proposed, places.after, piece.after);
      places.before += piece.before.length;
      places.after += piece.after.length;
      const [block] = piece.segments.flatMap((each) => (each.kind === 'block' ? [each.block] : []));
      if (!block) {
        tokens.push(...before);
        continue;
      }
      const choice = choices[decisions.length % choices.length] ?? 'accept';
      const amended: readonly Token[] =
        choice === 'amend' ? [...after, { text: 'amended', writers: new Set() }] : after;
      tokens.push(...(choice === 'reject' ? before : amended));
      decisions.push({
        ...{ proposal: block.id, choice },
        ...(choice === 'amend' ? { after: printed(amended) } : {}),
      });
    }
    const { segments, refused } = decideHunks(parseNote(this.raw), (block) => {
      const decision = decisions.find(({ proposal }) => proposal === block.id);
      return decision?.after === undefined
        ? decision?.choice === 'reject'
          ? 'reject'
          : 'accept'
        : { amend: decision.after };
    });
    expect(refused).toEqual([]);
    const raw = printNote(segments);
    this.#proposed = null;
    this.#log(id, raw, spacedAs(raw, tokens), { kind: 'decide', decisions });
  }

  /** Undoes the last change, or redoes it, if nothing happened since. */
  #undo(): void {
    if (!this.#last) return;
    const { id, raw, tokens } = this.#last;
    this.#log(this.#mint(), raw, tokens, { kind: 'undo', changes: [id] });
  }

  #log(id: ChangeId, after: string, tokens: Token[], act?: UserDecision): void {
    const before = this.raw;
    this.#typing = null;
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
    if (each === '\n') return { text: each, writers: new Set() };
    const token = words.shift();
    expect(token?.text).toBe(each);
    return token ?? { text: each, writers: new Set() };
  });
  expect(words).toEqual([]);
  return spaced;
}

/**
 * Words that are typed belong to the writer. A word that was removed at the same time may as well
 * have stayed or moved, so its writers count, too.
 */
function spliced(
  start: readonly Token[],
  splices: readonly Splice[],
  writer: ChangeId | null,
  { old, typed }: Typing = { old: start, typed: new Set() },
): Token[] {
  const tokens = [...start];
  for (const { at, removed, added, movedTo } of splices) {
    const place = at % (tokens.length + 1);
    const gone = tokens.splice(place, removed);
    if (movedTo !== null) {
      tokens.splice(movedTo % (tokens.length + 1), 0, ...gone);
      continue;
    }
    const fresh = added.map((text): Token => {
      return { text, writers: new Set(writer === null ? [] : [writer]) };
    });
    for (const each of fresh) typed.add(each);
    tokens.splice(place, 0, ...fresh);
  }
  const gone = old.filter((each) => !tokens.includes(each));
  return tokens.map((token) => {
    if (!typed.has(token)) return token;
    const others = gone.flatMap(({ text, writers }) => (text === token.text ? [...writers] : []));
    const possible = { ...token, writers: new Set([...token.writers, ...others]) };
    typed.add(possible);
    return possible;
  });
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
          note.tokens = start.map((text) => ({ text, writers: new Set() }));
          note.raw = printed(note.tokens);
          for (const each of steps) note.take(each);
          const ranges = replayOf(note).ranges(PATH, note.raw);
          let at = 0;
          let side = 0;
          const wrong: string[] = [];
          for (const piece of piecesOf(parseNote(note.raw))) {
            const stored = piece.segments.reduce(
              (sum, each) => sum + (each.kind === 'text' ? each.text : each.raw).length,
              0,
            );
            if (piece.common) {
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
