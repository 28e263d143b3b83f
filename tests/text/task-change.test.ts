import { describe, expect, it, test } from 'vitest';
import { statusOf, type TaskMark } from '#text/task-marks';
import { readTaskLine, taskWords, dateOf, priorityOf, fieldNamed } from '#text/task-fields';
import {
  changedTask,
  DEFAULT_TASK_SETTINGS,
  type TaskEdit,
  type TaskSettings,
} from '#text/task-change';

const TODAY = '2022-02-13';

function changed(
  line: string,
  edit: TaskEdit,
  settings: Partial<TaskSettings> | null = {},
  today = TODAY,
): readonly string[] {
  const plugin = settings && { ...DEFAULT_TASK_SETTINGS, ...settings };
  const format = plugin?.format ?? 'emoji';
  const made = changedTask(line, edit, { today, format, settings: plugin });
  if (!made.ok) throw new Error(made.reason);
  return made.lines;
}

const ticked = (line: string, settings: Partial<TaskSettings> | null = {}, today = TODAY) =>
  changed(line, { status: 'done' }, settings, today);

/**
 * The rules are those of the user guide of the Tasks plugin, "Recurring Tasks":
 * https://publish.obsidian.md/tasks/Getting+Started/Recurring+Tasks
 */
describe('the next task', () => {
  it.each([
    ['every Sunday', '2021-04-25', ['2021-05-02', '2021-05-09']],
    ['every month on the last', '2022-01-31', ['2022-02-28', '2022-03-31', '2022-04-30']],
    [
      'every month',
      '2021-10-31',
      ['2021-11-30', '2021-12-30', '2022-01-30', '2022-02-28', '2022-03-28'],
    ],
    [
      'every month on the 31st',
      '2022-01-31',
      ['2022-03-31', '2022-05-31', '2022-07-31', '2022-08-31'],
    ],
    ['every 3 months', '2022-01-31', ['2022-04-30', '2022-07-30']],
    ['every year', '2024-02-29', ['2025-02-28', '2026-02-28']],
    ['every weekday', '2022-02-11', ['2022-02-14', '2022-02-15']],
    ['every 3 days', '2022-02-11', ['2022-02-14']],
    ['every week on Tuesday, Friday', '2022-02-11', ['2022-02-15', '2022-02-18']],
    ['every 3 weeks on Friday', '2022-02-11', ['2022-03-04']],
    ['every month on the last Friday', '2022-02-25', ['2022-03-25', '2022-04-29']],
    ['every month on the 2nd last Friday', '2022-02-18', ['2022-03-18', '2022-04-22']],
    ['every 6 months on the 2nd Wednesday', '2022-02-09', ['2022-08-10']],
    ['every January on the 15th', '2022-01-15', ['2023-01-15']],
    ['every February on the last', '2023-02-28', ['2024-02-29']],
    ['every April and December on the 1st and 24th', '2022-04-01', ['2022-04-24', '2022-12-01']],
  ])('the next task of "%s" due on %s is due on %j', (rule, due, days) => {
    let line = `- [ ] do stuff 🔁 ${rule} 📅 ${due}`;
    for (const day of days) {
      const [next = '', done] = ticked(line);
      expect(done).toBe(`${line.replace('[ ]', '[x]')} ✅ ${TODAY}`);
      expect(next).toBe(`- [ ] do stuff 🔁 ${rule} 📅 ${day}`);
      line = next;
    }
  });

  it('the next task counts from the day it is done only if the rule says so', () => {
    expect(ticked('- [ ] sweep 🔁 every week ⏳ 2021-02-06')[0]).toContain('⏳ 2021-02-13');
    expect(ticked('- [ ] sweep 🔁 every week when done ⏳ 2021-02-06')[0]).toContain(
      '⏳ 2022-02-20',
    );
    expect(
      ticked('- [ ] sweep 🔁 every month when done 📅 2021-02-06', {}, '2022-01-31')[0],
    ).toContain('📅 2022-02-28');
  });

  it('the next task keeps the distances of its dates to the due date, else the scheduled one', () => {
    const lawn = '-   [ ] Mow 🔁 every 2 weeks 🛫 2021-10-20 ⏳ 2021-10-28 📅 2021-10-30';
    expect(ticked(lawn)[0]).toBe(
      '-   [ ] Mow 🔁 every 2 weeks 🛫 2021-11-03 ⏳ 2021-11-11 📅 2021-11-13',
    );
    const plan = '- [ ] Plan 🔁 every month 🛫 2021-10-20 ⏳ 2021-10-31';
    expect(ticked(plan)[0]).toBe('- [ ] Plan 🔁 every month 🛫 2021-11-19 ⏳ 2021-11-30');
  });

  it('the next task has no id, dependency, block id, created or done date', () => {
    const line = '- [/] a 🆔 dcf64c ⛔ 0h17ye,1 ⏫ 🔁 every day ➕ 2021-01-01 📅 2022-02-13 #x ^b';
    expect(ticked(line)).toEqual([
      '- [ ] a ⏫ 🔁 every day 📅 2022-02-14 #x',
      '- [x] a 🆔 dcf64c ⛔ 0h17ye,1 ⏫ 🔁 every day ➕ 2021-01-01 📅 2022-02-13 ✅ 2022-02-13 #x ^b',
    ]);
  });

  it('the settings of the plugin say where the next task is put and what dates it has', () => {
    const line = '- [ ] a 🔁 every day ⏳ 2022-02-12 📅 2022-02-13';
    const [done, next] = ticked(line, { nextBelow: true, dropsScheduled: true, setsCreated: true });
    expect(done).toMatch(/^- \[x\]/);
    expect(next).toBe('- [ ] a 🔁 every day ➕ 2022-02-13 📅 2022-02-14');
    const only = '- [ ] a 🔁 every day ⏳ 2022-02-12';
    expect(ticked(only, { dropsScheduled: true })[0]).toBe('- [ ] a 🔁 every day ⏳ 2022-02-13');
    const both = '- [ ] a 🔁 every month 🛫 2022-01-31 ⏳ 2022-02-02';
    expect(ticked(both, { dropsScheduled: true })[0]).toBe('- [ ] a 🔁 every month 🛫 2022-02-28');
  });

  it('a canceled task has no next one, and its date goes when it is opened again', () => {
    const line = '- [ ] a 🔁 every day 📅 2022-02-13';
    const [canceled = '', ...more] = changed(line, { status: 'canceled' });
    expect([canceled, ...more]).toEqual([`${line.replace('[ ]', '[-]')} ❌ 2022-02-13`]);
    expect(changed(canceled, { status: 'open' })).toEqual([line]);
  });

  it('a task that recurs without a date has a next one without a date', () => {
    expect(ticked('- [ ] a 🔁 every day')).toEqual([
      '- [ ] a 🔁 every day',
      '- [x] a 🔁 every day ✅ 2022-02-13',
    ]);
  });

  // "On Completion" of the same guide.
  it('a task with 🏁 delete goes when it is done, and only then', () => {
    expect(ticked('- [ ] a 🏁 delete')).toEqual([]);
    expect(ticked('- [ ] a 📅 2022-02-12 🔁 every day when done 🏁 delete')).toEqual([
      '- [ ] a 📅 2022-02-14 🔁 every day when done 🏁 delete',
    ]);
    expect(ticked('- [ ] a 🏁 keep')).toEqual(['- [x] a 🏁 keep ✅ 2022-02-13']);
    expect(changed('- [ ] a 🏁 delete', { status: 'canceled' })).toHaveLength(1);
    const rules = { today: TODAY, format: 'emoji', settings: DEFAULT_TASK_SETTINGS } as const;
    expect(changedTask('- [ ] a 🏁 delete', { status: 'done' }, rules, true)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('nested') as string,
    });
  });

  it.each([
    'every weekend',
    'every fortnight',
    'every other day',
    'every week or so',
    'every week every day',
    'every 2 week foo',
    'every 1.5 weeks',
    'every day at 9',
    'every hour',
    'every week for 3 times',
    'every day until January 1, 2027',
    'every February on the 30th',
    'daily',
    'when done',
  ])('a task whose rule is "%s" is not ticked', (rule) => {
    const line = `- [ ] a 📅 2022-02-13  [repeat:: ${rule}]`;
    expect(() => ticked(line)).toThrow(/rule|field/i);
    expect(() => ticked(`- [ ] a 🔁 ${rule} 📅 2022-02-13`)).toThrow(/rule|field/i);
  });

  it.each(['2022-02-30', 'tomorrow', ''])(
    'a task that recurs and is due on "%s" is not ticked',
    (day) => {
      expect(() => ticked(`- [ ] a 🔁 every day ⏳ 2022-02-12 📅 ${day}`)).toThrow('📅');
    },
  );
});

