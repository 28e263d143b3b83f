import {
  apiVersion,
  htmlToMarkdown,
  Menu,
  Modal,
  Notice,
  Platform,
  prepareFuzzySearch,
  renderMatches,
  setIcon,
  SuggestModal,
  type MenuItem,
} from 'obsidian';
import type { ContractQuestion } from '../question';

export const uiQuestions: readonly ContractQuestion[] = [
  {
    name: 'createEl, createDiv and createSpan create children with class, text, type and attributes',
    about: [
      ...['Node.createEl', 'Node.createDiv', 'Node.createSpan'],
      ...[
        'DomElementInfo.cls',
        'DomElementInfo.text',
        'DomElementInfo.type',
        'DomElementInfo.attr',
      ],
    ],
    async ask() {
      const el = createDiv();
      el.createEl('input', { type: 'radio', attr: { name: 'choice' } });
      el.createDiv({ cls: 'one two' });
      el.createSpan({ text: 'words' });
      return el.innerHTML;
    },
    answer: '<input type="radio" name="choice"><div class="one two"></div><span>words</span>',
  },
  {
    name: 'htmlToMarkdown converts elements of a detached document and keeps link URLs',
    about: ['htmlToMarkdown'],
    async ask() {
      const page = new DOMParser().parseFromString(
        '<h2>Hours</h2><p>See <a href="https://a.example/b">this</a>.</p>',
        'text/html',
      );
      return htmlToMarkdown(page.body).includes('[this](https://a.example/b)');
    },
    answer: true,
  },
  {
    name: 'setIcon inserts the named icon into an element',
    about: ['setIcon'],
    async ask() {
      const el = createDiv();
      setIcon(el, 'messages-square');
      return el.querySelectorAll('svg.svg-icon').length;
    },
    answer: 1,
  },
  {
    name: 'setIcon does nothing for an unknown icon',
    about: ['setIcon'],
    onScreen: true,
    async ask() {
      const el = createDiv({ text: 'words' });
      setIcon(el, 'no-such-picture');
      return [el.childElementCount, el.textContent];
    },
    answer: [0, 'words'],
  },
  {
    name: 'prepareFuzzySearch matches letters in order, with their positions and a score',
    about: ['prepareFuzzySearch', 'SearchResult.score', 'SearchResult.matches'],
    async ask() {
      const find = prepareFuzzySearch('shop');
      const [near, far] = [find('Shopping'), find('Some hats of people')];
      return [near?.matches, (near?.score ?? 0) > (far?.score ?? 0), find('hops')];
    },
    answer: [[[0, 4]], true, null],
  },
  {
    name: 'a notice shows its message',
    about: ['Notice'],
    ask: async () => new Notice('Words').messageEl.textContent,
    answer: 'Words',
  },
  {
    name: 'a notice is visible until it is hidden',
    about: ['Notice'],
    onScreen: true,
    async ask() {
      const notice = new Notice('Words', 0);
      const shown = notice.messageEl.isShown();
      notice.hide();
      return [shown, notice.messageEl.isConnected];
    },
    answer: [true, false],
  },
  {
    name: 'the app tells its API version and at most one of two operating systems',
    about: ['apiVersion', 'Platform', 'isMacOS', 'isWin'],
    async ask() {
      const flags = [Platform.isMacOS, Platform.isWin];
      return [
        /^\d+\.\d+\.\d+/.test(apiVersion),
        flags.map((flag) => typeof flag),
        flags.every(Boolean),
      ];
    },
    answer: [true, ['boolean', 'boolean'], false],
  },
  {
    name: 'a picker shows its placeholder and suggestions with the match marked, and reports the choice',
    about: [
      ...['SuggestModal', 'SuggestModal.setPlaceholder', 'SuggestModal.getSuggestions'],
      ...['SuggestModal.renderSuggestion', 'SuggestModal.onChooseSuggestion'],
      ...['Modal.open', 'Modal.app', 'renderMatches'],
    ],
    onScreen: true,
    async ask({ app }) {
      const picker = new Picker(app);
      picker.setPlaceholder('Choose');
      picker.open();
      const { inputEl } = picker;
      inputEl.value = 'se';
      inputEl.dispatchEvent(new Event('input'));
      const suggested = () => [...document.querySelectorAll<HTMLElement>('.suggestion-item')];
      // Suggestions may be asked for asynchronously.
      for (let frame = 0; frame < 60 && suggested().length !== 1; frame += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      const rows = suggested();
      const shown = rows.map(({ textContent }) => textContent);
      const marked = rows[0]?.querySelector('.suggestion-highlight')?.textContent;
      rows[0]?.click();
      return [inputEl.placeholder, shown, marked, picker.chosen, picker.app === app];
    },
    answer: ['Choose', ['Second'], 'Se', ['Second'], true],
  },
  {
    name: 'a modal shows its title and content, and calls onOpen and onClose',
    about: [
      ...['Modal', 'Modal.open', 'Modal.close', 'Modal.onOpen', 'Modal.onClose'],
      ...['Modal.setTitle', 'Modal.contentEl', 'Modal.modalEl'],
    ],
    onScreen: true,
    async ask({ app }) {
      const modal = new Dialog(app);
      modal.open();
      const isInside = modal.modalEl.contains(modal.contentEl);
      const shown = [modal.contentEl.isConnected, isInside, modal.titleEl.textContent];
      modal.close();
      return [...shown, modal.contentEl.isConnected, modal.seen];
    },
    answer: [true, true, 'A question', false, ['open', 'close']],
  },
  {
    name: 'a menu takes items and separators, and its methods can be chained',
    about: [
      ...['Menu', 'Menu.addItem', 'Menu.addSeparator', 'MenuItem.setTitle', 'MenuItem.setIcon'],
      ...['MenuItem.setChecked', 'MenuItem.setDisabled', 'MenuItem.onClick', 'MenuItem.setIsLabel'],
      ...['Menu.showAtPosition', 'MenuPositionDef.x', 'MenuPositionDef.y'],
    ],
    async ask() {
      const menu = new Menu();
      const chained: boolean[] = [];
      const add = (item: MenuItem) => {
        const steps = [
          item.setTitle('First'),
          item.setIcon('star'),
          item.setChecked(true),
          item.setDisabled(true),
          item.setIsLabel(true),
          item.onClick(() => undefined),
        ];
        chained.push(steps.every((step) => step === item));
      };
      chained.push(menu.addItem(add) === menu, menu.addSeparator() === menu);
      chained.push(menu.showAtPosition({ x: 1, y: 2 }) === menu);
      menu.hide();
      return chained;
    },
    answer: [true, true, true, true],
  },
  {
    name: 'a menu shows its items in order at the given position, with title, icon, check mark and disabled state',
    about: [
      ...['Menu.addItem', 'Menu.addSeparator', 'MenuItem.setTitle', 'MenuItem.setIcon'],
      ...['MenuItem.setChecked', 'MenuItem.setDisabled', 'Menu.showAtPosition'],
      ...['MenuPositionDef.x', 'MenuPositionDef.y'],
    ],
    onScreen: true,
    async ask() {
      const menu = new Menu();
      menu.addItem((item) => item.setTitle('First').setIcon('star'));
      menu.addSeparator();
      menu.addItem((item) => item.setTitle('Second').setChecked(true));
      menu.addItem((item) => item.setTitle('Third').setDisabled(true));
      menu.showAtPosition({ x: 40, y: 50 }, document);
      const el = document.body.querySelector('.menu');
      const { x, y } = el?.getBoundingClientRect() ?? { x: 0, y: 0 };
      const parts = [...(el?.querySelectorAll('.menu-item, .menu-separator') ?? [])].map((part) => [
        part.querySelector('.menu-item-title')?.textContent ?? '-',
        part.querySelector('svg')?.getAttribute('class')?.includes('star') ?? false,
        part.querySelector('svg')?.getAttribute('class')?.includes('check') ?? false,
        part.classList.contains('is-disabled'),
      ]);
      menu.hide();
      return [x, y, parts, document.body.querySelector('.menu')];
    },
    answer: [
      40,
      50,
      [
        ['First', true, false, false],
        ['-', false, false, false],
        ['Second', false, true, false],
        ['Third', false, false, true],
      ],
      null,
    ],
  },
  {
    name: 'onHide is called when a menu closes by choice, by Escape or by code',
    about: ['Menu.onHide', 'MenuItem.onClick'],
    onScreen: true,
    async ask() {
      let hidden = 0;
      const open = () => {
        const menu = new Menu();
        menu.addItem((item) => item.setTitle('First').onClick(() => undefined));
        menu.onHide(() => (hidden += 1));
        return menu.showAtPosition({ x: 1, y: 2 });
      };
      open();
      document.body.querySelector<HTMLElement>('.menu-item')?.click();
      const seen = [hidden];
      open();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      seen.push(hidden);
      open().hide();
      return [...seen, hidden];
    },
    answer: [1, 2, 3],
  },
  {
    name: 'a menu opens in the given document',
    about: ['Menu.showAtPosition'],
    onScreen: true,
    async ask() {
      const frame = document.body.createEl('iframe');
      const inside = frame.contentDocument;
      const menu = new Menu().addItem((item) => item.setTitle('First'));
      if (inside) menu.showAtPosition({ x: 1, y: 2 }, inside);
      const found = [
        inside?.querySelectorAll('.menu-item').length,
        document.querySelector('.menu'),
      ];
      menu.hide();
      frame.remove();
      return found;
    },
    answer: [1, null],
  },
  {
    name: 'clicking a menu item runs it once and closes the menu, and a disabled item does nothing',
    about: ['MenuItem.onClick', 'MenuItem.setDisabled'],
    onScreen: true,
    async ask() {
      const done: string[] = [];
      const menu = new Menu();
      for (const name of ['first', 'second']) {
        menu.addItem((item) =>
          item
            .setTitle(name)
            .setDisabled(name === 'first')
            .onClick(() => done.push(name)),
        );
      }
      menu.showAtPosition({ x: 1, y: 2 });
      const items = [...document.body.querySelectorAll<HTMLElement>('.menu-item')];
      for (const item of items) item.click();
      return [done, document.body.querySelector('.menu')];
    },
    answer: [['second'], null],
  },
  {
    name: 'toggle hides an element and shows it again',
    about: ['HTMLElement.toggle'],
    async ask() {
      const el = document.body.createDiv();
      const display = () => getComputedStyle(el).display;
      const seen = [display()];
      for (const show of [false, true]) {
        el.toggle(show);
        seen.push(display());
      }
      el.remove();
      return seen;
    },
    answer: ['block', 'none', 'block'],
  },
  {
    name: 'createDiv, addClass and setText set attributes, classes and text',
    about: ['Node.createDiv', 'DomElementInfo.attr', 'Element.addClass', 'Element.setText'],
    async ask() {
      const el = createDiv();
      const child = el.createDiv({ attr: { role: 'status' } });
      child.addClass('one', 'two');
      child.setText('first');
      child.setText('second <b>');
      return el.innerHTML;
    },
    answer: '<div role="status" class="one two">second &lt;b&gt;</div>',
  },
];

class Picker extends SuggestModal<string> {
  readonly chosen: string[] = [];

  override getSuggestions(query: string): string[] {
    return ['First', 'Second'].filter((each) => each.toLowerCase().startsWith(query));
  }

  override renderSuggestion(value: string, element: HTMLElement): void {
    renderMatches(element, value, [[0, 2]]);
  }

  override onChooseSuggestion(value: string): void {
    this.chosen.push(value);
  }
}

class Dialog extends Modal {
  readonly seen: string[] = [];

  override onOpen(): void {
    this.setTitle('A question');
    this.contentEl.createEl('p', { text: 'An answer' });
    this.seen.push('open');
  }

  override onClose(): void {
    this.seen.push('close');
  }
}
