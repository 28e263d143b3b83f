/** Settings of the model and of the connection to its endpoint. */
import * as t from '#messages/settings-messages';
import { SecretComponent, type App, type Setting } from 'obsidian';
import { modelNameFrom, undatedModel } from '#model/model-name';
import { ANTHROPIC_ENDPOINT } from '#model/setting-choices';
import type { Agent } from '#ports/app/agent';
import type { ConnectionCheck } from '#ports/app/settings-port';
import type { ModelInfo } from '#ports/model-provider';
import { problemOf, type SaveSetting, type SettingRow } from './setting-rows';

export interface ModelSettingsDeps {
  readonly app: App;
  readonly agent: Pick<Agent, 'settings'>;
  readonly save: SaveSetting;
  /** Called after a connection check. */
  checked(): void;
  /** Called when the rows have changed. */
  changed(): void;
}

export class ModelSettings {
  readonly #deps: ModelSettingsDeps;
  #models: readonly ModelInfo[] = [];
  #asked = false;

  constructor(deps: ModelSettingsDeps) {
    this.#deps = deps;
  }

  /** Loads the list of models. */
  look(): void {
    if (this.#asked) return;
    this.#asked = true;
    void this.#deps.agent.settings.models().then((models) => {
      this.#models = models;
      this.#deps.changed();
    });
  }

  key(): SettingRow {
    return {
      name: t.apiKey,
      desc: t.apiKeyDetail,
      aliases: ['token', 'secret', 'Claude', 'Anthropic'],
      render: (setting) => this.#renderKey(setting),
    };
  }

  model(): SettingRow {
    const { model, compatibility } = this.#deps.agent.settings.current();
    const row = { name: t.model, aliases: ['Haiku', 'Sonnet', 'Opus'] };
    // Self-hosted servers rarely list their models, so the user types the name there.
    return compatibility
      ? {
          ...row,
          desc: t.modelIdDetail,
          control: { type: 'text', key: 'model', validate: problemOf('model') },
        }
      : {
          ...row,
          desc: t.modelDetail,
          control: { type: 'dropdown', key: 'model', options: modelOptions(this.#models, model) },
        };
  }

  connection(): SettingRow[] {
    return [
      {
        name: t.thinking,
        desc: t.thinkingDetail,
        aliases: ['reasoning', 'effort'],
        control: {
          type: 'dropdown',
          key: 'thinking',
          options: {
            auto: t.thinkingAuto,
            low: t.thinkingLow,
            medium: t.thinkingMedium,
            high: t.thinkingHigh,
            off: t.thinkingOff,
          },
        },
      },
      {
        name: t.endpoint,
        desc: t.endpointDetail,
        aliases: ['URL', 'server', 'Ollama', 'LM Studio', 'LiteLLM', 'proxy'],
        control: {
          type: 'text',
          key: 'endpoint',
          placeholder: ANTHROPIC_ENDPOINT,
          validate: problemOf('endpoint'),
        },
      },
      {
        name: t.compatibility,
        desc: t.compatibilityDetail,
        control: { type: 'toggle', key: 'compatibility' },
      },
    ];
  }

  #renderKey(setting: Setting): void {
    const { app, agent, save, checked } = this.#deps;
    const secret = new SecretComponent(app, setting.controlEl);
    secret.setValue(agent.settings.current().apiKeyName).onChange((name) => {
      void save('apiKeyName', name);
    });
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    setting.addButton((button) =>
      button.setButtonText(t.check).onClick(async () => {
        button.setDisabled(true);
        said.setText(t.checking);
        try {
          said.setText(verdictText(await agent.settings.checkConnection()));
        } finally {
          button.setDisabled(false);
        }
        checked();
      }),
    );
  }
}

/**
 * Names by id. The chosen model has one entry: the list may have it under an id with or without a
 * date, or not at all.
 */
export function modelOptions(
  models: readonly ModelInfo[],
  chosen: string,
): Readonly<Record<string, string>> {
  const isExact = models.some(({ id }) => id === chosen);
  const options = Object.fromEntries(
    models.map(({ id, name, deprecated, retires }) => [
      !isExact && undatedModel(id) === undatedModel(chosen) ? chosen : id,
      deprecated ? t.retiringModel(name, retires) : name,
    ]),
  );
  return Object.hasOwn(options, chosen) ? options : { ...options, [chosen]: modelNameFrom(chosen) };
}

function verdictText(check: ConnectionCheck): string {
  if (!check.ok) return `${check.failure.sentence} ${check.failure.next}`;
  const way = check.transport === 'node' ? t.directly : t.throughWindow;
  return check.models === 0 ? t.worksWithoutModels(way) : t.worksWithModels(way, check.models);
}
