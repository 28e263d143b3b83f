/** A message that joined a running turn, in the chat. */
import { screen as page, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { segmentsOf } from '#components/message/turn-segments.ts';
import { reduceAll } from '#model/reducer';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

const BUDGET = { kind: 'note', path: 'Garden/Budget.md' } as const;

const joined = () =>
  new Script('a')
    .ask('Plan the garden')
    .step()
    .stepEnd()
    .attach([BUDGET])
    .steer('Mind the budget')
    .step()
    .say('Planned.')
    .done('Planned.');

describe('joined messages', () => {
  test('a message that joined a turn shows what was attached to it', async () => {
    await openChat([joined()]);
    const attached = page.getByRole('list', { name: 'Attached' });
    expect(within(attached).getByText('Budget')).toBeInTheDocument();
    expect(
      page.getByText('Mind the budget').compareDocumentPosition(attached) &
        Node.DOCUMENT_POSITION_FOLLOWING,
    ).toBeTruthy();
  });

  test('the info of an answer shows what was sent with its request, which had no attachments', async () => {
    const script = new Script('a').attach([], { 'Open note': 'Active note: Welcome.md' });
    script.ask('Hello').step().say('Hi.').stepEnd().done('Hi.');
    const { user } = await openChat([script]);
    expect(page.queryByText('What was sent')).toBeNull();
    await user.click(page.getByRole('button', { name: 'Model and cost' }));
    await user.click(page.getByText('What was sent'));
    await user.click(page.getByText('Open note'));
    expect(page.getByText('Active note: Welcome.md')).toBeVisible();
  });

  test('editing a request that was steered begins with all that was said', async () => {
    const { asked, user } = await openChat([joined()]);
    await user.click(page.getByRole('button', { name: 'Edit and ask again' }));
    const field = page.getByRole('textbox', { name: 'Your message' });
    expect(field).toHaveValue('Plan the garden\n\nMind the budget');
    await user.type(field, ' of May{Enter}');
    expect(asked('fork')).toMatchObject([{ text: 'Plan the garden\n\nMind the budget of May' }]);
  });

  test('an answer behind which a message joined stays an answer', () => {
    const script = new Script('a').ask('Add milk').step().say('Milk is added.').stepEnd('end');
    script.steer('And eggs').step().say('Eggs, too.').done('Eggs, too.');
    const turn = reduceAll(script.id, script.events).turns[0]!;
    const texts = segmentsOf(turn).flatMap((each) =>
      each.kind === 'text' ? [[each.text, each.isAnswer]] : [],
    );
    expect(texts).toEqual([
      ['Milk is added.', true],
      ['Eggs, too.', true],
    ]);
  });
});
