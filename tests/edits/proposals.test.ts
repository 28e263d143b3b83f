import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '#model/ids';
import { ANY_DEVICE, holdsEdits, readEdits, textsOf } from '#model/edit/note-edits';
import { settle } from '../builders/fake-clock';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { editedFrom, note } from '../model/edit/notes';
import { ProposalHarness } from './proposing';

const LIST = 'Lists/Shopping.md';
const BEFORE = '# Shopping\n\n- bread\n- butter\n\nBye.\n';

describe('A change in Review mode', () => {
  it('a proposed change is pending in the note, and tools read it as applied', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    const after = BEFORE.replace('- butter', '- oat milk');
    const told = await desk.proposeText(LIST, after);
    expect(told).toMatchObject({ kind: 'write', before: BEFORE, after });
    expect(textsOf(readEdits(desk.notes.text(LIST), ANY_DEVICE))).toEqual({
      before: BEFORE,
      after,
    });
    expect(await desk.seen(LIST)).toBe(after);
    expect(desk.pending.all()).toMatchObject([
      { path: LIST, isNew: false, edits: [{ line: 5, conversation: 'conversation-1' }] },
    ]);
    const { proposes } = (await desk.ledger.changes()).all()[0] ?? {};
    expect(proposes).toEqual(desk.ids(LIST));
  });

  it('a second proposal builds on the first one and keeps its block', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.proposeText(LIST, BEFORE.replace('Bye.', 'Good-bye.'));
    const [first] = desk.ids(LIST);
    await desk.proposeText(LIST, (await desk.seen(LIST)).replace('- butter', '- oat milk'));
    expect(desk.ids(LIST)).toHaveLength(2);
    expect(desk.ids(LIST)[1]).toBe(first);
    await desk.decide(LIST, 'reject', [first ?? '']);
    expect(desk.after(LIST)).toBe(BEFORE.replace('- butter', '- oat milk'));
  });

  it('a proposal never absorbs text that the user types at the same time', async () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const typed = fc.constantFrom('<typed>', '\n<typed>', '<typed>\n', '\n\n<typed>\n\n');
    const given = note.chain((before) =>
      fc.record({
        before: fc.constant(before),
        ...{ after: editedFrom(before), along: place, words: typed, atEnd: fc.boolean() },
      }),
    );
    await fc.assert(
      fc.asyncProperty(given, async ({ before, after, along, words, atEnd }) => {
        if (after === before) return;
        const desk = new ProposalHarness({ [LIST]: before });
        const { notes } = desk;
        const at = atEnd ? before.length : Math.round(along * before.length);
        const now = before.slice(0, at) + words + before.slice(at);
        const change = notes.change.bind(notes);
        notes.change = (...args) => {
          notes.change = change;
          notes.put(LIST, now);
          return change(...args);
        };
        const told = await desk.proposeText(LIST, after);
        // The note has no place for a block.
        if (desk.detached.of(LIST)) return;
        const sides = textsOf(readEdits(notes.text(LIST), ANY_DEVICE));
        expect(sides.before).toBe(now);
        if (typeof told === 'string') expect(told).toBe('clash');
        // A sign beside the words may be taken for an equal one of the note.
        else expect(sides.after).toContain('typed');
      }),
      cases,
    );
  });

  it('rejecting a new note deletes it, unless the user wrote in it', async () => {
    const desk = new ProposalHarness();
    const text = '# New\n\nOne.\n\nTwo.\n';
    await desk.propose({ kind: 'create', path: 'New.md', after: text });
    expect(desk.pending.all()).toMatchObject([
      { path: 'New.md', isNew: true, edits: [{ type: 'add', before: '', after: text }] },
    ]);
    await desk.decide('New.md', 'reject');
    expect(desk.notes.paths()).toEqual([]);
    expect(desk.notes.trashed).toEqual(['New.md']);

    await desk.propose({ kind: 'create', path: 'New.md', after: text });
    desk.notes.put('New.md', `${desk.notes.text('New.md')}Mine.\n`);
    await desk.decide('New.md', 'reject');
    expect(desk.notes.text('New.md').trim()).toBe('Mine.');
  });

  it('removing a damaged edit takes what is left of its block, and its text stays', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.proposeText(LIST, BEFORE.replace('Bye.', 'See you.'));
    const cut = desk.notes.text(LIST).replace(/^\{.*\n/m, 'Mine.\n');
    desk.notes.put(LIST, cut);
    await desk.pending.look(LIST);
    expect(desk.pending.all()).toMatchObject([{ path: LIST, edits: [], damaged: 1 }]);
    const { decided } = await desk.removeDamaged(LIST);
    expect(desk.pending.all()).toEqual([]);
    expect(desk.notes.text(LIST)).toBe(cut.replace(/^```ai-edit\n|^```\n#ai_edit\n/gm, ''));
    const logged = (await desk.ledger.changes()).all().map(({ id }) => id);
    expect(logged).toContain(decided[0]?.change);
    const about = { choice: 'reject', before: 'Bye.\n', proposed: 'See you.\n' };
    expect(decided).toMatchObject([{ conversation: 'conversation-1', decisions: [about] }]);
  });

  it('removing what looks like a damaged edit rejects none of those that still wait', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.proposeText(LIST, BEFORE.replace('Bye.', 'See you.'));
    const [id] = desk.ids(LIST);
    desk.notes.put(LIST, `{"id":"loose1","after":"x"}\n\n${desk.notes.text(LIST)}`);
    const { decided } = await desk.removeDamaged(LIST);
    expect(decided).toMatchObject([{ decisions: [] }]);
    expect(desk.ids(LIST)).toEqual([id]);
  });

  it('a copy of an edit in its note is listed, decided in parts and decided whole by itself', async () => {
    const desk = new ProposalHarness({ [LIST]: '# List\n\nOne bread, two eggs.\n' });
    await desk.proposeText(LIST, '# List\n\nOne rye, three eggs.\n');
    const block = desk.notes.text(LIST).replace('# List\n\n', '');
    desk.notes.put(LIST, `${desk.notes.text(LIST)}\n${block}`);
    await desk.pending.look(LIST);
    const [first = '', copy = ''] = desk.ids(LIST);
    expect(copy).toBe(`${first}~2`);
    expect(desk.pending.all()).toMatchObject([{ edits: [{ id: first }, { isForeign: true }] }]);
    const part = { part: 1, of: 2, removed: 'two', added: 'three', choice: 'accept' } as const;
    await desk.decide(LIST, part, [copy]);
    expect(desk.notes.text(LIST).match(/^One.*$/gm)).toEqual([
      'One bread, two eggs.',
      'One bread, three eggs.',
    ]);
    await desk.decide(LIST, 'accept', [copy]);
    expect(desk.notes.text(LIST).match(/^One.*$/gm)).toEqual([
      'One bread, two eggs.',
      'One rye, three eggs.',
    ]);
    expect(desk.ids(LIST)).toEqual([first]);
  });

  it('rejecting a change to an empty note of the user keeps the note', async () => {
    const desk = new ProposalHarness({ 'Empty.md': '' });
    await desk.proposeText('Empty.md', 'Words.\n');
    await desk.decide('Empty.md', 'reject');
    expect(desk.notes.text('Empty.md')).toBe('');
  });

  it('rejecting a change keeps a new note that was accepted before and emptied since', async () => {
    const desk = new ProposalHarness();
    await desk.propose({ kind: 'create', path: 'New.md', after: 'Text.\n' });
    await desk.decide('New.md', 'accept');
    desk.notes.put('New.md', '');
    await desk.proposeText('New.md', 'Again.\n');
    expect(desk.pending.all()).toMatchObject([{ path: 'New.md', isNew: false }]);
    await desk.decide('New.md', 'reject');
    expect(desk.notes.text('New.md')).toBe('');
  });

  it('a proposal keeps what the user typed meanwhile, and conflicts on the same line', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    desk.notes.put(LIST, BEFORE.replace('Bye.', 'See you.'));
    const effect = { kind: 'write', path: LIST, before: BEFORE } as const;
    await desk.propose({ ...effect, after: BEFORE.replace('- butter', '- oat milk') });
    expect(await desk.seen(LIST)).toBe(
      BEFORE.replace('Bye.', 'See you.').replace('- butter', '- oat milk'),
    );
    const clash = await desk.propose({ ...effect, after: BEFORE.replace('Bye.', 'So long.') });
    expect(clash).toBe('clash');
  });

  it('a deletion is recorded with the text on disk, including blocks', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.proposeText(LIST, BEFORE.replace('- butter', '- oat milk'));
    const raw = desk.notes.text(LIST);
    await desk.propose({ kind: 'delete', path: LIST, before: await desk.seen(LIST) });
    const list = await desk.ledger.changes();
    const gone = list.all().filter(({ kind }) => kind === 'delete');
    expect([...(await desk.ledger.read(gone)).values()]).toMatchObject([{ before: raw }]);
  });
});

