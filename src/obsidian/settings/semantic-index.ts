/** The row that updates the semantic index, and shows how far it is. */
import * as t from '#messages/settings-messages';
import type { Setting } from 'obsidian';
import type { Agent } from '#ports/app/agent';

export class SemanticIndexRow {
  readonly #agent: Pick<Agent, 'settings'>;
  /** Aborts the running update, which continues while the settings are closed. */
  #running: AbortController | null = null;
  #said = '';
  /** Updates the status, once its row is rendered. */
  #show: () => void = () => undefined;

  constructor(agent: Pick<Agent, 'settings'>) {
    this.#agent = agent;
  }

  readonly render = (setting: Setting): void => {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    setting.addButton((button) => {
      this.#show = () => {
        said.setText(this.#said);
        button.setButtonText(this.#running ? t.cancel : t.update);
      };
      button.onClick(() => (this.#running ? this.#running.abort() : void this.#update()));
    });
    this.#show();
  };

  async #update(): Promise<void> {
    this.#running = new AbortController();
    this.#say(t.findingChanges);
    const asked = await this.#agent.settings.embedNotes(
      (done, all) =>
        this.#say(t.indexProgress(done.toLocaleString('en'), all.toLocaleString('en'))),
      this.#running.signal,
    );
    this.#running = null;
    this.#say(asked.ok ? t.indexComplete(asked.notes.toLocaleString('en')) : asked.reason);
  }

  #say(words: string): void {
    this.#said = words;
    this.#show();
  }
}
