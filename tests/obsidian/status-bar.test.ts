/** What is seen of the chats while the panel is closed. */
import { expect, test } from 'vitest';
import { addStatusBarItems } from '#obsidian/status-bar';
import { failure } from '#messages/failures';
import type { TurnEnd } from '#model/event';
import type { AutomaticRetry, FailureKind } from '#model/failure';
import type { ChatCommand } from '#ports/app/chat-commands';
import { openHost } from '#tests/builders/workbench-host';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';
import type { WorkbenchApp } from '#workbench/obsidian/app';

async function opened() {
  const host = await openHost();
  const agent = scriptedAgent([]);
  const commands: ChatCommand[] = [];
  const ribbonIcon = document.createElement('div');
  const shown: (() => void)[] = [];
  const panel = {
    ribbonIcon,
    isVisible: false,
    inChat: async (command: ChatCommand) => void commands.push(command),
    isShown: () => panel.isVisible,
    onShown: (listener: () => void) => void shown.push(listener),
  };
  const ui = { hasSeen: () => false, openSettings: () => undefined };
  addStatusBarItems(host.plugin, agent, ui, panel);
  const [item] = (host.app as unknown as WorkbenchApp).registrations.statusBarItems;
  return {
    ...{ host, agent, commands, ribbonIcon, panel, item },
    text: () => (item?.style.display === 'none' ? '' : item?.textContent),
    hasBadge: () => ribbonIcon.hasClass('parley-badge'),
    show: () => shown.forEach((each) => each()),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

const QUESTION = { kind: 'question', text: 'Which?', choices: [], allowFreeText: true } as const;

test('the status bar says the most urgent state, and a click opens its chat', async () => {
  await using bar = await opened();
  await expect.poll(bar.text).toBe('');
  const one = new Script('one').ask('One').step();
  const two = new Script('two').ask('Two').step();
  bar.agent.add(one);
  bar.agent.add(two);
  await expect.poll(bar.text).toBe('Parley is working');
  expect(bar.hasBadge()).toBe(false);
  two.hold('ask_user', {}, QUESTION);
  await expect.poll(bar.text).toBe('Parley needs you');
  expect(bar.item?.getAttribute('aria-label')).toBe(
    'Parley needs you: 1 working, 1 needs you. Open the chat',
  );
  expect(bar.hasBadge()).toBe(true);
  expect(bar.ribbonIcon.getAttribute('aria-label')).toBe('Open chat. Parley needs you');
  bar.item?.click();
  expect(bar.commands).toEqual([{ do: 'open', conversation: two.id }]);
});

test('the status bar says that Parley is done until the chat is opened', async () => {
  await using bar = await opened();
  const one = new Script('one').ask('One').step();
  bar.agent.add(one);
  await expect.poll(bar.text).toBe('Parley is working');
  one.say('Done.').done('Done.');
  await expect.poll(bar.text).toBe('Parley is done');
  expect(bar.hasBadge()).toBe(true);
  bar.item?.click();
  expect(bar.commands).toEqual([{ do: 'open', conversation: one.id }]);
  await expect.poll(bar.text).toBe('');
  expect(bar.hasBadge()).toBe(false);
});

test.each<[string, TurnEnd, string]>([
  ['failed', failed('unexpected'), 'Parley could not finish'],
  ['waits for a key', failed('key', { when: 'key' }), 'Parley could not finish'],
  ['reached a limit', { kind: 'limited', reason: 'steps', reply: '' }, 'Parley could not finish'],
  ['is retried later', failed('network', { when: 'online' }), ''],
])('a turn that %s is not called done', async (_, end, text) => {
  await using bar = await opened();
  const one = new Script('one').ask('One').step();
  bar.agent.add(one);
  await expect.poll(bar.text).toBe('Parley is working');
  one.end(end);
  await expect.poll(bar.text).toBe(text);
  expect(bar.hasBadge()).toBe(text !== '');
});

function failed(kind: FailureKind, retry?: AutomaticRetry): TurnEnd {
  const cause = failure(kind, {});
  return { kind: 'failed', failure: cause, reply: cause.sentence, ...(retry ? { retry } : {}) };
}

test('an end says nothing that the user sees in the panel, or has caused', async () => {
  await using bar = await opened();
  const one = new Script('one').ask('One').step();
  const two = new Script('two').ask('Two').step();
  const three = new Script('three').ask('Three').step();
  for (const each of [one, two, three]) bar.agent.add(each);
  await expect.poll(bar.text).toBe('Parley is working');
  one.end({ kind: 'stopped', reply: 'Stopped.' });
  bar.panel.isVisible = true;
  two.say('Done.').done('Done.');
  bar.panel.isVisible = false;
  three.say('Done.').done('Done.');
  await expect.poll(bar.text).toBe('Parley is done');
  bar.show();
  await expect.poll(bar.text).toBe('');
});
