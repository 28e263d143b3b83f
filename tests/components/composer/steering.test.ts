/** Messages that are written while a turn is open: they join it, wait for its end, or stop it. */
import { screen as page, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type { QueuedRequest } from '#model/request';
import { Script } from '#workbench/gallery/script';
import { queuedEntry } from '#workbench/gallery/scripted-agent';
import { openChat } from '../chat';

const area = () => page.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const running = () => new Script('a').ask('Tidy up').step();
const later = (script: Script): QueuedRequest => {
  const entry = queuedEntry('And then this', script.id, 50);
  return { ...entry, request: { ...entry.request, when: 'after' } };
};

describe('the composer while a turn is open', () => {
  test.each([
    ['{Enter}', undefined],
    ['{Alt>}{Enter}{/Alt}', 'after'],
    ['{Control>}{Enter}{/Control}', 'stop'],
  ])('the key %s sends the message with its own delivery', async (keys, when) => {
    const { asked, user } = await openChat([running()]);
    await user.type(area(), `In French${keys}`);
    const [sent] = asked('send') as { text: string; when?: string }[];
    expect(sent?.text).toBe('In French');
    expect(sent?.when).toBe(when);
    expect(area()).toHaveValue('');
  });

  test.each([
    ['Queue', 'after', 'Alt+Enter'],
    ['Stop and send', 'stop', 'Control+Enter'],
  ])('the button %s sends the message and names its key', async (name, when, shortcut) => {
    const { asked, user } = await openChat([running()]);
    expect(page.queryByRole('button', { name })).toBeNull();
    await user.type(area(), 'In French');
    const button = page.getByRole('button', { name });
    expect(button).toHaveAttribute('aria-keyshortcuts', shortcut);
    await user.click(button);
    expect(asked('send')).toMatchObject([{ text: 'In French', when }]);
  });

  test('the message field says that Enter lets the message join the request', async () => {
    const { user } = await openChat([running()]);
    await user.type(area(), 'In French');
    expect(area()).toHaveAccessibleDescription('Joins next');
  });

  test('the message field says that a message to a paused request joins it on Resume', async () => {
    const script = running();
    script.write({ type: 'turn-pause', turn: script.turn });
    const { user } = await openChat([script]);
    await user.type(area(), 'In French');
    expect(area()).toHaveAccessibleDescription('Joins when you resume');
  });

  test('an idle chat offers Send alone, and the keys with modifiers send as well', async () => {
    const { asked, user } = await openChat([running().say('Yes.').done('Yes.')]);
    await user.type(area(), 'In French');
    expect(page.queryByRole('button', { name: 'Queue' })).toBeNull();
    await user.keyboard('{Control>}{Enter}{/Control}');
    const [sent] = asked('send') as { when?: string }[];
    expect(sent?.when).toBeUndefined();
  });

  test('a call of an MCP client offers only to queue the message', async () => {
    const { user } = await openChat([new Script('a').ask('read_file', 'mcp').step()]);
    await user.type(area(), 'In French');
    expect(page.queryByRole('button', { name: 'Stop and send' })).toBeNull();
    expect(page.getByRole('button', { name: 'Queue message' })).toBeInTheDocument();
  });
});

describe('the messages that have not been sent yet', () => {
  test('each message says whether it joins the request or waits for its end', async () => {
    const script = running();
    const { user } = await openChat([script], { entries: [later(script)] });
    await user.type(area(), 'In French{Enter}');
    const rows = within(await page.findByRole('list', { name: 'Queued' })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent.trim().replace(/\s+/g, ' '))).toEqual([
      'And then this After this',
      'In French Joins next',
    ]);
  });

  test('Send now lets a queued message join the request', async () => {
    const script = running();
    const { asked, user } = await openChat([script], { entries: [later(script)] });
    const row = within(page.getByRole('list', { name: 'Queued' }));
    await user.click(row.getByRole('button', { name: 'Send now' }));
    expect(asked('sendNow')).toHaveLength(1);
    expect(row.getByText('Joins next')).toBeVisible();
    expect(row.queryByRole('button', { name: 'Send now' })).toBeNull();
  });

  test('a message that joined in the meantime does not return to the composer', async () => {
    const script = running();
    const { agent, user } = await openChat([script], { entries: [later(script)] });
    agent.queue.edit = async () => ({ ok: false, reason: 'There is no such request.' });
    await user.click(page.getByRole('button', { name: 'Edit queued message' }));
    expect(area()).toHaveValue('');
  });
});

describe('a turn that a message joined', () => {
  test('the chat shows the message where the agent got it', async () => {
    const script = running().say('I look.').call('list_files', {}, '2 files').stepEnd();
    script.steer('Leave the trip alone', 'voice').step().say('I leave it.').done('I leave it.');
    await openChat([script]);
    const message = page.getByText('Leave the trip alone');
    const mark = page.getByText('Included from here on');
    const answer = page.getByText('I leave it.');
    const { DOCUMENT_POSITION_FOLLOWING: FOLLOWING } = Node;
    expect(message.compareDocumentPosition(mark) & FOLLOWING).toBeTruthy();
    expect(mark.compareDocumentPosition(answer) & FOLLOWING).toBeTruthy();
    expect(page.getByText('Voice')).toBeVisible();
  });
});
