import { fireEvent, screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import type { ChangeId, DeviceId, ProposalId } from '#model/ids';
import type { PlanStep } from '#model/message';
import { failure } from '#messages/failures';
import type { QueuedRequest } from '#model/request';
import { Script } from '#workbench/gallery/script';
import { queuedEntry } from '#workbench/gallery/scripted-agent';
import { SCENES } from '#workbench/gallery/scenes';
import { openChat } from '../chat';
import { eventually } from '#tests/builders/eventually';

function asking(): Script {
  return new Script('a').ask('Add milk').step();
}

describe('an answer', () => {
  test('an answer is drawn as it grows, once per frame', async () => {
    const script = asking();
    const { frame } = await openChat([script]);
    script.delta({ type: 'text', text: 'Added **mi' }).delta({ type: 'text', text: 'lk**.' });
    await tick();
    expect(page.queryByText(/Added/)).toBeNull();
    await frame();
    expect(page.getByText('milk').tagName).toBe('STRONG');
  });

  test('a streamed text keeps its nodes when it is complete', async () => {
    const script = asking();
    const { frame } = await openChat([script]);
    script.delta({ type: 'text', text: 'First.\n\nSecond.\n\nThird' });
    await frame();
    const first = page.getByText('First.');
    script.say('First.\n\nSecond.\n\nThird.').done('First.\n\nSecond.\n\nThird.');
    await tick();
    expect(page.getByText('First.')).toBe(first);
    expect(page.getAllByText('Third.')).toHaveLength(1);
  });

  test('a link in an answer opens its note as the user asks', async () => {
    const { ui, user } = await openChat([asking().say('See [[Lists/Shopping]].').done('')]);
    await user.click(page.getByRole('link', { name: 'Lists/Shopping' }));
    expect(ui.asked).toContainEqual(['openNote', 'Lists/Shopping', 'here']);
  });

  test('a remote image is not loaded before it is clicked', async () => {
    const { user } = await openChat([asking().say('![Map](https://e.example/m.png)').done('')]);
    expect(document.querySelector('img')).toBeNull();
    await user.click(page.getByRole('button', { name: /Show picture/ }));
    expect(document.querySelector('img')?.src).toBe('https://e.example/m.png');
  });

  test('the copy button copies the code', async () => {
    const { ui, user } = await openChat([asking().say('```js\nlet x = 1;\n```').done('')]);
    await user.click(page.getByRole('button', { name: 'Copy code' }));
    expect(ui.asked).toContainEqual(['copy', 'let x = 1;']);
  });
});

describe('the trace', () => {
  test('the trace sums up a run of calls in one line and opens to each', async () => {
    const script = asking()
      .call('read_file', { paths: ['A.md', 'B.md'] }, '1\tA', { takes: 1000 })
      .call('read_file', { path: 'C.md' }, '1\tC', { takes: 1000 })
      .call('search_files', { pattern: 'milk' }, 'none', { takes: 1000 })
      .call('search_files', { pattern: 'eggs' }, 'none', { takes: 400 });
    await openChat([script.done('Nothing there.')]);
    const line = page.getByText('Read 3 notes, searched twice');
    const items = within(line.closest('details') as HTMLElement);
    expect(items.getByText('4 s')).toBeInTheDocument();
    expect(items.getByText('“milk”')).toBeInTheDocument();
    expect(items.getAllByText('Result')).toHaveLength(4);
    expect(items.queryByText('1\tA', { normalizer: (text) => text })).toBeNull();
  });

  test('the trace stays open when a second call joins the first', async () => {
    const script = asking().call('search_files', { pattern: 'milk' }, 'none');
    const { user } = await openChat([script]);
    await user.click(page.getByText('Searched for'));
    const before = page.getByText('Searched for').closest('details');
    script.call('search_files', { pattern: 'eggs' }, 'none');
    await tick();
    expect(page.getByText('Searched twice').closest('details')).toBe(before);
    expect(before).toHaveAttribute('open');
  });

  test('the trace does not claim calls that did not happen', async () => {
    const script = asking()
      .call('read_file', { path: 'A.md' }, 'No such note.', { failed: true })
      .say('Hm.')
      .call('edit_file', { path: 'B.md' }, 'Read only.', {
        failed: true,
        details: { kind: 'refused', by: 'mode' },
      });
    await openChat([script.done('Nothing there.')]);
    const lines = page.getAllByText(/^(Could|Did) not/).map((verb) => verb.closest('summary'));
    expect(lines[0]).toHaveTextContent(/^Could not read A$/);
    expect(lines[1]).toHaveTextContent(/^Could not edit B$/);
    expect(page.getByText(/set to Read only/, { selector: 'p' })).toBeVisible();
  });

  const planOf = (...states: PlanStep['state'][]) =>
    states.map((state, at) => ({ text: `Part ${at + 1}`, state }));

  test('the plan ticks off finished items and leaves once all are done', async () => {
    const script = asking().plan(...planOf('done', 'doing', 'open'));
    await openChat([script]);
    expect(page.getByText('1 of 3')).toBeVisible();
    script.plan(...planOf('done', 'done', 'open'));
    await tick();
    expect(page.getByText('2 of 3')).toBeVisible();
    script.plan(...planOf('done', 'done', 'done'));
    await tick();
    expect(page.queryByText('Plan')).toBeNull();
  });

  test.each([[['doing']], [['doing', 'open']], [['done', 'doing', 'dropped']]] as const)(
    'the plan %j is shown while the turn runs',
    async (states) => {
      const script = asking().plan(...planOf(...states));
      await openChat([script]);
      expect(page.getByText('Plan')).toBeVisible();
    },
  );

  test('the turn shows the notes it changed', async () => {
    const change = {
      change: 'c' as ChangeId,
      kind: 'write',
      path: 'Lists/Shopping.md',
      added: 1,
      removed: 2,
    } as const;
    const script = asking().call('edit_file', {}, 'Done.', {
      details: { kind: 'changes', changes: [change] },
    });
    const { ui, user } = await openChat([script.done('Done.')]);
    await user.click(
      page.getByRole('button', { name: /^Shopping Lists 1 line added, 2 lines removed$/ }),
    );
    expect(ui.asked).toContainEqual(['openNote', 'Lists/Shopping.md', 'here']);
  });
});

describe('an open interaction', () => {
  const question = {
    kind: 'question',
    text: 'Which list?',
    choices: ['Shopping', 'Baking'],
    allowFreeText: true,
  } as const;

  test('an interaction is answered by a click', async () => {
    const script = asking();
    const waiting = script.hold('ask_user', {}, question);
    const { asked, user } = await openChat([script]);
    await user.click(page.getByRole('button', { name: 'Baking' }));
    expect(asked('answer')).toEqual([{ choice: 'Baking', question: waiting.id }]);
  });

  test('a question is answered by typing in the composer, the only text field', async () => {
    const script = asking();
    script.hold('ask_user', {}, question);
    const { asked, user } = await openChat([script]);
    const card = page.getByRole('region', { name: 'Question' });
    expect(within(card).queryByRole('textbox')).toBeNull();
    const field = page.getByRole('textbox', { name: 'Message' });
    expect(field).toHaveAttribute('placeholder', 'Type your answer');
    expect(field).toHaveAccessibleDescription('Your reply answers the question');
    await user.type(field, 'Neither{Enter}');
    expect(asked('send')).toMatchObject([{ text: 'Neither', conversation: script.id }]);
  });

  test('a number key answers a question unless the user is typing', async () => {
    const script = asking();
    const waiting = script.hold('ask_user', {}, question);
    const { asked, user } = await openChat([script]);
    const field = page.getByRole('textbox', { name: 'Message' });
    expect(page.getByRole('button', { name: 'Baking' })).toHaveAttribute('aria-keyshortcuts', '2');
    await user.type(field, 'at least 2');
    expect(asked('answer')).toEqual([]);
    await user.clear(field);
    await user.keyboard('9');
    expect(field).toHaveValue('9');
    await user.clear(field);
    await user.keyboard('2');
    expect(asked('answer')).toEqual([{ choice: 'Baking', question: waiting.id }]);
    expect(field).toHaveValue('');
  });

  test('an answered question stays visible, also after the turn', async () => {
    const script = asking();
    const waiting = script.hold('ask_user', { question: 'Which list?' }, question);
    await openChat([script]);
    script.resolve(waiting, { kind: 'answer', text: 'Baking', via: 'click' });
    script.finish(waiting.call, { text: 'The user said next: Baking', failed: false });
    await tick();
    expect(page.queryByRole('region', { name: 'Question' })).toBeNull();
    expect(page.getByText('Which list?')).toBeVisible();
    const said = page.getAllByRole('group', { name: /^You/ }).map((group) => group.textContent);
    expect(said.map((text) => text.trim())).toEqual(['Add milk', 'Baking']);
  });

  test('a decided approval is shown separately with its decision', async () => {
    const script = asking().call('search_files', { pattern: 'boat' }, '1 match');
    const choices = ['delete', 'keep'] as const;
    const draft = {
      kind: 'approval',
      tool: 'delete',
      title: 'Delete it?',
      lines: [],
      choices,
    } as const;
    const waiting = script.hold('delete', { path: 'Boat.md' }, draft);
    script.resolve(waiting, { kind: 'choice', choice: 'keep' });
    script.finish(waiting.call, { text: 'The user denied it.', failed: true });
    await openChat([script]);
    expect(page.getByText('You kept').closest('summary')).toHaveTextContent(/^You kept Boat$/);
    expect(page.getByText('Searched for').closest('summary')).toHaveTextContent(
      /^Searched for “boat”$/,
    );
  });

  test('the composer keeps focus after an interaction is answered', async () => {
    const script = asking();
    const waiting = script.hold('ask_user', { question: 'Which list?' }, question);
    await openChat([script]);
    page.getByRole('button', { name: 'Baking' }).focus();
    script.resolve(waiting, { kind: 'answer', text: 'Baking', via: 'click' });
    await tick();
    await eventually(() => expect(page.getByLabelText('Message')).toHaveFocus());
  });

  test('an approval is denied by one click', async () => {
    const script = asking();
    const choices = ['allow-once', 'always', 'deny'] as const;
    const draft = {
      kind: 'approval',
      tool: 'move',
      title: 'Move it?',
      lines: [],
      choices,
    } as const;
    const waiting = script.hold('move', {}, draft);
    const { asked, user } = await openChat([script]);
    await user.click(page.getByRole('button', { name: 'Deny' }));
    expect(asked('confirm')).toEqual([{ approval: waiting.id, choice: 'deny' }]);
  });

  test('an approval for many notes lists all of them and can be allowed at once', async () => {
    const script = asking();
    const items = Array.from({ length: 376 }, (_, at) => `Changes Note ${at + 1}.md (+1 −1).`);
    const waiting = script.hold(
      'update_properties',
      {},
      {
        ...{ kind: 'approval', tool: 'update_properties', title: 'Change 376 notes?', items },
        lines: ['It changes 376 notes in one step.'],
        choices: ['allow-once', 'deny'],
      },
    );
    const { asked, user } = await openChat([script]);
    const list = page.getByRole('list', { name: 'Change 376 notes?' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(376);
    await user.click(page.getByRole('button', { name: 'Allow once' }));
    expect(asked('confirm')).toEqual([{ approval: waiting.id, choice: 'allow-once' }]);
  });

  describe('an approval with long arguments', () => {
    const text = 'word '.repeat(1_000);
    const long = {
      kind: 'approval',
      tool: 'files_put',
      title: 'Let “Files” run pu\u202et?',
      lines: [],
      choices: ['allow-once', 'always', 'deny'],
      input: [
        { name: 'first', text },
        { name: 'second', text: 'one\n'.repeat(20) },
        { name: 'thi\u200brd', text: 'last\u{e0041}' },
      ],
    } as const;

    test('it names all arguments, marks what is not seen, and cannot be allowed while one is folded', async () => {
      const script = asking();
      const waiting = script.hold('files_put', {}, long);
      const { asked, user } = await openChat([script]);
      const card = page.getByRole('region', { name: 'Approval' });
      expect(card).toHaveTextContent('Arguments: first, second, thi⟨U+200B⟩rd');
      expect(card).toHaveTextContent('pu⟨U+202E⟩t?');
      expect(card).toHaveTextContent('last⟨U+E0041⟩');
      for (const name of ['Allow once', 'Always allow']) {
        const button = page.getByRole('button', { name });
        expect(button).toHaveAttribute('aria-disabled', 'true');
        await user.click(button);
      }
      const field = page.getByRole('textbox', { name: 'Message' });
      await user.click(field);
      await user.keyboard('{Control>}{Enter}{/Control}yes{Enter}');
      expect(asked('confirm')).toEqual([]);
      expect(asked('send')).toMatchObject([{ text: 'yes', unread: waiting.id }]);
      await user.click(page.getByRole('button', { name: 'Show all 5,000 characters' }));
      expect(page.getByRole('button', { name: 'Allow once' })).toHaveAttribute(
        'aria-disabled',
        'true',
      );
      await user.click(page.getByRole('button', { name: 'Show all 80 characters' }));
      expect(card).toHaveTextContent(text.trim());
      await user.click(page.getByRole('button', { name: 'Allow once' }));
      expect(asked('confirm')).toEqual([{ approval: waiting.id, choice: 'allow-once' }]);
    });

    test('it can be denied while it is folded', async () => {
      const script = asking();
      const waiting = script.hold('files_put', {}, long);
      const { asked, user } = await openChat([script]);
      await user.click(page.getByRole('button', { name: 'Deny' }));
      expect(asked('confirm')).toEqual([{ approval: waiting.id, choice: 'deny' }]);
    });
  });

  describe('keys of an approval', () => {
    const deletion = {
      kind: 'approval',
      tool: 'delete',
      title: 'Delete it?',
      lines: [],
      choices: ['delete', 'keep'],
    } as const;

    test('a modifier and Enter grant an approval, and letters are only typed', async () => {
      const script = asking();
      const waiting = script.hold('delete', {}, deletion);
      const { asked, user } = await openChat([script]);
      const field = page.getByRole('textbox', { name: 'Message' });
      expect(field).toHaveAccessibleDescription('Reply to delete or keep, or say why not');
      await user.click(field);
      await user.keyboard('{Enter}y');
      expect(field).toHaveValue('y');
      await user.keyboard('{Control>}{Enter}{/Control}');
      expect(asked('confirm')).toEqual([]);
      expect(asked('send')).toMatchObject([{ text: 'y' }]);
      await user.keyboard('{Control>}{Enter}{/Control}');
      expect(asked('confirm')).toEqual([{ approval: waiting.id, choice: 'delete' }]);
    });

    test('Escape declines an approval and does not stop the turn', async () => {
      const script = asking();
      const waiting = script.hold('delete', {}, deletion);
      const { asked, user } = await openChat([script]);
      expect(page.getByRole('button', { name: 'Keep' })).toHaveAttribute(
        'aria-keyshortcuts',
        'Escape',
      );
      await user.click(page.getByRole('textbox', { name: 'Message' }));
      await user.keyboard('{Escape}');
      expect(asked('confirm')).toEqual([{ approval: waiting.id, choice: 'keep' }]);
      expect(asked('stop')).toEqual([]);
    });

    test('keys decide the first of several approvals, once', async () => {
      const script = asking();
      const first = script.hold('delete', {}, deletion);
      script.hold('delete', {}, { ...deletion, title: 'Delete the other?' });
      const { agent, asked, user } = await openChat([script]);
      agent.queue.approve = (decision) => {
        agent.asked.push(['confirm', decision]);
        return new Promise(() => undefined);
      };
      await user.click(page.getByRole('textbox', { name: 'Message' }));
      await user.keyboard('{Escape}{Escape}');
      expect(asked('confirm')).toEqual([{ approval: first.id, choice: 'keep' }]);
      const shortcuts = page
        .getAllByRole('button', { name: 'Keep' })
        .map((button) => button.getAttribute('aria-keyshortcuts'));
      expect(shortcuts).toEqual(['Escape', null]);
    });
  });
});

describe('the end of a turn', () => {
  test('a failed turn names the one next step', async () => {
    const script = asking();
    const cause = failure('key');
    script.end({ kind: 'failed', failure: cause, reply: `${cause.sentence} ${cause.next}` });
    const { ui, user } = await openChat([script]);
    expect(page.getByText(/API key is missing or invalid/)).toBeInTheDocument();
    await user.click(page.getByRole('button', { name: 'Open settings' }));
    expect(ui.asked).toContainEqual(['openSettings', 'apiKeyName']);
  });

  test('a failed turn can be retried while its request is in the inbox', async () => {
    const scene = SCENES['failed-network']?.();
    const { asked, user } = await openChat(scene?.scripts ?? [], { entries: scene?.entries ?? [] });
    await user.click(page.getByRole('button', { name: 'Retry' }));
    expect(asked('retry')).toEqual([scene?.scripts[0]?.entry]);
  });

  test('a failed turn of another device offers no retry here', async () => {
    const cause = failure('overloaded');
    const script = new Script('a', Date.now(), 'device-2').ask('Add milk').step();
    script.end({ kind: 'failed', failure: cause, reply: cause.sentence });
    const { request, ...entry } = queuedEntry('Add milk', script.id, 1);
    const failed: QueuedRequest = {
      ...{ ...entry, state: 'failed', failure: cause, nextTry: null },
      ...{ request: { ...request, id: script.entry }, device: 'device-2' as DeviceId },
      ...{ conversation: script.id, turn: script.turn },
    };
    await openChat([script], { entries: [failed] });
    expect(page.getByText(cause.sentence)).toBeInTheDocument();
    expect(page.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  test('a turn that reached a limit offers Continue', async () => {
    const script = asking().end({
      kind: 'limited',
      reason: 'steps',
      reply: 'Stopped at the limit.',
    });
    const { asked, user } = await openChat([script]);
    await user.click(page.getByRole('button', { name: 'Continue' }));
    const continues = script.turn;
    expect(asked('send')).toMatchObject([
      { text: 'Continue.', conversation: script.id, continues },
    ]);
  });

  test('continuing a turn about one edit stays bound to that edit', async () => {
    const edit = { kind: 'hunk', path: 'Plan.md', hunk: 'abc123' as ProposalId } as const;
    const script = new Script('a').attach([edit]).ask('Shorter').step();
    const reply = 'Stopped at the limit.';
    const { asked, user } = await openChat([
      script.end({ kind: 'limited', reason: 'steps', reply }),
    ]);
    await user.click(page.getByRole('button', { name: 'Continue' }));
    expect(asked('send')).toMatchObject([{ text: 'Continue.', attachments: [edit] }]);
  });

  test('a turn that ended in the middle of a sentence shows where', async () => {
    const script = asking().say('There are three');
    script.cut().end({ kind: 'stopped', reply: 'Stopped.' });
    await openChat([script.ask('And now?').step().say('Whole.').done('Whole.')]);
    expect(page.getAllByText('The response was cut off here')).toHaveLength(1);
    expect(page.getByText('Stopped.')).toBeInTheDocument();
  });

  test('each end is shown differently', async () => {
    const script = asking().end({ kind: 'stopped', reply: 'Stopped.' }).ask('Again').step();
    script
      .stepEnd()
      .end({ kind: 'completed', outcome: 'not_done', reply: 'There is no such list.' });
    await openChat([script]);
    expect(page.getByText('Stopped.')).toBeInTheDocument();
    expect(page.getByText('Not completed.')).toBeInTheDocument();
  });
});

describe('the composer', () => {
  const area = () => page.getByLabelText('Message');

  test('Enter sends and Shift-Enter breaks the line', async () => {
    const { asked, user } = await openChat([asking().done('Yes.')]);
    await user.type(area(), 'Add{Shift>}{Enter}{/Shift}eggs{Enter}');
    expect(asked('send')).toMatchObject([{ text: 'Add\neggs' }]);
    expect(area()).toHaveValue('');
    expect(area()).toHaveFocus();
  });

  test('Enter during a composition belongs to the input method', async () => {
    const { asked, user } = await openChat([asking().done('Yes.')]);
    await user.type(area(), 'かな');
    await fireEvent.keyDown(area(), { key: 'Enter', isComposing: true });
    await fireEvent.keyDown(area(), { key: 'Enter', keyCode: 229 });
    expect(asked('send')).toMatchObject([]);
  });

  test.each([{ isComposing: true }, { keyCode: 229 }])(
    'Escape during a composition, reported as %j, stops nothing and stays in the panel',
    async (composition) => {
      const { asked } = await openChat([asking()]);
      const heard = vi.fn();
      document.body.addEventListener('keydown', heard);
      await fireEvent.keyDown(area(), { key: 'Escape', ...composition });
      expect(heard).not.toHaveBeenCalled();
      await fireEvent.keyDown(area(), { key: 'Escape' });
      document.body.removeEventListener('keydown', heard);
      expect(asked('stop')).toHaveLength(1);
    },
  );

  test('a message sent during a turn is queued visibly and can be withdrawn', async () => {
    const { asked, user } = await openChat([asking()]);
    await user.type(area(), 'And eggs{Enter}');
    const queue = within(await page.findByRole('list', { name: 'Queued' }));
    expect(queue.getByText('And eggs')).toBeInTheDocument();
    await user.click(queue.getByRole('button', { name: 'Edit queued message' }));
    expect(area()).toHaveValue('And eggs');
    expect(asked('edit')).toHaveLength(1);
    expect(page.queryByRole('list', { name: 'Queued' })).toBeNull();
  });

  test('Stop returns queued messages to the composer', async () => {
    const script = asking();
    const { asked, user } = await openChat([script], {
      entries: [queuedEntry('And eggs', script.id, 1)],
    });
    await user.click(page.getByRole('button', { name: 'Stop' }));
    expect(asked('stop')).toEqual([script.id]);
    expect(area()).toHaveValue('And eggs');
  });

  test('each conversation has its own draft', async () => {
    const [one, two] = [asking().done('Yes.'), new Script('b').ask('Hello').step().done('Hi.')];
    const { screen, user } = await openChat([one, two]);
    await user.type(area(), 'half a thought');
    await screen.open(one.id);
    await tick();
    expect(area()).toHaveValue('');
    await screen.open(two.id);
    await tick();
    expect(area()).toHaveValue('half a thought');
  });
});

describe('the history', () => {
  test('conversations are listed, found and opened', async () => {
    const [one, two] = [
      asking().done('Yes.'),
      new Script('b').ask('Plan the trip').step().done('Hi.'),
    ];
    const { screen, user } = await openChat([one, two]);
    await user.click(page.getByRole('button', { name: 'Past chats' }));
    await user.type(page.getByLabelText('Search all chats'), 'milk');
    expect(page.queryByRole('button', { name: /Plan the trip/ })).toBeNull();
    await user.click(page.getByRole('button', { name: /^Add milk/ }));
    expect(screen.id).toBe(one.id);
    expect(page.getByLabelText('Message')).toHaveFocus();
  });
});

test('a renamed conversation has the focus again, also while the main window is hidden', async () => {
  const frames = vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  const { user } = await openChat([asking().done('Yes.')]);
  await user.click(page.getByRole('button', { name: 'Past chats' }));
  const row = () => page.getByRole('button', { name: /^(Add milk|Groceries)/ });
  row().focus();
  await user.keyboard('{F2}');
  await user.clear(page.getByLabelText('Title'));
  await user.type(page.getByLabelText('Title'), 'Groceries{Enter}');
  await vi.waitFor(() => expect(row()).toHaveFocus());
  frames.mockRestore();
});

describe('the first run', () => {
  test('a key that cannot be saved is reported, and stays in its field', async () => {
    const { asked, ui, user } = await openChat([], { key: false });
    ui.saveKey = () => 'The keychain is locked.';
    await user.type(page.getByLabelText('API key'), 'sk-ant-1');
    await user.click(page.getByRole('button', { name: 'Save and check' }));
    expect(ui.asked).toContainEqual(['notice', 'The keychain is locked.']);
    expect(page.getByLabelText('API key')).toHaveValue('sk-ant-1');
    expect(page.getByRole('button', { name: 'Save and check' })).toBeEnabled();
    expect(asked('checkConnection')).toEqual([]);
  });

  test('the first run saves and checks a key and leads to a first request', async () => {
    const { asked, ui, user } = await openChat([], { key: false });
    expect(page.queryByLabelText('Message')).toBeNull();
    await user.type(page.getByLabelText('API key'), 'sk-ant-1');
    await user.click(page.getByRole('button', { name: 'Save and check' }));
    expect(ui.asked).toContainEqual(['saveKey', 'sk-ant-1']);
    await user.click(await page.findByRole('button', { name: /^Start a shopping list/ }));
    expect(page.getByLabelText('Message')).toHaveFocus();
    expect(asked('send')).toMatchObject([
      { text: 'Start a shopping list with milk and bread.', attachments: [] },
    ]);
  });

  test('an example answer and past chats can be looked at without a key', async () => {
    const { asked, user } = await openChat([], { key: false });
    await user.click(page.getByRole('button', { name: 'See an example first' }));
    const example = within(page.getByRole('region', { name: 'Example' }));
    expect(example.getByText(/^Example\. No model was asked/)).toBeVisible();
    expect(example.getByText('Add milk to my shopping list.')).toBeVisible();
    expect(example.getAllByText(/for your shopping list, at its end/)[0]).toBeVisible();
    expect(page.getByRole('region', { name: 'Example' })).toHaveTextContent(/added:\s*Milk/);
    expect(asked('send')).toEqual([]);
    await user.click(page.getByRole('button', { name: 'Hide the example' }));
    expect(page.queryByRole('region', { name: 'Example' })).toBeNull();
    await user.click(page.getByRole('button', { name: 'Past chats' }));
    expect(page.getByRole('region', { name: 'Past chats' })).toBeVisible();
  });

  test('a suggestion is sent at one click, beside what is typed', async () => {
    const { asked, user } = await openChat([], {
      vault: { files: ['Lists/Shopping.md', 'Garden.md'] },
      reading: { note: 'Garden.md', selection: null },
    });
    await user.type(page.getByLabelText('Message'), 'half a');
    await user.click(await page.findByRole('button', { name: 'Add milk to my shopping list.' }));
    expect(asked('send')).toMatchObject([
      { text: 'Add milk to my shopping list.', activeNote: 'Garden.md' },
    ]);
    expect(page.getByLabelText('Message')).toHaveValue('half a');
  });

  test('the first run stays and explains a key that does not work', async () => {
    const { agent, user } = await openChat([], { key: false });
    agent.verdict = { ok: false, failure: failure('key'), transport: 'node' };
    await user.type(page.getByLabelText('API key'), 'wrong{Enter}');
    expect(await page.findByRole('alert')).toHaveTextContent(
      'API key is missing or invalid. Check that you copied the whole key.',
    );
    expect(page.getByLabelText('API key')).toHaveValue('wrong');
  });
});

describe('a compaction summary', () => {
  test('a summary appears where it replaces earlier messages and opens to its text', async () => {
    const scene = SCENES['summarized']?.();
    const { user } = await openChat(scene?.scripts ?? []);
    const [carried, read, line, answer] = [
      page.getByText('Continued from an earlier chat'),
      page.getByText(/^Read/, { selector: 'summary *' }),
      page.getByText('Earlier messages summarized'),
      page.getByText('Only milk is left to buy.'),
    ];
    const follows = (one: Element, other: Element) =>
      one.compareDocumentPosition(other) === Node.DOCUMENT_POSITION_FOLLOWING;
    expect([follows(carried, read), follows(read, line), follows(line, answer)]).toEqual([
      true,
      true,
      true,
    ]);
    const summary = page.getByText(/The user asked for milk/);
    await user.click(page.getByText(/^Worked/));
    expect(line).toBeVisible();
    expect(summary).not.toBeVisible();
    await user.click(line);
    expect(summary).toBeVisible();
    expect(page.getByText(/the adapter is still missing/)).not.toBeVisible();
  });

  test('a summary appears before anything follows it', async () => {
    const script = new Script('a').ask('And bread?');
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const from = { turn: script.turn, step: 1 };
    script.write({ type: 'compaction-end', why: 'window', summary: 'Milk.', from, usage });
    await openChat([script]);
    expect(page.getByText('Earlier messages summarized')).toBeVisible();
    expect(page.getByText('Waiting for Claude')).toBeInTheDocument();
  });
});

test('a notice beside the answer has its own line', async () => {
  const scene = SCENES['summarized']?.();
  await openChat(scene?.scripts ?? []);
  expect(page.getByText(/The limits of money do not apply here: what llama4 costs/)).toBeVisible();
});

test('effects run: the seconds before a retry are counted down', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  try {
    const cause = failure('overloaded');
    const script = asking().void(cause);
    await openChat([script.retry(cause, Date.now() + 4000)]);
    expect(page.getByText(/Retrying in 4 s/)).toBeInTheDocument();
    vi.advanceTimersByTime(3000);
    await tick();
    expect(page.getByText(/Retrying in 1 s/)).toBeInTheDocument();
  } finally {
    vi.useRealTimers();
  }
});

test('text typed while a new chat is created is kept', async () => {
  const { agent, user } = await openChat([asking().say('Added.').done('Added.')]);
  vi.spyOn(agent.conversations, 'create').mockReturnValue(new Promise(() => undefined));
  await user.click(page.getByRole('button', { name: 'New chat' }));
  await user.keyboard('Next');
  expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Next');
});
