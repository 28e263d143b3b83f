/** Panel of the demo model: the requests it received, and faults to trigger. */
import { ItemView, Modal, Setting, type WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import { ask } from '#workbench/disk/server-calls';
import { reportError } from '#workbench/obsidian/events';
import type { RequestLine } from '#workbench/server/model-panel';

export const MODEL = 'workbench-model';

const EVERY_MS = 1_500;

export class ModelPanel extends ItemView {
  #seen = '';
  #list: HTMLElement | null = null;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
  }

  override getViewType(): string {
    return MODEL;
  }

  override getDisplayText(): string {
    return 'Demo model';
  }

  override getIcon(): string {
    return 'flask-conical';
  }

  override async onOpen(): Promise<void> {
    const { contentEl } = this;
    contentEl.addClass('workbench-panel');
    contentEl.createEl('p', {
      cls: 'workbench-panel-lead',
      text: 'In place of Claude: a few rules behind the same API. Make it fail and see what Parley does.',
    });
    const traps = await ask<{ name: string; words: string }[]>('model/traps', []);
    let chosen = traps[0]?.name ?? '';
    Setting.create__(contentEl)
      .setName('Next reply')
      .addDropdown((dropdown) => {
        for (const { name, words } of traps) dropdown.addOption(name, words);
        dropdown.onChange((value) => (chosen = value));
      })
      .addButton((button) =>
        button.setButtonText('Fail once').onClick(async () => {
          await ask('model/trouble', [chosen]);
          state.setText('The next reply will be troubled.');
        }),
      );
    Setting.create__(contentEl)
      .setName('Slow replies')
      .addToggle((toggle) =>
        toggle.onChange(
          (slow) => void ask('model/pace', [slow ? 'slow' : 'usual']).catch(reportError),
        ),
      );
    const state = contentEl.createDiv({ cls: 'workbench-panel-state', attr: { role: 'status' } });
    contentEl.createEl('h4', { text: 'What it was sent' });
    this.#list = contentEl.createDiv('workbench-requests');
    await this.#refresh();
    const timer = window.setInterval(() => {
      if (this.containerEl.isShown()) this.#refresh().catch(() => window.clearInterval(timer));
    }, EVERY_MS);
    this.register(() => window.clearInterval(timer));
  }

  async #refresh(): Promise<void> {
    const lines = await ask<RequestLine[]>('model/requests', []);
    const drawn = JSON.stringify(lines);
    if (drawn === this.#seen || !this.#list) return;
    this.#seen = drawn;
    this.#list.empty();
    if (lines.length === 0) {
      this.#list.createDiv({ cls: 'pane-empty', text: 'Nothing yet.' });
    }
    for (const line of lines) this.#drawLine(line, this.#list);
  }

  #drawLine(line: RequestLine, into: HTMLElement): void {
    const row = into.createEl('button', { cls: 'workbench-request' });
    const head = row.createDiv('workbench-request-head');
    head.createSpan({
      text: `#${line.index + 1} · ${line.messages} ${line.messages === 1 ? 'message' : 'messages'}`,
    });
    head.createSpan({
      cls: `workbench-request-outcome mod-${line.outcome ?? 'running'}`,
      text: line.outcome ?? 'running',
    });
    row.createDiv({ cls: 'workbench-request-last', text: line.last });
    for (const violation of line.violations) {
      row.createDiv({ cls: 'workbench-request-violation', text: violation });
    }
    row.addEventListener('click', () => void this.#showRequest(line.index).catch(reportError));
  }

  async #showRequest(index: number): Promise<void> {
    const body = await ask<unknown>('model/request', [index]);
    const modal = Modal.create__(this.app);
    modal.setTitle(`Request #${index + 1}`);
    modal.modalEl.addClass('mod-wide');
    modal.contentEl.createEl('pre', { cls: 'workbench-json', text: JSON.stringify(body, null, 2) });
    modal.open();
  }
}
