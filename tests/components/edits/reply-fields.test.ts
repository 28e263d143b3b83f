/** Reply fields in widgets of a note, which are removed and drawn again while the user types. */
import { screen as page, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { tick } from 'svelte';
import { afterEach, describe, expect, test } from 'vitest';
import { chatMounter, type MountedEdit } from '#components/mount.ts';
import { NO_DRAFT } from '#model/attachment';
import type { ProposalId } from '#model/ids';
import { pageUi } from '#workbench/gallery/page-ui';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';

const NOTE = 'Plan.md';
const FIELD = 'Reply to this edit';
const mounted: { close(): void }[] = [];

afterEach(() => {
  for (const each of mounted.splice(0)) each.close();
  document.body.replaceChildren();
});

const settled = async () => {
  for (let look = 0; look < 5; look += 1) await tick();
};

/** A note with one widget, beside an editor. */
function note(saved = '') {
  const script = new Script('a').ask('In French').step();
  const { pending } = proposing(script, [{ path: NOTE, parts: [['Two.\n', 'Deux.\n']] }]);
  script.done('Proposed.');
  const [edit] = pending[0]!.edits;
  const id = edit!.id as ProposalId;
  const drafts = new Map([[id, { ...NO_DRAFT, text: saved }]]);
  const agent = scriptedAgent([script], { reviewed: { pending }, vault: { drafts } });
  const mounter = chatMounter(agent, pageUi(), Promise.resolve(), () => undefined);
  const editor = document.body.appendChild(document.createElement('textarea'));
  mounted.push(mounter);
  const draw = (path = NOTE, after = 'Deux.\n'): { remove(): void } & MountedEdit => {
    const element = document.body.appendChild(document.createElement('div'));
    const block = { id, type: 'replace', before: 'Two.\n', after } as const;
    const widget = mounter.mountEdit(element, { note: path, block });
    const remove = () => {
      element.remove();
      widget.close();
    };
    mounted.push({ close: remove });
    return { ...widget, remove };
  };
  const asked = (verb: string) => agent.asked.filter(([name]) => name === verb);
  /** The list of edits in a chat beside the note. */
  const inbox = async () => {
    const element = document.body.appendChild(document.createElement('div'));
    const chat = mounter.mount(element);
    mounted.push(chat);
    await chat.run({ do: 'show-edits' });
    await settled();
    return within(element);
  };
  return { agent, pending, id, editor, draw, inbox, asked, user: userEvent.setup() };
}

async function opened() {
  const made = note();
  const widget = made.draw();
  widget.reply();
  await settled();
  await made.user.keyboard('short');
  return { ...made, widget };
}

const field = () => page.getByLabelText<HTMLTextAreaElement>(FIELD);

describe('a reply field that is drawn again', () => {
  test('a reply field that had the focus has it again, with what was typed', async () => {
    const { widget, draw, user } = await opened();
    widget.remove();
    draw(NOTE, 'II.\n');
    await settled();
    expect(field()).toHaveFocus();
    await user.keyboard('er');
    expect(field()).toHaveValue('shorter');
  });

  test('a reply field leaves the focus where the user is typing now', async () => {
    const { widget, draw, editor, user } = await opened();
    await user.click(editor);
    await settled();
    widget.remove();
    draw(NOTE, 'II.\n');
    await settled();
    expect(editor).toHaveFocus();
    editor.blur();
    draw(NOTE, 'III.\n');
    await settled();
    expect(document.body).toHaveFocus();
  });

  test('a reply field keeps what was typed when its note is renamed', async () => {
    const { widget, draw, agent, pending, user } = await opened();
    widget.remove();
    draw('New.md');
    await settled();
    agent.reviewed.set([{ ...pending[0]!, path: 'New.md' }]);
    await settled();
    expect(field()).toHaveValue('short');
    await user.type(field(), 'er{Enter}');
    await settled();
    expect(agent.asked.find(([verb]) => verb === 'editReply')?.[1]).toMatchObject({
      ...{ note: 'New.md', text: 'shorter' },
    });
  });
});

test('what is typed about an edit is saved, and found again after a restart', async () => {
  const { agent, id } = await opened();
  expect((await agent.composer.drafts()).get(id)?.text).toBe('short');
  for (const each of mounted.splice(0)) each.close();
  const { draw } = note('short');
  await settled();
  draw().reply();
  await settled();
  expect(field()).toHaveValue('short');
});

describe('spoken requests and a reply field', () => {
  test('spoken requests are about an edit for a while after its field was removed', async () => {
    const { widget, asked, id } = await opened();
    widget.remove();
    await settled();
    expect(asked('stopListening')).toEqual([['stopListening', { edit: id, note: NOTE }, 'soon']]);
  });

  test('spoken requests stay about an edit while the focus is in either of its fields', async () => {
    const { draw, asked } = await opened();
    draw();
    await settled();
    const [, other] = page.getAllByLabelText(FIELD);
    other!.focus();
    await settled();
    expect(asked('listen')).toHaveLength(2);
    expect(asked('stopListening')).toEqual([]);
  });
});

describe('the one form that is open', () => {
  const own = () => page.getByLabelText<HTMLTextAreaElement>('Changed text');

  test('a form opens where the user asks for it, and keeps what was typed in another place', async () => {
    const { draw, inbox, user } = note();
    const widget = draw();
    const chat = await inbox();
    widget.edit();
    await settled();
    await user.type(own(), ' mine');
    const typed = own().value;
    expect(chat.queryByLabelText('Changed text')).toBeNull();
    await user.click(chat.getByRole('button', { name: 'Edit' }));
    await settled();
    expect(chat.getByLabelText('Changed text')).toHaveValue(typed);
    expect(own()).toHaveFocus();
    expect(own()).toHaveValue(typed);
  });

  test('opening another form keeps the draft of the first, and cancelling forgets the draft', async () => {
    const { draw, user } = note();
    const widget = draw();
    widget.edit();
    await settled();
    await user.type(own(), ' mine');
    const typed = own().value;
    await user.keyboard('{Escape}');
    expect(page.queryByLabelText('Changed text')).toBeNull();
    widget.edit();
    await settled();
    expect(own()).toHaveValue('Deux.\n');
    await user.type(own(), ' mine');
    widget.reply();
    await settled();
    expect(page.queryByLabelText('Changed text')).toBeNull();
    expect(field()).toHaveFocus();
    widget.edit();
    await settled();
    expect(own()).toHaveValue(typed);
    expect(page.queryByLabelText(FIELD)).toBeNull();
  });
});
