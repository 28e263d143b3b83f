/** What a person corrected, or said of all times to come, as a line that may be worth keeping. */
import { type PersonAct, type Turn, allCalls } from '#model/conversation';
import type { DecidedEdit } from '#model/event';
import { wordDiff } from '#model/diff/word-diff';
import { capital } from '../tool/words';
import { lastingRule } from './lasting';

export interface Occasion {
  /** Tells it from all others, for good. */
  readonly id: string;
  /** For the person to put into words that hold beyond this occasion. */
  readonly draft: string;
}

/** @param acts what the person did with changes since this turn began, and before the next one did */
export function occasionsOf(turn: Turn, acts: readonly PersonAct[]): Occasion[] {
  return [...rules(turn), ...denials(turn), ...amendments(acts)].filter(
    ({ draft }) => draft !== '',
  );
}

function rules({ message, inbound, answers }: Turn): Occasion[] {
  return [{ message, text: inbound.text }, ...answers].map(({ message: id, text }) => ({
    id,
    draft: lastingRule(text),
  }));
}

function denials(turn: Turn): Occasion[] {
  return allCalls(turn).flatMap((call) => {
    const settled = 'settled' in call ? call.settled : null;
    if (settled?.resolution.kind !== 'choice') return [];
    const { reason = '' } = settled.resolution;
    return [{ id: settled.waiting.id, draft: capital(oneLine(reason)) }];
  });
}

function amendments(acts: readonly PersonAct[]): Occasion[] {
  return acts.flatMap((act) => {
    if (act.type !== 'edits-decide') return [];
    const amended = act.decisions.find(({ choice }) => choice === 'amend');
    return amended ? [{ id: act.change, draft: amendedWords(amended) }] : [];
  });
}

/** What was written in place of what, at the first place where they differ. */
function amendedWords({ proposed, after = proposed }: DecidedEdit): string {
  const pieces = wordDiff(proposed, after);
  const first = pieces.findIndex(({ kind }) => kind !== 'same');
  const end = pieces.findIndex(({ kind }, at) => at > first && kind === 'same');
  const apart = first < 0 ? [] : pieces.slice(first, end < 0 ? undefined : end);
  const [from, to] = (['removed', 'added'] as const).map((which) =>
    short(
      apart
        .filter(({ kind }) => kind === which)
        .map(({ text }) => text)
        .join(''),
    ),
  );
  if (from && to) return `Write “${to}” rather than “${from}”.`;
  if (from) return `Leave out “${from}”.`;
  return to ? `Add “${to}”.` : '';
}

const LONGEST = 60;

function short(text: string): string {
  const line = oneLine(text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST).trimEnd()}…` : line;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
