/** Settings of what the agent knows about the vault: its organization, and instructions. */
import * as t from '#messages/settings-messages';
import { ButtonComponent, type Setting } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import { problemOf, type SaveSetting, type SettingRow } from './setting-rows';

export class VaultSettings {
  readonly #agent: Pick<Agent, 'settings'>;
  readonly #save: SaveSetting;
  readonly #changed: () => void;
  /** The generated description, until the user accepts or discards it. */
  #draft: string | null = null;
  #isGenerating = false;
  #problem = '';

  /** @param changed called when the rows have changed */
  constructor(agent: Pick<Agent, 'settings'>, save: SaveSetting, changed: () => void) {
    this.#agent = agent;
    this.#save = save;
    this.#changed = changed;
  }

  organization(): SettingRow[] {
    return [
      {
        name: t.organizationText,
        desc: t.organizationTextDetail,
        aliases: ['folders', 'structure'],
        control: {
          type: 'textarea',
          key: 'vaultOrganization',
          rows: 14,
          validate: problemOf('vaultOrganization'),
        },
      },
      {
        name: t.describeVault,
        desc: t.describeVaultDetail,
        aliases: ['generate', 'folders', 'structure'],
        render: (setting) => this.#render(setting),
      },
    ];
  }

  instructions(): SettingRow[] {
    return [
      {
        name: t.instructionsText,
        desc: t.instructionsTextDetail,
        aliases: ['system prompt', 'AGENTS.md', 'remember'],
        control: {
          type: 'textarea',
          key: 'instructions',
          rows: 14,
          validate: problemOf('instructions'),
        },
      },
    ];
  }

  #render(setting: Setting): void {
    if (this.#draft !== null) return this.#renderDraft(setting, this.#draft);
    if (this.#problem !== '') setting.setErrorMessage(this.#problem);
    setting.addButton((button) =>
      button
        .setButtonText(this.#isGenerating ? t.generating : t.describeVaultButton)
        .setDisabled(this.#isGenerating)
        .onClick(() => void this.#generate()),
    );
  }

  async #generate(): Promise<void> {
    this.#isGenerating = true;
    this.#problem = '';
    this.#changed();
    const made = await this.#agent.settings.describeVault();
    this.#isGenerating = false;
    if (made.ok) this.#draft = made.description;
    else this.#problem = made.reason;
    this.#changed();
  }

  #renderDraft(setting: Setting, draft: string): void {
    setting.setDesc(t.draftDetail);
    setting.settingEl.addClass('mod-textarea');
    setting.addTextArea((area) => {
      area.inputEl.rows = 12;
      area.inputEl.setAttribute('aria-label', t.draft);
      area.setValue(draft).onChange((text) => {
        this.#draft = text;
        setting.setErrorMessage(problemOf('vaultOrganization')(text) ?? null);
      });
    });
    const buttons = setting.controlEl.createDiv({ cls: 'parley-setting-buttons' });
    new ButtonComponent(buttons)
      .setButtonText(t.useDraft)
      .setCta()
      .onClick(() => void this.#accept());
    new ButtonComponent(buttons).setButtonText(t.cancel).onClick(() => this.#discard());
  }

  async #accept(): Promise<void> {
    const text = this.#draft ?? '';
    if (problemOf('vaultOrganization')(text) !== undefined) return;
    await this.#save('vaultOrganization', text);
    this.#discard();
  }

  #discard(): void {
    this.#draft = null;
    this.#changed();
  }
}
