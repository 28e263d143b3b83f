/** Status bar item with the chats at work. */
import { expect, test } from 'vitest';
import { addStatusBarItems } from '#obsidian/status-bar';
import type { ChatCommand } from '#ports/app/chat-commands';
import { openHost } from '#tests/builders/workbench-host';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';
import type { WorkbenchApp } from '#workbench/obsidian/app';

test('the status bar counts the chats at work, and a click shows them', async () => {
  await using host = await openHost();
  const agent = scriptedAgent([]);
  const commands: ChatCommand[] = [];
  const ui = { hasSeen: () => false, openSettings: () => undefined };
  addStatusBarItems(host.plugin, agent, ui, async (command) => void commands.push(command));
  const [item] = (host.app as unknown as WorkbenchApp).registrations.statusBarItems;
  const text = () => (item?.style.display === 'none' ? '' : item?.textContent);
  await expect.poll(text).toBe('');

  const one = new Script('one').ask('One').step();
  const two = new Script('two').ask('Two').step();
  agent.add(one);
  agent.add(two);
  await expect.poll(text).toBe('Parley: 2 working');
  const question = { kind: 'question', text: 'Which?', choices: [], allowFreeText: true } as const;
  two.hold('ask_user', {}, question);
  await expect.poll(text).toBe('Parley: 1 working, 1 needs you');
  item?.click();
  expect(commands).toEqual([{ do: 'show-inbox' }]);
  one.say('Done.').done('Done.');
  two.end({ kind: 'stopped', reply: 'Stopped.' });
  await expect.poll(text).toBe('');
});
