/** Renders what `getSettingDefinitions` declares: rows, groups, lists and pages. */
import type {
  Setting as ObsidianSetting,
  SettingControl,
  SettingDefinition,
  SettingDefinitionGroup,
  SettingDefinitionItem,
  SettingDefinitionList,
  SettingDefinitionPage,
} from 'obsidian';
import {
  type AbstractTextComponent,
  ExtraButtonComponent,
  Setting,
  SettingGroup,
  type SettingTab,
} from 'obsidian-test-mocks/obsidian';
import { reportError } from '../../obsidian/events';
import { setIcon } from '../../obsidian/icons';
import { inner } from '../patch';

export interface Drawing {
  /** Updates what is visible and enabled from the definitions. */
  refresh(): void;
  /** Runs the cleanup functions of the rows. */
  clear(): void;
}

export interface Pages {
  open(page: SettingDefinitionPage): void;
}

export function drawDefinitions(
  tab: SettingTab,
  items: readonly SettingDefinitionItem[],
  container: HTMLElement,
  pages: Pages,
): Drawing {
  const refreshes: (() => void)[] = [];
  const clears: (() => void)[] = [];

  const watchVisible = (el: HTMLElement, item: { visible?: boolean | (() => boolean) }): void => {
    refreshes.push(() => el.toggle(resolved(item.visible, true)));
  };

  function drawGroup(definition: SettingDefinitionGroup | SettingDefinitionList): void {
    const list = definition.type === 'list' ? (definition as SettingDefinitionList) : null;
    const group = SettingGroup.create__(container);
    if (definition.heading) group.setHeading(definition.heading);
    if (definition.cls) group.addClass(definition.cls);
    for (const add of definition.extraButtons ?? []) {
      group.addExtraButton((button) => void add(button));
    }
    const all = definition.items ?? [];
    const rows = all.map((item, index) => {
      const row = drawRow(item, group, index);
      if (list) addListButtons(list, row, index, all.length);
      return row;
    });
    if (list) drawListEnds(list, group, all.length);
    if (definition.search) addSearch(definition, group, rows);
    watchVisible(group.groupEl__, definition);
  }

  function drawRow(
    item: SettingDefinition | SettingDefinitionPage,
    group: SettingGroup,
    index: number,
  ): HTMLElement {
    const setting = Setting.create__(group.listEl);
    setting.setName(item.name);
    if (item.desc !== undefined) setting.setDesc(copyOf(item.desc));
    if ('type' in item) drawPageLink(setting, item);
    else if (item.control) {
      addControl(tab, setting, item.control);
      const { disabled } = item.control;
      refreshes.push(() => void setting.setDisabled(resolved(disabled, false)));
    } else if (item.action) {
      const { action, disabled } = item;
      const isOff = () => resolved(disabled, false);
      asButton(setting.settingEl, () => {
        if (!isOff()) action(setting.settingEl, index);
      });
      refreshes.push(() => setting.settingEl.toggleClass('is-disabled', isOff()));
    } else if (item.render) {
      const clear = item.render(setting as unknown as ObsidianSetting, group);
      if (clear) clears.push(clear);
    }
    watchVisible(setting.settingEl, item);
    return setting.settingEl;
  }

  function drawPageLink(setting: Setting, page: SettingDefinitionPage): void {
    setting.settingEl.addClass('setting-page-link');
    const value = setting.controlEl.createSpan('setting-page-value');
    setIcon(setting.controlEl.createSpan('setting-page-arrow'), 'chevron-right');
    asButton(setting.settingEl, () => pages.open(page));
    refreshes.push(() => {
      value.setText(resolved(page.displayValue, ''));
      setting.settingEl.toggleClass('mod-warning', resolved(page.status, null) === 'warning');
    });
  }

  let loose: SettingGroup | null = null;
  for (const item of items) {
    if ('type' in item && item.type !== 'page') {
      loose = null;
      drawGroup(item);
    } else {
      // Consecutive rows without a group share one.
      loose ??= SettingGroup.create__(container);
      drawRow(item, loose, 0);
    }
  }
  const refresh = (): void => {
    for (const each of refreshes) each();
  };
  refresh();
  return {
    refresh,
    clear() {
      for (const each of clears.splice(0)) each();
    },
  };
}

