import { describe, expect, it } from 'vitest';
import { DEFAULT_TASK_SETTINGS } from '#text/task-change';
import { BENCHES, memoryBench } from '#tests/builders/tools';

/** The day of the benches. */
const TODAY = '2026-11-12';
const PATH = 'Lists/House.md';
const HOUSE =
  '# House\n\n- [ ] pay the rent 🔁 every month 📅 2026-11-30 ^rent\n- [ ] sweep the chimney\n\t- [ ] buy a brush\n- [x] sow\n\n## Notes\n\nWords.\n';

describe.each(BENCHES)('update_tasks %s', (_, open) => {
  it('update_tasks ticks a recurring task, adds the next one above it, and undo restores the note', async () => {
    await using bench = await open({ [PATH]: HOUSE });
    const call = { path: 'House', tasks: ['pay the rent'], status: 'done' };
    const { text: told, details } = await bench.call('update_tasks', call);
    const ticked = HOUSE.replace(
      '- [ ] pay the rent 🔁 every month 📅 2026-11-30 ^rent',
      '- [ ] pay the rent 🔁 every month 📅 2026-12-30\n- [x] pay the rent 🔁 every month 📅 2026-11-30 ✅ 2026-11-12 ^rent',
    );
    expect(await bench.textOf(PATH)).toBe(ticked);
    expect(told).toContain('the next one of a task that recurs was added');
    expect(told).toContain('+3  - [ ] pay the rent 🔁 every month 📅 2026-12-30');
    const ids = details?.kind === 'changes' ? details.changes.map(({ change }) => change) : [];
    await bench.expectSuccess('undo_changes', { ids });
    expect(await bench.textOf(PATH)).toBe(HOUSE);
  });

  it('update_tasks asks before it ticks the next one of a task that was ticked today', async () => {
    await using bench = await open({ [PATH]: HOUSE });
    const call = { path: PATH, tasks: ['pay the rent'], status: 'done' };
    await bench.expectSuccess('update_tasks', call);
    const once = await bench.textOf(PATH);
    const again = await bench.call('update_tasks', call);
    expect(again.failed).toBe(true);
    expect(again.text).toContain('was ticked already, and what is open is the next one');
    expect(await bench.textOf(PATH)).toBe(once);
    await bench.expectSuccess('update_tasks', { ...call, tasks: [3] });
    expect(await bench.textOf(PATH)).toContain('- [ ] pay the rent 🔁 every month 📅 2027-01-30');
  });

  it('update_tasks adds tasks below the others, or at a position, in the format of the note', async () => {
    const inline = HOUSE.replace(
      '🔁 every month 📅 2026-11-30',
      '[repeat:: every month]  [due:: 2026-11-30]',
    );
    await using bench = await open({ [PATH]: inline, 'B.md': 'Words.\n' });
    const [more, due] = [['- [ ] order wood', 'call Ann'], '2026-12-01'];
    await bench.expectSuccess('update_tasks', { path: PATH, tasks: more, status: 'new', due });
    const place = { position: 'end-of:## Notes' };
    await bench.expectSuccess('update_tasks', {
      path: PATH,
      tasks: ['x'],
      status: 'new',
      ...place,
    });
    expect(await bench.textOf(PATH)).toBe(
      inline
        .replace(
          '\t- [ ] buy a brush\n',
          '\t- [ ] buy a brush\n- [ ] order wood  [due:: 2026-12-01]\n- [ ] call Ann  [due:: 2026-12-01]\n',
        )
        .replace('Words.\n', 'Words.\n- [ ] x\n'),
    );
    // A note without fields gets them as the other notes have them.
    await bench.expectSuccess('update_tasks', { path: 'B', tasks: ['y'], status: 'new', due });
    expect(await bench.textOf('B.md')).toContain('- [ ] y  [due:: 2026-12-01]');
  });
});

const openHouse = (files: Record<string, string> = { [PATH]: HOUSE }) => memoryBench(files);

