/** Which open approvals a view has shown in full. No other can be allowed. */
import { SvelteMap } from 'svelte/reactivity';
import type { InteractionId } from '#model/ids';

export class ApprovalReading {
  /** How many parts are still folded. An approval that is not drawn is not in it. */
  readonly #folded = new SvelteMap<InteractionId, number>();

  /** @param folded how many of its parts are folded; null if it is not drawn */
  record(approval: InteractionId, folded: number | null): void {
    if (folded === null) this.#folded.delete(approval);
    else this.#folded.set(approval, folded);
  }

  isDone(approval: InteractionId): boolean {
    return this.#folded.get(approval) === 0;
  }
}
