/** Announcements for screen readers, and moving between the parts of the panel by keyboard. */
import { screen as page } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import { failure } from '#messages/failures';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

const said = () => document.querySelector('[aria-live="polite"][role="status"]')?.textContent ?? '';

function asking(): Script {
  return new Script('a').ask('Add milk').step();
}

const changes = (...paths: string[]) => ({
  details: {
    kind: 'changes' as const,
    changes: paths.map(
      (path) => ({ change: path, kind: 'write', path, added: 1, removed: 0 }) as never,
    ),
  },
});

describe('announcements', () => {
  test('streamed text is not announced, and the messages are no live region', async () => {
    const script = asking();
    const { frame } = await openChat([script]);
    script.delta({ type: 'text', text: 'Look' }).delta({ type: 'text', text: 'ing.' });
    await frame();
    expect(said()).toBe('');
    expect(page.getByRole('log')).toHaveAttribute('aria-live', 'off');
  });

  test('the end of a turn is announced with the changes', async () => {
    const script = asking();
    await openChat([script]);
    script.call('edit_file', { path: 'A.md' }, 'Done.', changes('A.md', 'B.md', 'A.md'));
    script.done('Added milk.');
    await tick();
    expect(said()).toBe(
      'Done. Changed A.md (1 line added), changed B.md (1 line added), changed A.md (1 line added).',
    );
    script.ask('Thanks').step().done('Gladly.');
    await tick();
    expect(said()).toBe('Done');
  });

  test('a stopped, a failed and an unfinished turn are announced', async () => {
    const script = asking();
    await openChat([script]);
    script.end({ kind: 'stopped', reply: 'Stopped.' });
    await tick();
    expect(said()).toBe('Stopped');
    const cause = failure('key');
    script.ask('Again').step().end({ kind: 'failed', failure: cause, reply: '' });
    await tick();
    expect(said()).toBe(`Failed: ${cause.sentence}`);
    script.ask('Again').step().end({ kind: 'limited', reason: 'steps', reply: '' });
    await tick();
    expect(said()).toBe('Not finished');
  });

  test('a question is announced shortened, and an approval by its title', async () => {
    const script = asking();
    await openChat([script]);
    const text = `**Which** list? ${'There are many of them. '.repeat(20)}`;
    script.hold('ask_user', {}, { kind: 'question', text, choices: [], allowFreeText: true });
    await tick();
    expect(said()).toMatch(/^Parley asks: Which list\? There are many/);
    expect(said().length).toBeLessThan(140);
  });

  test('the past of a chat is not announced when it is opened', async () => {
    const { screen } = await openChat([asking().done('Yes.'), new Script('b').ask('Eggs').step()]);
    await screen.open('conversation-a' as never);
    await tick();
    expect(said()).toBe('');
  });
});

describe('moving between the parts of the panel', () => {
  test('F6 and Shift+F6 move between the last message and the message field', async () => {
    const { user } = await openChat([asking().done('Yes.').ask('And eggs').done('Yes, too.')]);
    const [, last] = page.getAllByRole('article');
    const message = page.getByRole('textbox', { name: 'Message' });
    await user.click(message);
    await user.keyboard('{F6}');
    expect(last).toHaveFocus();
    await user.keyboard('{F6}');
    expect(message).toHaveFocus();
    await user.keyboard('{Shift>}{F6}{/Shift}');
    expect(last).toHaveFocus();
    await user.keyboard('{Shift>}{F6}{/Shift}');
    expect(message).toHaveFocus();
  });

  test('“Focus last message” leaves a page that covers the messages', async () => {
    const { run } = await openChat([asking().done('Yes.')], { place: 'usage' });
    await run({ do: 'focus-message' });
    expect(page.getByRole('article')).toHaveFocus();
  });

  test('“Focus last message” says so if the chat is empty', async () => {
    const { run, ui } = await openChat([]);
    await run({ do: 'focus-message' });
    expect(ui.asked).toContainEqual(['notice', 'This chat is empty.']);
  });

  test('Escape closes a page and returns to the message field', async () => {
    const { user } = await openChat([asking().done('Yes.')], { place: 'edits' });
    expect(page.getByRole('region', { name: 'Edits to review' })).toBeVisible();
    await user.keyboard('{Escape}');
    expect(page.queryByRole('region', { name: 'Edits to review' })).toBeNull();
    expect(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });
});
