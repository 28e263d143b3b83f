/** Under which name and description SmartHole knows us, checked by its own rules before it is asked. */
import { LONGEST_DESCRIPTION } from '#model/setting-checks';
import { LONGEST_NAME, wireNameFrom } from '#model/wire-name';
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

/** Null if SmartHole takes it, else a sentence for the person. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'The wire name is empty.';
  if (name.length > LONGEST_NAME) {
    return `The wire name is too long: ${name.length} characters, at most ${LONGEST_NAME}.`;
  }
  if (/^[a-zA-Z][a-zA-Z0-9_-]*$/.test(name)) return null;
  return /^[a-zA-Z]/.test(name)
    ? 'The wire name may hold only letters from a to z, digits, "-" and "_".'
    : 'The wire name does not begin with a letter from a to z.';
}

/** Null if SmartHole takes it, else a sentence for the person. */
export function descriptionProblem(description: string): string | null {
  if (description.trim() === '') return 'The routing description is empty.';
  if (description.length <= LONGEST_DESCRIPTION) return null;
  return `The routing description is too long: ${description.length} characters, at most ${LONGEST_DESCRIPTION}.`;
}

/** What is to be done by the settings. Two that are equal, text by text, need no new connection. */
export type Plan =
  | { readonly kind: 'off' }
  | { readonly kind: 'connect'; readonly url: string; readonly registration: Registration }
  | { readonly kind: 'invalid'; readonly reason: string; readonly remedy: string };

export const MEND_NAME = 'Set another wire name in the settings: one word, such as "simone".';
export const MEND_DESCRIPTION = `Shorten or write the routing description in the settings; it takes up to ${LONGEST_DESCRIPTION} characters.`;

export function planFor(settings: BridgeSettings): Plan {
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
