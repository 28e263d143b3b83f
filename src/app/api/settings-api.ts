/** Implements the settings port: changes to settings, and the actions of the settings page. */
import * as t from '#messages/action-messages';
import { describeRouting, describeVault } from '#agent/vault-description';
import type { Failure, ActionResult } from '#model/failure';
import { type Settings, permissionsWith, settingsForProvider } from '#model/settings';
import type { PendingSetting } from '#model/settings-in-force';
import { applySettings, settingProblem } from '#model/settings-validation';
import type { ModelInfo, ModelProvider } from '#ports/model-provider';
import type { ConnectionCheck, SettingsPort } from '#ports/app/settings-port';
import type { Runner } from '#queue/runner';
import { type UsageLog, isDaySpent } from '#usage/usage-log';
import { problemResult, resultOrProblem, toResult } from '#queue/action-result';

export interface SettingsApiDeps {
  readonly runner: Pick<Runner, 'retryFor'>;
  /** The settings that wait for the user of this device. */
  readonly waiting: Pick<SettingsPort, 'decide'> & { readonly pending: readonly PendingSetting[] };
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
        return settings;
      });
      return { settings };
    });
  }

  pending(): readonly PendingSetting[] {
    return this.#deps.waiting.pending;
  }

  decide: SettingsPort['decide'] = (shown, choice) => this.#deps.waiting.decide(shown, choice);

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
