/** The row that lets the user decide by voice, for the connection that is open. */
import * as t from '#messages/settings-messages';
import type { Setting } from 'obsidian';
import type { Agent } from '#ports/app/agent';

export class VoiceDecisionsRow {
  readonly #voice: Agent['voice'];
  /** Updates the row, once it is rendered. */
  #show: () => void = () => undefined;

  constructor(voice: Agent['voice']) {
    this.#voice = voice;
    voice.onStatus(() => this.#show());
  }

  readonly render = (setting: Setting): void => {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    setting.addToggle((toggle) => {
      this.#show = () => {
        const decisions = this.#voice.decisions();
        toggle.setValue(decisions.allowed);
        said.setText(
          decisions.allowed ? t.voiceDecidesFor(decisions.name, decisions.port) : t.voiceDecidesNot,
        );
      };
      toggle.onChange((allowed) => {
        if (allowed === this.#voice.decisions().allowed) return;
        const changed = this.#voice.allowDecisions(allowed);
        setting.setErrorMessage(changed.ok ? null : changed.reason);
        this.#show();
      });
      this.#show();
    });
  };
}
