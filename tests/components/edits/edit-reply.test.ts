import { screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import { failure } from '#messages/failures';
import type { ProposalId } from '#model/ids';
import type { EditVersion } from '#model/pending-edit';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { Script } from '#workbench/gallery/script';
import { openChat, type OpenedChat } from '../chat';
import { eventually } from '#tests/builders/eventually';

const NOTE = 'Plan.md';

function version(after: string, isCurrent: boolean): EditVersion {
  const nowhere = { conversation: null, turn: null } as const;
  return { after, isCurrent, ...nowhere };
}

/** A chat with one pending edit of one note, perhaps with several versions. */
async function chat(...texts: readonly string[]) {
  const script = new Script('a').ask('In French').step();
  const { pending } = proposing(script, [{ path: NOTE, parts: [['Two.\n', 'Deux.\n']] }]);
  script.done('Proposed.');
  const [edit] = pending[0]!.edits;
  const id = edit!.id as ProposalId;
  const versions = texts.map((text, at) => version(text, at === texts.length - 1));
  const isRevised = texts.length > 1 ? { isRevised: true as const } : {};
  const edits = [{ ...edit!, ...isRevised, after: texts.at(-1) ?? edit!.after }];
  const opened = await openChat([script], {
    reviewed: { pending: [{ ...pending[0]!, edits }], versions: { [id]: versions } },
  });
  return { ...opened, script, id, place: { edit: id, note: NOTE } };
}

const field = () => page.getByLabelText('Reply to this edit');
const replyButton = () => page.getByRole('button', { name: 'Reply' });
const settled = async () => {
  for (let look = 0; look < 5; look += 1) await tick();
};

/** Lets the queued request run, and end in this way. */
async function answer(
  {
    script,
    agent,
    panel,
    id,
  }: Pick<OpenedChat, 'agent' | 'panel'> & { script: Script; id: string },
  end: (script: Script) => void,
) {
  const [entry] = agent.entries.splice(0);
  const hunk = { kind: 'hunk', path: NOTE, hunk: id as ProposalId } as const;
  script.attach([hunk]).of(entry!.request.id).ask(entry!.request.text, 'typed', 'review').step();
  end(script);
  await panel.refresh();
  await settled();
}

describe('reply fields', () => {
  test('the reply field of an edit opens with a button or a key, sends with Enter, and shows what becomes of it', async () => {
    const opened = await chat();
    const { user, asked, place } = opened;
    page.getByRole('group', { name: /^Edit 1 of 1/ }).focus();
    await user.keyboard('t');
    await settled();
    expect(field()).toHaveFocus();
    await user.keyboard('shorter{Enter}');
    await settled();
    expect(asked('editReply')).toEqual([{ ...place, text: 'shorter' }]);
    expect(field()).toHaveValue('');
    expect(page.getByText('Waiting for another request')).toBeVisible();
    await answer(opened, (script) => script.done('It now has one word.'));
    expect(page.getByText('It now has one word.', { selector: '.reply p' })).toBeVisible();
    expect(page.queryByText('Waiting for another request')).toBeNull();
  });

  test('the reply field of an edit keeps its draft when Escape closes it', async () => {
    const { user } = await chat();
    await user.click(replyButton());
    await user.keyboard('not yet{Escape}');
    await settled();
    expect(page.queryByLabelText('Reply to this edit')).toBeNull();
    expect(page.getByRole('group', { name: /^Edit 1 of 1/ })).toHaveFocus();
    await user.click(replyButton());
    expect(field()).toHaveValue('not yet');
  });

  test('the reply field of an edit gives the words back if the request fails', async () => {
    const opened = await chat();
    await opened.user.click(replyButton());
    await opened.user.keyboard('shorter{Enter}');
    await settled();
    await answer(opened, (script) =>
      script.end({
        kind: 'failed',
        failure: failure('network'),
        reply: 'Network error. Parley retries.',
      }),
    );
    expect(field()).toHaveValue('shorter');
    expect(
      within(page.getByRole('group', { name: /^Edit 1/ })).getByText(/Network error/),
    ).toBeVisible();
    // Parley tries again by itself.
    opened.script.attach([{ kind: 'hunk', path: NOTE, hunk: opened.id }]);
    opened.script.ask('shorter', 'typed', 'review').step().done('Shortened.');
    await settled();
    expect(field()).toHaveValue('');
  });

  test('the reply field of an edit gives the words back if the request is stopped in the queue', async () => {
    const { user, asked } = await chat();
    await user.click(replyButton());
    await user.keyboard('shorter{Enter}');
    await settled();
    await user.click(page.getByRole('button', { name: 'Stop' }));
    await settled();
    expect(asked('stopRequest')).toHaveLength(1);
    expect(field()).toHaveValue('shorter');
  });

  test('the reply field of an edit keeps both texts if a request is taken back while another is typed', async () => {
    const { user } = await chat();
    await user.click(replyButton());
    await user.keyboard('shorter{Enter}');
    await settled();
    await user.keyboard('warmer');
    await user.click(page.getByRole('button', { name: 'Stop' }));
    await settled();
    expect(field()).toHaveValue('warmer\n\nshorter');
  });

  test('the reply field of an edit keeps both texts if one cannot be sent while another is typed', async () => {
    const { user, agent } = await chat();
    let refuse: () => void = () => undefined;
    agent.editReplies.send = () =>
      new Promise(
        (resolve) => (refuse = () => resolve({ ok: false, reason: 'The disk is full.' })),
      );
    await user.click(replyButton());
    await user.keyboard('shorter{Enter}');
    await user.keyboard('warmer');
    refuse();
    await eventually(() => expect(field()).toHaveValue('warmer\n\nshorter'));
    expect(page.getByText('The disk is full.')).toBeVisible();
  });

  test('the reply field of an edit offers no stop while its request is being sent', async () => {
    const { user, agent } = await chat();
    agent.editReplies.send = () => new Promise(() => undefined);
    await user.click(replyButton());
    await user.keyboard('shorter{Enter}');
    await settled();
    expect(page.getByText('Sending…')).toBeVisible();
    expect(page.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  test('the answer about an edit is shown beside it even if its field was closed meanwhile', async () => {
    const opened = await chat();
    const { user } = opened;
    await user.click(replyButton());
    await user.keyboard('why?{Enter}{Escape}');
    await settled();
    await answer(opened, (script) => script.done('You write French.'));
    expect(page.getByText('You write French.', { selector: '.reply p' })).toBeVisible();
  });

  test('an edit cannot be rewritten by hand while a reply may change it', async () => {
    const opened = await chat();
    const { user } = opened;
    await user.click(replyButton());
    await user.keyboard('shorter{Enter}');
    await settled();
    await user.click(page.getByRole('button', { name: 'Edit' }));
    expect(page.queryByLabelText('Changed text')).toBeNull();
    await answer(opened, (script) => script.done('Shortened.'));
    await user.click(page.getByRole('button', { name: 'Edit' }));
    expect(page.getByLabelText('Changed text')).toHaveFocus();
  });

  test('the reply field of an edit is what spoken requests are about while it has the focus', async () => {
    const { user, asked, agent, place } = await chat();
    await user.click(replyButton());
    expect(asked('listen')).toEqual([place]);
    await user.keyboard('{Escape}');
    const stopped = agent.asked.filter(([verb]) => verb === 'stopListening');
    expect(stopped[0]).toEqual(['stopListening', place, 'now']);
  });
});

describe('versions', () => {
  test('buttons and arrow keys step through the versions of an edit', async () => {
    const { user, asked, place } = await chat('Deux.\n', 'II.\n');
    await settled();
    expect(page.getByText('Version 2 of 2')).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Previous version' }));
    await settled();
    expect(asked('chooseVersion')).toEqual([{ ...place, version: 0 }]);
    expect(page.getByText('Version 1 of 2')).toBeVisible();
    expect(page.getByText('Deux', { exact: false })).toBeVisible();
    page.getByRole('group', { name: /^Edit 1 of 1/ }).focus();
    await user.keyboard('{ArrowRight}');
    await settled();
    expect(page.getByText('Version 2 of 2')).toBeVisible();
    await user.keyboard('{ArrowRight}');
    expect(asked('chooseVersion')).toHaveLength(2);
  });

  test('the versions of an edit are not shown while there is only one', async () => {
    await chat();
    await settled();
    expect(page.queryByRole('group', { name: 'Versions' })).toBeNull();
  });
});

test('a turn about an edit does not show the edit a second time', async () => {
  const opened = await chat();
  const { script, id, panel } = opened;
  const hunk = { kind: 'hunk', path: NOTE, hunk: id } as const;
  script.attach([hunk]).ask('shorter', 'typed', 'review').step();
  const change = { change: 'change-2' as never, kind: 'write' as const, path: NOTE };
  script.call('edit_file', { path: NOTE }, 'Proposed.', {
    details: { kind: 'changes', changes: [{ ...change, proposes: [id], added: 1, removed: 1 }] },
  });
  script.done('Shortened.');
  await panel.refresh();
  await opened.frame();
  await settled();
  expect(page.getAllByRole('group', { name: /^Edit 1 of 1/ })).toHaveLength(1);
  expect(page.getByText('About the edit above.')).toBeVisible();
});
