import { cleanup, fireEvent, render, screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import ChatRoot from '#components/chat/ChatRoot.svelte';
import { allCalls } from '#model/conversation';
import type { ChangeId } from '#model/ids';
import { reduceAll } from '#model/reducer';
import { Script } from '#workbench/gallery/script';
import { proposing } from '#workbench/gallery/scenes-of-review';
import { SCENES } from '#workbench/gallery/scenes';
import { ChatState } from '#stores/chat-state';
import { manualFrames, openChat } from '../chat';
import { eventually } from '#tests/builders/eventually';

const LIST = 'Lists/Shopping.md';

/** A turn that proposes three hunks in one note and one in another. */
function asking() {
  const script = new Script('a').ask('Add milk').step();
  const { pending } = proposing(script, [
    {
      path: LIST,
      parts: [
        ['- [ ] bread\n', '- [ ] rye bread\n'],
        ['', '- [ ] milk\n'],
        ['> Old.\n', ''],
      ],
    },
    { path: 'Recipes/Cake.md', parts: [['Two eggs.\n', 'Three eggs.\n']] },
  ]);
  script.done('Proposed.');
  return { script, reviewed: { pending } };
}

const edits = (name: string) => within(page.getByRole('region', { name: `Edits in ${name}` }));
const parts = (name: string) => edits(name).queryAllByRole('group', { name: /^Edit \d/ });
const button = (name: string, at = 0) => page.getAllByRole('button', { name })[at] as HTMLElement;

describe("a turn's proposals", () => {
  test('each note has a card with changed words highlighted', async () => {
    const { script, reviewed } = asking();
    await openChat([script], { reviewed });
    expect(parts('Shopping')).toHaveLength(2);
    expect(parts('Cake')).toHaveLength(1);
    expect(edits('Shopping').getByText('3 edits')).toBeVisible();
    expect(edits('Cake').getByText('Three').tagName).toBe('INS');
    expect(edits('Cake').getByText('Two').tagName).toBe('DEL');
    const accept = edits('Cake').getByRole('button', { name: 'Accept' });
    expect(accept).toHaveAccessibleDescription('Key: A');
  });

  test('an edit that another chat has changed too says so, and that they are decided together', async () => {
    const { script, reviewed } = asking();
    const known = new Script('b').ask('Groceries').step().done('Proposed.');
    const pending = reviewed.pending.map((note) => ({
      ...note,
      edits: note.edits.map((edit, at) =>
        at > 0 ? edit : { ...edit, conversation: known.id, others: [script.id] },
      ),
    }));
    await openChat([known, script], { reviewed: { pending } });
    const said = page.getAllByText('Also changed in “Groceries”: decided together');
    expect(said.map((each) => each.closest('section')?.getAttribute('aria-label'))).toEqual([
      'Edits in Shopping',
      'Edits in Cake',
    ]);
  });

  test('while all edits wait, one bar counts them, and the answer offers no undo', async () => {
    const { script, reviewed } = asking();
    const { user } = await openChat([script], { reviewed });
    const undoAll = () => page.queryByRole('button', { name: /^Undo all changes/ });
    const log = within(page.getByRole('log'));
    expect(page.getByText('4 edits in 2 notes')).toBeVisible();
    expect(log.queryByText(/to review,/)).toBeNull();
    expect(undoAll()).toBeNull();
    await user.click(button('Accept'));
    expect(log.getByText(/^2 notes to review, /)).toBeVisible();
    expect(undoAll()).toBeVisible();
  });

  test('hunks are decided one by one, and the card shows how', async () => {
    const { script, reviewed } = asking();
    const { asked, user } = await openChat([script], { reviewed });
    const [bread, milk, old] = reviewed.pending[0]?.edits ?? [];
    await user.click(button('Accept'));
    expect(asked('accept')).toEqual([{ edit: bread?.id, note: LIST }]);
    expect(edits('Shopping').getByText('2 of 3 to review')).toBeVisible();
    expect(edits('Shopping').getByText('Accepted: rye bread')).toBeVisible();
    await user.click(button('Reject'));
    await user.click(button('Reject'));
    expect(asked('reject')).toEqual([
      { edit: milk?.id, note: LIST },
      { edit: old?.id, note: LIST },
    ]);
    expect(edits('Shopping').getByText('Rejected: Old.')).toBeVisible();
    expect(parts('Shopping')).toHaveLength(0);
  });

  test('a decision about one edit in the list of edits offers Undo there', async () => {
    const { script, reviewed } = asking();
    const { asked, user, run } = await openChat([script], { reviewed });
    await run({ do: 'show-edits' });
    await tick();
    const all = within(page.getByRole('region', { name: 'Edits to review' }));
    await user.click(all.getAllByRole('button', { name: 'Reject' })[0] as HTMLElement);
    expect(all.getByText('1 edit rejected')).toBeVisible();
    await user.click(all.getByRole('button', { name: 'Undo' }));
    expect(asked('undo')).toHaveLength(1);
    expect(all.queryByText('1 edit rejected')).toBeNull();
    expect(all.getAllByRole('group', { name: /^Edit \d/ })).toHaveLength(3);
  });

  test('damaged edits are listed in the inbox, where what is left of them can be removed', async () => {
    const { script, reviewed } = asking();
    reviewed.pending = [{ path: LIST, isNew: false, edits: [], damaged: 2 }];
    const { asked, user, run } = await openChat([script], { reviewed });
    await run({ do: 'show-edits' });
    await tick();
    const all = within(page.getByRole('region', { name: 'Edits to review' }));
    expect(all.getByRole('heading', { name: '2 damaged edits' })).toBeVisible();
    await user.click(all.getByRole('button', { name: 'Remove' }));
    expect(asked('removeDamaged')).toEqual([LIST]);
  });

  test("a hunk can be accepted with the user's own text", async () => {
    const { script, reviewed } = asking();
    const { asked, user } = await openChat([script], { reviewed });
    await user.click(button('Edit', 1));
    const field = page.getByLabelText('Changed text');
    expect(field).toHaveValue('- [ ] milk\n');
    expect(field).toHaveFocus();
    await user.clear(field);
    await user.type(field, 'oat milk{Control>}{Enter}{/Control}');
    const id = reviewed.pending[0]?.edits[1]?.id;
    expect(asked('amend')).toEqual([{ edit: id, note: LIST, after: 'oat milk' }]);
    expect(edits('Shopping').getByText('Edited and accepted: oat milk')).toBeVisible();
  });

  test('a hunk stays unchanged when the user cancels editing', async () => {
    const { script, reviewed } = asking();
    const { asked, user } = await openChat([script], { reviewed });
    await user.click(button('Edit'));
    await fireEvent.keyDown(page.getByLabelText('Changed text'), {
      ...{ key: 'Escape', isComposing: true },
    });
    expect(page.getByLabelText('Changed text')).toBeVisible();
    await user.keyboard('!{Escape}');
    expect(page.queryByLabelText('Changed text')).toBeNull();
    expect(asked('amend')).toEqual([]);
    expect(parts('Shopping')[0]).toHaveFocus();
  });

  test.each(['this note', 'all notes'])(
    "accepting all hunks of %s accepts the user's own text in an open form",
    async (where) => {
      const { script, reviewed } = asking();
      const { asked, user, agent, run } = await openChat([script], { reviewed });
      await user.click(button('Edit', 1));
      await user.clear(page.getByLabelText('Changed text'));
      await user.type(page.getByLabelText('Changed text'), 'oat milk');
      if (where === 'all notes') {
        await run({ do: 'show-edits' });
        await tick();
        const all = page.getByRole('region', { name: 'Edits to review' });
        await user.click(within(all).getByRole('button', { name: 'Accept all 4 edits' }));
      } else {
        await user.click(page.getByRole('button', { name: 'Accept all 3 edits' }));
      }
      const id = reviewed.pending[0]?.edits[1]?.id;
      expect(asked('amend')).toEqual([{ edit: id, note: LIST, after: 'oat milk' }]);
      expect(agent.edits.pending().flatMap((note) => note.edits)).toHaveLength(
        where === 'all notes' ? 0 : 1,
      );
    },
  );

  test("if the user's own text cannot be accepted, accepting all keeps it and the others", async () => {
    const { script, reviewed } = asking();
    const { asked, user, agent, ui } = await openChat([script], { reviewed });
    const failing = vi.spyOn(agent.edits, 'amend');
    failing.mockResolvedValue({ ok: false, reason: 'The note is locked.' });
    await user.click(button('Edit', 1));
    await user.type(page.getByLabelText('Changed text'), 'and oats');
    await user.click(page.getByRole('button', { name: 'Accept all 3 edits' }));
    expect(asked('accept')).toEqual([]);
    expect(ui.asked).toContainEqual(['notice', 'The note is locked.']);
    expect(page.getByLabelText('Changed text')).toHaveValue('- [ ] milk\nand oats');
  });

  test('all edits of an answer are accepted with one click, and undone with one', async () => {
    const { script, reviewed } = asking();
    const { asked, agent, user } = await openChat([script], { reviewed });
    await user.click(page.getByRole('button', { name: 'Accept all 4 edits' }));
    expect(agent.edits.pending()).toEqual([]);
    expect(page.getByText('4 edits accepted in 2 notes')).toBeVisible();
    const bar = within(page.getByRole('group', { name: 'Edits to review' }));
    await user.click(bar.getByRole('button', { name: 'Undo' }));
    expect(asked('undo')).toHaveLength(1);
    expect(agent.edits.pending().flatMap((note) => note.edits)).toHaveLength(4);
    expect(page.queryByText('4 edits accepted in 2 notes')).toBeNull();
  });

  test('edits of another device take one more click', async () => {
    const { script, reviewed } = asking();
    const [first, second] = reviewed.pending;
    const foreign = second!.edits.map((edit) => ({ ...edit, isForeign: true as const }));
    const pending = [first!, { ...second!, edits: foreign }];
    const { asked, user } = await openChat([script], { reviewed: { pending }, place: 'edits' });
    expect(page.getByText('From another device')).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Accept 1 from another device' }));
    const among = foreign.map(({ id }) => id);
    const note = second!.path;
    expect(asked('accept')).toEqual([{ edit: 'all', note, among, withForeign: true }]);
  });

  test('accepting all says why edits were not accepted, until they are decided', async () => {
    const { script, reviewed } = asking();
    const { agent, user } = await openChat([script], { reviewed, place: 'edits' });
    const all = vi.spyOn(agent.edits, 'accept');
    const unapplied = [LIST, LIST].map((path) => ({ path, why: 'The words have changed.' }));
    all.mockResolvedValue({ ok: true, decided: 0, changes: [], unapplied });
    const list = within(page.getByRole('region', { name: 'Edits to review' }));
    await user.click(list.getByRole('button', { name: 'Accept all 4 edits' }));
    const told = '2 edits not accepted: The words have changed.';
    expect(list.getByText(told)).toBeVisible();
    expect(list.queryByRole('button', { name: 'Undo' })).toBeNull();
    all.mockResolvedValue({ ok: true, decided: 2, changes: ['c' as ChangeId], unapplied });
    await user.click(list.getByRole('button', { name: 'Accept all 4 edits' }));
    expect(list.getByText(`2 edits accepted in 2 notes. ${told}`)).toBeVisible();
    expect(list.getByRole('button', { name: 'Undo' })).toBeVisible();
  });

  test('the landmarks of two answers that edit the same note have different names', async () => {
    const script = new Script('a').ask('Add milk').step();
    const milk = proposing(script, [{ path: LIST, parts: [['', '- [ ] milk\n']] }]);
    script.done('Proposed.').ask('And eggs').step();
    const eggs = proposing(script, [{ path: LIST, parts: [['', '- [ ] eggs\n']] }]);
    script.done('Proposed.');
    const own = [...milk.pending, ...eggs.pending].flatMap((note) => note.edits);
    const pending = [{ path: LIST, isNew: false, edits: own }];
    await openChat([script], { reviewed: { pending } });
    expect(edits('Shopping').getByText('milk')).toBeVisible();
    expect(edits('Shopping, answer 2').getByText('eggs')).toBeVisible();
  });

  test('a stale edit shows both texts, and is proposed again or removed', async () => {
    const { script, reviewed } = asking();
    const [first] = reviewed.pending;
    const [edit] = first!.edits;
    const stale = { ...edit!, before: 'now\n', after: 'then\n', isStale: true as const };
    const pending = [{ ...first!, edits: [stale] }];
    const { asked, agent, user } = await openChat([script], {
      reviewed: { pending },
      place: 'edits',
    });
    expect(page.getByText('now')).toBeVisible();
    expect(page.getByText('then')).toBeVisible();
    expect(page.queryByRole('button', { name: 'Accept' })).toBeNull();
    await user.click(page.getByRole('button', { name: 'Propose again' }));
    expect(asked('send')).toMatchObject([{ conversation: edit!.conversation }]);
    expect(JSON.stringify(asked('send'))).toContain('then');
    expect(agent.edits.pending()).toEqual([]);
  });

  test('each drawn change of an edit is decided alone by click and key', async () => {
    const script = new Script('parts').ask('Rewrite it').step();
    const { pending } = proposing(script, [
      {
        path: LIST,
        parts: [['The old fox sees a red hen.\n', 'The young fox sees a grey hen.\n']],
      },
    ]);
    script.done('');
    const [note] = pending;
    const [edit] = note!.edits;
    const part = (removed: string, added: string) =>
      ({ removed, added, from: 0, afterFrom: 0, property: null }) as const;
    const parts = [part('old', 'young'), part('red', 'grey')];
    const reviewed = { pending: [{ ...note!, edits: [{ ...edit!, parts }] }] };
    const { asked, user } = await openChat([script], { reviewed });
    await user.click(page.getByRole('button', { name: 'Reject only: red → grey' }));
    const place = { edit: edit!.id, note: LIST };
    expect(asked('decidePart')).toEqual([
      { ...place, part: 1, of: 2, removed: 'red', added: 'grey', choice: 'reject' },
    ]);
    await user.click(page.getByRole('button', { name: 'Show source' }));
    const accept = page.getByRole('button', { name: 'Accept only: old → young' });
    accept.focus();
    await user.keyboard('r');
    expect(asked('decidePart').at(-1)).toEqual({
      ...place,
      ...{ part: 0, of: 2, removed: 'old', added: 'young', choice: 'reject' },
    });
    expect(asked('reject')).toEqual([]);
  });

  test('properties draw invisible characters as marks', async () => {
    const script = new Script('invisible').ask('Rewrite it').step();
    const parts = [['---\na: 1\n---\n', '---\na: 2\u202E\nb\u200B: 1\n---\n']] as const;
    const { pending } = proposing(script, [{ path: LIST, parts }]);
    script.done('');
    await openChat([script], { reviewed: { pending } });
    const [value] = await page.findAllByText('2⟨U+202E⟩');
    expect(value).toBeVisible();
    expect(page.getByRole('rowheader', { name: 'b⟨U+200B⟩' })).toBeVisible();
  });

  test('source that is not drawn does not keep the drawn changes from being decided alone', async () => {
    const script = new Script('hidden').ask('Rewrite it').step();
    const { pending } = proposing(script, [
      {
        path: LIST,
        parts: [['* old fox\n', '- young fox\n']],
      },
    ]);
    script.done('');
    const [note] = pending;
    const [edit] = note!.edits;
    const parts = [{ removed: '* old', added: '- young', from: 0, afterFrom: 0, property: null }];
    const reviewed = { pending: [{ ...note!, edits: [{ ...edit!, parts }] }] };
    const { asked, user } = await openChat([script], { reviewed });
    expect(page.getByText('Not visible above:')).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Accept only: * old → - young' }));
    expect(asked('decidePart')).toMatchObject([{ part: 0, choice: 'accept' }]);
  });

  test('of many changes that are not drawn, the first are shown until all is shown', async () => {
    const script = new Script('many-hidden').ask('Rewrite it').step();
    const links = (name: string) =>
      Array.from({ length: 5 }, (_, at) => `[link](https://${name}.example/${at})`).join(' ');
    const { pending } = proposing(script, [
      { path: LIST, parts: [[`Old ${links('a')}\n`, `New ${links('b')}\n`]] },
    ]);
    script.done('');
    const { user } = await openChat([script], { reviewed: { pending } });
    expect(page.getByText('and 2 more')).toBeVisible();
    expect(page.queryByText('https://b.example/4')).toBeNull();
    await user.click(page.getByRole('button', { name: 'Show all' }));
    expect(page.getByText('https://b.example/4')).toBeVisible();
    expect(page.queryByText('and 2 more')).toBeNull();
  });

  test('all hunks of a note are decided at once, but only those of this turn', async () => {
    const { script, reviewed } = asking();
    const { asked, agent, user } = await openChat([script], { reviewed });
    await user.click(page.getByRole('button', { name: 'Accept all 3 edits' }));
    const among = reviewed.pending[0]?.edits.map(({ id }) => id);
    expect(asked('accept')).toEqual([{ edit: 'all', note: LIST, among }]);
    expect(edits('Shopping').getByText('Shopping · Accepted 3 edits')).toBeVisible();
    const later = new Script('b').ask('And eggs').step();
    const more = proposing(later, [
      {
        path: LIST,
        parts: [
          ['', '- [ ] eggs\n'],
          ['', '- [ ] tea\n'],
        ],
      },
    ]);
    later.done('Proposed.');
    const other = more.pending[0];
    agent.add(later);
    const cake = agent.reviewed.pending;
    if (other) agent.reviewed.set([...cake, other]);
    await tick();
    expect(parts('Shopping')).toHaveLength(0);
  });

  test('the only edit of an answer that was accepted is one line with its note and Undo', async () => {
    const script = new Script('a').ask('Add milk').step();
    const { pending } = proposing(script, [{ path: LIST, parts: [['', '- [ ] milk\n']] }]);
    const { user } = await openChat([script.done('')], { reviewed: { pending } });
    await user.click(button('Accept'));
    const changes = page.getByRole('group', { name: 'Changed notes' });
    expect(changes.querySelector('summary')).toHaveTextContent(/^Accepted:\sShopping · \+ milk$/);
    expect(within(changes).queryByText(/note changed/)).toBeNull();
    expect(within(changes).getAllByRole('button', { name: /^Undo/ })).toHaveLength(1);
    await user.click(within(changes).getByRole('button', { name: 'Undo this decision' }));
    await eventually(() => expect(parts('Shopping')).toHaveLength(1));
  });

  test('a decision about all edits of a note has one Undo where its line is in view', async () => {
    let tell: IntersectionObserverCallback = () => undefined;
    const observed = vi.fn(function (this: unknown, changed: IntersectionObserverCallback) {
      tell = changed;
      return { observe: () => undefined, disconnect: () => undefined };
    });
    vi.stubGlobal('IntersectionObserver', observed);
    onTestFinished(() => void vi.unstubAllGlobals());
    const script = new Script('a').ask('Add milk and eggs').step();
    const parts = ['milk', 'eggs'].map((each): [string, string] => ['', `- [ ] ${each}\n`]);
    const { pending } = proposing(script, [{ path: LIST, parts }]);
    const { user } = await openChat([script.done('')], { reviewed: { pending } });
    await user.click(page.getAllByRole('button', { name: 'Accept all 2 edits' })[0]!);
    expect(page.getByText('2 edits accepted')).toBeVisible();
    const undos = () => page.getAllByRole('button', { name: /^Undo/ });
    expect(undos()).toHaveLength(2);
    const see = async (isIntersecting: boolean) => {
      tell([{ isIntersecting } as IntersectionObserverEntry], {} as IntersectionObserver);
      await tick();
    };
    await see(true);
    expect(undos()).toHaveLength(1);
    expect(undos()[0]).toHaveAccessibleName('Undo these 2 decisions');
    await see(false);
    expect(undos()).toHaveLength(2);
  });

  test('the Undo in view in one panel leaves that of another where it is', async () => {
    const seen = new Map<Element, IntersectionObserverCallback>();
    const observed = vi.fn(function (this: unknown, changed: IntersectionObserverCallback) {
      return {
        observe: (each: Element) => void seen.set(each, changed),
        unobserve: () => undefined,
        disconnect: () => undefined,
      };
    });
    vi.stubGlobal('IntersectionObserver', observed);
    onTestFinished(() => void vi.unstubAllGlobals());
    const script = new Script('a').ask('Add milk and eggs').step();
    const parts = ['milk', 'eggs'].map((each): [string, string] => ['', `- [ ] ${each}\n`]);
    const { pending } = proposing(script, [{ path: LIST, parts }]);
    const { user, panel } = await openChat([script.done('')], { reviewed: { pending } });
    const other = new ChatState(panel, manualFrames().next);
    const { container } = render(ChatRoot, { panel, screen: other });
    await other.start();
    await tick();
    await user.click(page.getAllByRole('button', { name: 'Accept all 2 edits' })[0]!);
    const undos = (all: HTMLElement) => within(all).getAllByRole('button', { name: /^Undo/ });
    const count = () => [undos(document.body).length, undos(container).length];
    expect(count()).toEqual([4, 2]);
    const entries = [{ isIntersecting: true } as IntersectionObserverEntry];
    for (const [element, see] of seen)
      if (!container.contains(element)) see(entries, {} as IntersectionObserver);
    await tick();
    expect(count()).toEqual([3, 2]);
  });

  test('lines that another chat proposed are counted and marked', async () => {
    const scene = SCENES['review-from-before']?.();
    await openChat(scene?.scripts ?? [], scene);
    await eventually(() => expect(page.getByText(', 1 from before')).toBeVisible());
    const last = edits('Shopping');
    expect(last.getByText('From another chat')).toBeVisible();
    expect(last.getByText('From this answer')).toBeVisible();
    expect(last.getAllByText('milk')[0]?.closest('.earlier')).not.toBeNull();
    expect(last.getByText('soap').closest('.earlier')).toBeNull();
  });

  test("a hunk is decided in the note's current path", async () => {
    const { script, reviewed } = asking();
    const { agent, asked, user } = await openChat([script], { reviewed });
    const [list, cake] = reviewed.pending;
    if (!list || !cake) throw new Error('Nothing waits.');
    agent.reviewed.set([{ ...list, path: 'Groceries.md' }, cake]);
    await tick();
    await user.click(button('Accept'));
    const [bread] = list.edits;
    expect(asked('accept')).toEqual([{ edit: bread?.id, note: 'Groceries.md' }]);
    expect(edits('Groceries').getByText('2 of 3 to review')).toBeVisible();
  });

  test('a hunk is decided even if a copy of the note still has it', async () => {
    const { script, reviewed } = asking();
    const copy = { ...reviewed.pending[0]!, path: 'Lists/Shopping 1.md' };
    const { user } = await openChat([script], {
      reviewed: { pending: [...reviewed.pending, copy] },
    });
    await user.click(button('Accept'));
    expect(edits('Shopping').getByText('2 of 3 to review')).toBeVisible();
    expect(edits('Shopping').getByText('Accepted: rye bread')).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Undo this decision' }));
    await eventually(() => expect(parts('Shopping')).toHaveLength(2));
  });

  test('a hunk copied within a note is listed twice', async () => {
    const { script, reviewed } = asking();
    const [list] = reviewed.pending;
    if (!list) throw new Error('Nothing waits.');
    const copies = list.edits.map((edit) => ({
      ...edit,
      ...{ id: `${edit.id}~2` as typeof edit.id, isForeign: true as const },
    }));
    const twice = { ...list, edits: [...list.edits, ...copies] };
    const { user } = await openChat([script], { reviewed: { pending: [twice] } });
    await user.click(page.getByRole('button', { name: '6 edits to review' }));
    const shown = within(page.getByRole('region', { name: 'Edits to review' }));
    await user.click(shown.getByRole('button', { name: '4 more edits in this note' }));
    expect(shown.getAllByRole('group', { name: /^Edit \d/ })).toHaveLength(6);
  });

  test('undoing a decision makes the hunk pending again', async () => {
    const { script, reviewed } = asking();
    const { asked, user } = await openChat([script], { reviewed });
    await user.click(button('Accept'));
    await user.click(page.getByRole('button', { name: 'Undo this decision' }));
    expect(asked('undo')).toHaveLength(1);
    await eventually(() => expect(parts('Shopping')).toHaveLength(2));
  });

  test('a hunk that could not be decided shows the reason and both texts to copy', async () => {
    const { script, reviewed } = asking();
    const { agent, ui, user } = await openChat([script], { reviewed });
    const clash = { now: 'white bread', wanted: 'rye bread' };
    agent.edits.accept = async () => ({
      ...{ ok: true, decided: 0, changes: [] },
      unapplied: [{ path: LIST, why: 'You changed the same line since.', conflict: clash }],
    });
    await user.click(button('Accept'));
    expect(edits('Shopping').getByText('You changed the same line since.')).toBeVisible();
    expect(edits('Shopping').getByText('white bread')).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Copy the intended text' }));
    expect(ui.asked).toContainEqual(['copy', 'rye bread']);
    await user.click(page.getByRole('button', { name: 'Dismiss' }));
    expect(edits('Shopping').queryByText('white bread')).toBeNull();
  });

  test('a change that is invisible when drawn is shown as source', async () => {
    const script = new Script('a').ask('Two blanks').step();
    const { pending } = proposing(script, [{ path: LIST, parts: [['* a\n', '- a\n']] }]);
    await openChat([script.done('')], { reviewed: { pending } });
    const [part] = parts('Shopping');
    expect(part?.querySelector('del')).toHaveTextContent('removed: *');
    expect(part?.querySelector('ins')).toHaveTextContent('added: -');
  });

  test('changed properties are shown before and after', async () => {
    const script = new Script('a').ask('Book it').step();
    const before = '---\nstatus: planned\ntags: [a, b]\nsame: yes\n---\n';
    const after = '---\nstatus: booked\ntags: [a, b, c]\nsame: yes\n---\n';
    const { pending } = proposing(script, [{ path: LIST, parts: [[before, after]] }]);
    await openChat([script.done('')], { reviewed: { pending } });
    const rows = within(page.getByRole('table', { name: 'Properties' })).getAllByRole('row');
    const said = rows.map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim());
    expect(said).toEqual(['statusremoved: planned added: booked', 'tags a, b, added: c']);
  });
});

