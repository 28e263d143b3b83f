/** How much comes within a second, by a clock that may stand still. */
import type { Clock } from '#ports/clock';

export class Rate {
  readonly #clock: Clock;
  readonly #most: number;
  #second = 0;
  #heard = 0;

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Whether with this it is more than may be. */
  isOver(more: number): boolean {
    const now = Math.floor(this.#clock.now() / 1_000);
    this.#heard = now === this.#second ? this.#heard + more : more;
    this.#second = now;
    return this.#heard > this.#most;
  }
}
