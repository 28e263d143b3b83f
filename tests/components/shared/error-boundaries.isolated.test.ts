/**
 * Parts of the panel that fail on purpose: their content becomes plain text, and the rest keeps
 * working.
 */
import { screen as page, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chatMounter } from '#components/mount.ts';
import type { ProposalId } from '#model/ids';
import { pageUi } from '#workbench/gallery/page-ui';
import { SCENES } from '#workbench/gallery/scenes';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { Script } from '#workbench/gallery/script';
import { queuedEntry, scriptedAgent } from '#workbench/gallery/scripted-agent';
import { openChat } from '../chat';

// `vi.mock` runs before the imports.
const { breakable, broken } = await vi.hoisted(() => import('./breakable'));

vi.mock('#components/message/TurnView.svelte', (load) => breakable('Turn', load));
vi.mock('#components/history/EditableMessage.svelte', (load) => breakable('EditableMessage', load));
vi.mock('#components/message/markdown/Markdown.svelte', (load) => breakable('Markdown', load));
vi.mock('#components/message/CompactionSummary.svelte', (load) => breakable('Summary', load));
vi.mock('#components/message/TurnEnding.svelte', (load) => breakable('Ending', load));
vi.mock('#components/message/AnswerFooter.svelte', (load) => breakable('AnswerFoot', load));
vi.mock('#components/message/ApprovalView.svelte', (load) => breakable('Card', load));
vi.mock('#components/message/QuestionView.svelte', (load) => breakable('Question', load));
vi.mock('#components/tool/PlanChecklist.svelte', (load) => breakable('Plan', load));
vi.mock('#components/tool/Trace.svelte', (load) => breakable('Trace', load));
vi.mock('#components/tool/CallDetailsView.svelte', (load) => breakable('CallDetails', load));
vi.mock('#components/edits/change/DrawnChange.svelte', (load) => breakable('DrawnChange', load));
vi.mock('#components/edits/TurnChanges.svelte', (load) => breakable('TurnChanges', load));
vi.mock('#components/edits/NoteEdits.svelte', (load) => breakable('NoteEdits', load));
vi.mock('#components/edits/EditToReview.svelte', (load) => breakable('Edit', load));
vi.mock('#components/edits/PendingList.svelte', (load) => breakable('PendingList', load));
vi.mock('#components/edits/NoteHistory.svelte', (load) => breakable('NoteHistory', load));
vi.mock('#components/history/History.svelte', (load) => breakable('History', load));
vi.mock('#components/history/MarkedText.svelte', (load) => breakable('Marked', load));
vi.mock('#components/queue/RequestList.svelte', (load) => breakable('Inbox', load));
vi.mock('#components/queue/QueuedMessages.svelte', (load) => breakable('Queue', load));
vi.mock('#components/composer/Composer.svelte', (load) => breakable('Composer', load));
vi.mock('#components/composer/ContextMeter.svelte', (load) => breakable('Meter', load));
vi.mock('#components/usage/UsageView.svelte', (load) => breakable('Usage', load));
vi.mock('#components/chat/Header.svelte', (load) => breakable('Header', load));
vi.mock('#components/chat/MessageList.svelte', (load) => breakable('Log', load));
vi.mock('#components/chat/Welcome.svelte', (load) => breakable('Welcome', load));
vi.mock('#components/chat/Chat.svelte', (load) => breakable('Chat', load));

const printed = vi.fn();

beforeEach(() => {
  for (const way of ['error', 'warn', 'log'] as const) {
    vi.spyOn(console, way).mockImplementation(printed);
  }
});

afterEach(() => {
  expect(printed).not.toHaveBeenCalled();
  broken.clear();
  vi.restoreAllMocks();
});

function asking(): Script {
  return new Script('a').ask('Add milk').step();
}

/** The places where something could not be displayed. */
function failed(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-failed]')];
}

function problems(): HTMLElement[] {
  return page.queryAllByText('A part of Parley could not be displayed (TypeError).');
}

function deletion(script: Script): void {
  script.hold(
    'delete',
    { path: 'Boat.md' },
    {
      ...{ kind: 'approval', tool: 'delete', title: 'Delete Boat.md?' },
      ...{ lines: ['It goes to the trash.'], choices: ['delete', 'keep'] },
    },
  );
}

function permission(script: Script): void {
  script.hold(
    'edit_file',
    { path: 'AGENTS.md' },
    {
      ...{ kind: 'approval', tool: 'edit_file', title: 'Allow this change?', lines: [] },
      choices: ['allow-once', 'deny'],
      changes: [{ path: 'AGENTS.md', before: 'Old rules.\n', after: 'New rules.\n' }],
    },
  );
}