describe('edits of a note after the second', () => {
  const fold = () => edits('Shopping').queryByRole('button', { name: '1 more edit in this note' });

  test('they are folded into one line, which opens by Enter and stays open', async () => {
    const { script, reviewed } = asking();
    const { agent, user } = await openChat([script], { reviewed });
    expect(parts('Shopping')).toHaveLength(2);
    fold()?.focus();
    await user.keyboard('{Enter}');
    expect(parts('Shopping')).toHaveLength(3);
    expect(parts('Shopping')[2]).toHaveFocus();
    const [list, cake] = agent.edits.pending();
    agent.reviewed.set([{ ...list!, edits: list!.edits.slice(0, 2) }, cake!]);
    await tick();
    agent.reviewed.set([list!, cake!]);
    await tick();
    expect(fold()).toBeNull();
    expect(parts('Shopping')).toHaveLength(3);
  });

  test('the keys for the next and previous edit open them', async () => {
    const { script, reviewed } = asking();
    const { user } = await openChat([script], { reviewed });
    parts('Cake')[0]?.focus();
    await user.keyboard('k');
    expect(parts('Shopping')[2]).toHaveFocus();
    expect(fold()).toBeNull();
  });
});

describe('the keyboard', () => {
  test('keys move between edits and decide them', async () => {
    const { script, reviewed } = asking();
    const { asked, user } = await openChat([script], { reviewed });
    parts('Shopping')[0]?.focus();
    await user.keyboard('j');
    expect(parts('Shopping')[1]).toHaveFocus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(parts('Cake')[0]).toHaveFocus();
    await user.keyboard('kk');
    const milk = reviewed.pending[0]?.edits[1];
    await user.keyboard('a');
    expect(asked('accept')).toEqual([{ edit: milk?.id, note: LIST }]);
    expect(parts('Shopping')[1]).toHaveFocus();
    await user.keyboard('r');
    expect(parts('Cake')[0]).toHaveFocus();
    await user.keyboard('e');
    expect(page.getByLabelText('Changed text')).toHaveFocus();
    await user.keyboard('aj');
    expect(page.getByLabelText('Changed text')).toHaveValue('Three eggs.\naj');
  });

  test('the focus stays on the same button of the next edit', async () => {
    const { script, reviewed } = asking();
    const { user } = await openChat([script], { reviewed });
    button('Accept').focus();
    await user.keyboard('{Enter}');
    expect(button('Accept')).toHaveFocus();
    expect(parts('Shopping')[0]).toContainElement(document.activeElement as HTMLElement);
  });

  test('the focus is not lost with the last edit', async () => {
    const { script, reviewed } = asking();
    const { user } = await openChat([script], { reviewed, place: 'edits' });
    const all = () => page.queryAllByRole('group', { name: /^Edit \d/ });
    expect(all()[0]).toHaveFocus();
    await user.keyboard('aaaa');
    expect(all()).toHaveLength(0);
    const back = page.getByRole('button', { name: 'Back to the chat' });
    await eventually(() => expect(back).toHaveFocus());
  });
});

