/** Registration with SmartHole: name, description and refusals. */
import * as t from '#messages/voice-messages';
import { MAX_DESCRIPTION_CHARS } from '#model/setting-checks';
import { MAX_NAME_CHARS, wireNameFrom } from '#model/wire-name';
import type { Registration } from './protocol';

export const DEFAULT_PORT = 9473;

export interface BridgeSettings {
  readonly enabled: boolean;
  /** The name of the assistant, such as "Miss Simone". */
  readonly assistantName: string;
  /** The single word by which users address the assistant; '' to derive it from `assistantName`. */
  readonly wireName: string;
  /** All that SmartHole's router knows about Parley. */
  readonly description: string;
  readonly port: number;
  /** Parley's version. */
  readonly version?: string;
}

/** The effective name. */
export function wireNameOf({ assistantName, wireName }: BridgeSettings): string {
  return wireName.trim() || wireNameFrom(assistantName);
}

/** Null if SmartHole accepts the name, or else a sentence for the user. */
export function nameProblem(name: string): string | null {
  if (name === '') return t.nameEmpty;
  if (name.length > MAX_NAME_CHARS) {
    return t.nameTooLong(name.length, MAX_NAME_CHARS);
  }
  if (/^[a-zA-Z][a-zA-Z0-9_-]*$/.test(name)) return null;
  return /^[a-zA-Z]/.test(name) ? t.nameCharacters : t.nameStart;
}

/** Null if SmartHole accepts the description, or else a sentence for the user. */
export function descriptionProblem(description: string): string | null {
  if (description.trim() === '') return t.routingEmpty;
  if (description.length <= MAX_DESCRIPTION_CHARS) return null;
  return t.routingTooLong(description.length, MAX_DESCRIPTION_CHARS);
}

/**
 * What to do according to the settings. If two plans have the same JSON, no new connection is
 * needed.
 */
export type ConnectionPlan =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'connect';
      readonly port: number;
      readonly url: string;
      readonly registration: Registration;
    }
  | { readonly kind: 'invalid'; readonly reason: string; readonly remedy: string };

export const NAME_REMEDY = t.nameStep;
export const DESCRIPTION_REMEDY = t.routingStep(MAX_DESCRIPTION_CHARS);

export function connectionPlan(settings: BridgeSettings): ConnectionPlan {
  const { enabled, description, port, version } = settings;
  if (!enabled) return { kind: 'off' };
  const name = wireNameOf(settings);
  const named = nameProblem(name);
  if (named !== null) return { kind: 'invalid', reason: named, remedy: NAME_REMEDY };
  const described = descriptionProblem(description);
  if (described !== null) return { kind: 'invalid', reason: described, remedy: DESCRIPTION_REMEDY };
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    return {
      kind: 'invalid',
      reason: t.noPort(port),
      remedy: t.portStep(DEFAULT_PORT),
    };
  }
  // Not `localhost`, which may resolve to ::1, where SmartHole does not listen.
  const registration = { name, description, ...(version === undefined ? {} : { version }) };
  return { kind: 'connect', port, url: `ws://127.0.0.1:${port}`, registration };
}

export interface Refusal {
  readonly reason: string;
  readonly remedy: string;
  /** True if a later attempt may succeed without a change of the settings. */
  readonly mayPass: boolean;
}

/**
 * @param detail SmartHole's own words, which may be empty
 * @param name the name that was to be registered
 */
export function registrationRefusal(code: string, detail: string, name: string): Refusal {
  switch (code) {
    case 'INVALID_NAME':
      return { reason: because(t.theName, detail), remedy: NAME_REMEDY, mayPass: false };
    case 'INVALID_DESCRIPTION':
      return {
        reason: because(t.theRouting, detail),
        remedy: DESCRIPTION_REMEDY,
        mayPass: false,
      };
    case 'VALIDATION_ERROR':
      return {
        reason: because(t.theRegistration, detail),
        remedy: t.registrationStep,
        mayPass: false,
      };
    case 'DUPLICATE_NAME':
      return {
        reason: t.nameTaken(name),
        remedy: t.nameTakenStep,
        mayPass: true,
      };
    default:
      return {
        reason: because(t.theRegistration, detail),
        remedy: t.protocolStep,
        mayPass: true,
      };
  }
}

function because(what: string, detail: string): string {
  return detail === '' ? t.refused(what) : t.refusedBecause(what, detail);
}
