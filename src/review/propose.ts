/**
 * A change of a text in the mode of its conversation. In Review it is put into the note as a proposal; in Apply it is
 * made, and where it meets a proposal that waits it becomes a part of that one.
 */
import type { Effect, Origin } from '#model/change';
import type { ProposalId } from '#model/ids';
import type { Mode } from '#model/mode';
import { applyAround, cutProposal, recut, type CutOptions } from '#model/proposal/cut';
import { parseNote, printNote, type BlockSegment, type Segment } from '#model/proposal/form';
import { sidesOf } from '#model/proposal/sides';
import { mergeThree } from '#model/three-way';
import { carryOnce, carryOut, TRIES, type CarryResult, type Hands } from './carry-out';

/** UTF-16 units. A block is one line of JSON, and editors are slow with long ones. */
const LONGEST_BLOCK = 32_000;

export interface ProposingHands extends Hands {
  mintProposal(): ProposalId;
  /** The tag below each block, without its `#`. */
  tag(): string;
}

export interface Way {
  readonly mode: Mode;
  readonly origin: Origin;
}

type Write = Extract<Effect, { kind: 'write' }>;

/**
 * @param effect texts as the agent reads them, with everything that waits taken as accepted
 * @returns what was made, in the same terms
 */
export function carryInMode(effect: Effect, way: Way, hands: ProposingHands): Promise<CarryResult> {
  const inReview = way.mode === 'review';
  switch (effect.kind) {
    case 'write':
      if (isMarkdown(effect.path)) return changeNote(effect, way, hands);
      return inReview ? hold(effect, way, hands) : carryOut(effect, way.origin, hands);
    case 'create':
      return inReview ? proposeNote(effect, way, hands) : carryOut(effect, way.origin, hands);
    default:
      return carryOut(effect, way.origin, hands);
  }
}

async function proposeNote(
  effect: Extract<Effect, { kind: 'create' }>,
  way: Way,
  hands: ProposingHands,
): Promise<CarryResult> {
  const { path, after } = effect;
  const segments = isMarkdown(path) ? cutProposal('', after, cutOptions(hands)) : [];
  const blocks = segments.filter(isBlock);
  if (blocks.length === 0 || blocks.some(isTooLong)) {
    return hold({ path, before: null, after }, way, hands);
  }
  const proposes = blocks.map(({ block }) => block.id);
  const create = { kind: 'create', path, after: printNote(segments), proposes } as const;
  return asRead(await carryOut(create, way.origin, hands), {
    kind: 'create',
    path,
    after,
    proposes,
  });
}

/** What somebody types in the meantime is brought together with it, as the agent reads the note. */
async function changeNote(wanted: Write, way: Way, hands: ProposingHands): Promise<CarryResult> {
  const { path } = wanted;
  for (let tries = 1; ; tries += 1) {
    const read = await hands.notes.read(path);
    if (!read.ok) return read;
    const raw = read.value.text;
    const segments = parseNote(raw);
    if (way.mode !== 'review' && !segments.some(isBlock))
      return carryOut(wanted, way.origin, hands);
    const { after: before } = sidesOf(segments);
    const { text: after, conflicts } = mergeThree(wanted.before, before, wanted.after);
    if (conflicts.length > 0) return { ok: false, problem: { kind: 'clash', now: raw, conflicts } };
    const cut = way.mode === 'review' ? recut : applyAround;
    const proposed = cut(segments, after, cutOptions(hands));
    const fresh = newBlocks(segments, proposed);
    if (fresh.some(isTooLong)) return hold({ path, before, after }, way, hands);
    const proposes = fresh.map(({ block }) => block.id);
    const proposing = proposes.length === 0 ? {} : { proposes };
    const effect = {
      kind: 'write',
      path,
      before: raw,
      after: printNote(proposed),
      ...proposing,
    } as const;
    const done = await carryOnce(effect, { origin: way.origin }, hands);
    // Somebody has typed since it was read.
    if (!done.ok && done.problem.kind === 'changed' && tries < TRIES) continue;
    return asRead(done, { kind: 'write', path, before, after, ...proposing });
  }
}

function hold(
  { path, before, after }: { path: string; before: string | null; after: string },
  { origin }: Way,
  hands: ProposingHands,
): Promise<CarryResult> {
  return carryOut({ kind: 'hold', path, before, after }, origin, hands);
}

function asRead(done: CarryResult, effect: Effect): CarryResult {
  return done.ok ? { ...done, effect } : done;
}

function newBlocks(before: readonly Segment[], after: readonly Segment[]): BlockSegment[] {
  const known = new Set(before.filter(isBlock).map(({ raw }) => raw.trimEnd()));
  return after.filter(isBlock).filter(({ raw }) => !known.has(raw.trimEnd()));
}

function isBlock(segment: Segment): segment is BlockSegment {
  return segment.kind === 'block';
}

function isTooLong({ raw }: BlockSegment): boolean {
  return raw.length > LONGEST_BLOCK;
}

function cutOptions({ mintProposal, tag }: ProposingHands): CutOptions {
  return { mint: mintProposal, tag: tag() };
}

export function isMarkdown(path: string): boolean {
  return path.toLowerCase().endsWith('.md');
}
