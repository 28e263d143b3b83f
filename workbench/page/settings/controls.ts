/** The control of a declarative setting, bound to the tab's values. */
import type { SettingControl } from 'obsidian';
import type { AbstractTextComponent, Setting, SettingTab } from 'obsidian-test-mocks/obsidian';
import { reportError } from '#workbench/obsidian/events';
import { suggestPaths } from './path-suggestions';

type Bound<Value> = Value | (() => Value);

export function resolved<Value>(bound: Bound<Value> | undefined, usual: Value): Value {
  if (bound === undefined) return usual;
  return typeof bound === 'function' ? (bound as () => Value)() : bound;
}

export function addControl(tab: SettingTab, setting: Setting, control: SettingControl): void {
  const stored = tab.getControlValue(control.key) ?? control.defaultValue;
  const validate = control.validate as
    ((value: unknown) => string | void | Promise<string | void>) | undefined;
  let turn = 0;

  const judge = async (value: unknown): Promise<boolean> => {
    const now = ++turn;
    const problem = (await validate?.(value)) ?? '';
    // The user typed on during the validation.
    if (now !== turn) return false;
    setting.setErrorMessage(problem || null);
    return problem === '';
  };
  const keep = (value: unknown): void => {
    judge(value)
      .then(async (isValid) => {
        if (!isValid) return;
        await Promise.resolve(tab.setControlValue(control.key, value));
        tab.refreshDomState();
      })
      .catch(reportError);
  };

  addInput(tab, setting, control, stored, keep);
  if (validate && stored !== undefined) judge(stored).catch(reportError);
}

function addInput(
  tab: SettingTab,
  setting: Setting,
  control: SettingControl,
  stored: unknown,
  keep: (value: unknown) => void,
): void {
  const words = typeof stored === 'string' ? stored : '';
  const amount = typeof stored === 'number' ? stored : undefined;
  switch (control.type) {
    case 'toggle':
      setting.addToggle((toggle) => toggle.setValue(stored === true).onChange(keep));
      return;
    case 'dropdown':
      setting.addDropdown((dropdown) =>
        dropdown.addOptions(control.options).setValue(words).onChange(keep),
      );
      return;
    case 'text':
      setting.addText((text) => {
        text
          .setPlaceholder(control.placeholder ?? '')
          .setValue(words)
          .onChange(keep);
      });
      return;
    case 'textarea':
      setting.settingEl.addClass('mod-textarea');
      setting.addTextArea((text) => {
        text.inputEl.rows = control.rows ?? 4;
        text
          .setPlaceholder(control.placeholder ?? '')
          .setValue(words)
          .onChange(keep);
      });
      return;
    case 'number':
      setting.addText((text) => {
        const { min, max, step } = control;
        text.inputEl.type = 'number';
        Object.assign(text.inputEl, { min: min ?? '', max: max ?? '', step: step ?? '' });
        text
          .setPlaceholder(control.placeholder ?? '')
          .setValue(amount === undefined ? '' : String(amount));
        text.onChange((value) => {
          const number = Number(value);
          // Ignore an empty field while the user is typing.
          if (value.trim() !== '' && Number.isFinite(number)) keep(number);
        });
      });
      return;
    case 'slider':
      addSlider(setting, control, amount ?? control.min, keep);
      return;
    case 'color':
      setting.addColorPicker((color) => color.setValue(words || '#000000').onChange(keep));
      return;
    case 'file':
      setting.addText((text) => {
        text
          .setPlaceholder(control.placeholder ?? '')
          .setValue(words)
          .onChange(keep);
        const files = () =>
          tab.app.vault.getFiles().filter((file) => control.filter?.(original(file)) ?? true);
        suggestPaths(text as unknown as AbstractTextComponent<HTMLInputElement>, () =>
          files().map(({ path }) => path),
        );
      });
      return;
    case 'folder':
      setting.addText((text) => {
        text
          .setPlaceholder(control.placeholder ?? '')
          .setValue(words)
          .onChange(keep);
        const folders = () => tab.app.vault.getAllFolders(control.includeRoot ?? false);
        const isWanted = (folder: object) => control.filter?.(original(folder)) ?? true;
        suggestPaths(text as unknown as AbstractTextComponent<HTMLInputElement>, () =>
          folders()
            .filter(isWanted)
            .map(({ path }) => path),
        );
      });
  }
}

/** Converts between the mocks' type of an object and its type in Obsidian's declarations. */
function original<Type>(mock: object): Type {
  return mock as Type;
}

function addSlider(
  setting: Setting,
  control: Extract<SettingControl, { type: 'slider' }>,
  value: number,
  keep: (value: unknown) => void,
): void {
  const { min, max, step, displayFormat = String } = control;
  const shown = setting.controlEl.createSpan({ cls: 'slider-value', text: displayFormat(value) });
  setting.addSlider((slider) => {
    slider.setLimits(min, max, step).setValue(value).onChange(keep);
    slider.sliderEl.addEventListener('input', () =>
      shown.setText(displayFormat(Number(slider.sliderEl.value))),
    );
  });
}
