/** What the user can do about the end of a turn, and what an end leaves on the screen afterward. */
import { screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import { failure } from '#messages/failures';
import type { LimitReason, TurnEnd } from '#model/event';
import type { FailureKind } from '#model/failure';
import { Script } from '#workbench/gallery/script';
import { SCENES } from '#workbench/gallery/scenes';
import { eventually } from '#tests/builders/eventually';
import { openChat } from '../chat';

function ended(end: TurnEnd): Script {
  return new Script('a').ask('Add milk').step().end(end);
}

function failed(kind: FailureKind, detail?: string): Script {
  const cause = failure(kind, detail === undefined ? {} : { detail });
  return ended({ kind: 'failed', failure: cause, reply: `${cause.sentence} ${cause.next}` });
}

const limited = (reason: LimitReason) => ended({ kind: 'limited', reason, reply: 'Not finished.' });

/** The buttons and links of the ending, the first one first. */
function offered(): string[] {
  const sentence = page.getByRole('log').querySelector('.parley-spread .parley-buttons');
  return [...(sentence?.children ?? [])].map(({ textContent }) => textContent.trim());
}

describe('the next steps after a turn', () => {
  test.each([
    ['failed-key', ['Open settings', 'Retry']],
    ['failed-billing', ['Add credit', 'Retry']],
    ['failed-network', ['Retry']],
    ['failed-rate-limit', ['Retry']],
    ['failed-endpoint', ['Retry', 'Open settings']],
    ['failed-too-long', ['New chat with a summary', 'Retry']],
    ['failed-refused', ['Edit message', 'Retry']],
    ['failed-unknown-model', ['Open settings', 'Retry']],
    ['failed-unexpected', ['Retry', 'Copy details']],
  ])('%s offers %j', async (name, steps) => {
    const scene = SCENES[name]?.();
    await openChat(scene?.scripts ?? [], { entries: scene?.entries ?? [] });
    expect(offered()).toEqual(steps);
  });

  test.each([
    ['steps', ['Continue']],
    ['day-money', ['Raise it', 'Continue once']],
    ['no-answer', ['Try again']],
  ] as const)('a turn that reached the limit %s offers %j', async (reason, steps) => {
    await openChat([limited(reason)]);
    expect(offered()).toEqual(steps);
  });

  const stopped = () => ended({ kind: 'stopped', reply: 'Stopped.' });

  test('a stopped turn can be continued', async () => {
    const script = stopped();
    const { asked, user } = await openChat([script]);
    expect(offered()).toEqual(['Continue', 'Try again']);
    await user.click(page.getByRole('button', { name: 'Continue' }));
    expect(asked('send')).toMatchObject([{ text: 'Continue.', conversation: script.id }]);
  });

  test('a stopped turn can be asked again in a fork', async () => {
    const { asked, user } = await openChat([stopped()]);
    await user.click(page.getByRole('button', { name: 'Try again' }));
    await eventually(() => expect(asked('fork')).toHaveLength(1));
  });

  test.each([
    ['Continue', () => limited('steps')],
    ['Continue once', () => limited('day-money')],
  ])(
    '%s is offered until it is clicked, and a second click sends nothing',
    async (name, script) => {
      const { asked, agent } = await openChat([script()]);
      const button = page.getByRole('button', { name });
      button.click();
      button.click();
      await eventually(() => expect(agent.entries).toHaveLength(1));
      button.click();
      await tick();
      expect(offered()).toEqual([]);
      expect(asked('send')).toHaveLength(1);
    },
  );

  test('nothing is offered while another message waits for its turn', async () => {
    const { user } = await openChat([limited('day-money')]);
    await user.type(page.getByLabelText('Message'), 'Add eggs{Enter}');
    expect(offered()).toEqual([]);
  });

  test('an empty answer can be asked again', async () => {
    const reply = 'Claude sent an empty answer.';
    const end = { kind: 'completed', outcome: 'not_done', reply } as const;
    await openChat([ended(end)]);
    expect(offered()).toEqual(['Try again']);
  });

  test.each(['done', 'not_done'] as const)(
    'a command that was %s is a plain answer, which is not asked again',
    async (outcome) => {
      const end = { kind: 'completed', outcome, reply: 'Nothing to undo.' } as const;
      await openChat([new Script('a').by('').ask('/undo').end(end)]);
      expect(page.getByText('Nothing to undo.')).toBeVisible();
      expect(page.queryByText('Not completed.')).toBeNull();
      expect(page.queryByRole('button', { name: /Try again|Regenerate/ })).toBeNull();
    },
  );

  test('an earlier stopped turn offers nothing', async () => {
    const script = ended({ kind: 'stopped', reply: 'Stopped.' });
    await openChat([script.ask('Add salt').step().say('Done.').done('Done.')]);
    expect(page.getByText('Stopped.')).toBeVisible();
    expect(page.queryByRole('button', { name: 'Continue' })).toBeNull();
  });

  test('Continue once lets the next request go beyond the daily limit', async () => {
    const { asked, user } = await openChat([limited('day-money')]);
    await user.click(page.getByRole('button', { name: 'Continue once' }));
    expect(asked('send')).toMatchObject([{ text: 'Continue.', beyondDayLimit: true }]);
  });

  test('Raise it opens the daily limit in the settings', async () => {
    const { ui, user } = await openChat([limited('day-money')]);
    await user.click(page.getByRole('button', { name: 'Raise it' }));
    expect(ui.asked).toContainEqual(['openSettings', 'moneyPerDay']);
  });

  test('a chat that is too long goes on in a new one, with the message in its draft', async () => {
    const { agent, asked, user } = await openChat([failed('too-long')]);
    await user.click(page.getByRole('button', { name: 'New chat with a summary' }));
    await eventually(() => expect(page.getByLabelText('Message')).toHaveValue('Add milk'));
    expect(asked('newConversation')).toEqual([agent.scripts[0]?.id]);
  });

  test('a second click on New chat with a summary makes no second chat', async () => {
    const { asked } = await openChat([failed('too-long')]);
    const button = page.getByRole('button', { name: 'New chat with a summary' });
    button.click();
    button.click();
    await eventually(() => expect(page.getByLabelText('Message')).toHaveValue('Add milk'));
    expect(asked('newConversation')).toHaveLength(1);
  });

  test('the details of an internal error are copied', async () => {
    const { ui, user } = await openChat([failed('unexpected', 'TypeError: x is not a function')]);
    await user.click(page.getByRole('button', { name: 'Copy details' }));
    expect(ui.asked).toContainEqual(['copy', expect.stringContaining('TypeError: x is not')]);
  });

  test('a refused request is reworded in place', async () => {
    const { user } = await openChat([failed('refused')]);
    await user.click(page.getByRole('button', { name: 'Edit message' }));
    expect(await page.findByRole('textbox', { name: 'Your message' })).toHaveValue('Add milk');
  });

  test('credit is bought where the key comes from, and nowhere for another server', async () => {
    const { panel } = await openChat([failed('billing')]);
    expect(page.getByRole('link', { name: 'Add credit' })).toHaveAttribute(
      'href',
      'https://console.anthropic.com/settings/billing',
    );
    await panel.settings.set({ endpoint: 'http://127.0.0.1:9' });
    await eventually(() => expect(page.queryByRole('link', { name: 'Add credit' })).toBeNull());
  });
});

describe('a request that failed and was retried', () => {
  test('the request is shown once, and its failure is folded without buttons', async () => {
    const script = failed('network', 'ENOTFOUND');
    const { entry } = script;
    script.retryOf(entry, 'Add milk').step().say('Added milk.').done('Added milk.');
    const { user } = await openChat([script]);
    expect(within(page.getByRole('log')).getAllByText('Add milk')).toHaveLength(1);
    const [first] = page.getAllByRole('article');
    const line = within(first!).getByText(/^Tried again at /);
    expect(within(first!).getByText('ENOTFOUND')).not.toBeVisible();
    expect(within(first!).queryByRole('button', { name: /Retry|Try again/ })).toBeNull();
    await user.click(line);
    expect(within(first!).getByText('You are offline.')).toBeVisible();
    expect(within(first!).getByText('ENOTFOUND')).toBeVisible();
  });

  test('a retry after other messages says in one line which request it is about', async () => {
    const script = failed('network');
    const { entry } = script;
    script.ask('Add salt').step().say('Added salt.').done('Added salt.');
    script.retryOf(entry, 'Add milk').step().say('Added milk.').done('Added milk.');
    await openChat([script]);
    expect(within(page.getByRole('log')).getAllByText('Add milk')).toHaveLength(1);
    expect(page.getByText('Trying again: Add milk')).toBeVisible();
  });

  test('a retry that fails again is the one that can be retried', async () => {
    const script = failed('network');
    const cause = failure('network');
    script.retryOf(script.entry, 'Add milk').step();
    script.end({ kind: 'failed', failure: cause, reply: `${cause.sentence} ${cause.next}` });
    await openChat([script]);
    expect(within(page.getByRole('log')).getAllByText('Add milk')).toHaveLength(1);
    expect(page.getAllByRole('button', { name: 'Try again' })).toHaveLength(1);
  });

  test('the last message is still edited in place when it was retried', async () => {
    const script = failed('network');
    script.retryOf(script.entry, 'Add milk').step().say('Added milk.').done('Added milk.');
    const { user } = await openChat([script]);
    await user.click(page.getByLabelText('Message'));
    await user.keyboard('{ArrowUp}');
    expect(await page.findByRole('textbox', { name: 'Your message' })).toHaveValue('Add milk');
  });
});

describe('the buttons below an answer', () => {
  test('only those of the last answer are always visible; Tab reaches the others', async () => {
    const script = new Script('a').ask('One').step().say('First.').done('First.');
    await openChat([script.ask('Two').step().say('Second.').done('Second.')]);
    const [first, last] = page
      .getAllByRole('button', { name: 'Copy answer' })
      .map(({ parentElement }) => parentElement!);
    expect(first).toHaveClass('quiet');
    expect(last).not.toHaveClass('quiet');
    for (const button of within(first!).getAllByRole('button')) {
      expect(button).not.toHaveAttribute('tabindex', '-1');
      expect(button).not.toHaveAttribute('disabled');
    }
  });
});

describe('the language of content', () => {
  test('texts that are not the panel’s have no language, and its own buttons in them have', async () => {
    const code = '```\nx\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |';
    const script = new Script('a').ask('Was steht an?').step().say(code).done(code);
    await openChat([script]);
    for (const copy of ['Copy code', 'Copy table', 'Copy answer']) {
      expect(page.getByRole('button', { name: copy }).closest('[lang]')).toHaveAttribute(
        'lang',
        'en',
      );
    }
    const [title, request] = page.getAllByText('Was steht an?');
    for (const text of [title, request, page.getByRole('table')]) {
      expect(text?.closest('[lang]')).toHaveAttribute('lang', '');
    }
  });

  test('a table is copied as Markdown', async () => {
    const table = '| a | b |\n| --- | ---: |\n| 1 | **2** |';
    const { ui, user } = await openChat([
      new Script('a').ask('Which?').step().say(table).done(table),
    ]);
    await user.click(page.getByRole('button', { name: 'Copy table' }));
    expect(ui.asked).toContainEqual(['copy', table]);
  });
});
