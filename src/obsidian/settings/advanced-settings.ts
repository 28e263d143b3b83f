/** Settings for experts, and a report for bug reports. */
import * as t from '#model/messages/settings-messages';
import type { PluginManifest, Setting } from 'obsidian';
import type { ToolPresentation } from '#model/settings';
import type { Agent } from '#ports/app/agent';
import type { Ui } from '#ports/ui';
import { diagnostics } from './diagnostics';
import type { SettingRow } from './setting-rows';

const PRESENTATIONS: Record<ToolPresentation, string> = {
  flat: t.flat,
  agents: t.grouped,
  mcp: t.asMcp,
};

export class AdvancedSettings {
  readonly #agent: Agent;
  readonly #notice: Ui['notice'];
  readonly #manifest: Pick<PluginManifest, 'version'>;

  constructor(agent: Agent, notice: Ui['notice'], manifest: Pick<PluginManifest, 'version'>) {
    this.#agent = agent;
    this.#notice = notice;
    this.#manifest = manifest;
  }

  rows(): SettingRow[] {
    return [
      {
        name: t.toolFormat,
        desc: t.toolFormatDetail,
        aliases: ['MCP', 'modes', 'flat', 'schema'],
        control: { type: 'dropdown', key: 'toolPresentation', options: PRESENTATIONS },
      },
      {
        name: t.diagnostics,
        desc: t.diagnosticsDetail,
        aliases: ['bug', 'report', 'debug', 'log', 'support'],
        render: (setting) => this.#render(setting),
      },
    ];
  }

  #render(setting: Setting): void {
    setting.addButton((button) =>
      button.setButtonText(t.copyDiagnostics).onClick(async () => {
        button.setDisabled(true);
        try {
          const report = await diagnostics(this.#agent, this.#manifest.version);
          await navigator.clipboard.writeText(report);
          this.#notice(t.diagnosticsCopied);
        } catch {
          setting.setErrorMessage(t.diagnosticsFailed);
        } finally {
          button.setDisabled(false);
        }
      }),
    );
  }
}