describe('update_tasks', () => {
  it.each([
    [{ tasks: ['sweep'], due: '2026-12-04' }, '- [ ] sweep the chimney 📅 2026-12-04'],
    [{ tasks: ['the rent'], due: '2026-12-04' }, '🔁 every month 📅 2026-12-04 ^rent'],
    [{ tasks: ['rent'], due: '' }, '- [ ] pay the rent 🔁 every month ^rent'],
    [{ tasks: ['pay the rent 📅 2026-11-30'], due: '' }, '- [ ] pay the rent 🔁 every month ^rent'],
    [{ tasks: ['chimney'], status: 'canceled' }, `- [-] sweep the chimney ❌ ${TODAY}`],
    [{ tasks: ['SOW'], status: 'open', priority: 'high' }, '- [ ] sow ⏫'],
    [{ tasks: ['brush', 'chimney'], scheduled: '2026-12-01' }, '\t- [ ] buy a brush ⏳ 2026-12-01'],
  ])('update_tasks with %j writes %s', async (fields, line) => {
    await using bench = openHouse();
    bench.metadata.tasks = DEFAULT_TASK_SETTINGS;
    await bench.expectSuccess('update_tasks', { path: PATH, ...fields });
    expect(await bench.textOf(PATH)).toContain(line);
  });

  it.each([
    ['- [ ] a\n- [ ] b\n\n  more of b\n\nEnd\n', '  more of b\n', 'c'],
    ['- [ ] a\n- [ ] b\nmore of b\n', 'more of b\n', '[ ] c'],
    ['- [ ] b\n\n  ```\n  code\n\n  code\n  ```\n', 'code\n  ```\n', '* [ ] c'],
  ])('in %j a new task is put below all of the last one', async (before, last, words) => {
    await using bench = openHouse({ [PATH]: before });
    await bench.expectSuccess('update_tasks', { path: PATH, tasks: [words], status: 'new' });
    expect(await bench.textOf(PATH)).toBe(before.replace(last, `${last}- [ ] c\n`));
  });

  it.each([
    [
      'milk',
      '"milk" is in 2 tasks. Name one by its line number:\n1: - [x] milk\n2: - [ ] milk the',
    ],
    ['- [ ]', 'No task has the words "- [ ]"'],
    ['2', 'No task has the words "2"'],
  ])('naming "%s" ticks no task that may not be meant', async (words, reason) => {
    const before = '- [x] milk\n- [ ] milk the cow 2 times\n';
    await using bench = openHouse({ [PATH]: before });
    const call = { path: PATH, tasks: [words], status: 'done' };
    expect(await bench.expectFailure('update_tasks', call)).toContain(reason);
    expect(await bench.textOf(PATH)).toBe(before);
  });

  it('update_tasks takes line numbers as they were last shown', async () => {
    await using bench = openHouse();
    const call = { path: PATH, tasks: [4], status: 'done' };
    expect(await bench.expectFailure('update_tasks', call)).toContain('read_file');
    await bench.expectSuccess('query_notes', { tasks: 'open' });
    await bench.expectSuccess('update_tasks', call);
    expect(await bench.textOf(PATH)).toContain('- [x] sweep the chimney\n');
  });

  it.each([
    [{ tasks: ['e'], status: 'done' }, 'in 2 tasks. Name one by its line number:\n3: - [ ] pay'],
    [{ tasks: ['paint'], status: 'done' }, 'No task has the words "paint". It has:\n3: - [ ] pay'],
    [{ tasks: ['rent', 'paint'], status: 'done' }, 'was not changed.\nNo task'],
    [{ tasks: ['rent', 'pay the rent'], status: 'done' }, 'named twice'],
    [{ tasks: ['rent'], repeat: 'every weekend' }, 'cannot read the rule "every weekend"'],
    [{ tasks: ['rent'], due: '2026-02-30' }, 'not a day'],
    [{ tasks: ['rent'], due: 'Friday' }, 'Expected a day such as "2026-12-31"'],
    [{ tasks: ['rent'] }, 'Give what to change'],
    [{ tasks: ['rent'], priority: 'urgent' }, 'Expected highest, high, medium, low, lowest, or'],
    [{ tasks: [3], status: 'new' }, 'tasks are the words'],
    [{ tasks: ['a\nb'], status: 'new' }, 'Expected one line'],
    [{ tasks: ['a'], status: 'new', position: 'below' }, 'not a valid position'],
    [{ path: 'rows.csv', tasks: ['a'], status: 'new' }, 'rows.csv is not a note'],
  ])('update_tasks with %j changes nothing and says why', async (fields, reason) => {
    await using bench = openHouse({ [PATH]: HOUSE, 'rows.csv': 'a,b\n' });
    expect(await bench.expectFailure('update_tasks', { path: PATH, ...fields })).toContain(reason);
    expect(await bench.textOf(PATH)).toBe(HOUSE);
  });

  it('update_tasks changes nothing in a task that is done already', async () => {
    await using bench = openHouse();
    const result = await bench.call('update_tasks', { path: PATH, tasks: ['sow'], status: 'done' });
    expect(result).toMatchObject({ failed: false, details: { kind: 'unchanged' } });
    expect(await bench.textOf(PATH)).toBe(HOUSE);
  });

  it.each(['  - c\n', 'more\n', '\n  more\n'])(
    '🏁 delete deletes the line, unless %j follows',
    async (more) => {
      const left = `- [ ] b 🏁 delete\n${more}`;
      await using bench = openHouse({ [PATH]: `- [ ] a 🏁 delete\n${left}` });
      const done = (task: string) => ({ path: PATH, tasks: [task], status: 'done' });
      expect(await bench.expectSuccess('update_tasks', done('a'))).toContain(
        'a task with 🏁 delete was deleted',
      );
      expect(await bench.expectFailure('update_tasks', done('b'))).toContain('nested');
      expect(await bench.textOf(PATH)).toBe(left);
    },
  );

  it('update_tasks proposes in Review', async () => {
    await using bench = openHouse();
    bench.settings = { ...bench.settings, panelMode: 'review' };
    const call = { path: PATH, tasks: ['rent'], status: 'done' };
    expect(await bench.expectSuccess('update_tasks', call)).toContain('Proposed to change');
    const read = await bench.notes.read(PATH);
    expect(read).toMatchObject({ value: { text: expect.stringContaining('ai-edit') as string } });
  });

  it('update_tasks proposes a task that may run code, also in Apply', async () => {
    await using bench = openHouse();
    const call = { path: PATH, tasks: ['<% tp.x() %>'], status: 'new' };
    expect(await bench.expectSuccess('update_tasks', call)).toContain('Proposed to change');
  });

  it('update_tasks keeps line endings, the byte order mark and the missing last line break', async () => {
    await using bench = openHouse({
      [PATH]: '\uFEFF- [ ] a 🔁 every day 📅 2026-11-28\r\n- [ ] b',
    });
    await bench.expectSuccess('update_tasks', { path: PATH, tasks: ['a', 'b'], status: 'done' });
    expect(await bench.textOf(PATH)).toBe(
      '\uFEFF- [ ] a 🔁 every day 📅 2026-11-29\r\n- [x] a 🔁 every day 📅 2026-11-28 ✅ 2026-11-12\r\n- [x] b',
    );
  });

  it('update_tasks gives new tasks the global filter and created day of the Tasks plugin', async () => {
    await using bench = openHouse();
    bench.metadata.tasks = { ...DEFAULT_TASK_SETTINGS, globalFilter: '#task', setsCreated: true };
    await bench.expectSuccess('update_tasks', { path: PATH, tasks: ['a'], status: 'new' });
    expect(await bench.textOf(PATH)).toContain(`- [ ] #task a ➕ ${TODAY}\n`);
  });
});