describe('A direct change in a note with pending edits', () => {
  it('a direct change is applied to common lines, and amends the pending edit that it touches', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.proposeText(LIST, BEFORE.replace('- butter', '- oat milk'));
    const next = (await desk.seen(LIST)).replace('Bye.', 'So long.').replace('oat', 'soy');
    await desk.proposeText(LIST, next, 'apply');
    expect(textsOf(readEdits(desk.notes.text(LIST), ANY_DEVICE))).toEqual({
      before: BEFORE.replace('Bye.', 'So long.'),
      after: next,
    });
  });
});

describe('Pending edits', () => {
  it('pending edits are found after a restart, with another tag, without a tag, and after a sync', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE, 'Other.md': 'Other.\n' });
    await desk.proposeText(LIST, BEFORE.replace('- butter', '- oat milk'));
    desk.tag = 'proposed';
    await desk.proposeText('Other.md', 'Another.\n');
    desk.notes.put(LIST, desk.notes.text(LIST).replace('#ai_edit\n', ''));
    desk.notes.put('Synced.md', desk.notes.text('Other.md').replaceAll('proposal-', 'foreign-'));
    const waiting = desk.pending.all().map(({ path }) => path);
    await desk.restart();
    expect(desk.pending.all().map(({ path }) => path)).toEqual([
      'Lists/Shopping.md',
      'Other.md',
      'Synced.md',
    ]);
    expect(waiting).not.toContain('Synced.md');
    expect(desk.pending.all()[2]?.edits[0]).toMatchObject({ conversation: null, turn: null });
    await desk.decide('Synced.md', 'accept');
    expect(desk.notes.text('Synced.md')).toBe('Another.\n');
  });

  it('pending edits follow changes, moves, and deletions of their note, and notify once', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.pending.start();
    let told = 0;
    desk.pending.onChange(() => (told += 1));
    await desk.proposeText(LIST, BEFORE.replace('- butter', '- oat milk'));
    await settle();
    expect(told).toBe(1);
    desk.notes.put(LIST, `Above.\n${desk.notes.text(LIST)}`);
    await settle();
    expect(desk.pending.all()).toMatchObject([{ edits: [{ line: 6 }] }]);
    await desk.notes.move(LIST, 'Groceries.md');
    await settle();
    expect(desk.pending.all().map(({ path }) => path)).toEqual(['Groceries.md']);
    await desk.notes.trash('Groceries.md');
    await settle();
    expect(desk.pending.all()).toEqual([]);
  });

  it('an edit stays an edit of this device when the agent moves its note', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.pending.start();
    await desk.proposeText(LIST, BEFORE.replace('- butter', '- oat milk'));
    const ids = desk.ids(LIST);
    await desk.propose({ kind: 'move', path: LIST, to: 'Groceries.md' }, 'apply');
    await desk.pending.followed();
    expect([...desk.pending.ownIds()]).toEqual([['Groceries.md', ids]]);
  });

  it('renaming a note rewrites the links to it on both sides of a pending edit', async () => {
    const links = 'See [[Old]], [[Old#Part|it]] and [[Plans/Old]], not [[Older]].\n';
    const desk = new ProposalHarness({ [LIST]: links, 'Plans/Old.md': 'Old.\n' });
    await desk.pending.start();
    await desk.proposeText(LIST, `${links.trimEnd()} [More](Plans/Old.md).\n`);
    await desk.notes.move('Plans/Old.md', 'Plans/New one.md');
    await settle();
    const renamed = 'See [[New one]], [[New one#Part|it]] and [[New one]], not [[Older]].\n';
    expect(textsOf(readEdits(desk.notes.text(LIST), ANY_DEVICE))).toEqual({
      before: renamed,
      after: `${renamed.trimEnd()} [More](Plans/New%20one.md).\n`,
    });
  });

  it('accepting pending edits of two conversations records one decision for each', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.proposeText(LIST, BEFORE.replace('Bye.', 'So long.'));
    desk.conversation = 'conversation-2' as ConversationId;
    await desk.proposeText(LIST, (await desk.seen(LIST)).replace('- butter', '- oat milk'));
    const { decided } = await desk.decide(LIST, 'accept');
    expect(decided.map(({ conversation }) => conversation)).toEqual([
      'conversation-2',
      'conversation-1',
    ]);
    const acts = (await desk.ledger.changes()).all().filter(({ act }) => act === 'decide');
    expect(acts.map(({ origin }) => [origin.conversation, origin.call])).toEqual([
      ['conversation-2', null],
      ['conversation-1', null],
    ]);
    expect(desk.notes.text(LIST)).not.toContain('ai-edit');
  });

  it('accepting an edit that is no longer in the note reports why it was not applied', async () => {
    const desk = new ProposalHarness({ [LIST]: BEFORE });
    await desk.proposeText(LIST, BEFORE.replace('Bye.', 'So long.'));
    const ids = desk.ids(LIST);
    desk.notes.put(LIST, BEFORE);
    expect(await desk.decide(LIST, 'accept', ids)).toEqual({
      decided: [],
      unapplied: [{ path: LIST, why: 'This edit is no longer in the note.' }],
    });
    await desk.notes.trash(LIST);
    expect((await desk.decide(LIST, 'accept', ids)).unapplied).toHaveLength(1);
  });
});