function question(script: Script): void {
  script.hold(
    'ask_user',
    { question: 'Which list?' },
    { kind: 'question', text: 'Which **list**?', choices: ['A', 'A', 'B'], allowFreeText: true },
  );
}

describe('a message that cannot be drawn', () => {
  test('a message that cannot be drawn is plain text, and a new message is drawn as usual', async () => {
    const script = asking().say('Added **milk**.').done('Added **milk**.');
    broken.add('Turn');
    const { user } = await openChat([script]);
    const [place] = failed();
    expect(place).toHaveTextContent('Add milk');
    expect(place).toHaveTextContent('Added **milk**.');
    expect(place).toHaveTextContent('This could not be displayed.');
    broken.delete('Turn');
    script.ask('And eggs').step().say('Added *eggs*.').done('Added *eggs*.');
    await tick();
    expect(page.getByText('eggs').tagName).toBe('EM');
    expect(failed()).toHaveLength(1);
    await user.click(page.getByRole('button', { name: 'Try again' }));
    expect(failed()).toHaveLength(0);
    expect(page.getByText('milk').tagName).toBe('STRONG');
  });

  test('a message that cannot be drawn still shows its interaction, which can be decided by keyboard', async () => {
    const script = asking().say('Let me see.');
    deletion(script);
    broken.add('Turn');
    const { asked, user } = await openChat([script]);
    const card = within(page.getByRole('region', { name: 'Approval' }));
    card.getByRole('button', { name: 'Delete' }).focus();
    await user.keyboard('{Enter}');
    expect(asked('confirm')).toEqual([expect.objectContaining({ choice: 'delete' })]);
  });

  test('a message that cannot be drawn is listed among the problems once, by kind only', async () => {
    const script = asking().say('A **secret** text.').done('A **secret** text.');
    script.ask('Again').step().say('More.').done('More.');
    broken.add('Turn');
    await openChat([script]);
    expect(failed()).toHaveLength(2);
    await expect.poll(() => problems()).toHaveLength(1);
    expect(page.getByRole('alert')).not.toHaveTextContent(/secret|on purpose/);
  });

  test('a message that cannot be drawn grows as plain text', async () => {
    const script = asking();
    broken.add('Turn');
    const { frame } = await openChat([script]);
    script.delta({ type: 'text', text: 'One' }).delta({ type: 'text', text: ' two' });
    await frame();
    expect(failed()[0]).toHaveTextContent('One two');
  });
});

describe('a part of a message that cannot be drawn', () => {
  test.each<[component: string, text: string, write: (script: Script) => void]>([
    ['EditableMessage', 'Add milk', (script) => script.say('Done.').done('Done.')],
    ['Markdown', 'Added **milk**.', (script) => script.say('Added **milk**.').done('')],
    [
      'Plan',
      'Look for the list',
      (script) => script.plan({ text: 'Look for the list', state: 'doing' }),
    ],
    ['Trace', 'read_file', (script) => script.call('read_file', { path: 'A.md' }, '1')],
    [
      'Ending',
      'Stopped.',
      (script) => script.stepEnd().end({ kind: 'stopped', reply: 'Stopped.' } as never),
    ],
    ['AnswerFoot', 'Try again', (script) => script.say('Done.').done('Done.')],
  ])('%s that cannot be drawn is replaced by plain text', async (component, text, write) => {
    const script = asking();
    write(script);
    broken.add(component);
    await openChat([script]);
    const [place] = failed();
    expect(place).toHaveTextContent(text);
    expect(place).toHaveTextContent('This could not be displayed');
    expect(failed()).toHaveLength(1);
    expect(page.getAllByText('Add milk').length).toBeGreaterThan(0);
    expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await expect.poll(() => problems()).toHaveLength(1);
  });

  test('a tool call whose details fail keeps its line', async () => {
    broken.add('CallDetails');
    const script = asking().call('search_files', { pattern: 'milk' }, 'none');
    await openChat([script.say('None.').done('None.')]);
    expect(page.getByText('Searched for')).toBeInTheDocument();
    expect(failed()[0]).toHaveTextContent('search_files');
  });
});

