/**
 * Settings and the actions of the settings page: models, connection check, semantic search,
 * generated descriptions, and tools, which can also be called without a model.
 */
import type { Failure, ActionResult } from '#model/failure';
import type { Settings } from '#model/settings';
import type { Permission } from '#model/setting-choices';
import type { PendingSetting } from '#model/settings-in-force';
import type { Approval } from '#model/interaction';
import type { CallResult } from '#model/message';
import type { ModelInfo } from '../model-provider';

/**
 * Result of a small request to the endpoint. `transport` tells whether Node or the window made the
 * connection.
 */
export type ConnectionCheck =
  | { readonly ok: true; readonly models: number; readonly transport: 'node' | 'window' }
  | { readonly ok: false; readonly failure: Failure; readonly transport: 'node' | 'window' };

export interface SettingsPort {
  current(): Settings;
  set(changes: Record<string, unknown>): Promise<ActionResult<{ settings: Settings }>>;
  /** Settings in the file that do not apply until the user of this device allows them. */
  pending(): readonly PendingSetting[];
  /** Applies exactly what was shown, or saves this device's values instead. */
  decide(shown: readonly PendingSetting[], choice: 'allow' | 'keep'): Promise<void>;
  models(): Promise<readonly ModelInfo[]>;
  /** Checks key and endpoint by requesting the list of models. */
  checkConnection(): Promise<ConnectionCheck>;
  /**
   * Embeds every passage that is missing in the semantic index.
   *
   * @param progress called with the number of embedded passages and of all passages
   */
  embedNotes(
    progress: (done: number, all: number) => void,
    signal: AbortSignal,
  ): Promise<ActionResult<{ notes: number }>>;
  /**
   * Lets the model write a routing description for SmartHole from the vault's organization. Saves
   * nothing.
   */
  describeRouting(): Promise<ActionResult<{ description: string }>>;
  /**
   * Lets the model write how the vault is organized, from the notes that the agent may see. Saves
   * nothing.
   */
  describeVault(): Promise<ActionResult<{ description: string }>>;
}

/** A group of tools as the settings show it. */
export interface ListedAgent {
  readonly name: string;
  /** The name under which the settings store that it is disabled. */
  readonly key: string;
  readonly description: string;
  readonly tools: readonly ListedTool[];
}

/** A tool as the settings show it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** The name of its permission in the settings. */
  readonly key: string;
  /** The default permission. */
  readonly permission: Permission;
  /** Whether the permission cannot be changed. */
  readonly fixed: boolean;
}

/** A note that defines a custom tool, or the problem with it as a sentence for the user. */
export type CustomToolNote =
  | { readonly path: string; readonly tool: string }
  | { readonly path: string; readonly reason: string };

export type ToolAnswer =
  | { readonly ok: true; readonly result: CallResult }
  | { readonly ok: false; readonly needs: 'approval'; readonly approval: Approval }
  | { readonly ok: false; readonly reason: string; readonly result?: CallResult };

export interface ToolsPort {
  /** All agents with their tools. Tools of MCP servers are included once these are connected. */
  agents(): Promise<readonly ListedAgent[]>;
  /** The notes in the folder for custom tools. */
  customTools(): Promise<readonly CustomToolNote[]>;
  /** Runs one tool through validation, policy and change log, without a model. */
  call(name: string, input: unknown): Promise<ToolAnswer>;
  /** The joined texts of these notes, as far as the agent may read them. */
  textOf(paths: readonly string[]): Promise<ActionResult<{ text: string }>>;
}
