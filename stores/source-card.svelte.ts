/** The card of one chat view that shows the passage behind a number of an answer. */
import type { Passage } from '#model/passage';
import type { OpenWhere } from '#ports/ui';
import type { PluginState } from './plugin-state.svelte';

export interface ShownSource {
  /** The number, beside which the card is. */
  readonly anchor: HTMLElement;
  readonly number: number;
  readonly passage: Passage;
}

/** Milliseconds in which the pointer can reach the card. */
const LEAVE_DELAY_MS = 200;

export class SourceCard {
  #shown = $state.raw<ShownSource | null>(null);
  #stopLeaving: () => void = () => undefined;
  readonly #panel: Pick<PluginState, 'ui'>;

  constructor(panel: Pick<PluginState, 'ui'>) {
    this.#panel = panel;
  }

  get shown(): ShownSource | null {
    return this.#shown;
  }

  show(source: ShownSource): void {
    this.stay();
    if (this.#shown?.anchor !== source.anchor || this.#shown.passage !== source.passage)
      this.#shown = source;
  }

  /** The pointer or the focus is on the number or the card. */
  stay(): void {
    this.#stopLeaving();
  }

  /** The pointer or the focus is elsewhere, unless it comes back soon. */
  leave(): void {
    const window = this.#shown?.anchor.ownerDocument.defaultView;
    if (!window) return;
    this.stay();
    const timer = window.setTimeout(() => this.hide(), LEAVE_DELAY_MS);
    this.#stopLeaving = () => window.clearTimeout(timer);
  }

  /** Opens the note at the passage. */
  open(passage: Passage, where: OpenWhere): void {
    if (passage.kind !== 'note') return;
    this.hide();
    this.#panel.ui.openNote(passage.path, where, passage.first);
  }

  /** Returns false if there is nothing to hide. */
  hide(): boolean {
    this.stay();
    const isShown = this.#shown !== null;
    this.#shown = null;
    return isShown;
  }
}
