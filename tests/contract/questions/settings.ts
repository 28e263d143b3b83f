import {
  ButtonComponent,
  PluginSettingTab,
  SecretComponent,
  Setting,
  type App,
  type Plugin,
  type SettingDefinitionItem,
  type SettingDefinitionPage,
  type TextAreaComponent,
  type TextComponent,
} from 'obsidian';
import type { Host, ContractQuestion } from '../question';

const warned = (name: string): SettingDefinitionPage => ({
  type: 'page',
  name,
  items: [],
  status: () => 'warning',
});

export const settingsQuestions: readonly ContractQuestion[] = [
  {
    name: 'a setting row has elements for its control and description, and takes a button',
    about: [
      ...['Setting.controlEl', 'Setting.descEl', 'Setting.addButton'],
      ...[
        'ButtonComponent.setButtonText',
        'ButtonComponent.setDisabled',
        'ButtonComponent.onClick',
      ],
    ],
    async ask() {
      const row = new Setting(createDiv());
      const chained: boolean[] = [];
      const add = (button: ButtonComponent) => {
        const steps = [
          button.setButtonText('Check'),
          button.setDisabled(true),
          button.onClick(() => undefined),
        ];
        chained.push(steps.every((step) => step === button));
      };
      chained.push(row.addButton(add) === row);
      row.descEl.setText('What it does');
      const button = row.controlEl.querySelector('button');
      return [chained, button?.textContent, row.descEl.textContent];
    },
    answer: [[true, true], 'Check', 'What it does'],
  },
  {
    name: 'a button calls back on click, but not while it is disabled',
    about: ['ButtonComponent.onClick', 'ButtonComponent.setDisabled'],
    onScreen: true,
    async ask() {
      let clicks = 0;
      const row = new Setting(document.body.createDiv());
      row.addButton((button) => {
        button.onClick(() => (clicks += 1));
        button.buttonEl.click();
        button.setDisabled(true);
        button.buttonEl.click();
        button.setDisabled(false);
        button.buttonEl.click();
      });
      row.settingEl.parentElement?.remove();
      return clicks;
    },
    answer: 2,
  },
  {
    name: 'a setting row takes text fields and text areas with value and placeholder',
    about: [
      ...['Setting.addText', 'Setting.addTextArea', 'Setting.settingEl'],
      ...['AbstractTextComponent.setValue', 'AbstractTextComponent.setPlaceholder'],
      ...['AbstractTextComponent.onChange', 'AbstractTextComponent.inputEl'],
    ],
    async ask() {
      const row = new Setting(createDiv());
      const seen: unknown[] = [];
      const look = (field: TextComponent | TextAreaComponent) => {
        const steps = [
          field.setPlaceholder('simone'),
          field.setValue('jeeves'),
          field.onChange(() => undefined),
        ];
        const { value, placeholder } = field.inputEl;
        seen.push(
          steps.every((step) => step === field),
          value,
          placeholder,
        );
      };
      seen.push(row.addText(look) === row, row.addTextArea(look) === row);
      return [...seen, row.settingEl.querySelectorAll('input, textarea').length];
    },
    answer: [true, 'jeeves', 'simone', true, 'jeeves', 'simone', true, true, 2],
  },
  {
    name: 'a setting row takes a toggle with its value',
    about: ['Setting.addToggle', 'ToggleComponent.setValue', 'ToggleComponent.onChange'],
    async ask() {
      const row = new Setting(createDiv());
      const told: unknown[] = [];
      const chained = row.addToggle((toggle) => {
        const steps = [toggle.onChange(() => undefined), toggle.setValue(true)];
        told.push(
          steps.every((step) => step === toggle),
          toggle.getValue(),
        );
      });
      return [chained === row, ...told];
    },
    answer: [true, true, true],
  },
  {
    name: 'a setting row takes a dropdown with its options in order and its value',
    about: [
      ...['Setting.addDropdown', 'DropdownComponent.addOptions'],
      ...['DropdownComponent.setValue', 'DropdownComponent.onChange'],
    ],
    async ask() {
      const row = new Setting(createDiv());
      const seen: unknown[] = [];
      row.addDropdown((choice) => {
        const steps = [
          choice.addOptions({ b: 'Second', a: 'First' }),
          choice.setValue('a'),
          choice.onChange(() => undefined),
        ];
        const texts = [...choice.selectEl.options].map(({ text }) => text);
        seen.push(
          steps.every((step) => step === choice),
          choice.getValue(),
          texts,
        );
      });
      return seen;
    },
    answer: [true, 'a', ['Second', 'First']],
  },
  {
    name: 'a text field returns its value, a button can be the call to action, and empty removes children',
    about: ['AbstractTextComponent.getValue', 'Node.empty', 'ButtonComponent.setCta'],
    async ask() {
      const row = new Setting(createDiv());
      const seen: unknown[] = [];
      row.addText((field) => {
        field.setValue('jeeves');
        seen.push(field.getValue());
      });
      row.addButton((button) => {
        seen.push(button.setCta() === button, button.buttonEl.hasClass('mod-cta'));
      });
      row.controlEl.empty();
      return [...seen, row.controlEl.childNodes.length];
    },
    answer: ['jeeves', true, true, 0],
  },
  {
    name: 'a setting row shows an error message until it is cleared',
    about: ['Setting.setErrorMessage'],
    async ask() {
      const row = new Setting(createDiv());
      row.setErrorMessage('Too long.');
      const wrong = [row.settingEl.hasClass('is-invalid'), row.errorEl?.textContent];
      row.setErrorMessage(null);
      return [...wrong, row.settingEl.hasClass('is-invalid')];
    },
    answer: [true, 'Too long.', false],
  },
  {
    name: 'a setting row takes a new description, and a button can be put anywhere',
    about: ['Setting.setDesc', 'ButtonComponent'],
    async ask() {
      const row = new Setting(createDiv());
      const place = row.controlEl.createDiv();
      new ButtonComponent(place).setButtonText('Use');
      const chained = row.setDesc('A draft') === row;
      return [chained, row.descEl.textContent, place.querySelector('button')?.textContent];
    },
    answer: [true, 'A draft', 'Use'],
  },
  {
    name: 'an open settings tab has its element in the dialog and its rows, and is hidden when the dialog closes',
    about: [
      ...['SettingTab.containerEl', 'SettingTab.settingItems', 'SettingTab.hide'],
      ...['SettingDefinitionRender.control', 'HTMLElement.isShown'],
    ],
    onScreen: true,
    async ask(host) {
      let hidden = 0;
      class HiddenTab extends DialogTab {
        override hide(): void {
          hidden += 1;
          super.hide();
        }
      }
      const tab = new HiddenTab(host.app, host.plugin, everyControl);
      host.plugin.addSettingTab(tab);
      const seen = await openTab(host, tab, () => [
        tab.containerEl.isShown(),
        tab.containerEl.closest('.modal') !== null,
        tab.settingItems.map((item) => ('type' in item ? item.type : (item.control?.key ?? null))),
      ]);
      return [seen, hidden > 0, tab.containerEl.isShown()];
    },
    answer: [[true, true, ['toggle', 'text', 'area', 'number', 'choice']], true, false],
  },
  {
    name: 'a SecretComponent takes a name and a change listener',
    about: ['SecretComponent', 'SecretComponent.setValue', 'SecretComponent.onChange'],
    async ask({ app }) {
      const secret = new SecretComponent(app, createDiv());
      return secret.setValue('some-name') === secret && secret.onChange(() => undefined) === secret;
    },
    answer: true,
  },
  {
    name: 'a SecretComponent shows the chosen secret’s name and reports a new choice',
    about: ['SecretComponent', 'SecretComponent.setValue', 'SecretComponent.onChange'],
    onScreen: true,
    ownVault: 'It leaves a secret behind.',
    async ask({ app }) {
      app.secretStorage.setSecret('contract-first', 'x');
      app.secretStorage.setSecret('contract-second', 'x');
      const place = document.body.createDiv();
      const told: string[] = [];
      new SecretComponent(app, place)
        .setValue('contract-first')
        .onChange((name) => told.push(name));
      const select = place.querySelector('select');
      const shown = select?.value;
      if (select) {
        select.value = 'contract-second';
        select.dispatchEvent(new Event('change'));
      }
      place.remove();
      return [shown, told, place.textContent.includes('hush')];
    },
    answer: ['contract-first', ['contract-second'], false],
  },
  {
    name: 'the settings dialog opens the plugin’s own tab with its groups and rows (observed)',
    about: [
      ...['App.setting', 'PluginSettingTab', 'SettingTab.icon', 'SettingDefinitionGroup.type'],
      ...['SettingDefinitionGroup.heading', 'SettingDefinitionGroup.items'],
      ...['SettingDefinitionBase.name', 'SettingDefinitionBase.desc'],
    ],
    onScreen: true,
    ask: (host) =>
      inDialog(
        host,
        (tab) => [
          {
            type: 'group',
            heading: tab.icon,
            items: [
              { name: 'First', desc: 'About it.' },
              { name: 'Second', desc: 'About that.' },
            ],
          },
        ],
        ({ containerEl }) => [
          containerEl.isShown(),
          textsOf(containerEl, '.setting-item-name'),
          textsOf(containerEl, '.setting-item-description'),
        ],
      ),
    answer: [true, ['star', 'First', 'Second'], ['About it.', 'About that.']],
  },
  {
    name: 'elements of an open settings tab know the document and the window that show them',
    about: ['SettingTab.containerEl'],
    onScreen: true,
    ask: (host) =>
      inDialog(
        host,
        () => [{ name: 'First' }],
        ({ containerEl: { doc, win }, containerEl }) => [
          doc.body.contains(containerEl),
          win === doc.defaultView,
        ],
      ),
    answer: [true, true],
  },
  {
    name: 'a page appears as a row with name and description, and shows its own rows on click',
    about: [
      ...['SettingDefinitionPage.type', 'SettingDefinitionPage.name'],
      ...['SettingDefinitionPage.desc', 'SettingDefinitionPage.items'],
    ],
    onScreen: true,
    ask: (host) =>
      inDialog(
        host,
        () => [
          {
            type: 'page',
            name: 'Page',
            desc: 'More of it.',
            items: [{ name: 'Inside', desc: 'About that.' }],
          },
        ],
        (tab) => {
          const { containerEl } = tab;
          const seen = () =>
            ['.setting-item-name', '.setting-item-description'].flatMap((each) =>
              textsOf(containerEl, each),
            );
          const before = seen();
          containerEl.querySelector<HTMLElement>('.setting-item')?.click();
          return [before, seen().includes('Inside')];
        },
      ),
    answer: [['Page', 'More of it.'], true],
  },
  {
    name: 'a page shows its display value, and a group is shown only if it is visible',
    about: ['SettingDefinitionPage.displayValue', 'SettingDefinitionGroup.visible'],
    onScreen: true,
    ask: (host) =>
      inDialog(
        host,
        () => [
          { type: 'page', name: 'Page', displayValue: () => 'Two of three', items: [] },
          { type: 'group', heading: 'Here', visible: () => true, items: [{ name: 'One' }] },
          { type: 'group', heading: 'Away', visible: () => false, items: [{ name: 'Two' }] },
        ],
        ({ containerEl }) => [
          containerEl.textContent.includes('Two of three'),
          ...['One', 'Two'].map(
            (name) =>
              [...containerEl.querySelectorAll<HTMLElement>('.setting-item-name')]
                .find((each) => each.textContent === name)
                ?.isShown() ?? false,
          ),
        ],
      ),
    answer: [true, true, false],
  },
  {
    name: 'an empty list shows its empty state and a button in its heading to add an item',
    about: [
      ...['SettingDefinitionList.type', 'SettingDefinitionList.emptyState'],
      ...['SettingDefinitionList.addItem', 'SettingDefinitionAddItem.name'],
      'SettingDefinitionAddItem.action',
    ],
    onScreen: true,
    async ask(host) {
      let asked = 0;
      return inDialog(
        host,
        () => [
          {
            type: 'list',
            heading: 'Servers',
            emptyState: 'None so far.',
            items: [],
            addItem: { name: 'Add one', action: () => void (asked += 1) },
          },
        ],
        ({ containerEl }) => {
          const named = [...containerEl.querySelectorAll<HTMLElement>('button, .clickable-icon')];
          const add = named.find((each) =>
            `${each.textContent}${each.ariaLabel ?? ''}`.includes('Add one'),
          );
          add?.click();
          const isInHeading = add?.closest('.setting-item-heading') !== null;
          return [containerEl.textContent.includes('None so far.'), asked, isInHeading];
        },
      );
    },
    answer: [true, 1, true],
  },
  {
    name: 'a list shows a row per page and can delete an item',
    about: ['SettingDefinitionList.onDelete', 'SettingDefinitionPage.status'],
    onScreen: true,
    async ask(host) {
      const gone: number[] = [];
      return inDialog(
        host,
        () => [
          {
            type: 'list',
            heading: 'Servers',
            items: ['One', 'Two'].map(warned),
            onDelete: (index) => void gone.push(index),
          },
        ],
        ({ containerEl }) => {
          const named = [...containerEl.querySelectorAll<HTMLElement>('button, .clickable-icon')];
          named
            .filter((each) => /delete|remove/i.test(each.ariaLabel ?? each.textContent))
            .at(1)
            ?.click();
          return [textsOf(containerEl, '.setting-item-name').slice(-2), gone];
        },
      );
    },
    answer: [['One', 'Two'], [1]],
  },
  {
    name: 'controls show the values of their keys',
    about: [
      ...['PluginSettingTab.getControlValue', 'SettingDefinitionControl.control'],
      ...['SettingControlBase.key', 'SettingToggleControl.type', 'SettingTextControl.type'],
      ...['SettingTextControl.placeholder', 'SettingTextAreaControl.type'],
      ...['SettingTextAreaControl.rows', 'SettingNumberControl.type'],
      ...['SettingDropdownControl.type', 'SettingDropdownControl.options'],
    ],
    onScreen: true,
    ask: (host) => inDialog(host, everyControl, ({ containerEl }) => shownIn(containerEl)),
    answer: [
      ['checkbox', true],
      ['text', 'words', 'Say something'],
      ['textarea', 'long words', 3],
      ['number', '7'],
      ['select', 'b', ['First', 'Second']],
    ],
  },
  {
    name: 'a folder control is a path field that reports what the user types',
    about: ['SettingFolderControl.type'],
    onScreen: true,
    ask: (host) =>
      inDialog(
        host,
        () => [{ name: 'Folder', control: { type: 'folder', key: 'text' } }],
        async (tab) => {
          const field = tab.containerEl.querySelector('input');
          const shown = field?.value;
          enter(field, 'Parley/Tools');
          await tab.kept(1);
          return [shown, tab.values['text']];
        },
      ),
    answer: ['words', 'Parley/Tools'],
  },
  {
    name: 'a control reports what the user sets, with a value of its type',
    about: [
      ...['PluginSettingTab.setControlValue', 'SettingDefinitionControl.control'],
      ...['SettingToggleControl.type', 'SettingTextControl.type', 'SettingTextAreaControl.type'],
      ...['SettingNumberControl.type', 'SettingDropdownControl.type'],
    ],
    onScreen: true,
    ask: (host) =>
      inDialog(host, everyControl, async (tab) => {
        const { containerEl } = tab;
        containerEl.querySelector<HTMLElement>('.checkbox-container')?.click();
        enter(containerEl.querySelector('input[type="text"]'), 'other words');
        enter(containerEl.querySelector('textarea'), 'longer words');
        enter(containerEl.querySelector('input[type="number"]'), '12');
        enter(containerEl.querySelector('select'), 'a');
        await tab.kept(5);
        return tab.values;
      }),
    answer: { toggle: false, text: 'other words', area: 'longer words', number: 12, choice: 'a' },
  },
  {
    name: 'a text control reports each keystroke, and a number control reports when it is left (observed)',
    about: ['SettingTextControl.type', 'SettingNumberControl.type'],
    onScreen: true,
    ask: (host) =>
      inDialog(host, everyControl, async (tab) => {
        const { containerEl, values } = tab;
        type(containerEl.querySelector('input[type="number"]'), '12');
        type(containerEl.querySelector('input[type="text"]'), 'other words');
        await tab.kept(1);
        const typed = [values['number'], values['text']];
        enter(containerEl.querySelector('input[type="number"]'), '12');
        await tab.kept(2);
        return [...typed, values['number']];
      }),
    answer: [7, 'other words', 12],
  },
  {
    name: 'an open page stays open on update while its name stays',
    about: ['SettingDefinitionPage.name', 'SettingTab.update'],
    onScreen: true,
    ask: (host) => {
      let row = 'First';
      return inDialog(
        host,
        () => [{ type: 'page', name: 'Page', items: [{ name: row }] }],
        (tab) => {
          tab.containerEl.querySelector<HTMLElement>('.setting-item')?.click();
          row = 'Second';
          tab.update();
          const dialog = tab.containerEl.closest<HTMLElement>('.modal') ?? tab.containerEl;
          const names = textsOf(dialog, '.setting-item-name');
          return [names.includes('Second'), names.includes('Page')];
        },
      );
    },
    answer: [true, false],
  },
  {
    name: 'the cleanup of a custom row runs before the row is rendered again, and when its page is left',
    about: ['SettingDefinitionRender.render', 'SettingTab.update'],
    onScreen: true,
    async ask(host) {
      const seen: string[] = [];
      const render = () => {
        seen.push('render');
        return () => void seen.push('cleanup');
      };
      await inDialog(
        host,
        () => [{ name: 'Own', render }],
        (tab) => tab.update(),
      );
      const inTurn = seen.every((each, at) => each === (at % 2 === 0 ? 'render' : 'cleanup'));
      return [seen.length >= 4, inTurn, seen.at(-1)];
    },
    answer: [true, true, 'cleanup'],
  },
  {
    name: 'settings are in a window of their own unless the vault says otherwise (observed)',
    about: ['SettingTab.containerEl', 'App.setting'],
    onScreen: true,
    ask(host) {
      const { vault } = host.app as unknown as { vault: { getConfig(key: string): unknown } };
      const isOwn = vault.getConfig('settingsPopoutWindow') !== false;
      return inDialog(host, everyControl, ({ containerEl }) => {
        const { ownerDocument: own } = containerEl;
        return [containerEl.isShown(), (own !== document) === isOwn, own === activeDocument];
      });
    },
    answer: [true, true, true],
  },
  {
    name: 'an invalid value is not reported, and its row shows the error',
    about: ['SettingControlBase.validate', 'PluginSettingTab.setControlValue'],
    onScreen: true,
    ask: (host) =>
      inDialog(
        host,
        () => [
          {
            name: 'Text',
            control: {
              type: 'text',
              key: 'text',
              validate: (value) => (value === 'bad' ? 'Not that.' : undefined),
            },
          },
        ],
        async (tab) => {
          const field = tab.containerEl.querySelector('input');
          enter(field, 'bad');
          await shows(tab.containerEl, 'Not that.');
          const refused = tab.values.text;
          enter(field, 'good');
          await tab.kept(1);
          return [refused, tab.values.text, tab.containerEl.textContent.includes('Not that.')];
        },
      ),
    answer: ['words', 'good', false],
  },
  {
    name: 'a value that is invalid when shown is marked and kept',
    about: ['SettingControlBase.validate'],
    onScreen: true,
    ask: (host) =>
      inDialog(
        host,
        () => [
          { name: 'Text', control: { type: 'text', key: 'text', validate: () => 'Not that.' } },
        ],
        async ({ containerEl, values }) => {
          await shows(containerEl, 'Not that.');
          return values.text;
        },
      ),
    answer: 'words',
  },
  {
    name: 'a custom row is rendered only when it is shown, and again on update',
    about: ['SettingDefinitionRender.render', 'SettingTab.update', 'Setting.controlEl'],
    onScreen: true,
    async ask(host) {
      let drawn = 0;
      const render = (row: Setting) => {
        drawn += 1;
        row.controlEl.setText('drawn');
      };
      const tab = new DialogTab(host.app, host.plugin, () => [{ name: 'Own', render }]);
      host.plugin.addSettingTab(tab);
      tab.update();
      const before = drawn;
      return openTab(host, tab, () => {
        const first = drawn;
        tab.update();
        const texts = textsOf(tab.containerEl, '.setting-item-control');
        return [before, first > 0, drawn - first, texts];
      });
    },
    answer: [0, true, 1, ['drawn']],
  },
  {
    name: 'update shows new setting definitions while the tab is open',
    about: ['SettingTab.update', 'PluginSettingTab.getSettingDefinitions'],
    onScreen: true,
    ask: (host) => {
      let name = 'First';
      return inDialog(
        host,
        () => [{ name }],
        (tab) => {
          const before = textsOf(tab.containerEl, '.setting-item-name');
          name = 'Second';
          tab.update();
          return [before, textsOf(tab.containerEl, '.setting-item-name')];
        },
      );
    },
    answer: [['First'], ['Second']],
  },
];

