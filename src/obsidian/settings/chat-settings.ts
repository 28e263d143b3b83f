/** Settings of chats: when they close, how many are kept, notifications, presets and export. */
import * as t from '#messages/settings-messages';
import type { SettingDefinitionGroup } from 'obsidian';
import { attachmentName } from '#messages/attachment-name';
import type { Agent } from '#ports/app/agent';
import { numberRow, type SaveSetting, type SettingName, type SettingRow } from './setting-rows';

export class ChatSettings {
  readonly #agent: Pick<Agent, 'settings'>;
  readonly #save: SaveSetting;
  readonly #changed: () => void;
  readonly #exportAll: () => void;

  /** @param changed called when the rows have changed */
  constructor(
    agent: Pick<Agent, 'settings'>,
    save: SaveSetting,
    changed: () => void,
    exportAll: () => void,
  ) {
    this.#agent = agent;
    this.#save = save;
    this.#changed = changed;
    this.#exportAll = exportAll;
  }

  groups(): SettingDefinitionGroup<SettingName>[] {
    return [{ type: 'group', items: this.#rows() }, ...this.#presets()];
  }

  #rows(): SettingRow[] {
    return [
      {
        name: t.notifications,
        desc: t.notificationsDetail,
        aliases: ['notify', 'desktop', 'background'],
        control: { type: 'toggle', key: 'notifications' },
      },
      numberRow('idleMinutes', t.idleMinutes, t.idleMinutesDetail),
      numberRow('conversationsKept', t.keptChats, t.keptChatsDetail, ['history']),
      numberRow('questionTimeoutMinutes', t.questionTimeout, t.questionTimeoutDetail),
      {
        name: t.exportChats,
        desc: t.exportChatsDetail,
        aliases: ['backup', 'uninstall', 'remove', 'history'],
        render: (setting) => {
          setting.addButton((button) =>
            button.setButtonText(t.exportNow).onClick(() => this.#exportAll()),
          );
        },
      },
    ];
  }

  /** Presets are made in the composer; here the user sees and removes them. */
  #presets(): SettingDefinitionGroup<SettingName>[] {
    const { contextPresets } = this.#agent.settings.current();
    if (contextPresets.length === 0) return [];
    const items = contextPresets.map(({ name, attachments }): SettingRow => ({
      name,
      desc: attachments.map(attachmentName).join(', '),
      aliases: ['context', 'attach'],
      render: (setting) => {
        setting.addButton((button) =>
          button.setButtonText(t.remove).onClick(async () => {
            const all = this.#agent.settings.current().contextPresets;
            const kept = all.filter((each) => each.name !== name);
            await this.#save('contextPresets', kept);
            this.#changed();
          }),
        );
      },
    }));
    return [{ type: 'group', heading: t.contextPresets, items }];
  }
}
