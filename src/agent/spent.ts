/** What one model call has used up, also where it does not come to its end: that is paid for all the same. */
import { NO_USAGE, type Usage } from '#model/message';
import type { ModelEvent } from '#ports/model-stream';

/** Of the text that models write; an estimate. */
const CHARACTERS_PER_TOKEN = 4;

export class Spent {
  #told: Usage = NO_USAGE;
  #isWhole = false;
  #characters = 0;

  take(event: ModelEvent): void {
    switch (event.type) {
      case 'delta':
        this.#characters += event.delta.text.length;
        break;
      case 'usage':
        this.#told = event.usage;
        break;
      case 'end':
        this.#told = event.usage;
        this.#isWhole = true;
        break;
      default:
    }
  }

  /** As the server counted it, and for an answer that broke off at least what was seen of it. */
  get usage(): Usage {
    if (this.#isWhole) return this.#told;
    const seen = Math.ceil(this.#characters / CHARACTERS_PER_TOKEN);
    return { ...this.#told, output: Math.max(this.#told.output, seen) };
  }
}
