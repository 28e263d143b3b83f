/** Replies to pending edits: requests whose turn may change one edit and nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PendingEdit } from '#model/pending-edit';
import { ANY_DEVICE, editsOf, readEdits, textsOf } from '#model/edit/note-edits';
import type { Settings } from '#model/settings';
import { cases } from '#tests/cases';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes } from '../builders/fake-vault';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { tinyVault } from '../edits/vault';
import { eventsOn, inboxOn, makeRig, type Disk, type Rig } from './app-on-disk';

const PLAN = 'Plan.md';
const TEXT = '# Plan\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n';

type Reply = ReturnType<typeof says>;

interface Setup {
  readonly settings?: Partial<Settings>;
  /** Answers a reply; by default with an edit at the position that the context names. */
  readonly reply?: (told: string, count: number) => Reply | Promise<Reply>;
}

/** A note in which the agent has proposed to change the lines "Two." and "Four.". */
async function begin({ settings = {}, reply }: Setup = {}) {
  const files = { [PLAN]: TEXT, 'Other.md': 'Other.\n' };
  let count = 0;
  const disk: Disk = {
    ...{ store: memoryStore(), vault: tinyVault(files), clock: testClock() },
    metadata: memoryMetadata(new MemoryNotes(files)),
    settings: { panelMode: 'review', ...settings },
    posted: new Map(),
    model: thinkingModel(({ history }) => {
      if (history.at(-1)?.role === 'results') return says('Done.');
      count += 1;
      const told = JSON.stringify(history.at(-1));
      const wireId = `w${count}`;
      if (told.includes('Said about one of your proposed edits')) {
        const answer = reply?.(told, count);
        if (answer) return answer;
        const position = /position \\"([^"\\]+)\\"/.exec(told)?.[1] ?? 'none';
        const edits = [{ position, content: `Version ${count}.` }];
        return answers([call('edit_file', { path: PLAN, edits }, { wireId })]);
      }
      if (told.includes('Delete the other note')) {
        return answers([call('delete', { path: 'Other.md' }, { wireId })]);
      }
      const edits = [
        { old_text: 'Two.', new_text: 'Deux.' },
        { old_text: 'Four.', new_text: 'Quatre.' },
      ];
      return answers([call('edit_file', { path: PLAN, edits }, { wireId })]);
    }),
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'In French.' });
  await rig.idle();
  const pending = (of: Rig = rig): readonly PendingEdit[] =>
    of.agent.edits.pending().find(({ path }) => path === PLAN)?.edits ?? [];
  const [first, second] = pending();
  if (!first || !second) throw new Error('Two edits should be pending.');
  const talk = async (text: string, edit = first.id, of: Rig = rig) => {
    const sent = await of.agent.editReplies.send({ text, edit, note: PLAN });
    await of.idle();
    return sent;
  };
  const plan = () => disk.vault.texts.get(PLAN) ?? '';
  const versions = async (of: Rig = rig) =>
    (await of.agent.edits.versions(first.id, PLAN)).map(({ after, isCurrent }) =>
      isCurrent ? `[${after.trim()}]` : after.trim(),
    );
  const lastTurn = async () => {
    const { current } = await rig.agent.state();
    return current?.turns.at(-1);
  };
  return { disk, rig, first, second, talk, plan, pending, versions, lastTurn };
}

function blockOf(raw: string, id: string): string {
  return readEdits(raw, ANY_DEVICE).parts.find(({ edit }) => edit?.id === id)?.raw ?? '';
}

describe('a reply while other chats work', () => {
  it('it runs beside the turn of another chat and changes its own edit only', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { rig, disk, first, second, pending } = await begin({
      reply: async (told, count) => {
        await held;
        const position = /position \\"([^"\\]+)\\"/.exec(told)?.[1] ?? 'none';
        const edits = [{ position, content: 'Zwei.' }];
        return answers([call('edit_file', { path: PLAN, edits }, { wireId: `r${count}` })]);
      },
    });
    const sent = await rig.agent.editReplies.send({ text: 'German.', edit: first.id, note: PLAN });
    const created = await rig.agent.conversations.create();
    if (!created.ok || !sent.ok) throw new Error('The chats should be open.');
    await rig.agent.queue.send({ text: 'Hello.', conversation: created.conversation });
    await rig.idleOrWaiting();
    const { running } = await rig.agent.state();
    expect(running.map(({ conversation }) => conversation)).toEqual([sent.conversation]);
    const ended = eventsOn(disk, 'turn-end').map(({ conversation }) => conversation);
    expect(ended).toContain(created.conversation);
    release();
    await rig.idle();
    const after = pending().map(({ id, after: text }) => [id, text.trim()]);
    expect(after).toContainEqual([first.id, 'Zwei.']);
    expect(after).toContainEqual([second.id, 'Quatre.']);
  });
});

