import type { ShownEdit } from '#components/mount.ts';
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { QueuedRequest } from '#model/request';
import type { Settings } from '#model/settings';
import type { Agent, DayUsage } from '#ports/agent';
import type { ActiveNote } from '#ports/ui';
import type { Script } from './script';
import type { ScriptedAgent } from './scripted-agent';
import type { ScriptedVault } from './scripted-composing';
import type { Reviewed } from './scripted-edits';

/** What happens in a scene once it is there. What it is done to is found by its accessible name. */
export type Act =
  | { readonly click: string }
  /** `choose`: the item of the menu that the button brings up. */
  | { readonly menu: string; readonly choose: string }
  | { readonly write: string; readonly into: string }
  | { readonly scroll: string; readonly to: number }
  /** Whatever is folded is opened, and what is folded in it. */
  | { readonly unfold: true }
  | { readonly later: (agent: ScriptedAgent) => void };

/** One state of the panel. */
/** Methods by port, in place of those of the scripted agent. */
export type PortOverrides = { readonly [Port in keyof Agent]?: Partial<Agent[Port]> };

export interface Scene {
  readonly scripts: readonly Script[];
  readonly entries?: readonly QueuedRequest[];
  readonly key?: boolean;
  /** What the agent has to tell beside its conversations. */
  readonly problems?: readonly string[];
  /** How things stand with SmartHole; off, if left out. */
  readonly connection?: SmartHoleStatus;
  /** Edits that wait, and what was done to notes. */
  readonly reviewed?: Reviewed;
  readonly usage?: readonly DayUsage[];
  readonly settings?: Partial<Settings>;
  /** What can be mentioned, and what is counted and kept. */
  readonly vault?: ScriptedVault;
  /** What the user has before them. */
  readonly reading?: ActiveNote;
  /** What is shown in place of the messages. */
  readonly place?: 'chats' | 'edits' | 'usage' | { readonly note: string };
  /** Shown as they stand in a note, in place of the panel. */
  readonly widgets?: readonly ShownEdit[];
  /** What the user was told before; left out: all there is. */
  readonly told?: readonly string[];
  /** Methods of the agent's ports that the scene replaces. */
  readonly answers?: PortOverrides;
  readonly acts?: readonly Act[];
}

/** What never comes, such as an answer that is still being loaded. */
export function never<Value>(): Promise<Value> {
  return new Promise(() => undefined);
}

export type Scenes = Readonly<Record<string, () => Scene>>;
