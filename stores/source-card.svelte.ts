/** The card of one chat view that shows the passage behind a number of an answer. */
import type { Passage } from '#model/passage';
import { checkText } from '#messages/answer-messages';
import type { PassageCheck } from '#model/passage-check';
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
  #check = $state.raw<PassageCheck | null>(null);
  #stopLeaving: () => void = () => undefined;
  readonly #panel: Pick<PluginState, 'agent' | 'ui' | 'report'>;

  constructor(panel: Pick<PluginState, 'agent' | 'ui' | 'report'>) {
    this.#panel = panel;
  }

  get shown(): ShownSource | null {
    return this.#shown;
  }

  /** What the passage shown is today; null while that is not known. */
  get check(): PassageCheck | null {
    return this.#check;
  }

  show(source: ShownSource): void {
    this.stay();
    const { anchor, passage } = source;
    if (this.#shown?.anchor === anchor && this.#shown.passage === passage) return;
    this.#shown = source;
    this.#check = null;
    void this.#checkOf(passage).then((check) => {
      if (this.#shown === source) this.#check = check;
    });
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

  /**
   * Opens the note where the passage is now.
   *
   * @param known what it is today; looked up if that is not known
   */
  async open(passage: Passage, where: OpenWhere, known?: PassageCheck | null): Promise<void> {
    if (passage.kind !== 'note') return;
    const { ui } = this.#panel;
    const check = known ?? this.#check ?? (await this.#checkOf(passage));
    this.hide();
    if (check?.kind === 'gone') {
      ui.notice(checkText(check, passage));
      if (check.path !== null) ui.openNote(check.path, where);
      return;
    }
    const { path, first } = check && 'first' in check ? check : passage;
    ui.openNote(path, where, first);
  }

  /** Null if it cannot be known. */
  async #checkOf(passage: Passage): Promise<PassageCheck | null> {
    try {
      const found = await this.#panel.agent.sources.check([passage]);
      return found.ok ? (found.checks[0] ?? null) : null;
    } catch (error) {
      this.#panel.report(error);
      return null;
    }
  }

  /** Returns false if there is nothing to hide. */
  hide(): boolean {
    this.stay();
    const isShown = this.#shown !== null;
    this.#shown = null;
    return isShown;
  }
}