describe('replies to pending edits', () => {
  it('a reply to a pending edit revises this edit under the same id and leaves the other one unchanged', async () => {
    const { talk, plan, pending, first, second } = await begin();
    const other = blockOf(plan(), second.id);
    expect(await talk('Shorter.')).toMatchObject({ ok: true });
    expect(pending().map(({ id, before, after }) => [id, before, after])).toEqual([
      [first.id, first.before, 'Version 2.\n'],
      [second.id, second.before, second.after],
    ]);
    expect(blockOf(plan(), second.id)).toBe(other);
    expect(textsOf(readEdits(plan(), ANY_DEVICE)).before).toBe(TEXT);
  });

  it('a reply to a pending edit shows the model the edit in its lines, what it replaces, and its earlier versions', async () => {
    const { talk, disk } = await begin();
    await talk('Shorter.');
    await talk('Longer.');
    const [, told = '', again = ''] = eventsOn(disk, 'turn-start').map(({ context }) => context);
    expect(told).toContain('its text is line 5. If the user wants it changed');
    expect(told).toContain('position "replace:5"');
    expect(told).toContain('5: Deux.\n');
    expect(told).toContain('It replaces:\nTwo.\nIt is the first version.');
    expect(again).toContain('5: Version 2.\n');
    expect(again).toContain('Version 1 of 2:\nDeux.\nVersion 2 of 2 is the one above.');
  });

  it('a reply to a pending edit stays in the conversation that proposed the edit', async () => {
    const { talk, rig, disk } = await begin();
    const sent = await talk('Shorter.');
    const { current, conversations } = await rig.agent.state();
    expect(sent).toMatchObject({ conversation: current?.id });
    expect(conversations).toHaveLength(1);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(2);
  });

  it('a reply to a pending edit goes to the edits of the note if the conversation is gone', async () => {
    const { talk, rig } = await begin();
    const { current } = await rig.agent.state();
    await rig.agent.conversations.remove([current!.id]);
    expect(await talk('Shorter.')).toMatchObject({ ok: true });
    const { conversations } = await rig.agent.state();
    expect(conversations.map(({ title }) => title)).toEqual(['Edits in Plan']);
  });

  it('a reply to a pending edit is answered without a change of the note if it is a question', async () => {
    const { talk, plan, lastTurn } = await begin({
      reply: (_, count) =>
        answers([
          call('done', { summary: 'You write French.', outcome: 'done' }, { wireId: `d${count}` }),
        ]),
    });
    const before = plan();
    await talk('Why?');
    expect(plan()).toBe(before);
    expect((await lastTurn())?.end).toMatchObject({ reply: 'You write French.' });
  });

  it('a reply to a pending edit is a proposal even in a conversation that is set to Apply', async () => {
    const { talk, rig, plan, pending } = await begin();
    const { current } = await rig.agent.state();
    await rig.agent.conversations.setMode(current!.id, 'apply');
    await talk('Shorter.');
    expect(pending()).toHaveLength(2);
    expect(textsOf(readEdits(plan(), ANY_DEVICE)).before).toBe(TEXT);
  });

  it.each([
    ['another line', 'edit_file', { path: PLAN, edits: [{ old_text: 'One.', new_text: 'Un.' }] }],
    [
      'the other edit',
      'edit_file',
      { path: PLAN, edits: [{ old_text: 'Quatre.', new_text: 'IV.' }] },
    ],
    [
      'this edit and another line',
      'edit_file',
      {
        path: PLAN,
        edits: [
          { old_text: 'Deux.', new_text: 'II.' },
          { old_text: 'One.', new_text: 'I.' },
        ],
      },
    ],
    [
      'another note',
      'edit_file',
      { path: 'Other.md', edits: [{ old_text: 'Other.', new_text: 'X.' }] },
    ],
    ['the properties', 'update_properties', { path: PLAN, set: { a: 1 } }],
    ['a new note', 'write_file', { path: 'New.md', content: 'New.' }],
    ['the name of the note', 'move', { source: PLAN, destination: 'Moved.md' }],
    ['folders', 'create_folder', { path: 'Folder' }],
  ])('a reply to a pending edit refuses to change %s, with a reason', async (_, tool, input) => {
    const { talk, disk } = await begin({
      reply: (__, count) => answers([call(tool, input, { wireId: `r${count}` })]),
    });
    const before = new Map(disk.vault.texts);
    await talk('Do more.');
    expect(new Map(disk.vault.texts)).toEqual(before);
    expect([...disk.vault.folders]).toEqual([]);
    const { result } = eventsOn(disk, 'call-end').at(-1) ?? {};
    expect(result).toMatchObject({ failed: true, details: { kind: 'refused', by: 'hunk' } });
    expect(result?.text).toContain('only its text may be changed');
    expect(result?.text).toContain('The text of the edit is now "Deux.');
  });

  it('a reply to a pending edit may read other notes', async () => {
    const { talk, disk } = await begin({
      reply: (_, count) =>
        answers([call('read_file', { path: 'Other.md' }, { wireId: `r${count}` })]),
    });
    await talk('What does the other note say?');
    expect(eventsOn(disk, 'call-end').at(-1)?.result.text).toContain('1: Other.');
  });

  it('a reply to a pending edit ends clearly if the edit was decided before its turn', async () => {
    const { rig, first, plan, disk } = await begin();
    void rig.runner.close();
    await rig.agent.editReplies.send({ text: 'Shorter.', edit: first.id, note: PLAN });
    disk.vault.texts.set(PLAN, plan().replace(blockOf(plan(), first.id), 'Mine.\n\n'));
    const before = plan();
    const steps = eventsOn(disk, 'step-start').length;
    const again = makeRig(disk);
    await again.load();
    await again.idle();
    expect(plan()).toBe(before);
    expect(eventsOn(disk, 'step-start')).toHaveLength(steps);
    expect(eventsOn(disk, 'turn-end').at(-1)?.end).toMatchObject({
      ...{ kind: 'completed', outcome: 'not_done', reply: 'This edit is no longer pending.' },
    });
  });

  it('a reply to a pending edit is refused if the edit is decided while it runs', async () => {
    let decide: () => Promise<unknown> = async () => undefined;
    const { talk, rig, first, plan, disk } = await begin({
      reply: async (_, count) => {
        await decide();
        const edits = [{ position: 'replace:5', content: 'Anew.' }];
        return answers([call('edit_file', { path: PLAN, edits }, { wireId: `r${count}` })]);
      },
    });
    decide = () => rig.agent.edits.accept({ edit: first.id, note: PLAN });
    await talk('Shorter.');
    expect(plan()).toContain('\nDeux.\n');
    expect(plan()).not.toContain('Anew');
    expect(eventsOn(disk, 'call-end').at(-1)?.result.text).toContain('no longer pending');
    expect(eventsOn(disk, 'turn-end').at(-1)?.end.kind).toBe('completed');
  });

  it('a reply to a pending edit survives a restart in the queue', async () => {
    const { disk, rig, first, pending } = await begin();
    void rig.runner.close();
    const closed = await rig.agent.editReplies.send({
      text: 'Shorter.',
      edit: first.id,
      note: PLAN,
    });
    expect(closed).toMatchObject({ ok: true });
    const again = makeRig(disk);
    await again.load();
    await again.idle();
    expect(pending(again).map(({ after }) => after)).toEqual(['Version 2.\n', 'Quatre.\n']);
  });

  it('replies to two edits run one after the other', async () => {
    const { rig, first, second, pending } = await begin();
    await Promise.all(
      [first, second].map(({ id }) =>
        rig.agent.editReplies.send({ text: 'Shorter.', edit: id, note: PLAN }),
      ),
    );
    await rig.idle();
    expect(pending().map(({ id, after }) => [id, after.trim()])).toEqual([
      [first.id, 'Version 2.'],
      [second.id, 'Version 3.'],
    ]);
  });

  it('no other message joins the turn of a reply', async () => {
    const { rig, first, disk } = await begin();
    await rig.agent.editReplies.send({ text: 'Shorter.', edit: first.id, note: PLAN });
    const { current } = await rig.agent.state();
    await rig.agent.queue.send({ text: 'More.', conversation: current!.id });
    await rig.idle();
    expect(eventsOn(disk, 'steer-join')).toEqual([]);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(3);
  });
});

