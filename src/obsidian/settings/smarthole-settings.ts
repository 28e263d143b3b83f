/** Settings of the SmartHole connection. */
import * as t from '#messages/settings-messages';
import type { Setting, TextAreaComponent, TextComponent } from 'obsidian';
import type { Mode } from '#model/setting-choices';
import { routingDescriptionOf } from '#model/settings';
import { MAX_DESCRIPTION_CHARS } from '#model/setting-checks';
import { wireNameFrom } from '#model/smarthole-status';
import type { Agent } from '#ports/app/agent';
import { GeneratedText } from './generated-text';
import { numberRow, problemOf, type SaveSetting, type SettingRow } from './setting-rows';

export class SmartHoleSettings {
  readonly #agent: Pick<Agent, 'settings' | 'voice'>;
  readonly #save: SaveSetting;
  readonly #generated: GeneratedText;
  /** Field of the wire name, once it is rendered. */
  #wire: TextComponent | null = null;
  /** Sets the text of the routing description, once its field is rendered. */
  #showDescription: (text: string) => void = () => undefined;
  /** Updates the row of voice decisions, once it is rendered. */
  #showDecisions: () => void = () => undefined;

  /** @param changed called when the rows have changed */
  constructor(agent: Pick<Agent, 'settings' | 'voice'>, save: SaveSetting, changed: () => void) {
    this.#agent = agent;
    this.#save = save;
    this.#generated = new GeneratedText({
      setting: 'routingDescription',
      verb: t.generate,
      label: t.routingDraft,
      save,
      make: () => agent.settings.describeRouting(),
      changed,
    });
    agent.voice.onStatus(() => this.#showDecisions());
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
        name: t.voiceDecisions,
        desc: t.voiceDecisionsDetail,
        aliases: ['approve', 'delete', 'pair', 'SmartHole'],
        render: (setting) => this.#renderDecisions(setting),
      },
      {
        name: t.routing,
        desc: t.routingDetail,
        render: (setting) => this.#renderDescription(setting),
      },
      {
        name: t.generateRouting,
        desc: t.generateRoutingDetail,
        render: (setting) => this.#generated.render(setting),
      },
      numberRow('smartHolePort', t.port, t.portDetail),
    ];
  }

  /** Shows what is derived from the assistant's name: the wake word and the description. */
  settingsChanged(): void {
    const settings = this.#agent.settings.current();
    this.#wire?.setPlaceholder(wireNameFrom(settings.assistantName));
    const description = routingDescriptionOf(settings);
    if (description !== settings.routingDescription) this.#showDescription(description);
    this.#showDecisions();
  }

  #renderDecisions(setting: Setting): void {
    const { voice } = this.#agent;
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    setting.addToggle((toggle) => {
      const show = () => {
        const decisions = voice.decisions();
        toggle.setValue(decisions.allowed);
        said.setText(
          decisions.allowed ? t.voiceDecidesFor(decisions.name, decisions.port) : t.voiceDecidesNot,
        );
      };
      toggle.onChange((allowed) => {
        if (allowed === voice.decisions().allowed) return;
        const changed = voice.allowDecisions(allowed);
        setting.setErrorMessage(changed.ok ? null : changed.reason);
        show();
      });
      this.#showDecisions = show;
      show();
    });
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
    show(routingDescriptionOf(this.#agent.settings.current()));
  }

  #bind(
    field: TextComponent | TextAreaComponent,
    name: 'wireName' | 'routingDescription',
    setting: Setting,
    changed: (text: string) => void = () => undefined,
  ): void {
    const settings = this.#agent.settings.current();
    const value = name === 'wireName' ? settings.wireName : routingDescriptionOf(settings);
    field.setValue(value).onChange((text) => {
      changed(text);
      const problem = problemOf(name)(text) ?? null;
      setting.setErrorMessage(problem);
      if (problem === null) void this.#save(name, text);
    });
  }
}