describe('Detached proposals', () => {
  const CANVAS = '{\n"nodes": [],\n"edges": []\n}\n';

  it('a detached proposal leaves its file unchanged, and absorbs later changes', async () => {
    const desk = new ProposalHarness({ 'Map.canvas': CANVAS });
    await desk.proposeText('Map.canvas', CANVAS.replace('"nodes": []', '"nodes": [1]'));
    await desk.proposeText('Map.canvas', (await desk.seen('Map.canvas')).replace('[1]', '[1, 2]'));
    expect(desk.notes.text('Map.canvas')).toBe(CANVAS);
    expect(desk.pending.all()).toHaveLength(1);
    desk.notes.put('Map.canvas', CANVAS.replace('"edges": []', '"edges": [3]'));
    await desk.restart();
    const { decided } = await desk.decide('Map.canvas', 'accept');
    expect(decided).toHaveLength(1);
    expect(desk.notes.text('Map.canvas')).toBe('{\n"nodes": [1, 2],\n"edges": [3]\n}\n');
    expect(desk.pending.all()).toEqual([]);
  });

  it('accepting a detached proposal reports a conflict if the same lines were changed', async () => {
    const desk = new ProposalHarness({ 'Map.canvas': CANVAS });
    await desk.proposeText('Map.canvas', CANVAS.replace('[],', '[1],'));
    desk.notes.put('Map.canvas', CANVAS.replace('[],', '[9],'));
    const { decided, unapplied: left } = await desk.decide('Map.canvas', 'accept');
    expect(decided).toEqual([]);
    expect(left).toMatchObject([
      { conflict: { now: '"nodes": [9],\n', wanted: '"nodes": [1],\n' } },
    ]);
    await desk.decide('Map.canvas', 'reject');
    expect(desk.pending.all()).toEqual([]);
  });

  it('accepting a detached proposal for a new file creates the file', async () => {
    const desk = new ProposalHarness();
    await desk.propose({ kind: 'create', path: 'New.canvas', after: CANVAS });
    expect(desk.notes.paths()).toEqual([]);
    expect(desk.pending.all()).toMatchObject([{ isNew: true, edits: [{ line: null }] }]);
    await desk.decide('New.canvas', 'accept');
    expect(desk.notes.text('New.canvas')).toBe(CANVAS);
  });

  it('a change to a very long line is a detached proposal, separate from the pending edit in the note', async () => {
    const long = `${'word '.repeat(8_000)}\n`;
    const desk = new ProposalHarness({ 'Long.md': `Top.\n\n${long}` });
    await desk.proposeText('Long.md', `The top.\n\n${long}`);
    await desk.proposeText('Long.md', (await desk.seen('Long.md')).replace('word', 'World'));
    const waiting = desk.pending
      .all()
      .map(({ path, edits }) => [path, edits.map(({ line }) => line)]);
    expect(waiting).toEqual([['Long.md', [2, null]]]);
    await desk.decide('Long.md', 'accept', [desk.detached.of('Long.md')?.id ?? '']);
    expect(desk.notes.text('Long.md')).toContain('\nWorld word ');
    expect(desk.ids('Long.md')).toHaveLength(1);
  });
});