describe("a turn's changes", () => {
  const made = () => {
    const scene = SCENES['review-made']?.();
    return openChat(scene?.scripts ?? [], scene);
  };

  test('changes are counted in one line and undone and redone together', async () => {
    const { asked, screen, user } = await made();
    const line = page.getByText(/^4 notes changed, 1 folder created, \+4\s−16$/);
    expect(line).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Undo all changes from this answer' }));
    expect(asked('undo')).toEqual([{ turn: screen.turns[0]?.id }]);
    await user.click(
      await page.findByRole('button', { name: 'Redo all changes from this answer' }),
    );
    expect(
      await page.findByRole('button', { name: 'Undo all changes from this answer' }),
    ).toBeVisible();
  });

  test('a changed note opens, and its change can be viewed', async () => {
    const { ui, user } = await made();
    await user.click(page.getByRole('button', { name: /^Shopping/ }));
    expect(ui.asked).toContainEqual(['openNote', LIST, 'here']);
    await user.click(page.getByRole('button', { name: 'Changes in Shopping' }));
    expect(await page.findByText('milk')).toBeVisible();
    expect(page.getByText('5 unchanged')).toBeVisible();
  });

  const propertiesOf = async (yamlBefore: string, yamlAfter: string) => {
    const scene = SCENES['review-made']?.();
    const texts = {
      before: `---\n${yamlBefore}---\nText.\n`,
      after: `---\n${yamlAfter}---\nText.\n`,
    };
    const reviewed = { texts: { 'change-update_properties-made': texts } };
    const { user } = await openChat(scene?.scripts ?? [], { reviewed });
    const undo = page.getAllByRole('button', { name: 'Undo the change to Boat' })[0];
    const line = undo?.closest('li') as HTMLElement;
    await eventually(() => expect(within(line).queryByText('Changed properties')).toBeNull());
    const lines = () => [...line.querySelectorAll('li')].map((each) => spoken(each));
    return { line, lines, user };
  };
  /** As a screen reader says it. */
  const spoken = ({ textContent }: Element) => textContent.replace(/\s+/g, ' ').trim();

  test('changed properties show name, old and new value in their line', async () => {
    const { lines } = await propertiesOf(
      'due: 2027-05-16\nkept: yes\ngone: 1\n',
      'due: 2027-05-23\nkept: yes\nmore: 2\n',
    );
    expect(lines()).toEqual([
      'due: removed: 2027-05-16 added: 2027-05-23',
      'gone: removed: 1',
      'more: added: 2',
    ]);
  });

  test('of many or long properties, the line shows a part, and unfolding it the rest', async () => {
    const yaml = (value: string) =>
      [`long: ${'word '.repeat(40)}${value}`, ...['a', 'b', 'c', 'd'].map((n) => `${n}: ${value}`)]
        .map((each) => `${each}\n`)
        .join('');
    const { line, lines, user } = await propertiesOf(yaml('old'), yaml('new'));
    const [first = '', ...others] = lines();
    expect(first).toMatch(/^long: removed: …[word ]{15,20}old added: …[word ]{15,20}new$/);
    expect(others).toEqual([
      'a: removed: old added: new',
      'b: removed: old added: new',
      'and 2 more',
    ]);
    await user.click(within(line).getByRole('button', { name: /^Changes in/ }));
    expect(await within(line).findByText(`${'word '.repeat(40)}new`)).toBeVisible();
  });

  test('the values of changed properties are drawn with marks for invisible characters', async () => {
    const { lines } = await propertiesOf('a: 1\n', 'a: 1\nb\u200B: <b>2\u202E</b>\n');
    expect(lines()).toEqual(['b⟨U+200B⟩: added: <b>2⟨U+202E⟩</b>']);
  });

  test('changed properties whose text is gone say only that they changed', async () => {
    const scene = SCENES['review-made']?.();
    await openChat(scene?.scripts ?? [], { reviewed: {} });
    expect(await page.findByText('Changed properties')).toBeVisible();
  });

  test('a moved note shows what happened and can be undone', async () => {
    const { asked, user } = await made();
    const move = page
      .getByText('Moved from Projects, 3 links updated')
      .closest('li') as HTMLElement;
    await user.click(within(move).getByRole('button', { name: 'Undo the change to Boat' }));
    expect(asked('undo')).toEqual([{ change: 'change-move-made' }]);
    expect(await within(move).findByText('Undone')).toBeVisible();
    expect(within(move).getByRole('button', { name: 'Redo the change to Boat' })).toBeVisible();
  });

  test('an undone answer is summed up in one line above the restored notes', async () => {
    const scene = SCENES['review-undone']?.();
    await openChat(scene?.scripts ?? [], scene);
    const line = 'Undone: 1 deletion, 1 move, 1 new folder, changes in 2 notes';
    expect(await page.findByText(line)).toBeVisible();
    expect(page.getAllByText(/undone/i)).toHaveLength(1);
    expect(page.queryByText(/^[+−]\d/)).toBeNull();
    expect(page.getAllByText('Boat offers').at(-1)).toBeVisible();
  });

  test('an undone proposal of one note can be redone', async () => {
    const script = new Script('a').ask('Add milk').step();
    proposing(script, [{ path: LIST, parts: [['', '- [ ] milk\n']] }]);
    script.done('Proposed.');
    const [call] = reduceAll(script.id, script.events).turns.flatMap(allCalls);
    const details = call?.state === 'finished' ? call.result.details : undefined;
    const changes = details?.kind === 'changes' ? details.changes.map(({ change }) => change) : [];
    const undos = ['change-undo-1' as ChangeId];
    script.write({ type: 'change-undo', undos, changes, undone: [LIST], left: [] });
    const { asked, user } = await openChat([script], { reviewed: { undone: changes } });
    await user.click(await page.findByRole('button', { name: 'Redo the change to Shopping' }));
    expect(asked('undo')).toEqual([{ change: undos[0] }]);
  });

  test('what an undo brings back is highlighted once, and not when the chat is opened', async () => {
    const { user } = await made();
    const back = () =>
      [...document.querySelectorAll<HTMLElement>('.parley-back')].map(
        ({ innerText, textContent }) => (innerText ?? textContent).trim().split(/\s+/)[0],
      );
    expect(back()).toEqual([]);
    await user.click(page.getByRole('button', { name: 'Undo all changes from this answer' }));
    await eventually(() => expect(back()).toHaveLength(5));
    cleanup();
    const scene = SCENES['review-undone']?.();
    await openChat(scene?.scripts ?? [], scene);
    expect(await page.findByText(/^Undone: /)).toBeVisible();
    expect(back()).toEqual([]);
  });

  test('an undo reports what it left unchanged', async () => {
    const scene = SCENES['review-conflict']?.();
    const { ui, user } = await openChat(scene?.scripts ?? [], scene);
    expect(page.getByText(/You changed the same line since/)).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Copy the current text' }));
    expect(ui.asked).toContainEqual(['copy', '- [ ] oat milk, two bottles']);
  });
});

