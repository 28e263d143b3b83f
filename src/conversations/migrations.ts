/** Conversations written by earlier versions, brought to today's events. */
import type { Event } from '#model/event';
import { CONVERSATION_VERSION } from './record';

/** One step for each version, from it to the next. */
const STEPS: Readonly<Record<number, (events: readonly Event[]) => readonly Event[]>> = {};

/** @throws for a version from the future, whose events must not be guessed at; its `code` is EVERSION */
export function migrate(events: readonly Event[]): readonly Event[] {
  const [first] = events;
  // Without its first line a file is as old as the oldest form that could have lost it.
  let version: number = first?.type === 'conversation-start' ? first.version : 1;
  if (version > CONVERSATION_VERSION) {
    throw Object.assign(
      new Error(`The conversation was written by a newer version of Parley (form ${version}).`),
      { code: 'EVERSION' },
    );
  }
  let migrated = events;
  for (; version < CONVERSATION_VERSION; version += 1)
    migrated = STEPS[version]?.(migrated) ?? migrated;
  return migrated;
}
