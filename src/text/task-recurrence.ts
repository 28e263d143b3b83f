/** The rules by which the Tasks plugin repeats a task, such as "every month on the last Friday". */
import { Frequency, type Options, RRule } from 'rrule';

const DAY_MS = 86_400_000;

export interface RecurrenceRule {
  /** Whether the next day is counted from the day when the task is done. */
  readonly whenDone: boolean;
  /**
   * The first day after this one that the rule names; null if there is none.
   *
   * @param day such as 2026-12-31
   */
  next(day: string): string | null;
}

/**
 * Null for a rule that the Tasks plugin does not read, or reads only in part: it would take "every
 * weekend" as "every week". Hours, counts and ends are not for tasks.
 */
export function readRecurrence(written: string): RecurrenceRule | null {
  const [, words = '', when] = /^([a-z\d, !]+?)(\s+when done)?$/i.exec(written.trim()) ?? [];
  const options = optionsOf(words);
  if (!options) return null;
  return { whenDone: when !== undefined, next: (day) => nextDay(options, day) };
}

function optionsOf(words: string): Partial<Options> | null {
  try {
    const options = RRule.parseText(words) as Partial<Options> | null;
    const freq = options?.freq;
    if (!options || freq === undefined || freq > Frequency.DAILY) return null;
    if (options.count || options.until || options.byhour) return null;
    return isWholeRule(words, new RRule(options).toText()) ? options : null;
  } catch {
    // The parser throws for words that it does not know.
    return null;
  }
}

const FILLERS = new Set(['every', 'on', 'in', 'the', 'and', 'of']);
const ORDINALS: Readonly<Record<string, string>> = { first: '1st', second: '2nd', third: '3rd' };

/** Whether all words of a rule are in what was read of it: the parser ignores others at the end. */
function isWholeRule(words: string, read: string): boolean {
  const known = wordsOf(read);
  return wordsOf(words).every(
    (word) =>
      FILLERS.has(word) ||
      word === '1' ||
      known.includes(word) ||
      (word.length > 1 && !/\d/.test(word) && known.some((each) => each.startsWith(word))),
  );
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z\d!]+/g) ?? []).map((word) => {
    const [, number] = /^(\d+)(?:st|nd|rd|th)$/.exec(ORDINALS[word] ?? word) ?? [];
    return number === undefined ? word.replace(/(?<=[a-rt-z])s$/, '') : `${number}.`;
  });
}

function nextDay(options: Partial<Options>, day: string): string | null {
  const start = Date.parse(`${day}T00:00:00Z`);
  const { freq, interval = 1, bymonth, bymonthday, byweekday } = options;
  const isBare = [bymonth, bymonthday, byweekday].every((each) => each === undefined);
  // A month without that day gets an earlier one, which the library would skip.
  if (isBare && freq === Frequency.MONTHLY) return monthsLater(day, interval);
  if (isBare && freq === Frequency.YEARLY) return monthsLater(day, 12 * interval);
  const rule = new RRule({ ...options, dtstart: new Date(start) });
  const next = rule.after(new Date(start + DAY_MS - 1));
  return next ? next.toISOString().slice(0, 10) : null;
}

function monthsLater(day: string, months: number): string | null {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  if (Number.isNaN(last.getTime()) || last.getUTCFullYear() > 9999) return null;
  last.setUTCDate(Math.min(date, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}