type Definitions = (tab: DialogTab) => SettingDefinitionItem[];

class DialogTab extends PluginSettingTab {
  override icon = 'star';
  values: Record<string, unknown> = {
    ...{ toggle: true, text: 'words', area: 'long words', number: 7, choice: 'b' },
  };
  readonly #define: Definitions;
  #kept = 0;
  #wanted = Infinity;
  #reached: () => void = () => undefined;

  constructor(app: App, plugin: Plugin, define: Definitions) {
    super(app, plugin);
    this.#define = define;
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return this.#define(this);
  }

  override getControlValue(key: string): unknown {
    return this.values[key];
  }

  override setControlValue(key: string, value: unknown): void {
    this.values[key] = value;
    this.#kept += 1;
    if (this.#kept >= this.#wanted) this.#reached();
  }

  /** Resolves once this many values have been passed to `setControlValue`. */
  kept(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = count;
      this.#reached = resolve;
      if (this.#kept >= count) resolve();
    });
  }
}

const everyControl: Definitions = () => [
  { name: 'Toggle', control: { type: 'toggle', key: 'toggle' } },
  { name: 'Text', control: { type: 'text', key: 'text', placeholder: 'Say something' } },
  { name: 'Area', control: { type: 'textarea', key: 'area', rows: 3 } },
  { name: 'Number', control: { type: 'number', key: 'number' } },
  {
    name: 'Choice',
    control: { type: 'dropdown', key: 'choice', options: { a: 'First', b: 'Second' } },
  },
];

