/** Texts that are too long to be drawn at once. */
import { screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import { showEmbedded } from '#components/message/markdown/decorate.ts';
import { pageUi } from '#workbench/gallery/page-ui';
import { Script } from '#workbench/gallery/script';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { eventually } from '#tests/builders/eventually';
import { openChat } from '../chat';

const COUNT = 160;
const paragraphs = (word: string) =>
  Array.from({ length: COUNT }, (_, at) => `**${word}** ${at}.\n\n`).join('');

describe('a long answer', () => {
  test('a long answer is readable at once, and drawn to its end', async () => {
    const script = new Script('a').ask('List them').step().done(paragraphs('Item'));
    const drawn = () => document.querySelectorAll('article strong').length;
    const atFirst: { drawn: number; text: string }[] = [];
    // It sees what is drawn before any timer.
    const observer = new MutationObserver(() => {
      const text = document.querySelector('article')?.textContent ?? '';
      if (drawn() > 0) atFirst.push({ drawn: drawn(), text });
    });
    observer.observe(document.body, { childList: true, subtree: true });
    await openChat([script]);
    observer.disconnect();
    expect(atFirst[0]?.drawn).toBeLessThan(COUNT);
    expect(atFirst[0]?.text).toContain(`**Item** ${COUNT - 1}.`);
    const answer = page.getByRole('article');
    await eventually(() => expect(drawn()).toBe(COUNT));
    expect(answer).not.toHaveTextContent('**');
  });

  test('a long answer continues when the chat is shown again', async () => {
    const script = new Script('a').ask('List them').step().done(paragraphs('Item'));
    const { run, user } = await openChat([script]);
    await run({ do: 'show-chats' });
    await user.keyboard('{Escape}');
    await tick();
    const drawn = () => document.querySelectorAll('[data-turn] strong').length;
    await eventually(() => expect(drawn()).toBe(COUNT));
  });
});

describe('a long change', () => {
  test('a long change is drawn at its beginning, and wholly on request', async () => {
    const script = new Script('a').ask('Rename them').step();
    const { pending } = proposing(script, [
      { path: 'List.md', parts: [[paragraphs('Item'), paragraphs('Entry')]] },
    ]);
    script.done('Proposed.');
    const { user } = await openChat([script], { reviewed: { pending } });
    const edit = page.getByRole('group', { name: /^Edit 1/ });
    const drawn = () => edit.querySelectorAll('strong').length;
    await eventually(() => expect(drawn()).toBeGreaterThan(0));
    expect(edit).not.toHaveTextContent('**');
    const atFirst = drawn();
    expect(atFirst).toBeLessThan(COUNT);
    await user.click(within(edit).getByRole('button', { name: 'Show all' }));
    await eventually(() => expect(drawn()).toBe(2 * COUNT));
    await user.click(within(edit).getByRole('button', { name: 'Show less' }));
    expect(drawn()).toBe(atFirst);
  });
});

describe('a long embedded note', () => {
  test('a long embedded note is drawn to its end', async () => {
    const ui = pageUi();
    ui.files.set('Note', { kind: 'note', text: paragraphs('Item') });
    const button = document.createElement('button');
    button.dataset['note'] = 'Note';
    document.body.append(button);
    await showEmbedded(button, { ui, report: (error) => expect.fail(String(error)) });
    const box = document.querySelector<HTMLElement>('.parley-embedded');
    expect(box?.querySelectorAll('strong')).toHaveLength(COUNT);
    box?.remove();
  });
});
