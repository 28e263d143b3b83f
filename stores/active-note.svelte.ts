/** The active note and the selection, as far as the agent may know of them. */
import type { ComposerPort } from '#ports/app/composer-port';
import type { ActiveNote, Ui } from '#ports/ui';

const NOTHING: ActiveNote = { note: null, selection: null };

export class ActiveNoteState {
  readonly #ui: Ui;
  readonly #composer: Pick<ComposerPort, 'existing'>;
  readonly #unsubscribe: () => void;
  #now = $state.raw<ActiveNote>(NOTHING);
  #looks = 0;

  constructor(ui: Ui, composer: Pick<ComposerPort, 'existing'>) {
    this.#ui = ui;
    this.#composer = composer;
    this.#unsubscribe = ui.onReading(() => void this.look());
  }

  get note(): string | null {
    return this.#now.note;
  }

  get selection(): ActiveNote['selection'] {
    return this.#now.selection;
  }

  close(): void {
    this.#looks += 1;
    this.#unsubscribe();
  }

  /** Updates the state from the workspace. Hidden notes are left out. */
  async look(): Promise<void> {
    const look = (this.#looks += 1);
    const { note, selection } = this.#ui.reading();
    const paths = [note, selection?.path ?? null].filter((path) => path !== null);
    const known = paths.length === 0 ? [] : await this.#composer.existing(paths);
    if (look !== this.#looks) return;
    this.#now = {
      note: note !== null && known.includes(note) ? note : null,
      selection: selection && known.includes(selection.path) ? selection : null,
    };
  }
}
