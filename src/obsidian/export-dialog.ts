/** Exports all chats to notes: names the folder first, then shows progress and the result. */
import * as t from '#messages/export-messages';
import { type App, Modal, Notice } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import type { ExportPlan, ExportReport } from '#ports/app/conversations-port';

/** Beyond these, only the number of failures is shown. */
const MAX_SHOWN_FAILURES = 20;

export class ExportDialog extends Modal {
  readonly #conversations: Pick<Agent['conversations'], 'exportPlan' | 'exportAll'>;
  readonly #over = new AbortController();
  #isClosed = false;

  constructor(app: App, conversations: Pick<Agent['conversations'], 'exportPlan' | 'exportAll'>) {
    super(app);
    this.#conversations = conversations;
  }

  override onOpen(): void {
    this.setTitle(t.exportAllTitle);
    this.#say(t.exportPreparing);
    void this.#conversations.exportPlan().then((plan) => {
      if (this.#isClosed) return;
      if (plan.ok) this.#offer(plan);
      else this.#end(plan.reason);
    });
  }

  /** Closing stops an export that runs, which then says in a notice how far it came. */
  override onClose(): void {
    this.#isClosed = true;
    this.#over.abort();
  }

  #offer(plan: ExportPlan): void {
    this.#say(t.exportExplained(plan.notes, plan.folder));
    const start = this.#button(t.startExport, () => void this.#export(plan));
    start.addClass('mod-cta');
    this.#button(t.cancelExport, () => this.close());
    start.focus();
  }

  async #export({ folder, notes }: ExportPlan): Promise<void> {
    const said = this.#say(t.exportProgress(0, notes));
    const bar = this.contentEl.createEl('progress', { attr: { max: notes, value: 0 } });
    bar.addClass('parley-export-progress');
    const stop = this.#button(t.stopExport, () => {
      stop.disabled = true;
      this.#over.abort();
    });
    const done = await this.#conversations.exportAll(folder, {
      signal: this.#over.signal,
      progress: (count, all) => {
        said.setText(t.exportProgress(count, all));
        bar.max = all;
        bar.value = count;
      },
    });
    const sentence = done.ok ? reportText(done, folder) : done.reason;
    if (this.#isClosed) return void new Notice(sentence);
    this.#end(sentence, done.ok ? done.failed : []);
  }

  #end(sentence: string, failed: ExportReport['failed'] = []): void {
    this.#say(sentence);
    if (failed.length > 0) {
      this.contentEl.createEl('p', { text: t.exportFailures(failed.length) });
      const list = this.contentEl.createEl('ul');
      for (const { title, reason } of failed.slice(0, MAX_SHOWN_FAILURES)) {
        list.createEl('li', { text: t.exportFailureLine(title, reason) });
      }
      const more = failed.length - MAX_SHOWN_FAILURES;
      if (more > 0) list.createEl('li', { text: t.exportMoreFailures(more) });
    }
    this.#button(t.closeExport, () => this.close()).focus();
  }

  /** Replaces what the dialog shows. */
  #say(sentence: string): HTMLElement {
    this.contentEl.empty();
    return this.contentEl.createEl('p', { text: sentence, attr: { role: 'status' } });
  }

  #button(text: string, run: () => void): HTMLButtonElement {
    const row =
      this.contentEl.querySelector('.modal-button-container') ??
      this.contentEl.createDiv({ cls: 'modal-button-container' });
    const button = row.createEl('button', { text });
    button.addEventListener('click', run);
    return button;
  }
}

function reportText({ notes, all, stoppedBy }: ExportReport, folder: string): string {
  if (stoppedBy === 'user') return t.exportStopped(notes, all, folder);
  if (stoppedBy === 'full disk') return t.exportDiskFull(notes, all, folder);
  return t.exportDone(notes, folder);
}