function drawListEnds(list: SettingDefinitionList, group: SettingGroup, count: number): void {
  const { emptyState, addItem } = list;
  if (count === 0 && emptyState !== undefined) {
    group.listEl.createDiv('setting-list-empty').append(copyOf(emptyState));
  }
  if (!addItem) return;
  const { headerEl } = inner<{ headerEl: HTMLElement }>(group);
  if (!list.heading) group.groupEl__.prepend(headerEl);
  const add = ExtraButtonComponent.create__(headerEl.createDiv('setting-item-control'));
  add.setIcon('plus').setTooltip(addItem.name);
  add.onClick(() => addItem.action(add.extraSettingsEl));
}

function addListButtons(
  { onDelete, onReorder }: SettingDefinitionList,
  row: HTMLElement,
  index: number,
  count: number,
): void {
  const bar = row.createDiv('setting-list-buttons');
  const add = (icon: string, label: string, press: () => void): void => {
    const button = bar.createEl('button', { cls: 'clickable-icon', attr: { 'aria-label': label } });
    setIcon(button, icon);
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      press();
    });
  };
  if (onReorder && index > 0) add('arrow-up', 'Move up', () => onReorder(index, index - 1));
  if (onReorder && index < count - 1)
    add('arrow-down', 'Move down', () => onReorder(index, index + 1));
  if (onDelete) add('trash-2', 'Delete', () => onDelete(index));
}

function addSearch(
  { search, items = [] }: SettingDefinitionGroup,
  group: SettingGroup,
  rows: readonly HTMLElement[],
): void {
  const field = createEl('input', {
    type: 'search',
    placeholder: search?.placeholder ?? 'Filter…',
    cls: 'setting-group-search',
  });
  group.listEl.before(field);
  field.addEventListener('input', () => {
    for (const [index, row] of rows.entries()) {
      const item = items[index] as SettingDefinition;
      row.toggleClass(
        'is-filtered',
        field.value !== '' && search?.match(item, field.value) === false,
      );
    }
  });
}

function asButton(el: HTMLElement, press: () => void): void {
  el.addClass('mod-clickable');
  el.setAttribute('role', 'button');
  el.tabIndex = 0;
  el.addEventListener('click', press);
  el.addEventListener('keydown', (event) => {
    if (event.target === el && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      press();
    }
  });
}

/** Appending a fragment empties it, but a tab may be rendered again. */
function copyOf(text: string | DocumentFragment): string | DocumentFragment {
  return typeof text === 'string' ? text : (text.cloneNode(true) as DocumentFragment);
}

type Bound<Value> = Value | (() => Value);

function resolved<Value>(bound: Bound<Value> | undefined, usual: Value): Value {
  if (bound === undefined) return usual;
  return typeof bound === 'function' ? (bound as () => Value)() : bound;
}

/** The control of a declarative setting, bound to the tab's values. */
function addControl(tab: SettingTab, setting: Setting, control: SettingControl): void {
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
        // Fires when the field is left or on Enter; other fields report each keystroke.
        text.inputEl.addEventListener('change', () => {
          const number = Number(text.getValue());
          if (text.getValue().trim() !== '' && Number.isFinite(number)) keep(number);
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

const MAX_SUGGESTIONS = 50;
let made = 0;

/** Suggests vault paths below a field, through the browser's `datalist`. */
function suggestPaths(
  { inputEl }: AbstractTextComponent<HTMLInputElement>,
  paths: () => string[],
): void {
  const list = createEl('datalist', { attr: { id: `paths-${++made}` } });
  inputEl.after(list);
  inputEl.setAttribute('list', list.id);
  inputEl.addEventListener('focus', () => {
    list.replaceChildren(
      ...paths()
        .slice(0, MAX_SUGGESTIONS)
        .map((path) => new Option(path, path)),
    );
  });
}
