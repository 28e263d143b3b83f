/** Past chats: what they open with, their rows, the keyboard, and the column of a wide panel. */
import { screen as page, within } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

function talk(name: string, asked: string): Script {
  return new Script(name).ask(asked).step().say('It is done.').done('It is **done**.');
}

const THREE = () => [talk('a', 'Plant the quince'), talk('b', 'Paint the shed'), talk('c', 'Milk')];

const list = () => page.getByRole('region', { name: 'Past chats' });
const field = () => within(list()).getByRole('searchbox');
const row = (name: RegExp) => within(list()).getByRole('button', { name });
const message = () => page.getByRole('textbox', { name: 'Message' });

async function opened(scripts: Script[] = THREE()) {
  const chat = await openChat(scripts);
  await chat.user.click(page.getByRole('button', { name: 'Past chats' }));
  return chat;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('past chats', () => {
  test('past chats open without the last search and filters', async () => {
    const { screen, user } = await opened();
    await user.type(field(), 'quince');
    await screen.browser.narrow({ source: 'voice' });
    await user.click(page.getByRole('button', { name: 'Past chats' }));
    await user.click(page.getByRole('button', { name: 'Past chats' }));
    expect(field()).toHaveValue('');
    expect(field()).toHaveFocus();
    expect(row(/^Paint the shed/)).toBeVisible();
  });

  test('a row shows the title, the last answer and the number of changed notes', async () => {
    const path = 'Lists/Shopping.md';
    const change = { change: 'change-1', kind: 'write', path, added: 1, removed: 0 } as const;
    const script = new Script('a').ask('Add milk').step();
    script.call('edit_file', { path }, 'Done.', {
      details: { kind: 'changes', changes: [change as never] },
    });
    await opened([script.done('Added **milk** to [[Shopping]].')]);
    expect(row(/^Add milk/)).toHaveTextContent(/Added milk to Shopping\..*1 note changed/);
  });

  test('a row counts the edits to review for listeners, too', async () => {
    const script = new Script('a').ask('Add milk').step();
    const { pending } = proposing(script, [{ path: 'A.md', parts: [['', 'Milk\n']] }]);
    const chat = await openChat([script.done('Proposed.')], { reviewed: { pending } });
    await chat.user.click(page.getByRole('button', { name: 'Past chats' }));
    expect(row(/^Add milk/)).toHaveAccessibleName(/^Add milk 1 edit to review /);
  });

  test('a row says that all changes of the chat are undone', async () => {
    const change = { change: 'change-1', kind: 'delete', path: 'A.md', added: 0, removed: 1 };
    const script = new Script('a').ask('Delete A').step();
    script.call('delete', { path: 'A.md' }, 'Done.', {
      details: { kind: 'changes', changes: [change as never] },
    });
    const { agent } = await opened([script.done('It is deleted.')]);
    expect(row(/^Delete A/)).toHaveTextContent('1 note changed');
    await agent.changes.undo({ change: 'change-1' as never });
    await expect
      .poll(() => row(/^Delete A/).textContent)
      .toMatch(/It is deleted\..*Changes undone/);
    expect(row(/^Delete A/)).not.toHaveTextContent('note changed');
  });

  test('a summary replaces the last answer in a row', async () => {
    const script = talk('a', 'Plant the quince');
    await opened([script.write({ type: 'summary-set', summary: 'Where the quince goes.' })]);
    expect(row(/^Plant/)).toHaveTextContent('Where the quince goes.');
    expect(row(/^Plant/)).not.toHaveTextContent('It is done');
  });

  test('the list is one Tab stop, and arrow keys, Home and End move in it', async () => {
    const { user } = await opened();
    await user.keyboard('{ArrowDown}');
    expect(row(/^Milk/)).toHaveFocus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(row(/^Plant/)).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(row(/^Plant/)).toHaveFocus();
    await user.keyboard('{Home}');
    expect(row(/^Milk/)).toHaveFocus();
    await user.keyboard('{End}{ArrowUp}');
    expect(row(/^Paint/)).toHaveFocus();
    const stops = [...list().querySelectorAll<HTMLElement>('li button')].filter(
      ({ tabIndex }) => tabIndex === 0,
    );
    expect(stops.map((each) => each.getAttribute('aria-label') ?? each.dataset['row'])).toEqual([
      'conversation-b',
      'More actions for Paint the shed',
    ]);
    await user.keyboard('{Home}{ArrowUp}');
    expect(field()).toHaveFocus();
  });

  test('after a deletion by key or by menu the next row has the focus', async () => {
    const { ui, user } = await opened();
    await user.keyboard('{ArrowDown}{Delete}');
    await expect.poll(() => page.queryByText('Milk', { selector: '.title' })).toBeNull();
    expect(row(/^Paint/)).toHaveFocus();
    await user.click(row(/^More actions for Paint/));
    ui.chooseFromMenu('Delete');
    await expect.poll(() => page.queryByText('Paint the shed', { selector: '.title' })).toBeNull();
    expect(row(/^Plant/)).toHaveFocus();
  });

  test('deleted chats are offered below the list and can be restored there', async () => {
    const { ui, user } = await opened();
    expect(page.queryByRole('button', { name: /deleted today/ })).toBeNull();
    await user.click(row(/^More actions for Milk/));
    ui.chooseFromMenu('Delete');
    await user.click(await page.findByRole('button', { name: '1 chat deleted today' }));
    await user.click(await page.findByRole('button', { name: 'Restore' }));
    expect(await page.findByRole('button', { name: /^Milk/ })).toBeVisible();
    expect(row(/^Plant/)).toBeVisible();
    expect(page.queryByRole('button', { name: /deleted today/ })).toBeNull();
  });

  test('an empty history says what it is for and leads to the message field', async () => {
    const { user } = await opened([]);
    expect(list()).toHaveTextContent('No chats yet.');
    await user.click(within(list()).getByRole('button', { name: 'Start a chat' }));
    expect(message()).toHaveFocus();
  });

  test('the search has a button that clears it', async () => {
    const { user } = await opened();
    expect(page.queryByRole('button', { name: 'Clear search' })).toBeNull();
    await user.type(field(), 'quince');
    await user.click(page.getByRole('button', { name: 'Clear search' }));
    expect(field()).toHaveValue('');
    expect(field()).toHaveFocus();
    expect(row(/^Milk/)).toBeVisible();
  });

  test('an export goes to the folder that the user chooses, or nowhere', async () => {
    const { asked, ui, user } = await opened();
    await user.click(row(/^More actions for Milk/));
    ui.chooseFromMenu('Export to note');
    await expect.poll(() => asked('exportConversation')).toEqual(['conversation-c']);
    expect(ui.asked).toContainEqual(['openNote', 'Exported.md', 'tab']);
    ui.exportFolder = null;
    ui.chooseFromMenu('Export to note');
    await Promise.resolve();
    expect(asked('exportConversation')).toHaveLength(1);
  });

  test('Escape clears a search, then closes the list and returns to the message field', async () => {
    const { user } = await opened();
    await user.type(field(), 'quince{ArrowDown}{Escape}');
    expect(field()).toHaveValue('');
    expect(field()).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(page.queryByRole('region', { name: 'Past chats' })).toBeNull();
    expect(message()).toHaveFocus();
  });

  test('a message sent right after New chat goes to the new chat', async () => {
    const { asked, run, screen } = await openChat(THREE());
    const before = screen.id;
    const made = run({ do: 'new' });
    await screen.send('Hello');
    await made;
    expect(screen.id).not.toBe(before);
    expect(asked('send')).toEqual([expect.objectContaining({ conversation: screen.id })]);
  });

  test('past chats opened while a new chat is being created stay', async () => {
    const { agent, run, user } = await openChat(THREE());
    const { create } = agent.conversations;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    agent.conversations.create = async () => {
      await begun;
      return create();
    };
    const made = run({ do: 'new' });
    await user.click(page.getByRole('button', { name: 'Past chats' }));
    begin();
    await made;
    expect(field()).toHaveFocus();
  });

  test('past chats replace the messages and close when one is chosen', async () => {
    const { screen, user } = await opened();
    expect(page.queryByRole('log')).toBeNull();
    await user.click(row(/^Paint/));
    expect(screen.id).toBe('conversation-b');
    expect(page.queryByRole('region', { name: 'Past chats' })).toBeNull();
    expect(message()).toHaveFocus();
  });
});
