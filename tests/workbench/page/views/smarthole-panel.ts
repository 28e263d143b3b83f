/**
 * Panel of the fake SmartHole: a field for spoken requests, its notifications, and buttons that
 * break the connection.
 */
import { ItemView, Setting, type WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import { ask } from '#workbench/disk/server-calls';
import { reportError } from '#workbench/obsidian/events';
import type { SmartHoleView } from '#workbench/server/smarthole-panel';

export const SMARTHOLE = 'workbench-smarthole';

const EVERY_MS = 700;

export class SmartHolePanel extends ItemView {
  #seen = '';
  #state: HTMLElement | null = null;
  #list: HTMLElement | null = null;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
  }

  override getViewType(): string {
    return SMARTHOLE;
  }

  override getDisplayText(): string {
    return 'Simulated SmartHole';
  }

  override getIcon(): string {
    return 'radio';
  }

  override async onOpen(): Promise<void> {
    const { contentEl } = this;
    contentEl.addClass('workbench-panel');
    contentEl.createEl('p', {
      cls: 'workbench-panel-lead',
      text: 'In place of the SmartHole app: what you type here reaches Parley as if it was spoken.',
    });
    const form = contentEl.createEl('form', { cls: 'workbench-speak' });
    const words = form.createEl('input', {
      type: 'text',
      attr: { placeholder: 'Say something…', 'aria-label': 'What to say' },
    });
    form.createEl('button', { cls: 'mod-cta', text: 'Speak', attr: { type: 'submit' } });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (words.value.trim() === '') return;
      void this.#do('say', words.value);
      words.value = '';
    });
    Setting.create__(contentEl)
      .setName('Connection')
      .setDesc(
        'Disconnect breaks the connection, and Parley connects again. Quit ends SmartHole; Start runs it again.',
      )
      .addButton((button) => button.setButtonText('Disconnect').onClick(() => this.#do('cut')))
      .addButton((button) => button.setButtonText('Quit').onClick(() => this.#do('quit')))
      .addButton((button) => button.setButtonText('Start').onClick(() => this.#do('start')));
    this.#state = contentEl.createDiv({ cls: 'workbench-panel-state', attr: { role: 'status' } });
    this.#list = contentEl.createDiv('workbench-requests');
    await this.#refresh();
    const timer = window.setInterval(() => {
      if (this.containerEl.isShown()) this.#refresh().catch(() => window.clearInterval(timer));
    }, EVERY_MS);
    this.register(() => window.clearInterval(timer));
  }

  async #do(op: string, ...args: unknown[]): Promise<void> {
    try {
      await ask(`smarthole/${op}`, args);
      await this.#refresh();
    } catch (error) {
      reportError(error);
    }
  }

  async #refresh(): Promise<void> {
    const view = await ask<SmartHoleView>('smarthole/view', []);
    const drawn = JSON.stringify(view);
    if (drawn === this.#seen || !this.#list || !this.#state) return;
    this.#seen = drawn;
    const names = view.clients.join(', ');
    this.#state.setText(
      view.isOpen
        ? `Runs on ${view.url}. ${names ? `Registered: ${names}.` : 'Nobody is registered.'}`
        : 'Not running.',
    );
    this.#draw(view, this.#list);
  }

  #draw(view: SmartHoleView, into: HTMLElement): void {
    into.empty();
    into.createEl('h4', { text: 'Notifications' });
    if (view.notifications.length === 0) {
      into.createDiv({ cls: 'pane-empty', text: 'None yet.' });
    }
    for (const { title, body, priority, dropped } of view.notifications) {
      const row = into.createDiv(`workbench-notification mod-${priority}`);
      row.createDiv({ cls: 'workbench-notification-title', text: title });
      row.createDiv({ text: body });
      if (dropped) {
        row.createDiv({ cls: 'workbench-request-violation', text: `Not shown: ${dropped}` });
      }
    }
    into.createEl('h4', { text: 'What was said' });
    if (view.unrouted.length + view.deliveries.length === 0) {
      into.createDiv({ cls: 'pane-empty', text: 'Nothing yet.' });
    }
    for (const { text, reason } of view.unrouted) {
      this.#saying(into, text, `not routed: ${reason}`, 'broken');
    }
    for (const { id, text, state } of view.deliveries) {
      const row =
        state === 'acked'
          ? this.#saying(into, text, 'Parley has it', 'sent')
          : this.#saying(into, text, state, state);
      const again = row.createEl('button', { text: 'Deliver again' });
      again.addEventListener('click', () => void this.#do('again', id));
    }
    for (const fault of view.violations) {
      into.createDiv({ cls: 'workbench-request-violation', text: fault });
    }
  }

  #saying(into: HTMLElement, text: string, state: string, kind: string): HTMLElement {
    const row = into.createDiv('workbench-saying');
    row.createDiv({ text });
    row.createSpan({
      cls: `workbench-request-outcome mod-${kind.replace(/\s/g, '-')}`,
      text: state,
    });
    return row;
  }
}
