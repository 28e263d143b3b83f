/** Shows the sources of the answers that are saved in a note, and what they are today. */
import { sourcesOf } from '#messages/answer-messages';
import { type App, Modal } from 'obsidian';
import { noteName } from '#text/paths';

export type MountSources = (
  element: HTMLElement,
  shown: { readonly note: string; onleave(): void },
) => { close(): void };

export class SourcesDialog extends Modal {
  readonly #note: string;
  readonly #mount: MountSources;
  #shown: { close(): void } | null = null;

  /** @param note its path */
  constructor(app: App, note: string, mount: MountSources) {
    super(app);
    this.#note = note;
    this.#mount = mount;
  }

  override onOpen(): void {
    const title = sourcesOf(noteName(this.#note));
    this.setTitle(title);
    this.modalEl.setAttribute('aria-label', title);
    this.#shown = this.#mount(this.contentEl, { note: this.#note, onleave: () => this.close() });
  }

  override onClose(): void {
    this.#shown?.close();
  }
}
