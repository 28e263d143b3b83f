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

it('execute_command runs an allowed command by id or name, once', async () => {
  const here = bench(['daily-notes', 'editor:save-file']);
  expect(await here.expectSuccess('execute_command', { command: 'daily-notes' })).toBe(
    'Ran "Daily notes: Open today’s daily note" (daily-notes).',
  );
  await here.expectSuccess('execute_command', { command: 'save current FILE' });
  expect(here.commands.ran).toEqual(['daily-notes', 'editor:save-file']);
});

it.each(['app:delete-all', 'Delete everything', 'nothing', ' '])(
  'execute_command does not run %j, and lists the allowed commands',
  async (command) => {
    const here = bench(['daily-notes', 'gone:plugin']);
    const told = await here.expectFailure('execute_command', { command });
    expect(told).toContain(
      "is not among the commands allowed in Parley's settings. Allowed commands:\n- daily-notes (Daily notes",
    );
    expect(told).not.toContain('gone:plugin');
    expect(told.replace(`"${command}"`, '')).not.toContain('Delete everything');
    expect(here.commands.ran).toEqual([]);
  },
);

it('execute_command asks for approval with name and id, and runs nothing before', async () => {
  const here = bench(['daily-notes'], 'ask');
  const card = await here.approvalOf('execute_command', { command: 'daily-notes' });
  expect(card.title).toBe('Run “Daily notes: Open today’s daily note”?');
  expect(card.lines.join()).toContain('daily-notes: Parley can’t show or undo');
  expect(here.commands.ran).toEqual([]);
  await here.confirm(card, 'allow-once');
  expect(here.commands.ran).toEqual(['daily-notes']);
});

it('execute_command refuses other commands without asking for approval', async () => {
  const here = bench(['daily-notes'], 'ask');
  expect(await here.expectFailure('execute_command', { command: 'nothing' })).toContain(
    'Allowed commands:',
  );
});

test('execute_command says that an unavailable command did not run', async () => {
  const here = bench(['daily-notes'], 'allow', false);
  expect(await here.expectFailure('execute_command', { command: 'daily-notes' })).toContain(
    'did not run: it is not available at present',
  );
});

test('execute_command says that an allowed command is missing if its plugin is off', async () => {
  const here = bench(['gone:plugin'], 'ask');
  expect(await here.expectFailure('execute_command', { command: 'gone:plugin' })).toMatch(
    /is allowed in Parley's settings, but Obsidian does not have this command now\. Its plugin/,
  );
  expect(await here.expectFailure('execute_command', { command: 'other' })).toMatch(
    /not among the commands.* Allowed commands: none that Obsidian has now\.$/,
  );
});

test('execute_command runs nothing if the host has no commands', async () => {
  const settings = { commands: ['daily-notes'], tools: { execute_command: 'allow' } } as const;
  const command = 'daily-notes';
  const told = await memoryBench({}, { settings }).expectFailure('execute_command', { command });
  expect(told).toContain('Obsidian does not have this command now');
  const none = { settings: { ...settings, commands: [] } };
  expect(await memoryBench({}, none).expectFailure('execute_command', { command })).toContain(
    'Allowed commands: none.',
  );
});

test('execute_command is off by default, and needs permission to navigate', async () => {
  const told = await memoryBench().expectFailure('execute_command', { command: 'x' });
  expect(told).toContain('switched off');
  const here = bench(['daily-notes']);
  here.settings = { ...here.settings, allowNavigate: false };
  await here.expectFailure('execute_command', { command: 'daily-notes' });
  expect(here.commands.ran).toEqual([]);
});
