/**
 * SmartHole shows at most ten notifications a minute, a second apart, and swallows one whose title it showed in the last
 * five seconds. What keeps to that is never dropped.
 */
import { shorten } from '#model/plain-text';

/** With a little to spare, as what is sent a second apart may arrive in less. */
const APART = 1_100;
const WINDOW = 60_500;
const IN_WINDOW = 10;
/** Titles that must not come again. Far more than five seconds' worth: SmartHole has a queue of its own. */
const REMEMBERED = 30;
const LONGEST_TITLE = 100;

export class Pace {
  readonly #sent: { readonly at: number; readonly title: string }[] = [];

  /** Milliseconds until the next one may go; 0 for now. */
  wait(now: number): number {
    // Those from before the clock was set back say nothing of now.
    const past = this.#sent.filter(({ at }) => at <= now);
    const last = past.at(-1)?.at ?? -Infinity;
    const tenth = past.at(-IN_WINDOW)?.at ?? -Infinity;
    return Math.max(0, last + APART - now, tenth + WINDOW - now);
  }

  /** One goes now; gives the title it goes under, unlike any of late. */
  take(title: string, now: number): string {
    const wanted = shorten(title, LONGEST_TITLE);
    let distinct = wanted;
    for (let count = 2; this.#has(distinct); count += 1) distinct = `${wanted} (${count})`;
    this.#sent.push({ at: now, title: distinct });
    if (this.#sent.length > REMEMBERED) this.#sent.shift();
    return distinct;
  }

  #has(title: string): boolean {
    const same = (other: string) => other.trim().toLowerCase() === title.trim().toLowerCase();
    return this.#sent.some((each) => same(each.title));
  }
}
