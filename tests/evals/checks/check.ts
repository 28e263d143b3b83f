/** A named condition on the outcome of a run. */
import type { Outcome } from '../outcome';

export interface Check {
  /** A sentence about the outcome that holds if the check passes. */
  readonly name: string;
  /** What is wrong, or null. */
  problem(outcome: Outcome): string | null;
}

export type Wanted = string | RegExp;

export function check(name: string, problem: (outcome: Outcome) => string | null): Check {
  return { name, problem };
}

/** Passes if one of them does. */
export function anyOf(...checks: readonly Check[]): Check {
  return check(checks.map(({ name }) => name).join(', or '), (outcome) => {
    const problems = checks.map((each) => each.problem(outcome));
    return problems.includes(null) ? null : problems.join('; ');
  });
}

/** Curly apostrophes and quotes count as straight ones. */
export function isIn(text: string, wanted: Wanted): boolean {
  const plain = text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  return typeof wanted === 'string' ? plain.includes(wanted) : wanted.test(plain);
}

export function shownText(wanted: Wanted): string {
  return typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted);
}

/** The beginning of a text, for a report. */
export function excerpt(text: string, most = 160): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(flat.length > most ? `${flat.slice(0, most)}…` : flat);
}
