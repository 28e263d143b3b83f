/** A row that has the model write a text, and shows it to the user before it is saved. */
import * as t from '#messages/settings-messages';
import { ButtonComponent, type Setting } from 'obsidian';
import type { ActionResult } from '#model/failure';
import { validatorOf, type SettingName, type SettingRowDeps } from './setting-rows';

export interface GeneratedTextForm {
  /** The setting that the text replaces. */
  readonly setting: SettingName;
  /** Of the button that begins. */
  readonly verb: string;
  /** Names the field of the text for screen readers. */
  readonly label: string;
  make(): Promise<ActionResult<{ description: string }>>;
}

export class GeneratedText {
  readonly #deps: Pick<SettingRowDeps, 'save' | 'redraw'>;
  readonly #form: GeneratedTextForm;
  /** The generated text, until the user accepts or discards it. */
  #draft: string | null = null;
  #isGenerating = false;
  #problem = '';

  constructor(deps: Pick<SettingRowDeps, 'save' | 'redraw'>, form: GeneratedTextForm) {
    this.#deps = deps;
    this.#form = form;
  }

  readonly render = (setting: Setting): void => {
    if (this.#draft !== null) return this.#renderDraft(setting, this.#draft);
    if (this.#problem !== '') setting.setErrorMessage(this.#problem);
    setting.addButton((button) =>
      button
        .setButtonText(this.#isGenerating ? t.generating : this.#form.verb)
        .setDisabled(this.#isGenerating)
        .onClick(() => void this.#generate()),
    );
  };

  async #generate(): Promise<void> {
    this.#isGenerating = true;
    this.#problem = '';
    this.#deps.redraw();
    const made = await this.#form.make();
    this.#isGenerating = false;
    if (made.ok) this.#draft = made.description;
    else this.#problem = made.reason;
    this.#deps.redraw();
  }

  #renderDraft(setting: Setting, draft: string): void {
    const { setting: name, label } = this.#form;
    setting.setDesc(t.draftDetail);
    setting.settingEl.addClass('mod-textarea');
    setting.addTextArea((area) => {
      area.inputEl.rows = 12;
      area.inputEl.setAttribute('aria-label', label);
      area.setValue(draft).onChange((text) => {
        this.#draft = text;
        setting.setErrorMessage(validatorOf(name)(text) ?? null);
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
    if (validatorOf(this.#form.setting)(text) !== undefined) return;
    await this.#deps.save(this.#form.setting, text);
    this.#discard();
  }

  #discard(): void {
    this.#draft = null;
    this.#deps.redraw();
  }
}
