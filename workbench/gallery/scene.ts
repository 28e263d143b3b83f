import type { ShownEdit } from '#components/mount.ts';
import type { ConnectionState } from '#model/connection';
import type { Entry } from '#model/inbound';
import type { DayUsage } from '#ports/agent';
import type { Script } from './script';
import type { Reviewed } from './scripted-edits';

/** One state of the panel. */
export interface Scene {
  readonly scripts: readonly Script[];
  readonly entries?: readonly Entry[];
  readonly key?: boolean;
  /** What the agent has to tell beside its conversations. */
  readonly problems?: readonly string[];
  /** How things stand with SmartHole; off, if left out. */
  readonly connection?: ConnectionState;
  /** Edits that wait, and what was done to notes. */
  readonly reviewed?: Reviewed;
  readonly usage?: readonly DayUsage[];
  /** What is shown in place of the messages. */
  readonly place?: 'chats' | 'edits' | 'usage' | { readonly note: string };
  /** Shown as they stand in a note, in place of the panel. */
  readonly widgets?: readonly ShownEdit[];
  /** What the person was told before; left out: all there is. */
  readonly told?: readonly string[];
}
