/**
 * Whatever a task looks like, a change of it changes only what it is about. The judge reads fields
 * in a way of its own, and finds the next day of a rule by looking at one day after the other.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedTask, DEFAULT_TASK_SETTINGS, type TaskRules } from '#text/task-change';
import { readTaskLine } from '#text/task-fields';
import { cases } from '#tests/cases';
import {
  at,
  DATE_SIGNS,
  day,
  dayOf,
  kindOf,
  nextDay,
  parts,
  type TaskParts,
  TODAY,
  written,
} from './task-parts';

const MANY = { numRuns: Math.max(2_000, cases.numRuns) };
const rules: TaskRules = { today: TODAY, format: 'emoji', settings: DEFAULT_TASK_SETTINGS };

const dateIn = (item: string | undefined) => /\d{4}-\d{2}-\d{2}/.exec(item ?? '')?.[0];
const isCode = (item: string) => item.includes('`');

function linesOf(line: string, edit: Parameters<typeof changedTask>[1]): readonly string[] {
  const made = changedTask(line, edit, rules);
  if (!made.ok) throw new Error(`${line}: ${made.reason}`);
  return made.lines;
}

/** The line without what the change of its status adds and takes away. */
const withoutDays = (line: string) =>
  line.replace(
    /\s+(?:[✅❌] \d{4}-\d{2}-\d{2}|\[(?:completion|cancelled):: \d{4}-\d{2}-\d{2}\])/gu,
    '',
  );
const withBox = (line: string, { begin, box }: TaskParts, mark: string) =>
  `${begin}[${mark}]${line.slice(begin.length + box.length + 2)}`;

test('ticking a task changes its box and adds a day, and opening it again takes that back', () => {
  fc.assert(
    fc.property(parts, fc.constantFrom('done' as const, 'canceled' as const), (task, status) => {
      const [line, mark] = [written(task), status === 'done' ? 'x' : '-'];
      if (task.box === mark) {
        expect(linesOf(line, { status })).toEqual([line]);
        return;
      }
      const changed = linesOf(line, { status }).at(-1)!;
      const bare = withoutDays(changed);
      expect(bare).toBe(withBox(line, task, mark));
      expect(changed.length - bare.length).toBeGreaterThan(0);
      expect(linesOf(changed, { status })).toEqual([changed]);
      expect(linesOf(changed, { status: 'open' })).toEqual([withBox(line, task, ' ')]);
    }),
    MANY,
  );
});

test('the next task is the line with its dates moved to the next day of the rule', () => {
  let recurring = 0;
  fc.assert(
    fc.property(parts, (task) => {
      const line = written(task);
      const rule = task.items.find((item) => kindOf(item) === 'recurrence');
      if (task.box === 'x') return;
      const lines = linesOf(line, { status: 'done' });
      expect(lines).toHaveLength(rule === undefined ? 1 : 2);
      if (rule === undefined) return;
      recurring += 1;
      const own = (kind: string) =>
        dateIn(task.items.find((item) => kindOf(item) === kind && !isCode(item)));
      const from = own('due') ?? own('scheduled') ?? own('start');
      const words = /every [^\])]*[a-z\d]/.exec(rule)![0];
      const moved = from === undefined ? 0 : at(nextDay(words, from)) - at(from);
      const items = task.items.flatMap((item) => {
        const kind = kindOf(item);
        if (isCode(item)) return [item];
        if (['id', 'dependsOn', 'created'].includes(kind)) return [];
        if (!['due', 'scheduled', 'start'].includes(kind)) return [item];
        return [item.replace(dateIn(item)!, dayOf(at(dateIn(item)!) + moved))];
      });
      const end = /\s*$/.exec(task.end)![0];
      expect(lines[0]).toBe(written({ ...task, box: ' ', items, end }));
    }),
    MANY,
  );
  expect(recurring).toBeGreaterThan(200);
});

test('moving a task changes the digits of one date, and moving it back restores the line', () => {
  fc.assert(
    fc.property(parts, fc.constantFrom('due', 'scheduled', 'start'), day, (task, name, to) => {
      const line = written(task);
      const [moved = ''] = linesOf(line, { [name]: to });
      expect(linesOf(moved, { [name]: to })).toEqual([moved]);
      const old = task.items.find((item) => kindOf(item) === name && !isCode(item));
      if (old !== undefined) {
        expect(moved).toBe(line.replace(old, old.replace(dateIn(old)!, to)));
        expect(linesOf(moved, { [name]: dateIn(old)! })).toEqual([line]);
      } else {
        const [sign, key] = [DATE_SIGNS[name as 'due'], `[${name}:: ${to}]`];
        const field = moved.includes(`${sign} ${to}`) ? ` ${sign} ${to}` : `  ${key}`;
        expect(moved.replace(field, '')).toBe(line);
        expect(linesOf(moved, { [name]: null })).toEqual([line]);
      }
    }),
    MANY,
  );
});

test('the offsets of a task line are those of its box, words and fields', () => {
  fc.assert(
    fc.property(parts, (task) => {
      const line = written(task);
      const read = readTaskLine(line)!;
      expect(line.slice(read.boxAt, read.boxAt + task.box.length)).toBe(task.box);
      expect(line.slice(0, read.wordsFrom)).toBe(`${task.begin}[${task.box}] `);
      const kinds = task.items.filter((item) => !isCode(item)).map(kindOf);
      const own = kinds.filter((kind) => kind !== 'other');
      expect(
        read.fields.flatMap(({ name }) => (name === 'onCompletion' ? [] : [name])).sort(),
      ).toEqual(own.sort());
    }),
    MANY,
  );
});
