/**
 * Finds corrections and lasting wishes in what the user did or said, as lines to add to the
 * instructions.
 */
import * as t from '#messages/answer-messages';
import { allCalls, type UserAction, type Turn } from '#model/conversation';
import { wordDiff } from '#text/word-diff';
import type { DecidedEdit } from '#model/event';
import { lastingWish } from '#text/lasting-wish';
import { capitalize, oneLine } from '#text/shorten';

export interface Correction {
  /** A unique and permanent id. */
  readonly id: string;
  /** A draft for the user to generalize. */
  readonly draft: string;
}

/** @param userActions user actions on changes since this turn began and before the next one */
export function findCorrections(turn: Turn, userActions: readonly UserAction[]): Correction[] {
  return [...rules(turn), ...denials(turn), ...amendments(userActions)].filter(
    ({ draft }) => draft !== '',
  );
}

function rules({ message, request, answers, steering }: Turn): Correction[] {
  return [{ message, text: request.text }, ...answers, ...steering].map(
    ({ message: id, text }) => ({
      id,
      draft: lastingWish(text),
    }),
  );
}

function denials(turn: Turn): Correction[] {
  return allCalls(turn).flatMap((call) => {
    const settled = 'resolved' in call ? call.resolved : null;
    if (settled?.resolution.kind !== 'choice') return [];
    const { reason = '' } = settled.resolution;
    return [{ id: settled.interaction.id, draft: capitalize(oneLine(reason)) }];
  });
}

function amendments(userActions: readonly UserAction[]): Correction[] {
  return userActions.flatMap((act) => {
    if (act.type !== 'edits-decide') return [];
    const amended = act.decisions.find(({ choice }) => choice === 'amend');
    return amended ? [{ id: act.change, draft: amendedWords(amended) }] : [];
  });
}

/** What was written in place of what, at the first difference. */
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
  if (from && to) return t.replaceRule(to, from);
  if (from) return t.omitRule(from);
  return to ? t.addRule(to) : '';
}

const MAX_WORDING_CHARS = 60;

function short(text: string): string {
  const line = oneLine(text);
  return line.length > MAX_WORDING_CHARS ? `${line.slice(0, MAX_WORDING_CHARS).trimEnd()}…` : line;
}
