import { screen as page } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import { failure } from '#messages/failures';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

/** The work of a request before its answer: a plan, three narrations and three steps. */
function working(script = new Script('a')): Script {
  const list = 'Lists/Shopping.md';
  return script
    .ask('Add milk to my shopping list')
    .step()
    .say('I look for the list first.')
    .plan(
      { text: 'Find it', state: 'done' },
      { text: 'Read it', state: 'done' },
      { text: 'Add milk', state: 'done' },
    )
    .call('list_files', { pattern: '*{shopping,groceries}*' }, '1 file')
    .stepEnd()
    .step()
    .say('I read it to see how it is written.')
    .call('read_file', { path: list }, '1\t# Shopping')
    .stepEnd()
    .step()
    .say('The new line goes at the end.')
    .call('edit_file', { path: list }, 'Done.')
    .stepEnd()
    .step();
}

function finished(script?: Script): Script {
  return working(script).say('I added milk to Shopping.').done('I added milk to Shopping.');
}

const NARRATION = [
  'I look for the list first.',
  'I read it to see how it is written.',
  'The new line goes at the end.',
];
const line = () => page.getByText('Worked 4 s · 3 steps');

describe('the work of a finished turn', () => {
  test('the work is one line, which opens to the plan, the narration and the steps', async () => {
    const { user } = await openChat([finished()]);
    expect(page.getByText('I added milk to Shopping.')).toBeVisible();
    const parts = [...NARRATION, 'Plan', 'Listed files:', 'Read', 'Edited'].map((text) =>
      page.getByText(text),
    );
    for (const part of parts) expect(part).not.toBeVisible();
    await user.click(line());
    for (const part of parts) expect(part).toBeVisible();
  });

  test.each([
    ['stopped', { kind: 'stopped', reply: 'Stopped.' }, 'Stopped.'],
    ['limited', { kind: 'limited', reason: 'steps', reply: 'Too many steps.' }, 'Too many steps.'],
    ['failed', { kind: 'failed', failure: failure('network'), reply: 'Offline.' }, 'Offline.'],
  ] as const)('the work of a %s turn folds above its end', async (_, end, words) => {
    await openChat([working().end(end)]);
    expect(page.getByText(NARRATION[0] as string)).not.toBeVisible();
    expect(line()).toBeVisible();
    expect(page.getByText(words)).toBeVisible();
  });

  test('an answer without work has no line of work', async () => {
    await openChat([new Script('a').ask('Hello').step().say('Hi.').done('Hi.')]);
    expect(page.queryByText(/^Worked/)).toBeNull();
    expect(document.querySelector('[data-turn] summary')).toBeNull();
  });

  test('a single line of work is shown as it is', async () => {
    const script = new Script('a').ask('Read it').step();
    script.call('read_file', { path: 'A.md' }, '1\tA').stepEnd().step().say('Nothing.');
    await openChat([script.done('Nothing.')]);
    expect(page.getByText('Read', { selector: 'summary *' })).toBeVisible();
    expect(page.queryByText(/^Worked/)).toBeNull();
  });

  test('questions, messages and copy buttons stay visible beside the folded work', async () => {
    const script = new Script('a').ask('Plan it').step().say('I found two lists.');
    script.call('read_file', { path: 'A.md' }, '1\tA');
    const waiting = script.hold(
      'ask_user',
      { question: 'Which list?' },
      { kind: 'question', text: 'Which list?', choices: [], allowFreeText: true },
    );
    script.resolve(waiting, { kind: 'answer', text: 'Baking', via: 'typed' });
    script.finish(waiting.call, { text: 'Baking', failed: false });
    script.call('send_message', { message: 'Half of it is done.' }, 'Shown.', {
      details: { kind: 'message', text: 'Half of it is done.' },
    });
    script.call('copy_notes', { paths: ['Lists/Baking.md'] }, 'Offered.', {
      details: { kind: 'copy', paths: ['Lists/Baking.md'] },
    });
    await openChat([script.stepEnd().step().say('All done.').done('All done.')]);
    expect(page.getByText('I found two lists.')).not.toBeVisible();
    for (const text of ['Which list?', 'Baking', 'Half of it is done.', 'All done.']) {
      expect(page.getByText(text)).toBeVisible();
    }
    expect(page.getByRole('button', { name: 'Copy Baking' })).toBeVisible();
  });

  test('copying the whole chat leaves out the folded work', async () => {
    const { user } = await openChat([finished()]);
    const copied = () => {
      const log = page.getByRole('log');
      getSelection()?.selectAllChildren(log);
      let text = '';
      const clipboardData = { setData: (_: string, given: string) => (text = given) };
      log.dispatchEvent(Object.assign(new Event('copy'), { clipboardData }));
      return text;
    };
    expect(copied()).toBe('Add milk to my shopping list\n\nI added milk to Shopping.');
    await user.click(line());
    expect(copied()).toContain(NARRATION[0]);
  });

  test('a search that finds narration opens the folded work', async () => {
    const script = finished();
    const message = `${script.turn}.2`;
    for (const text of ['One more', 'And another']) {
      script.ask(text).step().say('Yes.').done('Yes.');
    }
    const { screen } = await openChat([script, new Script('b').ask('Hi').step().done('Hi.')]);
    Element.prototype.scrollIntoView = () => undefined;
    await screen.open(script.id, { message, role: 'agent', query: 'how it is written' });
    await tick();
    await tick();
    expect(page.getByText(NARRATION[1] as string)).toBeVisible();
  });
});

