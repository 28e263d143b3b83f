/** Makes the components of a setting interactive; the mocks only create their elements. */
import {
  AbstractTextComponent,
  ButtonComponent,
  ColorComponent,
  DropdownComponent,
  ExtraButtonComponent,
  SearchComponent,
  Setting,
  SettingGroup,
  SliderComponent,
  ToggleComponent,
} from 'obsidian-test-mocks/obsidian';
import { setIcon } from '../../obsidian/icons';
import { afterConstructor, inner, patch } from '../patch';

interface WithChange {
  _onChange?: ((value: unknown) => unknown) | null;
}
const change = (component: object, value: unknown): void =>
  void inner<WithChange>(component)._onChange?.(value);

export function patchComponents(): void {
  patchTexts();
  patchToggle();
  patchChoices();
  patchButtons();
}

type TextField = AbstractTextComponent<HTMLInputElement>;

function patchTexts(): void {
  afterConstructor(
    AbstractTextComponent<HTMLInputElement>,
    'constructor3__',
    (component: TextField) => {
      const { inputEl } = component;
      inputEl.addEventListener('input', () => component.onChanged());
      inputEl.spellcheck = false;
      if (inputEl instanceof HTMLInputElement && !inputEl.hasAttribute('type'))
        inputEl.type = 'text';
    },
  );
  const text: Partial<TextField> & ThisType<TextField> = {
    getValue() {
      return this.inputEl.value;
    },
    setValue(value) {
      this.inputEl.value = value ?? '';
      return this;
    },
    onChanged() {
      change(this, this.inputEl.value);
    },
    setDisabled(disabled) {
      this.disabled = disabled;
      this.inputEl.disabled = disabled;
      return this;
    },
  };
  patch(AbstractTextComponent<HTMLInputElement>, text);
  afterConstructor(SearchComponent, 'constructor4__', (component) => {
    component.clearButtonEl.className = 'search-input-clear-button';
    component.clearButtonEl.addEventListener('click', () => {
      component.setValue('');
      component.onChanged();
    });
  });
  patch(SearchComponent, {
    onChanged() {
      change(this, this.inputEl.value);
    },
  });
}

function patchToggle(): void {
  afterConstructor(ToggleComponent, 'constructor3__', (component) => {
    const { toggleEl } = component;
    toggleEl.className = 'checkbox-container';
    const box = toggleEl.createEl('input', { type: 'checkbox' });
    box.addEventListener('click', (event) => event.stopPropagation());
    box.addEventListener('change', () => component.onClick());
    toggleEl.addEventListener('click', () => component.onClick());
  });
  const toggle: Partial<ToggleComponent> & ThisType<ToggleComponent> = {
    setValue(on) {
      const state = inner<{ value: boolean }>(this);
      const isChange = state.value !== on;
      state.value = on;
      this.toggleEl.toggleClass('is-enabled', on);
      const box = this.toggleEl.querySelector('input');
      if (box) box.checked = on;
      if (isChange) change(this, on);
      return this;
    },
    onClick() {
      if (!this.disabled) this.setValue(!this.getValue());
    },
    setDisabled(disabled) {
      this.disabled = disabled;
      this.toggleEl.toggleClass('is-disabled', disabled);
      const box = this.toggleEl.querySelector('input');
      if (box) box.disabled = disabled;
      return this;
    },
  };
  patch(ToggleComponent, toggle);
}

function patchChoices(): void {
  afterConstructor(DropdownComponent, 'constructor3__', (component) => {
    component.selectEl.className = 'dropdown';
    component.selectEl.addEventListener('change', () => component.simulateChange__());
  });
  const dropdown: Partial<DropdownComponent> & ThisType<DropdownComponent> = {
    setValue(value) {
      this.selectEl.value = value;
      return this;
    },
    setDisabled(disabled) {
      this.disabled = disabled;
      this.selectEl.disabled = disabled;
      return this;
    },
  };
  patch(DropdownComponent, dropdown);

  afterConstructor(SliderComponent, 'constructor3__', (component) => {
    const { sliderEl } = component;
    sliderEl.className = 'slider';
    sliderEl.addEventListener('change', () => change(component, component.getValue()));
  });
  const slider: Partial<SliderComponent> & ThisType<SliderComponent> = {
    getValue() {
      return Number(this.sliderEl.value);
    },
    setValue(value) {
      this.sliderEl.value = String(value);
      return this;
    },
    setDisabled(disabled) {
      this.disabled = disabled;
      this.sliderEl.disabled = disabled;
      return this;
    },
  };
  patch(SliderComponent, slider);

  afterConstructor(ColorComponent, 'constructor3__', (component) => {
    const input = component.colorPickerEl__;
    input.addEventListener('change', () => change(component, input.value));
  });
  const color: Partial<ColorComponent> & ThisType<ColorComponent> = {
    getValue() {
      return this.colorPickerEl__.value;
    },
    setValue(value) {
      this.colorPickerEl__.value = value;
      return this;
    },
  };
  patch(ColorComponent, color);
}

