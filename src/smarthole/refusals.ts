/** What SmartHole's no to a registration means: the sentence for the person, and whether it may pass by itself. */
import { MEND_DESCRIPTION, MEND_NAME } from './registration';

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
