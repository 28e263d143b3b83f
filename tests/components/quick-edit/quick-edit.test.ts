/** The field of a quick edit on a scripted agent, in a page. */
import { screen as page } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { tick } from 'svelte';
import { afterEach, describe, expect, test } from 'vitest';
import { chatMounter } from '#components/mount.ts';
import type { EditTarget } from '#model/attachment';
import type { ProposalId } from '#model/ids';
import { failure } from '#messages/failures';
import type { QuickEditHost } from '#ports/app/edits-port';
import { pageUi } from '#workbench/gallery/page-ui';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';
import { settle } from '#tests/builders/fake-clock';

const NOTE = 'Plan.md';
const TARGET: EditTarget = {
  ...{ kind: 'selection', path: NOTE, text: 'Old words.', from: 3, to: 3 },
  beside: { above: '', below: '' },
  among: { nth: 1, of: 1, texts: 1 },
};
const mounted: { close(): void }[] = [];

afterEach(() => {
  for (const each of mounted.splice(0)) each.close();
  document.body.replaceChildren();
});

function open(text = TARGET.text) {
  const script = new Script('edits');
  const agent = scriptedAgent([script], {
    vault: { prompts: { 'Prompts/Plain words.md': 'Use plain words.' } },
  });
  const closed: string[] = [];
  const asked: boolean[] = [];
  const host: QuickEditHost = {
    note: NOTE,
    target: (isWhole) => {
      asked.push(isWhole);
      return { ...TARGET, text };
    },
    close: () => void closed.push('closed'),
  };
  const ui = pageUi();
  const mounter = chatMounter(agent, ui, Promise.resolve(), (id) => void closed.push(id));
  const element = document.body.appendChild(document.createElement('div'));
  const field = mounter.mountQuickEdit(element, host);
  mounted.push(field, { close: () => mounter.close() });
  field.focus();
  const sent = () =>
    agent.asked.flatMap(([verb, what]) => (verb === 'quickEdit' ? [what as { text: string }] : []));
  /** The turn of the request that was sent last begins. */
  const begin = async () => {
    await settle();
    script.of(agent.entries.at(-1)!.request.id).ask(sent().at(-1)?.text ?? '', 'typed', 'review');
    await settle();
  };
  return { agent, asked, begin, closed, field, mounter, script, sent, ui, user: userEvent.setup() };
}

const area = () => page.getByRole<HTMLTextAreaElement>('combobox');
const options = () => page.queryAllByRole('option').map((each) => each.textContent?.trim());

describe('the actions of a quick edit', () => {
  test('actions and prompt notes filter as one types, and Enter runs the one whose name begins so', async () => {
    const { user, sent } = open();
    await settle();
    expect(options()).toContain('Plain words');
    await user.keyboard('tra');
    expect(options()[0]).toBe('Translate…');
    await user.keyboard('{Enter}');
    await settle();
    expect(area().value).toBe('Translate this to ');
    await user.keyboard('German{Enter}');
    await settle();
    expect(sent().map(({ text }) => text)).toEqual(['Translate this to German']);
  });

  test('the arrow keys choose an action, and beyond the list the typed text is sent', async () => {
    const { user, sent } = open();
    await user.keyboard('make{ArrowUp}');
    expect(page.queryByRole('option', { selected: true })).toBeNull();
    await user.keyboard('{Enter}');
    await settle();
    expect(sent()).toMatchObject([{ text: 'make', target: TARGET }]);
  });

  test('a prompt note is sent as the instruction', async () => {
    const { user, sent } = open();
    await settle();
    await user.keyboard('plain{Enter}');
    await settle();
    expect(sent()).toMatchObject([{ text: 'Use plain words.' }]);
  });

  test('an empty line offers what can be written there', () => {
    open('');
    expect(options()).toEqual(expect.arrayContaining(['Continue writing', 'Write a list…']));
    expect(options()).not.toContain('Shorten');
  });
});

