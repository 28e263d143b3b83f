/** The settings of other plugins, as their files have them. */
import { expect, it } from 'vitest';
import { DEFAULT_TASK_SETTINGS } from '#text/task-change';
import { folderBench } from '#tests/builders/tools';

const PERIODIC = '.obsidian/plugins/periodic-notes/data.json';
const TASKS = '.obsidian/plugins/obsidian-tasks-plugin/data.json';
const ON = { '.obsidian/community-plugins.json': '["periodic-notes","obsidian-tasks-plugin"]' };
const CORE = { '.obsidian/daily-notes.json': '{"folder":"Core"}' };

const ofCore = { folder: 'Core', dateFormat: 'YYYY-MM-DD', template: null };
const ofPlugin = { folder: 'Days', dateFormat: 'YYYY/DD', template: 'T/Day' };
const day = { enabled: true, folder: '/Days/', format: 'YYYY/DD' };

it.each([
  ['the core plugin', {}, ofCore],
  ['Periodic Notes', { ...ON, [PERIODIC]: { daily: { ...day, template: 'T/Day' } } }, ofPlugin],
  [
    'the active set of Periodic Notes',
    {
      ...ON,
      [PERIODIC]: {
        activeCalendarSet: 'Home',
        calendarSets: [{ id: 'Work' }, { id: 'Home', day: { ...day, templatePath: 'T/Day' } }],
      },
    },
    ofPlugin,
  ],
  [
    'the core plugin, if Periodic Notes has no daily notes',
    { ...ON, [PERIODIC]: { daily: { ...day, enabled: false } } },
    ofCore,
  ],
  ['the core plugin, if Periodic Notes is off', { [PERIODIC]: { daily: day } }, ofCore],
  [
    'the core plugin, if the settings of Periodic Notes are damaged',
    { ...ON, [PERIODIC]: [] },
    ofCore,
  ],
])('daily notes are those of %s', async (_, files, settings) => {
  const written = Object.entries(files).map(([path, value]): [string, string] => [
    path,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  await using bench = await folderBench({ ...CORE, ...Object.fromEntries(written) });
  expect(await bench.metadata.dailyNotes()).toEqual(settings);
});

it('the marks of tasks mean what the Tasks plugin has been told', async () => {
  const status = (symbol: string, type: string, nextStatusSymbol = 'x') => ({
    ...{ symbol, name: type, nextStatusSymbol, availableAsCommand: true, type },
  });
  const core = [status(' ', 'TODO', '>'), status('x', 'DONE', ' ')];
  const custom = [status('>', 'CANCELLED'), status('i', 'NON_TASK'), status('h', 'ON_HOLD')];
  const wrong = [status('', 'DONE'), { symbol: 7 }, null, status('x', 'TODO')];
  const saved = { statusSettings: { coreStatuses: core, customStatuses: [...custom, ...wrong] } };
  const text = '- [h] a\n- [>] b\n- [i] c\n- [?] d\n- [X] e\n- [ ] f\n';
  await using bench = await folderBench({ 'A.md': text, [TASKS]: JSON.stringify(saved), ...ON });
  const rows = async (tasks: string) => {
    const { text: answer } = await bench.call('query_notes', { tasks });
    return answer.match(/\[.\] [a-f]$/gm);
  };
  expect(await rows('open')).toEqual(['[h] a', '[?] d', '[ ] f']);
  expect(await rows('canceled')).toEqual(['[>] b']);
  expect(await rows('done')).toEqual(['[X] e']);
  const { text: open } = await bench.call('query_notes', { tasks: 'open' });
  expect(open).toContain("1 task has a mark of the user's own: [?]");
  await bench.expectSuccess('update_tasks', { path: 'A.md', tasks: ['a'], status: 'done' });
  await bench.expectSuccess('update_tasks', { path: 'A.md', tasks: ['f'], status: 'canceled' });
  expect(await bench.textOf('A.md')).toMatch(/^- \[x\] a .*\n[^]*- \[>\] f/);
});

it('tasks are written as the settings of the Tasks plugin say', async () => {
  const saved = {
    ...{ taskFormat: 'dataview', globalFilter: '#task', setDoneDate: false },
    ...{ setCreatedDate: true, recurrenceOnNextLine: true, removeScheduledDateOnRecurrence: true },
  };
  const files = { 'A.md': '- [ ] #task a\n', [TASKS]: JSON.stringify(saved) };
  await using bench = await folderBench({ ...files, ...ON });
  expect(await bench.metadata.taskSettings()).toEqual({
    ...{ format: 'dataview', globalFilter: '#task', setsDone: false, setsCanceled: true },
    ...{ setsCreated: true, nextBelow: true, dropsScheduled: true },
    marks: DEFAULT_TASK_SETTINGS.marks,
  });
  const call = { path: 'A.md', tasks: ['#task a'], due: '2026-12-01' };
  await bench.expectSuccess('update_tasks', call);
  expect(await bench.textOf('A.md')).toBe('- [ ] #task a  [due:: 2026-12-01]\n');
  await using plain = await folderBench(ON);
  expect(await plain.metadata.taskSettings()).toEqual(DEFAULT_TASK_SETTINGS);
  await using off = await folderBench({ [TASKS]: JSON.stringify(saved) });
  expect(await off.metadata.taskSettings()).toBeNull();
});
