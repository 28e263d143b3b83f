/** Settings of the SmartHole connection. */
import * as t from '#model/messages/settings-messages';
import type { Setting, TextAreaComponent, TextComponent } from 'obsidian';
import type { Mode } from '#model/settings';
import { MAX_DESCRIPTION_CHARS } from '#model/settings-validation';
import { wireNameFrom } from '#model/smarthole-status';
import type { Agent } from '#ports/app/agent';
import { numberRow, problemOf, type SaveSetting, type SettingRow } from './setting-rows';

export class SmartHoleSettings {
  readonly #agent: Pick<Agent, 'settings'>;
  readonly #keep: SaveSetting;
  /** Field of the wire name, once it is rendered. */
  #wire: TextComponent | null = null;
  /** Sets the text of the routing description, once its field is rendered. */
  #showDescription: (text: string) => void = () => undefined;

  constructor(agent: Pick<Agent, 'settings'>, keep: SaveSetting) {
    this.#agent = agent;
    this.#keep = keep;
  }

  rows(modes: Record<Mode, string>): SettingRow[] {
    return [
      {
        name: t.smartHole,
        desc: t.smartHoleDetail,
        aliases: ['voice', 'speech', 'microphone', 'connect'],
        control: { type: 'toggle', key: 'smartHole' },
      },
      {
        name: t.assistantName,
        desc: t.assistantNameDetail,
        control: { type: 'text', key: 'assistantName', validate: problemOf('assistantName') },
      },
      {
        name: t.wireName,
        desc: t.wireNameDetail,
        render: (setting) => {
          setting.addText((text) => {
            this.#wire = text;
            this.#bind(text, 'wireName', setting);
          });
          this.settingsChanged();
        },
      },
      {
        name: t.voiceMode,
        desc: t.voiceModeDetail,
        aliases: ['review', 'apply', t.readOnlyLower],
        control: { type: 'dropdown', key: 'smartHoleMode', options: modes },
      },
      {
        name: t.routing,
        desc: t.routingDetail,
        render: (setting) => this.#renderDescription(setting),
      },
      {
        name: t.generateRouting,
        desc: t.generateRoutingDetail,
        render: (setting) => this.#renderGenerate(setting),
      },
      numberRow('smartHolePort', t.port, t.portDetail),
    ];
  }

  /** Shows the wire name derived from the assistant's name as the placeholder. */
  settingsChanged(): void {
    this.#wire?.setPlaceholder(wireNameFrom(this.#agent.settings.current().assistantName));
  }

  #renderDescription(setting: Setting): void {
    setting.settingEl.addClass('mod-textarea');
    const count = setting.descEl.createDiv();
    const show = (text: string) =>
      count.setText(
        t.characterCount(
          text.length.toLocaleString('en'),
          MAX_DESCRIPTION_CHARS.toLocaleString('en'),
        ),
      );
    setting.addTextArea((area) => {
      area.inputEl.rows = 6;
      this.#bind(area, 'routingDescription', setting, show);
      this.#showDescription = (text) => {
        area.setValue(text);
        show(text);
        setting.setErrorMessage(null);
      };
    });
    show(this.#agent.settings.current().routingDescription);
  }

  #renderGenerate(setting: Setting): void {
    setting.addButton((button) =>
      button.setButtonText(t.generate).onClick(async () => {
        button.setDisabled(true).setButtonText(t.generating);
        const made = await this.#agent.settings.describeRouting();
        button.setDisabled(false).setButtonText(t.generate);
        setting.setErrorMessage(made.ok ? null : made.problem);
        if (!made.ok) return;
        this.#showDescription(made.description);
        await this.#keep('routingDescription', made.description);
      }),
    );
  }

  #bind(
    field: TextComponent | TextAreaComponent,
    name: 'wireName' | 'routingDescription',
    setting: Setting,
    changed: (text: string) => void = () => undefined,
  ): void {
    field.setValue(this.#agent.settings.current()[name]).onChange((text) => {
      changed(text);
      const problem = problemOf(name)(text) ?? null;
      setting.setErrorMessage(problem);
      if (problem === null) void this.#keep(name, text);
    });
  }
}