describe('the list of all edits', () => {
  test('the header links to the list while there are pending edits', async () => {
    const { script, reviewed } = asking();
    const { agent, user } = await openChat([script], { reviewed });
    await user.click(page.getByRole('button', { name: '4 edits to review' }));
    const list = within(page.getByRole('region', { name: 'Edits to review' }));
    expect(list.getByText('4 edits in 2 notes')).toBeVisible();
    agent.reviewed.set([]);
    await tick();
    expect(list.getByText('Nothing to review')).toBeVisible();
    expect(page.queryByRole('button', { name: /edits? to review/ })).toBeNull();
    await user.keyboard('{Escape}');
    expect(page.getByLabelText('Message')).toHaveFocus();
  });

  test('the list accepts or rejects all edits', async () => {
    const { script, reviewed } = asking();
    const { asked, user } = await openChat([script], { reviewed, place: 'edits' });
    await user.click(button('Reject all 4 edits'));
    const among = reviewed.pending.flatMap(({ edits }) => edits.map(({ id }) => id));
    expect(asked('reject')).toEqual([{ edit: 'all', among }]);
    const list = within(page.getByRole('region', { name: 'Edits to review' }));
    expect(list.getByRole('heading', { name: 'Nothing to review' })).toBeVisible();
    expect(list.getByText('4 edits rejected in 2 notes')).toBeVisible();
    await user.click(list.getByRole('button', { name: 'Undo' }));
    expect(list.getByRole('heading', { name: 'Edits to review' })).toBeVisible();
  });

  test('the list links to the conversation of an edit', async () => {
    const { script, reviewed } = asking();
    const other = new Script('b').ask('Hello').step().done('Hi.');
    const { screen, user } = await openChat([script, other], { reviewed, place: 'edits' });
    expect(screen.id).toBe(other.id);
    await user.click(button('Add milk'));
    expect(screen.id).toBe(script.id);
    expect(page.getByRole('log')).toBeVisible();
  });
});

