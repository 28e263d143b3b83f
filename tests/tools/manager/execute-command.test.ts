import { expect, it, test } from 'vitest';
import { memoryCommands } from '#tests/builders/commands';
import { memoryBench } from '#tests/builders/tools';

const ALL = [
  { id: 'daily-notes', name: 'Daily notes: Open today’s daily note' },
  { id: 'editor:save-file', name: 'Save current file' },
  { id: 'app:delete-all', name: 'Delete everything' },
];

function bench(listed: readonly string[], permission: 'allow' | 'ask' = 'allow', available = true) {
  const commands = memoryCommands(ALL, () => available);
  const settings = { commands: listed, tools: { execute_command: permission } };
  return Object.assign(memoryBench({}, { commands, settings }), { commands });
}

it('runs what is on the list, by its id or its name, once', async () => {
  const here = bench(['daily-notes', 'editor:save-file']);
  expect(await here.says('execute_command', { command: 'daily-notes' })).toBe(
    'Ran "Daily notes: Open today’s daily note" (daily-notes).',
  );
  await here.says('execute_command', { command: 'save current FILE' });
  expect(here.commands.ran).toEqual(['daily-notes', 'editor:save-file']);
});

it.each(['app:delete-all', 'Delete everything', 'nothing', ' '])(
  'does not run %j, and names those on the list',
  async (command) => {
    const here = bench(['daily-notes', 'gone:plugin']);
    const told = await here.refuses('execute_command', { command });
    expect(told).toContain(
      "is not among the commands allowed in Parley's settings. Allowed commands:\n- daily-notes (Daily notes",
    );
    expect(told).not.toContain('gone:plugin');
    expect(told.replace(`"${command}"`, '')).not.toContain('Delete everything');
    expect(here.commands.ran).toEqual([]);
  },
);

it('asks by a card with name and id, and runs nothing before', async () => {
  const here = bench(['daily-notes'], 'ask');
  const card = await here.card('execute_command', { command: 'daily-notes' });
  expect(card.title).toBe('Run “Daily notes: Open today’s daily note”?');
  expect(card.lines.join()).toContain('daily-notes: Parley can’t show or undo');
  expect(here.commands.ran).toEqual([]);
  await here.confirm(card, 'allow-once');
  expect(here.commands.ran).toEqual(['daily-notes']);
});

it('asks nobody about what it may not run', async () => {
  const here = bench(['daily-notes'], 'ask');
  expect(await here.refuses('execute_command', { command: 'nothing' })).toContain(
    'Allowed commands:',
  );
});

test('what can’t run now has not run', async () => {
  const here = bench(['daily-notes'], 'allow', false);
  expect(await here.refuses('execute_command', { command: 'daily-notes' })).toContain(
    'did not run: it is not available at present',
  );
});

test('execute_command says that a listed command is missing if its plugin is off', async () => {
  const here = bench(['gone:plugin'], 'ask');
  expect(await here.refuses('execute_command', { command: 'gone:plugin' })).toMatch(
    /is allowed in Parley's settings, but Obsidian does not have this command now\. Its plugin/,
  );
  expect(await here.refuses('execute_command', { command: 'other' })).toMatch(
    /not among the commands.* Allowed commands: none that Obsidian has now\.$/,
  );
});

test('a host that tells nothing of its commands runs none', async () => {
  const settings = { commands: ['daily-notes'], tools: { execute_command: 'allow' } } as const;
  const command = 'daily-notes';
  const told = await memoryBench({}, { settings }).refuses('execute_command', { command });
  expect(told).toContain('Obsidian does not have this command now');
  const none = { settings: { ...settings, commands: [] } };
  expect(await memoryBench({}, none).refuses('execute_command', { command })).toContain(
    'Allowed commands: none.',
  );
});

test('it is off, and navigates', async () => {
  const told = await memoryBench().refuses('execute_command', { command: 'x' });
  expect(told).toContain('switched off');
  const here = bench(['daily-notes']);
  here.settings = { ...here.settings, allowNavigate: false };
  await here.refuses('execute_command', { command: 'daily-notes' });
  expect(here.commands.ran).toEqual([]);
});