describe('the work of a running turn', () => {
  const quiet = (text: string) => page.getByText(text).closest('.quiet');

  test('narration is quieter than the answer, from the call that follows it on', async () => {
    const script = new Script('a').ask('Add milk').step().say('I look first.');
    await openChat([script]);
    expect(quiet('I look first.')).toBeNull();
    script.start(script.prepare('read_file', { path: 'A.md' }));
    await tick();
    expect(quiet('I look first.')).not.toBeNull();
    expect(page.getByText('I look first.')).toBeVisible();
  });

  test('the work folds when the turn ends, and keeps the nodes of the answer', async () => {
    const script = working().say('I added milk to Shopping.');
    await openChat([script]);
    const answer = page.getByText('I added milk to Shopping.');
    expect(page.getByText(NARRATION[0] as string)).toBeVisible();
    expect(page.queryByText(/^Worked/)).toBeNull();
    script.done('I added milk to Shopping.');
    await tick();
    expect(line()).toBeVisible();
    expect(page.getByText(NARRATION[0] as string)).not.toBeVisible();
    expect(page.getByText('I added milk to Shopping.')).toBe(answer);
  });

  test('the work above a long answer that is in view folds only when the user sends a message', async () => {
    const script = working().say('I added milk to Shopping.');
    const { user } = await openChat([script]);
    const heights: [string, number][] = [
      ['[role="log"]', 400],
      ['[data-turn]', 900],
    ];
    for (const [selector, bottom] of heights) {
      const box = { top: 0, bottom, height: bottom } as DOMRect;
      document.querySelector(selector)!.getBoundingClientRect = () => box;
    }
    script.done('I added milk to Shopping.');
    await tick();
    expect(page.getByText(NARRATION[0] as string)).toBeVisible();
    expect(page.queryByText(/^Worked/)).toBeNull();
    await user.type(page.getByLabelText('Message'), 'Thanks{Enter}');
    await tick();
    expect(line()).toBeVisible();
    expect(page.getByText(NARRATION[0] as string)).not.toBeVisible();
  });

  test('a step that the user opened stays open and in view when the turn ends', async () => {
    const script = working();
    const { user } = await openChat([script]);
    await user.click(page.getByText('Edited'));
    const input = page.getAllByText('Input').at(-1);
    expect(input).toBeVisible();
    script.say('I added milk.').done('I added milk.');
    await tick();
    expect(line()).toBeVisible();
    expect(input).toBeVisible();
  });
});

describe('texts that say the same', () => {
  test('a message is not repeated as the answer', async () => {
    const script = new Script('a').ask('Add milk').step();
    script.call('send_message', { message: 'Milk is on it.' }, 'Shown.', {
      details: { kind: 'message', text: 'Milk is on it.' },
    });
    await openChat([script.stepEnd().step().say('Milk  is on it.\n').done('Milk is on it.')]);
    expect(page.getAllByText(/Milk\s+is on it\./)).toHaveLength(1);
  });

  test('narration that the summary repeats is the answer, and is not folded', async () => {
    const script = new Script('a').ask('Add milk').step().say('Added milk.');
    script.call('edit_file', { path: 'A.md' }, 'Done.').stepEnd().step().done('Added milk.');
    await openChat([script]);
    expect(page.getByText('Added milk.')).toBeVisible();
  });

  test('a notice is not repeated by the ending', async () => {
    const script = new Script('a').ask('Add milk').step().stepEnd();
    const text = 'The daily cost limit was reached.';
    for (let count = 0; count < 2; count += 1) {
      script.write({ type: 'turn-notice', turn: script.turn, text });
    }
    await openChat([script.end({ kind: 'limited', reason: 'day-money', reply: text })]);
    expect(page.getAllByText(text)).toHaveLength(1);
  });
});

describe('what the user decided', () => {
  test('a note that was kept is not told as a failure', async () => {
    const script = new Script('a').ask('Delete the note Harvest').step();
    const choices = ['delete', 'keep'] as const;
    const waiting = script.hold(
      'delete',
      { path: 'Notes/Harvest.md' },
      { kind: 'approval', tool: 'delete', title: 'Delete Harvest?', lines: [], choices },
    );
    script.resolve(waiting, { kind: 'choice', choice: 'keep' });
    const details = { kind: 'declined' } as const;
    script.finish(waiting.call, { text: 'Kept.', failed: true, details });
    script.stepEnd().step().say('I left it.');
    await openChat([script.end({ kind: 'completed', outcome: 'not_done', reply: 'I left it.' })]);
    expect(page.getByText('You kept').closest('summary')).toHaveTextContent(
      /^You kept Notes\/Harvest$/,
    );
    expect(page.getByText('You kept')).toBeVisible();
    expect(page.queryByText(/Not completed|failed/)).toBeNull();
    expect(document.querySelector('.parley-bad, .parley-careful')).toBeNull();
  });

  test('reads that the user stopped are not told as failed', async () => {
    const script = new Script('a').ask('What about bread?').step();
    for (const path of ['A.md', 'B.md']) script.call('read_file', { path }, '1\tA');
    script.call('read_file', { path: 'C.md' }, 'Stopped.', {
      ...{ failed: true, details: { kind: 'stopped' } },
    });
    await openChat([script.end({ kind: 'stopped', reply: 'Stopped.' })]);
    expect(page.getByText('Read 2 notes')).toBeVisible();
    expect(page.getByText('Stopped.')).toBeVisible();
    expect(page.queryByText(/failed/)).toBeNull();
  });
});
