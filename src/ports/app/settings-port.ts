/**
 * Settings, and the actions of the settings page: models, connection check, semantic search, and
 * generated descriptions.
 */
import type { Failure } from '#model/failure';
import type { Settings } from '#model/settings';
import type { HeldChange } from '#model/trusted-settings';
import type { ActionResult } from './agent';
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
  /** Looser settings from another device, which do not apply until the user accepts them here. */
  held(): readonly HeldChange[];
  /** Accepts exactly what was shown. */
  acceptHeld(shown: readonly HeldChange[]): Promise<void>;
  /** Keeps this device's values, until another device saves others. */
  declineHeld(shown: readonly HeldChange[]): Promise<void>;
  /** Number of changes that the user has declined on this device. */
  declined(): number;
  /** Shows declined changes again. */
  reconsiderHeld(): Promise<void>;
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