describe('a task line', () => {
  it.each<[string, Partial<TaskSettings> | null, string]>([
    ['- [ ] milk', {}, '- [x] milk ✅ 2022-02-13'],
    ['- [ ] milk', { setsDone: false }, '- [x] milk'],
    ['- [ ] milk', { globalFilter: '#task' }, '- [x] milk'],
    ['- [ ] #task milk', { globalFilter: '#task' }, '- [x] #task milk ✅ 2022-02-13'],
    ['- [ ] milk', { format: 'dataview' }, '- [x] milk  [completion:: 2022-02-13]'],
    ['- [ ] milk', null, '- [x] milk'],
    ['- [ ] milk 📅 2022-02-13', null, '- [x] milk 📅 2022-02-13 ✅ 2022-02-13'],
    [
      '- [ ] milk (due:: 2022-02-13)',
      null,
      '- [x] milk (due:: 2022-02-13)  [completion:: 2022-02-13]',
    ],
  ])('%s is ticked with the settings %j as the plugin would', (line, settings, done) => {
    expect(ticked(line, settings)).toEqual([done]);
  });

  it.each<[string, TaskEdit, string]>([
    ['- [ ] a 📅 2022-02-13T10:00', { due: '2022-03-01' }, '- [ ] a 📅 2022-03-01T10:00'],
    [
      '> 1) [?] a [due::  2022-02-13 ], (x:: y) ^b',
      { due: '2022-03-01' },
      '> 1) [?] a [due::  2022-03-01 ], (x:: y) ^b',
    ],
    ['- [ ] a ⏬️ 🗓️ 2022-02-13', { priority: 'high', due: null }, '- [ ] a ⏫'],
    ['- [ ] a [priority:: low]', { priority: 'highest' }, '- [ ] a [priority:: highest]'],
    [
      '- [ ] a #b  ^c',
      { due: '2022-03-01', start: '2022-02-01' },
      '- [ ] a #b 🛫 2022-02-01 📅 2022-03-01  ^c',
    ],
    ['- [ ] 📅 2022-02-13', { due: null }, '- [ ] '],
    [
      '- [ ] a 🔁 every day 📅 2022-02-13',
      { recurrence: 'every week' },
      '- [ ] a 🔁 every week 📅 2022-02-13',
    ],
    [
      '- [ ] a  ',
      { recurrence: 'every week', due: '2022-03-01' },
      '- [ ] a 🔁 every week 📅 2022-03-01  ',
    ],
  ])('%s with %j becomes %s', (line, edit, now) => {
    expect(changed(line, edit)).toEqual([now]);
  });

  it.each<[string, TaskEdit]>([
    ['- [ ] a 📅 tomorrow', { due: '2022-03-01' }],
    ['- [ ] a', { due: '2022-02-30' }],
    ['- [ ] a', { recurrence: 'every weekend' }],
    ['- [ ] a', { recurrence: 'every week' }],
    ['- [ ] a [priority:: 3]', { priority: 'high' }],
  ])('%s with %j is refused', (line, edit) => {
    expect(() => changed(line, edit)).toThrow(/read|calendar|needs a due/);
  });

  test('a task line is read in both formats', () => {
    const read = (line: string) => {
      const task = readTaskLine(line)!;
      const [due, scheduled] = [dateOf(task, 'due'), dateOf(task, 'scheduled')];
      const rule = fieldNamed(task, 'recurrence')?.value ?? null;
      return [taskWords(task), due, scheduled, priorityOf(task), rule];
    };
    const emoji = '- [ ] pay [[Rent|it]] #home ⏫ 🔁 every month ⏳2022-02-01 📆 2022-02-13 ^b';
    const inline =
      '* [ ] pay [[Rent|it]] #home (priority:: high) [repeat:: every month]  [scheduled:: 2022-02-01], [due:: 2022-02-13]';
    const fields = ['2022-02-13', '2022-02-01', 'high', 'every month'];
    expect(read(emoji)).toEqual(['pay [[Rent|it]] #home', ...fields]);
    expect(read(inline)).toEqual(['pay [[Rent|it]] #home', ...fields]);
    expect(read('- [ ] not `📅 2022-02-13` in code')).toEqual([
      'not `📅 2022-02-13` in code',
      ...[null, null, null, null],
    ]);
    expect(read('- [ ] never 📅 2022-02-30')[1]).toBeNull();
    // Of two, the plugin takes the first of those at the end of the line.
    expect(read('- [ ] a 📅 2022-01-01 b 📅 2022-02-01 📅 2022-03-01')[1]).toBe('2022-02-01');
  });
});

