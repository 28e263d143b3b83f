/** Which open approvals a view shows in full. No other can be allowed. */
import { SvelteMap } from 'svelte/reactivity';
import type { InteractionId } from '#model/ids';

export class ApprovalReading {
  /** How many parts are still folded, by where the approval is drawn: in its chat or in the list of chats. */
  readonly #folded = new SvelteMap<InteractionId, ReadonlyMap<object, number>>();

  /** @param folded how many of its parts are folded there; null if it is not drawn there any more */
  record(approval: InteractionId, place: object, folded: number | null): void {
    const places = new Map(this.#folded.get(approval));
    if (folded === null) places.delete(place);
    else places.set(place, folded);
    if (places.size > 0) this.#folded.set(approval, places);
    else this.#folded.delete(approval);
  }

  isDone(approval: InteractionId): boolean {
    return [...(this.#folded.get(approval)?.values() ?? [])].includes(0);
  }
}