describe('the history of a note', () => {
  test('the history lists each change with its request and shows it', async () => {
    const scene = SCENES['note-history']?.();
    const { user } = await openChat(scene?.scripts ?? [], scene);
    const list = within(await page.findByRole('list', { name: 'Changes, newest first' }));
    const words = [
      ...['You undid a change', 'Changed', 'You rejected the edit'],
      ...['Proposed an edit', 'Renamed from Packing list'],
    ];
    for (const each of words) expect(list.getByText(each)).toBeVisible();
    expect(list.getByText('Voice')).toBeVisible();
    const proposed = within(list.getByText('Proposed an edit').closest('li') as HTMLElement);
    await user.click(proposed.getByRole('button', { name: 'View' }));
    expect(await proposed.findByText('milk')).toBeVisible();
  });

  test('the history undoes one change or all', async () => {
    const scene = SCENES['note-history']?.();
    const { asked, user } = await openChat(scene?.scripts ?? [], scene);
    await user.click((await page.findAllByRole('button', { name: 'Undo' }))[0] as HTMLElement);
    await user.click(page.getByRole('button', { name: 'Redo' }));
    await user.click(page.getByRole('button', { name: 'Undo all changes here' }));
    expect(asked('undo')).toEqual([
      { change: 'change-3' as ChangeId },
      { change: 'change-5' as ChangeId },
      { note: 'Lists/Packing.md' },
    ]);
  });
});