describe('a reply beside other requests', () => {
  const asks = (count: number) =>
    answers([call('ask_user', { question: 'Which name?' }, { wireId: `q${count}` })]);

  it('the next reply to an edit answers what its last reply has asked', async () => {
    const { talk, rig, disk } = await begin({ reply: (_, count) => asks(count) });
    await talk('Use the other name.');
    expect((await rig.agent.state()).interactions).toHaveLength(1);
    await talk('Bob.');
    expect((await rig.agent.state()).interactions).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
    expect(eventsOn(disk, 'call-end').at(-1)?.result.text).toContain('Bob.');
    expect(eventsOn(disk, 'turn-start')).toHaveLength(2);
  });

  it('a spoken reply to an edit answers what its last reply has asked', async () => {
    const { rig, first, disk } = await begin({ reply: (_, count) => asks(count) });
    rig.agent.editReplies.listen({ edit: first.id, note: PLAN });
    await rig.say('s1', 'Use the other name please.');
    await rig.idle();
    await disk.clock.advance(10_000);
    await rig.say('s2', 'Bob.');
    await rig.idle();
    expect((await rig.agent.state()).interactions).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
    expect(eventsOn(disk, 'turn-start')).toHaveLength(2);
  });

  it('a reply to another edit does not answer what a reply has asked', async () => {
    const { talk, rig, second } = await begin({ reply: (_, count) => asks(count) });
    await talk('Use the other name.');
    await talk('Shorter.', second.id);
    expect((await rig.agent.state()).interactions).toHaveLength(1);
  });

  it('a queued reply never joins the turn of another request', async () => {
    let goOn: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const { disk, rig, first, pending } = await begin();
    const { model } = disk;
    const slow = {
      ...disk,
      model: {
        async *stream(...[request, signal]: Parameters<typeof model.stream>) {
          const told = JSON.stringify(request.history.at(-1));
          if (told.includes('Look around.')) {
            await waiting;
            yield* thinkingModel(() =>
              answers([call('read_file', { path: 'Other.md' }, { wireId: 'look' })]),
            ).stream(request, signal);
          } else yield* model.stream(request, signal);
        },
      },
    };
    void rig.runner.close();
    const again = makeRig(slow);
    await again.load();
    const { current } = await again.agent.state();
    await again.agent.queue.send({ text: 'Look around.', conversation: current!.id });
    await again.idleOrWaiting();
    const sent = await again.agent.editReplies.send({
      ...{ text: 'Shorter.', edit: first.id, note: PLAN },
    });
    if (!sent.ok) throw new Error(sent.reason);
    expect(await again.agent.queue.sendNow(sent.request)).toMatchObject({ ok: false });
    goOn();
    await again.idle();
    expect(eventsOn(disk, 'steer-join')).toEqual([]);
    expect(pending(again)[0]?.after).toMatch(/^Version/);
  });

  it('a spoken reply is not taken for words about an approval that waits elsewhere', async () => {
    const { rig, first, disk, pending } = await begin({ settings: { smartHoleMode: 'apply' } });
    await rig.runner.newConversation();
    await rig.say('s0', 'Delete the other note');
    await rig.idle();
    expect((await rig.agent.state()).interactions).toHaveLength(1);
    await disk.clock.advance(10_000);
    rig.agent.editReplies.listen({ edit: first.id, note: PLAN });
    await rig.say('s1', 'Shorter');
    await rig.idle();
    const asked = eventsOn(disk, 'turn-start').map(({ request }) => request.text);
    expect(asked).toContain('Shorter');
    expect(pending()[0]?.after).toMatch(/^Version/);
  });

  it('a reply to a decided edit does not change a copy of its note', async () => {
    const { talk, rig, first, disk, plan } = await begin();
    const copied = plan();
    disk.vault.texts.set('Plan copy.md', copied);
    await rig.idle();
    await rig.agent.edits.accept({ edit: first.id, note: PLAN });
    expect(await talk('Shorter.')).toEqual({
      ok: false,
      reason: 'This edit is no longer pending.',
    });
    expect(disk.vault.texts.get('Plan copy.md')).toBe(copied);
  });

  it.each(['Continue.', 'go on'])(
    'a spoken "%s" continues a reply that a limit has ended, as a reply',
    async (words) => {
      let steps = 0;
      const { rig, first, disk } = await begin({
        settings: { stepsPerTurn: 1 },
        reply: (_, count) => {
          steps += 1;
          return answers([call('read_file', { path: 'Other.md' }, { wireId: `r${count}` })]);
        },
      });
      rig.agent.editReplies.listen({ edit: first.id, note: PLAN });
      await rig.say('s1', 'Compare it with the other note.');
      await rig.idle();
      expect(steps).toBeGreaterThan(0);
      expect(eventsOn(disk, 'turn-end').at(-1)?.end.kind).toBe('limited');
      await rig.say('s2', words);
      await rig.idle();
      const last = eventsOn(disk, 'turn-start').at(-1);
      expect(last?.request).toMatchObject({ text: words });
      expect(last?.request.attachments).toEqual([{ kind: 'hunk', path: PLAN, hunk: first.id }]);
    },
  );
});

