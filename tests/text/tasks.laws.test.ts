/**
 * Whatever a task looks like, a change of it changes only what it is about. The judge reads fields
 * in a way of its own, and finds the next day of a rule by looking at one day after the other.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedTask, DEFAULT_TASK_SETTINGS, type TaskRules } from '#text/task-change';
import { readTaskLine } from '#text/task-fields';
import { cases } from '#tests/cases';

const TODAY = '2026-11-28';
const MANY = { numRuns: Math.max(2_000, cases.numRuns) };
const rules: TaskRules = { today: TODAY, format: 'emoji', settings: DEFAULT_TASK_SETTINGS };

const DAY_MS = 86_400_000;
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** By rule: whether it names a day, given one that it counts from. */
const RULES: Readonly<Record<string, (day: Date, from: Date) => boolean>> = {
  'every day': () => true,
  'every 4 days': (day, from) => Math.round((day.getTime() - from.getTime()) / DAY_MS) % 4 === 0,
  'every week': (day, from) => day.getUTCDay() === from.getUTCDay(),
  'every 2 weeks': (day, from) => Math.round((day.getTime() - from.getTime()) / DAY_MS) % 14 === 0,
  'every week on Monday, Thursday': (day) => [1, 4].includes(day.getUTCDay()),
  'every weekday': (day) => day.getUTCDay() % 6 !== 0,
  'every month on the 31st': (day) => day.getUTCDate() === 31,
  'every month on the last': (day) => new Date(day.getTime() + DAY_MS).getUTCDate() === 1,
  'every month on the last Friday': (day) =>
    day.getUTCDay() === 5 &&
    new Date(day.getTime() + 7 * DAY_MS).getUTCMonth() !== day.getUTCMonth(),
  'every month on the 2nd Tuesday': (day) =>
    day.getUTCDay() === 2 && day.getUTCDate() > 7 && day.getUTCDate() <= 14,
  'every July on the 4th': (day) => day.getUTCMonth() === 6 && day.getUTCDate() === 4,
};

function nextDay(rule: string, from: string): string {
  const [words = '', whenDone] = rule.split(/(?= when done)/);
  const start = at(whenDone ? TODAY : from);
  for (let day = start + DAY_MS; ; day += DAY_MS) {
    if (RULES[words]!(new Date(day), new Date(start))) return dayOf(day);
  }
}

const day = fc
  .integer({ min: 0, max: 2_000 })
  .map((days) => dayOf(at('2024-01-01') + days * DAY_MS));
const rule = fc
  .tuple(fc.constantFrom(...Object.keys(RULES)), fc.constantFrom('', '', ' when done'))
  .map((parts) => parts.join(''));

const DATE_SIGNS = { start: '🛫', scheduled: '⏳', due: '📅', created: '➕' } as const;
const id = fc.stringMatching(/^[a-z0-9-]{1,6}$/).filter((word) => /\w/.test(word));
const emoji = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...Object.values(DATE_SIGNS), '📆', '🗓️', '⌛'),
      fc.constantFrom('', ' '),
      day,
    )
    .map((all) => all.join('')),
  rule.map((words) => `🔁 ${words}`),
  fc.constantFrom('🔺', '⏫', '🔼', '🔽', '⏬️', '🏁 keep'),
  id.map((word) => `🆔 ${word}`),
  fc.tuple(id, id).map(([one, other]) => `⛔ ${one},${other}`),
);
const inline = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constantFrom(...Object.keys(DATE_SIGNS)), day),
      fc.tuple(fc.constant('repeat'), rule),
      fc.tuple(fc.constant('priority'), fc.constantFrom('low', 'highest')),
      fc.tuple(fc.constantFrom('id', 'dependsOn', 'effort'), id),
    ),
    fc.constantFrom('[]', '()'),
    fc.constantFrom('', ' '),
  )
  .map(
    ([[key, value], [open = '', close = ''], gap]) =>
      `${open}${gap}${key}:: ${value}${gap}${close}`,
  );
const word = fc.constantFrom(
  ...[
    'call',
    'Ämter',
    '[[A (b)|c]]',
    '**now**',
    '$5',
    '`📅 2020-01-01`',
    '牛乳',
    '👩‍👩‍👧',
    '#home',
    'a::b',
    '[x](y.md)',
    '(see',
    '2026-01-01',
    '^2',
    '✓',
  ],
);
const gap = fc.constantFrom(' ', '  ', '\t');

interface TaskParts {
  readonly begin: string;
  readonly box: string;
  /** Words, fields and tags, each with the blanks before it. */
  readonly items: readonly string[];
  readonly end: string;
}

/** Each kind of field occurs once. */
const kindOf = (item: string) =>
  /(?:📅|📆|🗓|\bdue::)/u.test(item)
    ? 'due'
    : /(?:⏳|⌛|\bscheduled::)/u.test(item)
      ? 'scheduled'
      : (/(?:🛫|\bstart::)/u.test(item) && 'start') ||
        (/(?:➕|\bcreated::)/u.test(item) && 'created') ||
        (/(?:🔁|\brepeat::)/u.test(item) && 'recurrence') ||
        (/(?:🔺|⏫|🔼|🔽|⏬|\bpriority::)/u.test(item) && 'priority') ||
        (/(?:⛔|\bdependsOn::)/u.test(item) && 'dependsOn') ||
        (/(?:🆔|\bid::)/u.test(item) && 'id') ||
        'other';

const parts: fc.Arbitrary<TaskParts> = fc
  .record({
    begin: fc.constantFrom('- ', '  * ', '\t+ ', '12) ', '> - ', '> [!todo] T\n> 1. ', '- > -   '),
    box: fc.constantFrom(' ', '/', '?', '🔥', '-', 'x'),
    words: fc.array(word, { minLength: 1, maxLength: 4 }),
    fields: fc.oneof(fc.array(emoji, { maxLength: 6 }), fc.array(inline, { maxLength: 6 })),
    tag: fc.constantFrom('', '', '#end'),
    gaps: fc.array(gap, { minLength: 12, maxLength: 12 }),
    end: fc.constantFrom('', '', ' ^block-1', '  ', '  ^b  '),
  })
  .map(({ begin, box, words, fields, tag, gaps, end }) => {
    const seen = new Set<string>();
    const own = fields.filter((each) => {
      const kind = kindOf(each);
      return kind === 'other' || (!seen.has(kind) && seen.add(kind));
    });
    const all = [...words, ...own, ...(tag === '' ? [] : [tag])];
    const items = all.map((item, index) => (index === 0 ? item : (gaps[index % 12] ?? ' ') + item));
    return { begin: begin.split('\n').at(-1)!, box, items, end };
  });

const written = ({ begin, box, items, end }: TaskParts) =>
  `${begin}[${box}] ${items.join('')}${end}`;
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
