import type { ShownEdit } from '#components/mount.ts';
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { QueuedRequest } from '#model/request';
import type { Settings } from '#model/settings';
import type { RequestId } from '#model/ids';
import type { Agent, DayUsage } from '#ports/app/agent';
import type { ActiveNote } from '#ports/ui';
import type { Script } from './script';
import type { ScriptedAgent } from './scripted-agent';
import type { ScriptedVault } from './scripted-composing';
import type { Reviewed } from './scripted-edits';

/**
 * A user action or event to perform once the scene is shown. Elements are found by their accessible
 * name.
 */
export type Act =
  | { readonly click: string }
  | { readonly focus: string }
  /** `choose`: the item of the menu that the button brings up. */
  | { readonly menu: string; readonly choose: string }
  | { readonly write: string; readonly into: string }
  | { readonly scroll: string; readonly to: number }
  /** Whatever is folded is opened, and what is folded in it. */
  | { readonly unfold: true }
  | { readonly later: (agent: ScriptedAgent) => void };

/** Methods by port that replace those of the scripted agent. */
export type PortOverrides = { readonly [Port in keyof Agent]?: Partial<Agent[Port]> };

export interface Scene {
  readonly scripts: readonly Script[];
  readonly entries?: readonly QueuedRequest[];
  /** Requests whose files cannot be written. */
  readonly stuck?: readonly RequestId[];
  readonly key?: boolean;
  /** Problems that the agent reports outside of any conversation. */
  readonly problems?: readonly string[];
  /** Status of the SmartHole connection; off by default. */
  readonly connection?: SmartHoleStatus;
  /** Pending edits and the history of notes. */
  readonly reviewed?: Reviewed;
  readonly usage?: readonly DayUsage[];
  readonly settings?: Partial<Settings>;
  /** Settings that another device has saved. */
  readonly incoming?: Partial<Settings>;
  /** Notes that can be mentioned, context estimates and saved drafts. */
  readonly vault?: ScriptedVault;
  /** The active note and selection. */
  readonly reading?: ActiveNote;
  /** The view to show instead of the messages. */
  readonly place?: 'chats' | 'edits' | 'usage' | { readonly note: string };
  /** Edits to show as widgets in a note instead of the panel. */
  readonly widgets?: readonly ShownEdit[];
  /** Addresses of pictures in the vault by path. */
  readonly pictures?: Readonly<Record<string, string>>;
  /** One-time hints that the user has already seen; all of them by default. */
  readonly told?: readonly string[];
  readonly answers?: PortOverrides;
  readonly acts?: readonly Act[];
}

/** A promise that never resolves, to show a loading state. */
export function never<Value>(): Promise<Value> {
  return new Promise(() => undefined);
}

export type Scenes = Readonly<Record<string, () => Scene>>;