interface WithHandler {
  clickHandler?: ((event: Event) => unknown) | null;
}

function patchButtons(): void {
  afterConstructor(ButtonComponent, 'constructor2__', (component) => {
    component.buttonEl.addEventListener('click', (event) => {
      if (!component.disabled) inner<WithHandler>(component).clickHandler?.(event);
    });
  });
  const button: Partial<ButtonComponent> & ThisType<ButtonComponent> = {
    setIcon(icon) {
      setIcon(this.buttonEl, icon);
      return this;
    },
    setDisabled(disabled) {
      this.disabled = disabled;
      this.buttonEl.disabled = disabled;
      return this;
    },
  };
  patch(ButtonComponent, button);

  afterConstructor(ExtraButtonComponent, 'constructor2__', (component) => {
    const el = component.extraSettingsEl;
    el.className = 'clickable-icon extra-setting-button';
    el.setAttribute('role', 'button');
    el.tabIndex = 0;
    setIcon(el, 'settings');
    const press = (event: Event): void => {
      if (!component.disabled) inner<WithHandler>(component).clickHandler?.(event);
    };
    el.addEventListener('click', press);
    el.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') press(event);
    });
  });
  const extra: Partial<ExtraButtonComponent> & ThisType<ExtraButtonComponent> = {
    setIcon(icon) {
      setIcon(this.extraSettingsEl, icon);
      return this;
    },
  };
  patch(ExtraButtonComponent, extra);
}

interface Header {
  headerEl: HTMLElement;
  headerInnerEl: HTMLElement;
}

/** Elements of a setting's row and of a group of rows, as Obsidian builds them. */
export function patchRows(): void {
  afterConstructor(Setting, 'constructor__', ({ settingEl, infoEl, nameEl, descEl, controlEl }) => {
    settingEl.className = 'setting-item';
    infoEl.className = 'setting-item-info';
    nameEl.className = 'setting-item-name';
    descEl.className = 'setting-item-description';
    controlEl.className = 'setting-item-control';
    settingEl.append(infoEl, controlEl);
  });
  patch(Setting, {
    setDesc(desc) {
      this.descEl.replaceChildren(desc);
      return this;
    },
    setName(name) {
      this.nameEl.replaceChildren(name);
      return this;
    },
    clear() {
      this.controlEl.empty();
      this.components = [];
      return this;
    },
    setDisabled(disabled) {
      this.settingEl.toggleClass('is-disabled', disabled);
      for (const component of this.components) component.setDisabled(disabled);
      return this;
    },
    setErrorMessage(message) {
      this.settingEl.toggleClass('is-invalid', !!message);
      if (!message) {
        this.errorEl?.remove();
        this.errorEl = null;
        return this;
      }
      // Below the description, because there is no room for long text beside the control.
      this.errorEl ??= this.infoEl.createDiv({
        cls: 'setting-item-error',
        attr: { role: 'alert' },
      });
      this.errorEl.textContent = message;
      return this;
    },
  });
  afterConstructor(SettingGroup, 'constructor__', (group) => {
    const { groupEl__, listEl } = group;
    const { headerEl, headerInnerEl } = inner<Header>(group);
    groupEl__.className = 'setting-group';
    listEl.className = 'setting-items';
    headerEl.className = 'setting-item setting-item-heading';
    headerInnerEl.className = 'setting-item-name';
  });
  patch(SettingGroup, {
    setHeading(text) {
      const { headerEl, headerInnerEl } = inner<Header>(this);
      headerInnerEl.replaceChildren(text);
      if (text) this.groupEl__.prepend(headerEl);
      else headerEl.remove();
      return this;
    },
  });
}