describe('the question about the mode', () => {
  const group = () => page.queryByRole('group', { name: 'Ask before editing?' });
  const edit = (script: Script) => {
    return script.call('edit_file', { path: 'A.md' }, 'Done.', {
      details: {
        kind: 'changes',
        changes: [{ change: 'c' as ChangeId, kind: 'write', path: 'A.md', added: 1, removed: 0 }],
      },
    });
  };

  test('the question follows the first edit, below the buttons of the answer, and sets the mode', async () => {
    const scene = SCENES['modes']?.();
    const { agent, asked, screen, ui, user } = await openChat(scene?.scripts ?? [], scene);
    const radios = within(group()!).getAllByRole('radio');
    expect(radios.map((radio) => (radio as HTMLInputElement).checked)).toEqual([
      true,
      false,
      false,
    ]);
    expect(radios[0]).toHaveAccessibleDescription(/^Edits wait for you\./);
    const copy = page.getByRole('button', { name: 'Copy answer' });
    expect(copy.compareDocumentPosition(group()!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await user.click(page.getByRole('radio', { name: 'Apply' }));
    expect(within(group()!).getByRole('status')).toHaveTextContent('For this chat and new ones.');
    expect(page.getByRole('radio', { name: 'Apply' })).toBeChecked();
    expect(agent.asked).toContainEqual(['setMode', screen.id, 'apply']);
    expect(asked('setMode')).toEqual([screen.id]);
    await expect.poll(() => agent.settings.current().panelMode).toBe('apply');
    expect(ui.hasSeen('modes')).toBe(true);
  });

  test('a pure question brings no question about the mode, however many there are', async () => {
    const script = new Script('a').ask('What is due?').step().say('Nothing.').done('Nothing.');
    const { agent } = await openChat([script], { told: [] });
    expect(group()).toBeNull();
    edit(script.ask('Add milk').step()).done('Added.');
    await eventually(() => expect(group()).toBeVisible());
    expect(agent.scripts).toHaveLength(1);
  });

  test('the question is still there after a look at another page, unless it was answered', async () => {
    const scene = SCENES['modes']?.();
    const { run, ui, user } = await openChat(scene?.scripts ?? [], scene);
    const look = async () => {
      await run({ do: 'show-keys' });
      await eventually(() => expect(group()).toBeNull());
      await user.keyboard('{Escape}');
    };
    await look();
    await eventually(() => expect(group()).toBeVisible());
    expect(ui.hasSeen('modes')).toBe(false);
    await user.click(page.getByRole('radio', { name: 'Apply' }));
    await look();
    await eventually(() => expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible());
    expect(group()).toBeNull();
  });

  test('the question is asked once: the next message ends it for good', async () => {
    const script = edit(new Script('a').ask('Add milk').step()).done('Added.');
    const { ui } = await openChat([script], { told: [] });
    expect(group()).toBeVisible();
    edit(script.ask('Add salt').step()).done('Added.');
    await eventually(() => expect(group()).toBeNull());
    expect(ui.hasSeen('modes')).toBe(true);
  });
});
