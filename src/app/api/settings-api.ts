/** Implements the settings port: changes to settings, and the actions of the settings page. */
import * as t from '#messages/action-messages';
import { describeRouting, describeVault } from '#agent/vault-description';
import type { Failure, ActionResult } from '#model/failure';
import { type McpServer, type ServerStatus } from '#model/mcp-server';
import { type Settings, permissionsWith, settingsForProvider } from '#model/settings';
import { isDisabledHere, unknownServers, type HeldChange } from '#model/trusted-settings';
import { applySettings, settingProblem } from '#model/settings-validation';
import type { ModelInfo, ModelProvider } from '#ports/model-provider';
import type { ConnectionCheck, SettingsPort } from '#ports/app/settings-port';
import type { McpServerPort } from '#ports/app/mcp-server-port';
import type { Runner } from '#queue/runner';
import { type UsageLog, isDaySpent } from '#usage/usage-log';
import { problemResult, resultOrProblem, toResult } from './action-result';
import type { McpClientTurns } from './queue-api';

export interface SettingsApiDeps {
  readonly runner: Pick<Runner, 'retryFor'>;
  readonly mcpServer: Pick<McpClientTurns, 'willBe'> & Pick<McpServerPort, 'state' | 'allow'>;
  readonly servers: TrustedServers;
  readonly trust: SettingsTrust;
  readonly usage: UsageLog;
  /** For model calls outside of conversations. */
  readonly asides: ModelProvider;
  settings(): Settings;
  /** Applies one change after the other, each to the result of the previous one. */
  changeSettings(change: (now: Settings) => Settings): Promise<void>;
  models(): Promise<readonly ModelInfo[]>;
  check(): Promise<ConnectionCheck>;
  embedNotes: SettingsPort['embedNotes'];
  /** The structure of the vault as the agent sees it; null if it has no notes. */
  outline(): Promise<string | null>;
}

/** Settings from other devices that wait for the user of this one. */
export interface SettingsTrust {
  readonly held: readonly HeldChange[];
  readonly declined: number;
  acceptHeld(shown: readonly HeldChange[]): Promise<void>;
  declineHeld(shown: readonly HeldChange[]): Promise<void>;
  reconsiderHeld(): Promise<void>;
}

/** MCP servers, which start only after the user has allowed them on this device. */
export interface TrustedServers {
  status(server: McpServer): ServerStatus;
  allow(server: McpServer): void;
}

export class SettingsApi implements SettingsPort {
  readonly #deps: SettingsApiDeps;

  constructor(deps: SettingsApiDeps) {
    this.#deps = deps;
  }

  current(): Settings {
    return this.#deps.settings();
  }

  async set(changes: Record<string, unknown>): Promise<ActionResult<{ settings: Settings }>> {
    const faults = Object.entries(changes).flatMap(
      ([name, value]) => settingProblem(name, value) ?? [],
    );
    if (faults.length > 0) return problemResult(faults.join(' '));
    return toResult(async () => {
      let settings = this.current();
      await this.#deps.changeSettings((now) => {
        settings = changedBy(now, changes);
        this.#deps.mcpServer.willBe(settings, 'mcpServerEnabled' in changes);
        return settings;
      });
      return { settings };
    });
  }

  held(): readonly HeldChange[] {
    const { trust, servers, mcpServer } = this.#deps;
    return trust.held.filter(({ guard, own, incoming }) => {
      // These two can also be allowed on their own pages of the settings.
      if (guard === 'mcpServer') return mcpServer.state.kind === 'asks';
      if (guard !== 'mcpServers') return true;
      return unknownServers(own, incoming).some(
        (each) => isDisabledHere(own, each) || servers.status(each).kind === 'asks',
      );
    });
  }

  declined(): number {
    return this.#deps.trust.declined;
  }

  async acceptHeld(shown: readonly HeldChange[]): Promise<void> {
    const { trust, servers, mcpServer } = this.#deps;
    for (const { guard, own, incoming } of shown) {
      if (guard === 'mcpServers')
        unknownServers(own, incoming).forEach((each) => servers.allow(each));
    }
    if (shown.some(({ guard }) => guard === 'mcpServer') && mcpServer.state.kind === 'asks') {
      await mcpServer.allow(mcpServer.state.terms);
    }
    await trust.acceptHeld(shown);
  }

  declineHeld(shown: readonly HeldChange[]): Promise<void> {
    return this.#deps.trust.declineHeld(shown);
  }

  reconsiderHeld(): Promise<void> {
    return this.#deps.trust.reconsiderHeld();
  }

  models(): Promise<readonly ModelInfo[]> {
    return this.#deps.models();
  }

  async checkConnection(): Promise<ConnectionCheck> {
    const check = await this.#deps.check();
    // Requests that failed because of the network, the key or credit can be retried after a
    // successful check.
    if (check.ok) {
      void this.#deps.runner.retryFor('network', 'endpoint', 'capacity', 'credit', 'key');
    }
    return check;
  }

  embedNotes: SettingsPort['embedNotes'] = (progress, signal) =>
    resultOrProblem(() => this.#deps.embedNotes(progress, signal));

  describeRouting(): Promise<ActionResult<{ description: string }>> {
    const { vaultOrganization } = this.current();
    return this.#describe((model, signal) =>
      describeRouting(this.#deps.asides, model, vaultOrganization, signal),
    );
  }

  async describeVault(): Promise<ActionResult<{ description: string }>> {
    const outline = await this.#deps.outline();
    if (outline === null) return problemResult(t.noNotesToDescribe);
    return this.#describe((model, signal) =>
      describeVault(this.#deps.asides, model, outline, signal),
    );
  }

  async #describe(
    write: (model: string, signal: AbortSignal) => Promise<Description>,
  ): Promise<ActionResult<{ description: string }>> {
    const { usage } = this.#deps;
    const settings = this.current();
    await usage.load();
    if (isDaySpent(settings, usage, settings.model)) return problemResult(t.dayCostLimit);
    const made = await write(settings.model, new AbortController().signal);
    if ('description' in made) return { ok: true, ...made };
    const { sentence, next } = made.failure;
    return problemResult(`${sentence} ${next}`);
  }
}

type Description = { readonly description: string } | { readonly failure: Failure };

function changedBy(now: Settings, changes: Record<string, unknown>): Settings {
  const { searchProvider = now.searchProvider } = changes;
  const together = settingsForProvider(searchProvider, now);
  const { settings } = applySettings(now, { ...together, ...changes });
  return settings.mcpServers === now.mcpServers
    ? settings
    : {
        ...settings,
        tools: permissionsWith(settings.mcpServers, { ...settings, mcpServers: now.mcpServers }),
      };
}
