/** Answers "what is due today?" and the like in words: counts first, then as many titles as fit. */
import * as t from '#messages/quick-command-messages';
import type { DueCommand } from '#model/quick-command';
import { daysLater, endOfWeek, weekdayOf } from '#text/days';
import { capitalize, shorten } from '#text/shorten';
import type { DueTask, DueTasks } from '#tools/due-tasks';
import { MAX_SAID_CHARS } from '#model/reply';
import { namedNotes } from './quick-answers';

/** The last day that a command asks about. */
export function lastDayOf(command: DueCommand, today: string): string {
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

export function dueText(command: DueCommand, tasks: DueTasks): string {
  const { today, dated, inDailyNote } = tasks;
  const last = lastDayOf(command, today);
  const first = command === 'due-tomorrow' ? last : today;
  const overdue = dated.filter(({ day }) => day !== null && day < today);
  const due = dated.filter(({ day }) => day !== null && day >= first && day <= last);
  const { some, none } = t.due[command];
  const parts: Part[] =
    command === 'overdue'
      ? [{ head: t.due.overdue.some, tasks: overdue }]
      : [
          { head: some, tasks: due, ...(command === 'due-this-week' ? { today } : {}) },
          ...(command === 'due-tomorrow' ? [] : [{ head: t.due.overdue.some, tasks: overdue }]),
          ...(command === 'due-today' ? [{ head: t.inTodaysNote, tasks: inDailyNote }] : []),
        ];
  const full = parts.filter((part) => part.tasks.length > 0);
  const isEmpty = parts[0]?.tasks.length === 0;
  return fitting(isEmpty ? [none] : [], full);
}

interface Part {
  readonly head: (count: number) => string;
  readonly tasks: readonly DueTask[];
  /** Set if the titles are to have their days. */
  readonly today?: string;
}

/** Lengths of titles, from the most to the least that is tried. */
const TITLE_CHARS = [60, 40, 25];

function fitting(before: readonly string[], parts: readonly Part[]): string {
  for (const most of TITLE_CHARS) {
    const text = [...before, ...parts.map((part) => partText(part, most))].join(' ');
    if (text.length <= MAX_SAID_CHARS) return text;
  }
  return [...before, ...parts.map(({ head, tasks }) => `${head(tasks.length)}.`)].join(' ');
}

function partText({ head, tasks, today }: Part, most: number): string {
  const titles = tasks.map(({ title, day }) => {
    const words = shorten(title.replaceAll('\n', ' ').replace(/[.:;,!]+$/, ''), most);
    return today === undefined || day === null ? words : t.onDay(words, dayWords(day, today));
  });
  return `${head(tasks.length)}: ${capitalize(namedNotes(titles))}.`;
}

function dayWords(day: string, today: string): string {
  if (day === today) return t.today;
  return day === daysLater(today, 1) ? t.tomorrow : t.onWeekday(weekdayOf(day));
}
