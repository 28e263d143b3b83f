/** The rows of the API key, with a check of the connection, and of the model. */
import * as t from '#messages/settings-messages';
import { isAnthropic } from '#model/setting-choices';
import { modelNameFrom, undatedModel } from '#model/model-name';
import type { ConnectionCheck } from '#ports/app/settings-port';
import type { ModelInfo } from '#ports/model-provider';
import { type SettingRowDeps, type SettingRow, secretRow, settingRow } from './setting-rows';

/** @param checked called after a connection check */
export function keyRow(deps: SettingRowDeps, checked: () => void): SettingRow {
  const secret = secretRow(deps, 'apiKeyName', t.apiKey, t.apiKeyDetail);
  return {
    ...secret,
    aliases: ['token', 'secret', 'Claude', 'Anthropic'],
    render: (setting, group) => {
      secret.render(setting, group);
      const said = setting.descEl.createDiv({ attr: { role: 'status' } });
      setting.addButton((button) =>
        button.setButtonText(t.check).onClick(async () => {
          button.setDisabled(true);
          said.setText(t.checking);
          try {
            const check = await deps.agent.settings.checkConnection();
            said.setText(verdictText(check, deps.agent.settings.current().endpoint));
          } finally {
            button.setDisabled(false);
          }
          checked();
        }),
      );
    },
  };
}

export function modelRow({ agent }: SettingRowDeps, models: readonly ModelInfo[]): SettingRow {
  const { model, compatibility } = agent.settings.current();
  const aliases = ['Haiku', 'Sonnet', 'Opus'];
  // Self-hosted servers rarely list their models, so the user types the name there.
  if (compatibility) return settingRow('model', t.model, t.modelIdDetail, { aliases });
  const options = modelOptions(models, model);
  return settingRow('model', t.model, t.modelDetail, { aliases, options });
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

export function verdictText(check: ConnectionCheck, endpoint: string): string {
  if (!check.ok) return `${check.failure.sentence} ${check.failure.next}`;
  const path = check.transport === 'node' ? t.directly : t.throughWindow;
  // Another server may take any key, or be a demo.
  const isOther = URL.canParse(endpoint) && !isAnthropic(endpoint);
  const way = isOther ? t.toServer(path, new URL(endpoint).host) : path;
  return check.models === 0 ? t.worksWithoutModels(way) : t.worksWithModels(way, check.models);
}
