/** Registration with SmartHole: name, description, refusals and reconnect delays. */
import { MAX_DESCRIPTION_CHARS } from '#model/settings-validation';
import { MAX_NAME_CHARS, wireNameFrom } from '#model/smarthole-status';
import type { Registration } from './protocol';

export const DEFAULT_PORT = 9473;

export interface BridgeSettings {
  readonly enabled: boolean;
  /** What the assistant is called, such as "Miss Simone". */
  readonly assistantName: string;
  /** The one word people address it by; '' for the one made from `assistantName`. */
  readonly wireName: string;
  /** All that SmartHole's router knows of us. */
  readonly description: string;
  readonly port: number;
}

/** The name that is in force. */
export function wireNameOf({ assistantName, wireName }: BridgeSettings): string {
  return wireName.trim() || wireNameFrom(assistantName);
}

/** Null if SmartHole takes it, else a sentence for the user. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'The wire name is empty.';
  if (name.length > MAX_NAME_CHARS) {
    return `The wire name is too long: ${name.length} characters, at most ${MAX_NAME_CHARS}.`;
  }
  if (/^[a-zA-Z][a-zA-Z0-9_-]*$/.test(name)) return null;
  return /^[a-zA-Z]/.test(name)
    ? 'The wire name may hold only letters from a to z, digits, "-" and "_".'
    : 'The wire name does not begin with a letter from a to z.';
}

/** Null if SmartHole takes it, else a sentence for the user. */
export function descriptionProblem(description: string): string | null {
  if (description.trim() === '') return 'The routing description is empty.';
  if (description.length <= MAX_DESCRIPTION_CHARS) return null;
  return `The routing description is too long: ${description.length} characters, at most ${MAX_DESCRIPTION_CHARS}.`;
}

/** What is to be done by the settings. Two that are equal, text by text, need no new connection. */
export type ConnectionPlan =
  | { readonly kind: 'off' }
  | { readonly kind: 'connect'; readonly url: string; readonly registration: Registration }
  | { readonly kind: 'invalid'; readonly reason: string; readonly remedy: string };

export const MEND_NAME = 'Set another wire name in the settings: one word, such as "simone".';
export const MEND_DESCRIPTION = `Shorten or write the routing description in the settings; it takes up to ${MAX_DESCRIPTION_CHARS} characters.`;

export function connectionPlan(settings: BridgeSettings): ConnectionPlan {
  const { enabled, description, port } = settings;
  if (!enabled) return { kind: 'off' };
  const name = wireNameOf(settings);
  const named = nameProblem(name);
  if (named !== null) return { kind: 'invalid', reason: named, remedy: MEND_NAME };
  const described = descriptionProblem(description);
  if (described !== null) return { kind: 'invalid', reason: described, remedy: MEND_DESCRIPTION };
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    return {
      kind: 'invalid',
      reason: `There is no port ${port}.`,
      remedy: `Set SmartHole's port in the settings; it is ${DEFAULT_PORT} unless it was changed there.`,
    };
  }
  // Not `localhost`, which may mean ::1, where SmartHole does not listen.
  return { kind: 'connect', url: `ws://127.0.0.1:${port}`, registration: { name, description } };
}

export interface Refusal {
  readonly reason: string;
  readonly remedy: string;
  /** Asked again later, without a change of the settings. */
  readonly mayPass: boolean;
}

/**
 * @param said SmartHole's own words; they may be empty
 * @param name under which we asked to be known
 */
export function refusalOf(code: string, said: string, name: string): Refusal {
  switch (code) {
    case 'INVALID_NAME':
      return { reason: because('the wire name', said), remedy: MEND_NAME, mayPass: false };
    case 'INVALID_DESCRIPTION':
      return {
        reason: because('the routing description', said),
        remedy: MEND_DESCRIPTION,
        mayPass: false,
      };
    case 'VALIDATION_ERROR':
      return {
        reason: because('the registration', said),
        remedy: 'Check the wire name and the routing description in the settings.',
        mayPass: false,
      };
    case 'DUPLICATE_NAME':
      return {
        reason: `Another program is registered with SmartHole as "${name}".`,
        remedy:
          'Close the other one, such as a second vault, or set another wire name in the settings. Until then it is tried again every minute.',
        mayPass: true,
      };
    default:
      return {
        reason: because('the registration', said),
        remedy: 'It is tried again every minute. If it stays, update SmartHole or Parley.',
        mayPass: true,
      };
  }
}

function because(what: string, said: string): string {
  return said === '' ? `SmartHole refused ${what}.` : `SmartHole refused ${what}: ${said}`;
}

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/**
 * From 1 to 2 s after the first failure, twice as long after each further one, and from 15 to 30 s in the end. Drawn by
 * chance, so that many clients of a SmartHole that starts do not all come at once.
 *
 * @param tries how often it failed since it last held, from 1
 * @param random from 0 up to 1
 */
export function reconnectDelay(tries: number, random: number): number {
  const longest = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.max(1, tries));
  return Math.round(longest / 2 + (longest / 2) * random);
}

/**
 * A name that somebody else has. It may be our own connection from before a reload, which SmartHole has not missed yet
 * but will within a minute; otherwise only a user can change it.
 *
 * @param tries how often it was found taken, from 1
 */
export function duplicateDelay(tries: number): number {
  return tries <= 1 ? 15_000 : 60_000;
}

/** A connection that held so long has shown that it works; the next failure is a first one. */
export const STABLE_AFTER_MS = 30_000;