describe('a request from the field', () => {
  test('Esc takes a request out of the queue, and its text returns to the field', async () => {
    const { agent, user, closed } = open();
    await user.keyboard('shorter words{Enter}');
    await settle();
    expect(page.getByRole('status').textContent).toContain('Waiting for another request');
    await user.keyboard('{Escape}');
    await settle();
    expect(agent.asked.map(([verb]) => verb)).toContain('discard');
    expect(area().value).toBe('shorter words');
    expect(closed).toEqual([]);
    await user.keyboard('{Escape}');
    expect(closed).toEqual(['closed']);
  });

  test('Esc stops a running request, and its text returns to the field', async () => {
    const { agent, begin, script, user } = open();
    await user.keyboard('shorter words{Enter}');
    await begin();
    script.step();
    await settle();
    expect(page.getByRole('status').textContent).toContain('Working…');
    await user.keyboard('{Escape}');
    expect(agent.asked.map(([verb]) => verb)).toContain('stop');
    script.stepEnd('cut').end({ kind: 'stopped', reply: 'Stopped.' });
    await settle();
    expect(area().value).toBe('shorter words');
    expect(area().readOnly).toBe(false);
  });

  test('a request that was removed elsewhere gives its text back', async () => {
    const { agent, user } = open();
    await user.keyboard('shorter words{Enter}');
    await settle();
    agent.setEntries([]);
    await settle();
    expect(area().value).toBe('shorter words');
  });

  test('a question is shown, and what is typed next answers it', async () => {
    const { agent, begin, script, user } = open();
    await user.keyboard('translate it{Enter}');
    await begin();
    script.step();
    script.hold(
      'ask_user',
      {},
      {
        ...{ kind: 'question', text: 'Into which language?', choices: [], allowFreeText: true },
      },
    );
    await settle();
    expect(page.getByRole('status').textContent).toContain('Into which language?');
    await user.keyboard('German{Enter}');
    await settle();
    const answers = agent.asked.filter(([verb]) => verb === 'send');
    expect(answers).toEqual([['send', { text: 'German', conversation: script.id }]]);
    expect(page.getByRole('status').textContent).toContain('Working…');
  });

  test('a failure keeps the text; the same text is a retry, another one replaces the request', async () => {
    const { agent, begin, script, user, sent } = open();
    await user.keyboard('shorter words{Enter}');
    await begin();
    script
      .step()
      .stepEnd('end')
      .end({
        ...{ kind: 'failed', failure: failure('network'), reply: 'Network error. Check it.' },
      });
    await settle();
    expect(page.getByRole('status').textContent).toContain('Network error.');
    expect(area().value).toBe('shorter words');
    await user.keyboard('{Enter}');
    await settle();
    expect(agent.asked.map(([verb]) => verb)).toContain('retry');
    expect(sent()).toHaveLength(1);
  });

  test('text typed after a failure replaces the failed request', async () => {
    const { agent, begin, script, user, sent } = open();
    await user.keyboard('shorter words{Enter}');
    await begin();
    script
      .step()
      .stepEnd('end')
      .end({
        ...{ kind: 'failed', failure: failure('network'), reply: 'Network error. Check it.' },
      });
    await settle();
    await user.keyboard(', please{Enter}');
    await settle();
    expect(agent.asked.map(([verb]) => verb).slice(-2)).toEqual(['discard', 'quickEdit']);
    expect(sent().map(({ text }) => text)).toEqual(['shorter words', 'shorter words, please']);
  });

  test('an answer without a change is shown at the field', async () => {
    const { begin, script, user } = open();
    await user.keyboard('what is a plan?{Enter}');
    await begin();
    script.step().say('A plan is a list.').done('A *plan* is a list.');
    await settle();
    expect(page.getByRole('status').textContent).toContain('A plan is a list.');
    expect(page.queryByRole('button', { name: /Undo|Accept/ })).toBeNull();
  });
});

test('the mode of the note is shown and switched in place', async () => {
  const { agent, ui, user } = open();
  await settle();
  await user.click(page.getByRole('button', { name: 'Mode: Review' }));
  const [, items] = ui.asked.at(-1) as [string, { title: string; run(): void }[]];
  expect(items.map(({ title }) => title.replace(/:.*/, ''))).toEqual(['Review', 'Apply']);
  items[1]?.run();
  await settle();
  expect(agent.asked).toContainEqual(['quickEditMode', { note: NOTE, mode: 'apply' }]);
  expect(page.getByRole('button', { name: 'Mode: Apply' })).toBeVisible();
  expect(area()).toHaveFocus();
});

test('only the field has Accept and Reject of its edit while it is open', async () => {
  const { agent, begin, field, mounter, script, user } = open();
  await user.keyboard('shorter words{Enter}');
  await begin();
  script.step();
  const { pending } = proposing(script, [{ path: NOTE, parts: [['Old words.\n', 'Words.\n']] }]);
  agent.reviewed.set(pending);
  const edit = pending[0]?.edits[0];
  const id = edit?.id as ProposalId;
  const block = { id, before: 'Old words.\n', after: 'Words.\n' };
  const widget = mounter.mountEdit(document.body.appendChild(document.createElement('div')), {
    note: NOTE,
    block,
  });
  mounted.push(widget);
  script.done('Proposed.');
  await settle();
  await tick();
  expect(page.getAllByRole('button', { name: /^Accept/ })).toHaveLength(1);
  expect(page.getAllByRole('button', { name: /^Reject/ })).toHaveLength(1);
  mounted.splice(mounted.indexOf(field), 1);
  field.close();
  await tick();
  const accept = page.getByRole('button', { name: 'Accept' });
  expect(accept).toHaveAccessibleDescription('Key: A');
});

test('a proposed edit is accepted from the empty field, and refining asks for its whole lines', async () => {
  const { agent, asked, begin, closed, script, user } = open();
  await user.keyboard('shorter words{Enter}');
  await begin();
  script.step();
  const { pending } = proposing(script, [{ path: NOTE, parts: [['Old words.\n', 'Words.\n']] }]);
  agent.reviewed.set(pending);
  script.done('Proposed.');
  await settle();
  await tick();
  await user.keyboard('more formal{Enter}');
  await settle();
  expect(asked.at(-1)).toBe(true);
  await begin();
  script.step().done('It is formal already.');
  await settle();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await settle();
  const accepted = agent.asked.filter(([verb]) => verb === 'accept');
  expect(accepted).toEqual([['accept', { edit: pending[0]?.edits[0]?.id, note: NOTE }]]);
  await settle();
  expect(closed).toEqual(['closed']);
});

test('the text that the agent writes appears at the field while it streams', async () => {
  const { begin, script, user } = open();
  await user.keyboard('shorter words{Enter}');
  await begin();
  expect(area().placeholder).toBe('shorter words');
  script.step();
  const json = JSON.stringify({
    edits: [{ position: 'replace:3', content: 'Two “words”\n\\ more' }],
  });
  const cut = json.length - '\\ more"}]}'.length;
  script.delta({ type: 'call', name: 'edit_file', text: json.slice(0, cut) });
  await expect.poll(() => page.getByRole('status').textContent).toContain('Two “words”');
  script.delta({ type: 'call', name: 'edit_file', text: json.slice(cut) });
  await expect.poll(() => page.getByRole('status').textContent).toContain('\n\\ more');
});