describe('spoken replies', () => {
  it('a spoken reply is about the edit whose field has the focus, and for a while afterwards', async () => {
    const { rig, first, disk, pending } = await begin();
    const place = { edit: first.id, note: PLAN };
    rig.agent.editReplies.listen(place);
    await rig.say('s1', 'Shorter please.');
    await rig.idle();
    expect(pending()[0]?.after).toBe('Version 2.\n');
    rig.agent.editReplies.stopListening(place, 'soon');
    await disk.clock.advance(59_000);
    await rig.say('s2', 'Shorter still.');
    await rig.idle();
    expect(pending()[0]?.after).toBe('Version 3.\n');
    await disk.clock.advance(62_000);
    await rig.say('s3', 'Something else.');
    await rig.idle();
    const requests = eventsOn(disk, 'turn-start').map(({ request }) => request.attachments.length);
    expect(requests).toEqual([0, 1, 1, 0]);
  });

  it('a spoken reply is an ordinary request once the field is closed, or the edit is decided', async () => {
    const { rig, first, disk } = await begin();
    const place = { edit: first.id, note: PLAN };
    rig.agent.editReplies.listen(place);
    rig.agent.editReplies.stopListening(place, 'now');
    await rig.say('s1', 'Hello there.');
    await rig.idle();
    rig.agent.editReplies.listen(place);
    await rig.agent.edits.accept({ edit: first.id, note: PLAN });
    await rig.say('s2', 'Hello again.');
    await rig.idle();
    expect(eventsOn(disk, 'turn-start').flatMap(({ request }) => request.attachments)).toEqual([]);
  });
});

