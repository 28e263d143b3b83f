/** Settings for experts, and a report for bug reports. */
import { copyText } from '../host-ui';
import * as t from '#messages/settings-messages';
import type { PluginManifest, Setting, SettingDefinitionItem } from 'obsidian';
import { LOG_AREAS, type LogArea, type LogLevel } from '#model/log';
import type { ToolPresentation } from '#model/setting-choices';
import type { Agent } from '#ports/app/agent';
import type { Ui } from '#ports/ui';
import { diagnostics } from './diagnostics';
import type { SaveSetting, SettingName, SettingRow } from './setting-rows';

const PRESENTATIONS: Record<ToolPresentation, string> = {
  flat: t.flat,
  agents: t.grouped,
  mcp: t.asMcp,
};

const LEVELS: Record<LogLevel, string> = {
  off: t.logOff,
  problems: t.logProblems,
  everything: t.logEverything,
};

const AREAS: Record<LogArea, { readonly name: string; readonly desc: string }> = {
  requests: { name: t.logRequests, desc: t.logRequestsDetail },
  model: { name: t.logModel, desc: t.logModelDetail },
  tools: { name: t.logTools, desc: t.logToolsDetail },
  mcp: { name: t.logMcp, desc: t.logMcpDetail },
  voice: { name: t.logVoice, desc: t.logVoiceDetail },
  settings: { name: t.logSettings, desc: t.logSettingsDetail },
};

export class AdvancedSettings {
  readonly #agent: Agent;
  readonly #save: SaveSetting;
  readonly #notice: Ui['notice'];
  readonly #manifest: Pick<PluginManifest, 'version'>;

  constructor(
    agent: Agent,
    save: SaveSetting,
    notice: Ui['notice'],
    manifest: Pick<PluginManifest, 'version'>,
  ) {
    this.#agent = agent;
    this.#save = save;
    this.#notice = notice;
    this.#manifest = manifest;
  }

  rows(): SettingDefinitionItem<SettingName>[] {
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
      { type: 'group', heading: t.log, items: LOG_AREAS.map((area) => this.#level(area)) },
    ];
  }

  #level(area: LogArea): SettingRow {
    return {
      ...AREAS[area],
      aliases: ['log', 'level', 'debug'],
      render: (setting) => {
        const { logLevels } = this.#agent.settings.current();
        setting.addDropdown((dropdown) =>
          dropdown
            .addOptions(LEVELS)
            .setValue(logLevels[area])
            .onChange((level) => {
              const now = this.#agent.settings.current().logLevels;
              void this.#save('logLevels', { ...now, [area]: level });
            }),
        );
      },
    };
  }

  #render(setting: Setting): void {
    setting.addButton((button) =>
      button.setButtonText(t.copyDiagnostics).onClick(async () => {
        button.setDisabled(true);
        try {
          const report = await diagnostics(this.#agent, this.#manifest.version);
          await copyText(report);
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
