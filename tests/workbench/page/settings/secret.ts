/**
 * Secrets: settings hold a name, and the page's server keeps the value in memory, never in the
 * vault.
 */
import type { App as ObsidianApp } from 'obsidian';
import { Modal, Notice, SecretComponent, Setting, type App } from 'obsidian-test-mocks/obsidian';
import { ask } from '#workbench/disk/server-calls';
import { reportError } from '#workbench/obsidian/events';
import { HostSecrets } from '#workbench/obsidian/secrets';
import { inner, afterConstructor, patch } from '../patch';

export class PageSecrets extends HostSecrets {
  constructor(app: App) {
    super(app);
  }

  override setSecret(id: string, secret: string): void {
    super.setSecret(id, secret);
    ask('secret', [id, secret]).catch(reportError);
  }
}

interface SecretField {
  app: App;
  select: HTMLSelectElement;
  name: string;
}

const partsOf = new WeakMap<SecretComponent, SecretField>();

export function patchSecrets(): void {
  afterConstructor(SecretComponent, 'constructor2__', (component, app: App, el: HTMLElement) => {
    const select = el.createEl('select', { cls: 'dropdown' });
    const add = el.createEl('button', { text: 'Add…' });
    const parts = { app, select, name: '' };
    partsOf.set(component, parts);
    fill(parts);
    select.addEventListener('change', () => choose(component, select.value));
    add.addEventListener('click', () => new AddSecret(component, parts).open());
  });
  patch(SecretComponent, {
    setValue(name) {
      const parts = partsOf.get(this);
      if (parts) {
        parts.name = name;
        fill(parts);
      }
      return this;
    },
    setDisabled(disabled) {
      this.disabled = disabled;
      const parts = partsOf.get(this);
      if (parts) parts.select.disabled = disabled;
      return this;
    },
  });
}

function choose(component: SecretComponent, name: string): void {
  component.setValue(name);
  inner<{ _onChange: ((name: string) => void) | null }>(component)._onChange?.(name);
}

function fill({ app, select, name }: SecretField): void {
  const names = new Set(app.secretStorage.listSecrets());
  if (name) names.add(name);
  select.replaceChildren(new Option('None', ''), ...[...names].map((id) => new Option(id, id)));
  select.value = name;
}

class AddSecret extends Modal {
  readonly #component: SecretComponent;
  readonly #parts: SecretField;

  constructor(component: SecretComponent, parts: SecretField) {
    super(parts.app);
    this.#component = component;
    this.#parts = parts;
  }

  override onOpen(): void {
    this.setTitle('Add a secret');
    let id = this.#parts.name || 'parley-api-key';
    let secret = '';
    Setting.create__(this.contentEl)
      .setName('Name')
      .setDesc('Lowercase letters, digits and dashes.')
      .addText((text) => text.setValue(id).onChange((value) => (id = value)));
    Setting.create__(this.contentEl)
      .setName('Secret')
      .setDesc('Kept in the memory of the workbench until it ends; in Obsidian, by the system.')
      .addText((text) => {
        text.inputEl.type = 'password';
        text.onChange((value) => (secret = value));
      });
    Setting.create__(this.contentEl).addButton((button) =>
      button
        .setButtonText('Save')
        .setCta()
        .onClick(() => this.#save(id, secret)),
    );
  }

  #save(id: string, secret: string): void {
    const app = this.#parts.app as App & ObsidianApp;
    try {
      app.secretStorage.setSecret(id, secret);
    } catch (error) {
      Notice.create__((error as Error).message);
      return;
    }
    choose(this.#component, id);
    this.close();
  }
}
