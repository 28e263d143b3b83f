/** Elements of a setting's row and of a group of rows, as Obsidian builds them. */
import { Setting, SettingGroup } from 'obsidian-test-mocks/obsidian';
import { inner, afterConstructor, patch } from '../patch';

interface Header {
  headerEl: HTMLElement;
  headerInnerEl: HTMLElement;
}

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