describe('an approval', () => {
  test('an approval whose preview fails shows both texts and is decided by keyboard', async () => {
    const script = asking();
    permission(script);
    broken.add('DrawnChange');
    const { asked, user } = await openChat([script]);
    const card = page.getByRole('region', { name: 'Approval' });
    expect(card).toHaveTextContent('Old rules.');
    expect(card).toHaveTextContent('New rules.');
    expect(card).toHaveTextContent('This could not be displayed.');
    within(card).getByRole('button', { name: 'Allow once' }).focus();
    await user.keyboard('{Enter}');
    expect(asked('confirm')).toEqual([expect.objectContaining({ choice: 'allow-once' })]);
  });

  test('an approval that fails as a whole shows its title and buttons', async () => {
    const script = asking();
    permission(script);
    broken.add('Card');
    const { asked, user } = await openChat([script]);
    const card = within(page.getByRole('region', { name: 'Approval' }));
    expect(card.getByText('Allow this change?')).toBeVisible();
    card.getByRole('button', { name: 'Deny' }).focus();
    await user.keyboard('{Enter}');
    expect(asked('confirm')).toEqual([expect.objectContaining({ choice: 'deny' })]);
  });

  test('an approval stays usable next to a failing answer', async () => {
    const script = asking().say('Look at **this**.');
    deletion(script);
    broken.add('Markdown');
    const { asked, user } = await openChat([script]);
    expect(failed()[0]).toHaveTextContent('Look at **this**.');
    await user.click(page.getByRole('button', { name: 'Keep' }));
    expect(asked('confirm')).toEqual([expect.objectContaining({ choice: 'keep' })]);
  });
});

describe('a question', () => {
  test('a question whose text fails shows it as plain text with its choices', async () => {
    const script = asking();
    question(script);
    broken.add('Markdown');
    const { asked, user } = await openChat([script]);
    const region = within(page.getByRole('region', { name: 'Question' }));
    expect(region.getByText('Which **list**?')).toBeVisible();
    await user.click(region.getByRole('button', { name: 'B' }));
    expect(asked('answer')).toEqual([expect.objectContaining({ choice: 'B' })]);
  });

  test('a question that fails as a whole shows its text and is answered in the composer', async () => {
    const script = asking();
    question(script);
    broken.add('Question');
    const { asked, user } = await openChat([script]);
    expect(failed()[0]).toHaveTextContent('Which **list**?');
    await user.type(page.getByRole('textbox', { name: 'Message' }), 'the first{Enter}');
    expect(asked('send')).toEqual([expect.objectContaining({ text: 'the first' })]);
  });

  test('a question with two equal choices shows both', async () => {
    const script = asking();
    question(script);
    await openChat([script]);
    expect(page.getAllByRole('button', { name: 'A' })).toHaveLength(2);
  });
});

describe('edits', () => {
  const LIST = 'Lists/Shopping.md';

  function proposed() {
    const script = asking();
    const { pending } = proposing(script, [
      { path: LIST, parts: [['white bread\n', 'rye bread\n'] as const, ['', 'milk\n'] as const] },
      { path: 'Recipes/Cake.md', parts: [['Two eggs.\n', 'Three eggs.\n'] as const] },
    ]);
    script.done('Proposed.');
    return { script, pending };
  }

  test('edits whose changes cannot be drawn show their texts and are decided by keys', async () => {
    const { script, pending } = proposed();
    broken.add('DrawnChange');
    const { asked, user } = await openChat([script], { reviewed: { pending } });
    const [first] = page.getAllByRole('group', { name: /^Edit 1/ });
    expect(first).toHaveTextContent('rye bread');
    first?.focus();
    await user.keyboard('a');
    expect(asked('accept')).toEqual([{ edit: pending[0]?.edits[0]?.id, note: LIST }]);
  });

  test.each([
    ['Edit', 'rye bread', 3],
    ['NoteEdits', LIST, 2],
    ['TurnChanges', 'Try again', 1],
  ])('%s that fails leaves the answer unchanged', async (component, text, count) => {
    const { script, pending } = proposed();
    broken.add(component);
    await openChat([script], { reviewed: { pending } });
    expect(failed()).toHaveLength(count);
    expect(failed()[0]).toHaveTextContent(text);
    expect(failed()[0]).toHaveTextContent('This could not be displayed');
    expect(page.getByText('Proposed.', { selector: '.block p' })).toBeVisible();
  });

  test('a failing widget in a note is plain text, and the others are drawn', async () => {
    const { script, pending } = proposed();
    const mounter = chatMounter(
      scriptedAgent([script], { reviewed: { pending } }),
      pageUi(),
      tick(),
      () => undefined,
    );
    const widgets = (pending[0]?.edits ?? []).map((edit, at) => {
      const element = document.body.appendChild(document.createElement('div'));
      if (at === 0) broken.add('Edit');
      else broken.delete('Edit');
      const block = { ...edit, id: edit.id as ProposalId };
      return { element, ...mounter.mountEdit(element, { note: LIST, block }) };
    });
    const [first, second] = widgets.map(({ element }) => element);
    expect(first).toHaveTextContent('rye bread');
    expect(first).toHaveTextContent('This could not be displayed');
    expect(() => widgets[0]?.edit()).not.toThrow();
    expect(within(second as HTMLElement).getByRole('button', { name: 'Accept' })).toBeVisible();
    await userEvent.click(within(first as HTMLElement).getByRole('button', { name: 'Try again' }));
    expect(within(first as HTMLElement).getByRole('button', { name: 'Accept' })).toBeVisible();
    for (const widget of widgets) widget.close();
    mounter.close();
    document.body.replaceChildren();
  });
});

