/**
 * Answers "what is due today?" and the like: for a listener counts first, then as many titles as
 * fit; in the chat a list with the places of the tasks, from which the agent goes on.
 */
import * as t from '#messages/quick-command-messages';
import { listFirst } from '#messages/plural';
import type { Clock } from '#ports/clock';
import type { DueCommand } from '#model/quick-command';
import { MAX_SAID_CHARS } from '#model/reply';
import { daysLater, endOfWeek, weekdayOf } from '#text/days';
import { capitalize, shorten } from '#text/shorten';
import { withoutNoteExtension } from '#text/paths';
import { saidWords } from '#text/speech';
import type { DueTask, DueTasks } from '#tools/due-tasks';

/** The open tasks that the agent may see, up to a day. */
export type FindDueTasks = (until: string) => Promise<DueTasks>;

export interface DueAnswer {
  /** In Markdown. */
  readonly text: string;
  readonly spoken: string;
}

export async function dueAnswer(
  command: DueCommand,
  find: FindDueTasks,
  clock: Clock,
): Promise<DueAnswer> {
  const tasks = await find(lastDayOf(command, clock.date(clock.now())));
  const parts = partsOf(command, tasks);
  const none = parts[0]?.tasks.length === 0 ? [t.due[command].none] : [];
  const full = parts.filter((part) => part.tasks.length > 0);
  return {
    spoken: fitting(none, full),
    text: [...none, ...full.map(listOf)].join('\n\n'),
  };
}

/** The last day that a command asks about. */
function lastDayOf(command: DueCommand, today: string): string {
  switch (command) {
    case 'due-today':
      return today;
    case 'due-tomorrow':
      return daysLater(today, 1);
    case 'due-this-week':
      return endOfWeek(today);
    case 'overdue':
      return daysLater(today, -1);
  }
}

interface Part {
  readonly head: (count: number) => string;
  readonly tasks: readonly DueTask[];
  /** Set if the titles are to have their days. */
  readonly today?: string;
}

/** First what was asked for, which may be nothing. */
function partsOf(command: DueCommand, { today, dated, inDailyNote }: DueTasks): readonly Part[] {
  const last = lastDayOf(command, today);
  const first = command === 'due-tomorrow' ? last : today;
  const { some } = t.due[command];
  const due = dated.filter(({ day }) => day !== null && day >= first && day <= last);
  const overdue = {
    head: t.due.overdue.some,
    tasks: dated.filter(({ day }) => day !== null && day < today),
  };
  switch (command) {
    case 'overdue':
      return [overdue];
    case 'due-tomorrow':
      return [{ head: some, tasks: due }];
    case 'due-this-week':
      return [{ head: some, tasks: due, today }, overdue];
    case 'due-today':
      return [{ head: some, tasks: due }, overdue, { head: t.inTodaysNote, tasks: inDailyNote }];
  }
}

/** Lengths of titles, from the most to the least that is tried. */
const TITLE_CHARS = [60, 40, 25];
const MAX_SAID_TASKS = 3;

function fitting(none: readonly string[], parts: readonly Part[]): string {
  for (const most of TITLE_CHARS) {
    const text = [...none, ...parts.map((part) => said(part, most))].join(' ');
    if (text.length <= MAX_SAID_CHARS) return text;
  }
  return [...none, ...parts.map(({ head, tasks }) => `${head(tasks.length)}.`)].join(' ');
}

function said({ head, tasks, today }: Part, most: number): string {
  const titles = tasks.map(({ title, day }) => {
    const words = shorten(saidWords(title).replace(/[.:;,!]+$/, ''), most);
    return today === undefined || day === null ? words : t.onDay(words, dayWords(day, today));
  });
  return `${head(tasks.length)}: ${capitalize(listFirst([...new Set(titles)], MAX_SAID_TASKS))}.`;
}

function dayWords(day: string, today: string): string {
  if (day === today) return t.today;
  return day === daysLater(today, 1) ? t.tomorrow : t.onWeekday(weekdayOf(day));
}

/** Each part; the list goes to the model, too. */
const MAX_LISTED_TASKS = 15;
const MAX_LISTED_CHARS = 200;

function listOf({ head, tasks }: Part): string {
  const rows = tasks.slice(0, MAX_LISTED_TASKS).map(({ title, day, path, line }) => {
    const words = shorten(title.replaceAll('\n', ' '), MAX_LISTED_CHARS);
    const place = t.taskPlace(withoutNoteExtension(path), line);
    return `- ${capitalize(plainMarkdown(words))} (${day === null ? '' : `${day}, `}${place})`;
  });
  const more = tasks.length - rows.length;
  const rest = more > 0 ? [`- ${t.more(more)}`] : [];
  return [`${head(tasks.length)}:`, '', ...rows, ...rest].join('\n');
}

/** The words without meaning in Markdown. */
function plainMarkdown(words: string): string {
  return words.replace(/[\\`*_{}[\]<>#|~=^$%!]/g, '\\$&');
}