test.each([
  ['an inline field that is not closed', `[a::${' '.repeat(200_000)}b`],
  ['blanks between words', `a${' '.repeat(200_000)}b`],
  ['a sign without a value', `🔁${' '.repeat(200_000)}_`],
])('the time to read a long task with %s grows with its length only', (_, words) => {
  const task = readTaskLine(`- [ ] ${words}`)!;
  expect(taskWords(task).endsWith(words.at(-1)!)).toBe(true);
  const due = changed(`- [ ] ${words}  `, { due: TODAY });
  expect(due).toEqual([`- [ ] ${words} 📅 ${TODAY}  `]);
});

/** The rules are those of "Recurring Tasks and Custom Statuses" in the same guide. */
describe('a status of the user', () => {
  const marks = (...rows: readonly (readonly [string, TaskMark['type'], string])[]) => ({
    marks: new Map(rows.map(([mark, type, next]) => [mark, { type, next }])),
  });
  const ACROSS = marks(
    [' ', 'todo', '/'],
    ['/', 'in-progress', 'D'],
    ['D', 'done', '-'],
    ['-', 'canceled', '!'],
    ['!', 'todo', '/'],
    ['h', 'on-hold', ' '],
    ['i', 'non-task', 'i'],
  );
  const RULE = '🔁 every day 📅 2022-02-13';

  it('ticking goes to the next mark that means done, and the next task to one to be done', () => {
    expect(ticked(`- [ ] a ${RULE}`, ACROSS)).toEqual([
      '- [!] a 🔁 every day 📅 2022-02-14',
      `- [D] a ${RULE} ✅ ${TODAY}`,
    ]);
    const inProgress = marks([' ', 'on-hold', 'x'], ['x', 'done', '/'], ['/', 'in-progress', 'x']);
    expect(ticked(`- [ ] a ${RULE}`, inProgress)[0]).toBe('- [/] a 🔁 every day 📅 2022-02-14');
    const none = marks(['x', 'done', 'x']);
    expect(ticked(`- [a] a ${RULE}`, none)[0]).toBe('- [ ] a 🔁 every day 📅 2022-02-14');
  });

  it('canceling and reopening use the marks of the user, too', () => {
    expect(changed('- [/] a', { status: 'canceled' }, ACROSS)).toEqual([`- [-] a ❌ ${TODAY}`]);
    expect(changed(`- [D] a ✅ ${TODAY}`, { status: 'open' }, ACROSS)).toEqual(['- [!] a']);
  });

  it.each([
    ['h', 'open'],
    ['D', 'done'],
    ['i', 'none'],
    ['x', 'open'],
  ])('[%s] means %s', (mark, status) => {
    expect(statusOf(mark, ACROSS.marks)).toBe(status);
  });
});