describe('a page that cannot be drawn', () => {
  test.each([
    ['History', 'show-chats', 'Past chats'],
    ['PendingList', 'show-edits', 'Edits to review'],
    ['Usage', 'show-usage', 'Usage'],
  ] as const)('%s that fails keeps the way back to the chat', async (component, command, title) => {
    broken.add(component);
    const script = asking().say('Done.').done('Done.');
    const { run, user } = await openChat([script]);
    await run({ do: command });
    await tick();
    expect(page.getByRole('heading', { name: title })).toBeVisible();
    expect(failed()[0]).toHaveTextContent('This could not be displayed.');
    await user.click(page.getByRole('button', { name: 'Back to the chat' }));
    expect(page.getByText('Done.')).toBeVisible();
    expect(failed()).toHaveLength(0);
  });

  test('the history of a note that fails keeps the way back to the chat', async () => {
    broken.add('NoteHistory');
    const { run, user } = await openChat([asking().say('Done.').done('Done.')]);
    await run({ do: 'show-history-of', note: 'A.md' });
    await tick();
    expect(failed()).toHaveLength(1);
    await user.click(page.getByRole('button', { name: 'Back to the chat' }));
    expect(page.getByText('Done.')).toBeVisible();
  });

  test('a failing row of the history shows its title among the other rows', async () => {
    const scene = SCENES['chats-found']?.() ?? { scripts: [] };
    const { screen } = await openChat(scene.scripts, { place: 'chats' });
    broken.add('Marked');
    await screen.browser.search('done');
    await tick();
    const found = screen.browser.found.map(({ conversation }) => conversation.title);
    expect(failed()).toHaveLength(found.length);
    found.forEach((title, at) => expect(failed()[at]).toHaveTextContent(title));
    expect(page.getByRole('searchbox', { name: 'Search all chats' })).toBeVisible();
  });

  test.each(['Inbox', 'Queue', 'Meter', 'Header'])(
    '%s that fails leaves the rest of the chat usable',
    async (component) => {
      broken.add(component);
      const script = asking().say('Done.').done('Done.');
      const { asked, user } = await openChat([script], {
        entries: [queuedEntry('Later', script.id, 1)],
      });
      expect(failed()).toHaveLength(1);
      expect(failed()[0]).toHaveTextContent('This could not be displayed.');
      await user.type(page.getByRole('textbox', { name: 'Message' }), 'Eggs{Enter}');
      expect(asked('send')).toHaveLength(1);
    },
  );

  test('a failing composer shows the draft, and comes back', async () => {
    const { user, panel, screen } = await openChat([asking().say('Done.').done('Done.')]);
    await user.type(page.getByRole('textbox', { name: 'Message' }), 'A draft');
    broken.add('Composer');
    await screen.newChat();
    panel.drafts.of(screen.id).text = 'Another draft';
    await openChat([asking().say('Done.').done('Done.')]);
    expect(failed()).toHaveLength(1);
    broken.delete('Composer');
    await user.click(page.getByRole('button', { name: 'Try again' }));
    expect(page.getAllByRole('textbox', { name: 'Message' }).length).toBeGreaterThan(0);
  });

  test.each(['Log', 'Welcome'])('%s that fails leaves the composer usable', async (component) => {
    broken.add(component);
    await openChat(component === 'Log' ? [asking().say('Done.').done('Done.')] : []);
    expect(failed()[0]).toHaveTextContent('This could not be displayed.');
    expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  });

  test('a panel that fails as a whole says so, and comes back', async () => {
    broken.add('Chat');
    const { run, user } = await openChat([asking().say('Done.').done('Done.')]);
    expect(failed()[0]).toHaveTextContent('This could not be displayed.');
    await expect(run({ do: 'focus' })).resolves.toBeUndefined();
    broken.delete('Chat');
    await user.click(page.getByRole('button', { name: 'Try again' }));
    expect(page.getByText('Done.')).toBeVisible();
  });
});