describe('versions', () => {
  it('versions of an edit come from the change log, also after a restart', async () => {
    const { talk, versions, disk } = await begin();
    expect(await versions()).toEqual(['[Deux.]']);
    await talk('Shorter.');
    await talk('Longer.');
    expect(await versions()).toEqual(['Deux.', 'Version 2.', '[Version 3.]']);
    const again = makeRig(disk);
    await again.load();
    expect(await versions(again)).toEqual(['Deux.', 'Version 2.', '[Version 3.]']);
  });

  it('an earlier version of an edit can be chosen, and the model learns of it', async () => {
    const { rig, talk, versions, first, plan, disk } = await begin();
    const proposed = plan();
    await talk('Shorter.');
    const chosen = { edit: first.id, note: PLAN };
    expect(await rig.agent.edits.chooseVersion({ ...chosen, version: 0 })).toEqual({ ok: true });
    expect(plan()).toBe(proposed);
    expect(await versions()).toEqual(['[Deux.]', 'Version 2.']);
    await talk('Longer.');
    expect(eventsOn(disk, 'turn-start').at(-1)?.context).toContain('went back to another version');
    expect(await versions()).toEqual(['Deux.', 'Version 2.', '[Version 3.]']);
    expect(await rig.agent.edits.chooseVersion({ ...chosen, version: 7 })).toMatchObject({
      ok: false,
    });
  });

  it('versions of an edit disappear with a decision and come back when it is undone', async () => {
    const { rig, talk, versions, first } = await begin();
    await talk('Shorter.');
    await rig.agent.edits.accept({ edit: first.id, note: PLAN });
    expect(await versions()).toEqual([]);
    const [decision] = await rig.agent.changes.noteHistory(PLAN);
    await rig.agent.changes.undo({ change: decision!.change });
    expect(await versions()).toEqual(['Deux.', '[Version 2.]']);
  });

  it('undoing a reply goes back one version, and undoing the proposal removes all', async () => {
    const { rig, talk, versions, lastTurn, plan } = await begin();
    const before = plan();
    await talk('Shorter.');
    const reply = await lastTurn();
    await rig.agent.changes.undo({ turn: reply!.id });
    expect(await versions()).toEqual(['[Deux.]']);
    expect(plan()).toBe(before);
    await talk('Longer.');
    const { current } = await rig.agent.state();
    await rig.agent.changes.undo({ turn: current!.turns[0]!.id });
    expect(plan()).toBe(TEXT);
  });

  it('versions of an edit include what the user wrote into the block by hand', async () => {
    const { talk, versions, disk, plan, rig } = await begin();
    disk.vault.texts.set(PLAN, plan().replace('Deux.', 'Deuxième.'));
    expect(await versions()).toEqual(['Deux.', '[Deuxième.]']);
    await talk('Shorter.');
    expect(await versions()).toEqual(['Deux.', 'Deuxième.', '[Version 2.]']);
    expect(rig.problems).toEqual([]);
  });

  it('a decision on a chosen version is recorded where the edit was proposed', async () => {
    const { rig, talk, first, plan, disk } = await begin();
    await talk('Shorter.');
    await rig.agent.edits.chooseVersion({ edit: first.id, note: PLAN, version: 0 });
    await rig.agent.edits.accept({ edit: first.id, note: PLAN });
    expect(plan()).toContain('\nDeux.\n');
    const told = eventsOn(disk, 'edits-decide').map(({ decisions }) => decisions[0]?.choice);
    expect(told).toEqual(['choose', 'accept']);
  });

  it('a version that is chosen and accepted is told as what the agent wrote when it proposed it', async () => {
    const { rig, talk, first, plan } = await begin();
    await talk('Shorter.');
    const { current } = await rig.agent.state();
    const [proposed] = current!.turns;
    const choice = { edit: first.id, note: PLAN };
    await rig.agent.edits.chooseVersion({ ...choice, version: 0 });
    await rig.agent.edits.accept(choice);
    const ranges = await rig.agent.authorship.ranges(PLAN, plan());
    expect(ranges.map(({ turn }) => turn)).toContain(proposed!.id);
  });

  it('whatever the user does with edits, the others keep their bytes and ids', async () => {
    const act = fc.record({
      which: fc.constantFrom(0, 1),
      what: fc.constantFrom('talk', 'accept', 'reject', 'undo', 'choose'),
      version: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 6 }), async (acts) => {
        const { rig, talk, plan, first, second } = await begin();
        const ids = [first.id, second.id];
        for (const { which, what, version } of acts) {
          const edit = ids[which]!;
          const other = ids[1 - which]!;
          const before = blockOf(plan(), other);
          if (what === 'talk') await talk('Again.', edit);
          else if (what === 'choose') {
            await rig.agent.edits.chooseVersion({ edit, note: PLAN, version });
          } else if (what === 'undo') {
            const [last] = await rig.agent.changes.noteHistory(PLAN);
            if (last) await rig.agent.changes.undo({ change: last.change });
            continue;
          } else await rig.agent.edits[what]({ edit, note: PLAN });
          expect(blockOf(plan(), other)).toBe(before);
        }
        await rig.agent.edits.reject({ edit: 'all', note: PLAN });
        expect(rig.problems).toEqual([]);
        expect(editsOf(readEdits(plan(), ANY_DEVICE))).toEqual([]);
      }),
      { numRuns: Math.min(40, cases.numRuns) },
    );
  });
});
