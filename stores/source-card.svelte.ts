/** The card of one chat view that shows the passage behind a number of an answer. */
import type { Passage } from '#model/passage';
import { checkText } from '#messages/answer-messages';
import type { PassageCheck } from '#model/passage-check';
import type { OpenWhere, Ui } from '#ports/ui';
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
    openSource(ui, passage, where, check);
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

/**
 * Opens the note of a source where its text is today, and says so if the text is gone.
 *
 * @param known where it was when the answer was written
 * @param check what it is today; null if that is not known
 */
export function openSource(
  ui: Pick<Ui, 'notice' | 'openNote'>,
  known: { readonly path: string; readonly first?: number },
  where: OpenWhere,
  check: PassageCheck | null,
): void {
  if (check?.kind === 'gone') {
    ui.notice(checkText(check, known));
    if (check.path !== null) ui.openNote(check.path, where);
    return;
  }
  const { path, first } = check && 'first' in check ? check : known;
  ui.openNote(path, where, first);
}