function inDialog(
  host: Host,
  define: Definitions,
  ask: (tab: DialogTab) => unknown,
): Promise<unknown> {
  const tab = new DialogTab(host.app, host.plugin, define);
  host.plugin.addSettingTab(tab);
  return openTab(host, tab, () => ask(tab));
}

type FieldElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Obsidian's settings dialog, which is not in the published types. */
interface SettingsDialog {
  open(): void;
  close(): void;
  openTabById(id: string): unknown;
}

async function openTab(
  { app, plugin }: Host,
  tab: PluginSettingTab,
  ask: () => unknown,
): Promise<unknown> {
  const { setting } = app as unknown as { setting: SettingsDialog };
  setting.open();
  try {
    if (setting.openTabById(plugin.manifest.id) !== tab) return 'another tab';
    // A window of its own takes a moment to open.
    for (let tries = 0; tries < 100 && !tab.containerEl.isShown(); tries += 1) {
      await new Promise((resolve) => window.setTimeout(resolve, 50));
    }
    return await ask();
  } finally {
    setting.close();
  }
}

function textsOf(el: HTMLElement, selector: string): (string | null)[] {
  return [...el.querySelectorAll(selector)].map(({ textContent }) => textContent);
}

function shownIn(el: HTMLElement): unknown[] {
  const fields = el.querySelectorAll<HTMLInputElement>('input, textarea, select');
  return [...fields].map((field) => {
    if (field.type === 'checkbox') return ['checkbox', field.checked];
    if (field.tagName === 'TEXTAREA')
      return ['textarea', field.value, Number(field.getAttribute('rows'))];
    if (field.tagName === 'SELECT') return ['select', field.value, textsOf(field, 'option')];
    return field.type === 'text'
      ? [field.type, field.value, field.placeholder]
      : [field.type, field.value];
  });
}

/** Types the value as a user would, and stays in the field. */
function type(field: FieldElement | null, value: string): void {
  if (!field) throw new Error('There is no such field.');
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Enters the value as a user would. */
function enter(field: FieldElement | null, value: string): void {
  type(field, value);
  field?.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Resolves when the element shows these words. */
function shows(el: HTMLElement, words: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!el.textContent.includes(words)) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(check);
    observer.observe(el, { childList: true, subtree: true, characterData: true });
    check();
  });
}
