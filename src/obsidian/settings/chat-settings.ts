/** Settings of chats: when they close, how many are kept, notifications, presets and export. */
import * as t from '#messages/settings-messages';
import type { Setting, SettingDefinitionGroup } from 'obsidian';
import { attachmentName } from '#messages/attachment-name';
import type { Agent } from '#ports/app/agent';
import { numberRow, type SaveSetting, type SettingName, type SettingRow } from './setting-rows';

export class ChatSettings {
  readonly #agent: Pick<Agent, 'settings' | 'conversations'>;
  readonly #save: SaveSetting;
  readonly #changed: () => void;

  /** @param changed called when the rows have changed */
  constructor(
    agent: Pick<Agent, 'settings' | 'conversations'>,
    save: SaveSetting,
    changed: () => void,
  ) {
    this.#agent = agent;
    this.#save = save;
    this.#changed = changed;
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
        render: (setting) => this.#renderExport(setting),
      },
    ];
  }

  #renderExport(setting: Setting): void {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    setting.addButton((button) =>
      button.setButtonText(t.export_).onClick(async () => {
        button.setDisabled(true);
        try {
          const asked = await this.#agent.conversations.export('all');
          said.setText(asked.ok ? t.exported(asked.notes, asked.note) : asked.reason);
        } finally {
          button.setDisabled(false);
        }
      }),
    );
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