describe('Random changes by the agent and the user', { timeout: CASES_TIMEOUT_MS }, () => {
  const step = fc.record({
    who: fc.constantFrom('review', 'apply', 'type', 'accept', 'reject', 'restart'),
    at: fc.nat(),
  });

  it('tools read proposals as applied, accepting does not change what they read, and rejecting restores the rest', async () => {
    const story = note
      .filter((text) => !holdsEdits(text))
      .chain((text) =>
        fc.tuple(fc.constant(text), fc.array(fc.tuple(step, editedFrom(text)), { maxLength: 6 })),
      );
    await fc.assert(
      fc.asyncProperty(story, async ([text, steps]) => {
        const desk = new ProposalHarness({ 'N.md': text });
        await desk.pending.start();
        for (const [{ who, at }, wanted] of steps) {
          if (holdsEdits(wanted)) continue;
          const seen = await desk.seen('N.md');
          const ids = desk.ids('N.md');
          const some = ids.filter((_, place) => (at >> (place % 8)) % 2 === 0);
          if (who === 'review' || who === 'apply') {
            if (wanted === seen) continue;
            expect(typeof (await desk.proposeText('N.md', wanted, who))).toBe('object');
            // The note has no place for a block.
            if (desk.detached.of('N.md')) return;
            expect(await desk.seen('N.md')).toBe(wanted);
          } else if (who === 'type') {
            const now = desk.notes.text('N.md');
            // Text above front matter, also a proposed one, would turn it into normal text.
            const above = ![now, seen].some((each) => /^\uFEFF?---/.test(each));
            desk.notes.put('N.md', above ? `typed ${at}\n\n${now}` : `${now}\n\ntyped ${at}\n`);
            await desk.pending.look('N.md');
          } else if (who === 'restart') {
            await desk.restart();
            expect(desk.ids('N.md')).toEqual(ids);
          } else if (some.length > 0) {
            const { unapplied: left } = await desk.decide('N.md', who, some);
            // Alone, an edit at a fence or divider can make another one unreadable, which is said.
            const why = left.map((each) => each.why);
            expect(why.filter((each) => !each.endsWith('Decide both together.'))).toEqual([]);
            if (who === 'accept') expect(await desk.seen('N.md')).toBe(seen);
            if (left.length > 0) continue;
            expect(desk.ids('N.md')).toEqual(ids.filter((id) => !some.includes(id)));
          }
        }
        const before = textsOf(readEdits(desk.notes.text('N.md'), ANY_DEVICE)).before;
        if (desk.ids('N.md').length > 0) await desk.decide('N.md', 'reject');
        expect(desk.notes.text('N.md')).toBe(before);
      }),
      cases,
    );
  });
});
