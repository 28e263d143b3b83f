import { screen as page, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { tick } from 'svelte';
import { afterEach, describe, expect, test } from 'vitest';
import { chatMounter, type MountedEdit, type ShownEdit } from '#components/mount.ts';
import type { ProposalId } from '#model/ids';
import { pageUi } from '#workbench/gallery/page-ui';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';

const NOTE = 'Lists/Shopping.md';
const mounted: { close(): void }[] = [];

afterEach(() => {
  for (const each of mounted.splice(0)) each.close();
  document.body.replaceChildren();
});

/** A note with this many widgets. */
function note(count: number) {
  const script = new Script('a').ask('Add milk').step();
  const parts = Array.from(
    { length: count },
    (_, at) => [`This line is old ${at}\n`, `This line is new ${at}\n`] as const,
  );
  const { pending } = proposing(script, [{ path: NOTE, parts }]);
  script.done('Proposed.');
  const agent = scriptedAgent([script], { reviewed: { pending } });
  const opened: string[] = [];
  const mounter = chatMounter(agent, pageUi(), Promise.resolve(), (id) => opened.push(id));
  /** @param newText of the edit, if it was revised */
  const draw = (at: number, newText?: string): { element: HTMLElement } & MountedEdit => {
    const edit = pending[0]?.edits[at];
    if (!edit) throw new Error('There is no such edit.');
    const element = document.body.appendChild(document.createElement('div'));
    const { before, after } = edit;
    const shown: ShownEdit = {
      note: NOTE,
      block: { id: edit.id as ProposalId, before, after: newText ?? after },
    };
    const widget = { element, ...mounter.mountEdit(element, shown) };
    mounted.push(widget);
    return widget;
  };
  const widgets = Array.from({ length: count }, (_, at) => draw(at));
  /** The editor does this when it redraws the note or scrolls the widget out of view. */
  const remove = (widget: (typeof widgets)[number] | undefined) => {
    if (!widget) return;
    mounted.splice(mounted.indexOf(widget), 1);
    widget.close();
    widget.element.remove();
  };
  mounted.push(mounter);
  const ids = (pending[0]?.edits ?? []).map(({ id }) => id);
  return { agent, draw, ids, opened, remove, script, widgets, user: userEvent.setup() };
}

describe('a widget in a note', () => {
  test('a widget shows the change and decides it', async () => {
    const { agent, ids, widgets, user } = note(2);
    const second = within(widgets[1]?.element as HTMLElement);
    expect(second.getByText('new').tagName).toBe('INS');
    await user.click(second.getByRole('button', { name: 'Reject' }));
    const edits = agent.asked.filter(([verb]) => verb === 'reject');
    expect(edits).toEqual([['reject', { edit: ids[1], note: NOTE }]]);
  });

  test("a command opens the widget's editor", async () => {
    const { agent, widgets, user } = note(1);
    widgets[0]?.edit();
    await tick();
    const field = page.getByLabelText('Changed text');
    expect(field).toHaveFocus();
    await user.type(field, 'and more{Meta>}{Enter}{/Meta}');
    expect(agent.asked.at(-1)).toEqual([
      'amend',
      expect.objectContaining({ note: NOTE, after: 'This line is new 0\nand more' }),
    ]);
  });

  test("the user's own text stays when the widget is redrawn, until it is saved", async () => {
    const { agent, draw, remove, widgets, user } = note(1);
    const redraw = async (newText?: string) => {
      remove(widgets.pop());
      widgets.push(draw(0, newText));
      await tick();
    };
    widgets[0]?.edit();
    await tick();
    await user.type(page.getByLabelText('Changed text'), 'and mine');
    await redraw('This line was revised\n');
    const field = page.getByLabelText<HTMLTextAreaElement>('Changed text');
    expect(field).toHaveValue('This line is new 0\nand mine');
    expect(field).toHaveFocus();
    await user.type(field, ' too{Meta>}{Enter}{/Meta}');
    expect(agent.asked.at(-1)).toEqual([
      'amend',
      expect.objectContaining({ note: NOTE, after: 'This line is new 0\nand mine too' }),
    ]);
    await redraw();
    expect(page.queryByLabelText('Changed text')).toBeNull();
  });

  test('the cursor stays where it was in the text when the widget is redrawn', async () => {
    const { draw, remove, widgets, user } = note(1);
    widgets[0]?.edit();
    await tick();
    page.getByLabelText<HTMLTextAreaElement>('Changed text').setSelectionRange(5, 9);
    remove(widgets[0]);
    draw(0);
    await tick();
    await user.keyboard('page');
    expect(page.getByLabelText('Changed text')).toHaveValue('This page is new 0\n');
  });

  test("the keys of an edit do not decide it while the user's own text is open", async () => {
    const { agent, widgets, user } = note(1);
    widgets[0]?.edit();
    await tick();
    page.getByRole('group', { name: /^Edit \d/ }).focus();
    await user.keyboard('ar');
    expect(agent.asked.filter(([verb]) => verb === 'accept' || verb === 'reject')).toEqual([]);
  });

  test("the user's own text is dropped by Escape and does not come back", async () => {
    const { draw, remove, widgets, user } = note(1);
    widgets[0]?.edit();
    await tick();
    await user.type(page.getByLabelText('Changed text'), 'mine{Escape}');
    expect(page.queryByLabelText('Changed text')).toBeNull();
    remove(widgets[0]);
    draw(0);
    await tick();
    expect(page.queryByLabelText('Changed text')).toBeNull();
  });

  test('a redrawn widget takes no focus from another field', async () => {
    const { draw, remove, widgets, user } = note(1);
    widgets[0]?.edit();
    await tick();
    await user.type(page.getByLabelText('Changed text'), 'mine');
    const other = document.body.appendChild(document.createElement('textarea'));
    other.focus();
    remove(widgets[0]);
    draw(0);
    await tick();
    expect(page.getByLabelText('Changed text')).toHaveValue('This line is new 0\nmine');
    expect(other).toHaveFocus();
  });

  test('a widget links to the conversation it is from', async () => {
    const { opened, script, user } = note(1);
    await user.click(await page.findByRole('button', { name: 'Add milk' }));
    expect(opened).toEqual([script.id]);
  });

  test('unmounted widgets leave nothing behind, however many there are', async () => {
    const { remove, widgets } = note(40);
    expect(page.getAllByRole('button', { name: 'Accept' })).toHaveLength(40);
    for (const widget of widgets) remove(widget);
    await tick();
    expect(widgets.every(({ element }) => element.childElementCount === 0)).toBe(true);
  });

  test('widgets report once why the note could not be changed', async () => {
    const { agent, widgets, user } = note(2);
    const left = [{ path: NOTE, why: 'The note can’t be written.' }];
    agent.edits.accept = async () => ({ ok: true, decided: 0, changes: [], unapplied: left });
    const second = within(widgets[1]?.element as HTMLElement);
    await user.click(second.getByRole('button', { name: 'Accept' }));
    expect(page.getAllByText('The note can’t be written.')).toHaveLength(1);
  });
});
