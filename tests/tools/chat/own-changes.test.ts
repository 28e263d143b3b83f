/** What the agent did, and taking it back. */
import { describe, expect, it } from 'vitest';
import type { Conversation } from '#model/conversation';
import type { CallResult } from '#model/message';
import type { ChangeId, DeviceId, ProposalId } from '#model/ids';
import { decideInNote, type EditDecision } from '#edits/decide-edits';
import { memoryBench, NO_HISTORY, type MemoryBench } from '../../builders/tools';

const FILES = {
  'Lists/Reading.md': '- Emma\n- Ulysses\n',
  'Lists/Shopping.md': '- bread\n',
  'Private/Diary.md': 'Dear diary.\n',
};

const swap = (path: string, old_text: string, new_text: string) =>
  ['edit_file', { path, edits: [{ old_text, new_text }] }] as const;

function changeIn({ details }: CallResult): string {
  return details?.kind === 'changes' ? (details.changes[0]?.change ?? '') : '';
}

function textsIn(bench: ReturnType<typeof memoryBench>): Record<string, string> {
  return Object.fromEntries(
    bench.notes
      .paths()
      .filter((path) => !path.endsWith('/') && !path.startsWith('.'))
      .map((path) => [path, bench.notes.latin(path)]),
  );
}

describe('get_changes', () => {
  it('lists the agent’s changes with ids, newest first, and what became of them', async () => {
    const bench = memoryBench(FILES);
    const first = changeIn(await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch')));
    const second = changeIn(
      await bench.call('move', { source: 'Lists/Shopping.md', destination: 'Food/' }),
    );
    await bench.call('undo_changes', { ids: [first] });
    const { text } = await bench.call('get_changes', {});
    const lines = text.split('\n').filter((line) => line.startsWith('  change-'));
    expect(lines[0]).toContain('Put Lists/Reading.md back (+1 −1)');
    expect(lines[1]).toMatch(
      new RegExp(`${second} ..:.. Moved Lists/Shopping.md to Food/Shopping.md`),
    );
    expect(lines[2]).toMatch(
      new RegExp(`${first} ..:.. Changed Lists/Reading.md \\(\\+1 −1\\); undone by you`),
    );
  });

  it.each(['apply', 'review'] as const)(
    'shows the lines of small changes as they are read, in %s',
    async (panelMode) => {
      const files = { 'A.md': 'one\ntwo\nthree\n', 'B.md': '1\n2\n3\n4\n' };
      const bench = memoryBench(files, { settings: { panelMode } });
      await bench.call(...swap('A.md', 'two\n', ''));
      await bench.call(...swap('A.md', 'three', `${'x'.repeat(300)} three`));
      await bench.call(...swap('B.md', '2\n3\n4', '5\n6\n7'));
      await bench.call('write_file', { path: 'C.md', content: 'new\n' });
      const { text } = await bench.call('get_changes', {});
      const rows = text.split('\n').filter((line) => line.startsWith('    '));
      expect(rows).toEqual(['    - three', `    + ${'x'.repeat(240)}…`, '    - two']);
    },
  );

  it('names each request by its words and its time', async () => {
    const request = { text: 'Put Middlemarch on my list', time: 0 };
    const read = async () => ({ turns: [{ id: 'turn-2', request }] }) as unknown as Conversation;
    const bench = memoryBench(FILES, { history: { ...NO_HISTORY, read } });
    await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch'));
    const { text } = await bench.call('get_changes', {});
    expect(text).toMatch(/^turn-2 `Put Middlemarch on my list` \(chat [\w-]+\), .*1970.*:$/m);
  });

  it('finds the changes of a folder, a day and a request', async () => {
    const bench = memoryBench(FILES);
    await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch'));
    await bench.call('write_file', { path: 'Ideas.md', content: 'Beans.\n' });
    const count = async (query: object) => {
      const { details } = await bench.call('get_changes', query);
      return details?.kind === 'list' ? details.count : null;
    };
    expect(await count({})).toBe(2);
    expect(await count({ path: 'lists' })).toBe(1);
    expect(await count({ path: 'Ideas' })).toBe(1);
    expect(await count({ since: 'today', until: 'today' })).toBe(2);
    expect(await count({ until: 'yesterday' })).toBe(0);
    expect(await count({ request: 'turn-none' })).toBe(0);
  });

  it('says neither the names of hidden notes nor how many changes they have', async () => {
    const bench = memoryBench(FILES);
    await bench.call(...swap('Private/Diary.md', 'Dear', 'Oh dear'));
    await bench.call(...swap('Lists/Shopping.md', 'bread', 'rye'));
    bench.settings = { ...bench.settings, excludedFolders: ['Private'] };
    const { text } = await bench.call('get_changes', {});
    expect(text).toContain('1 change of yours');
    expect(text).not.toContain('Diary');
    const named = await bench.call('get_changes', { path: 'Private' });
    expect(named.failed).toBe(true);
  });

  describe('tells what became of a proposed edit', () => {
    const PATH = 'Lists/Reading.md';
    const decided = (choice: EditDecision) => async (bench: MemoryBench) => {
      const [id] = bench.pending.all().flatMap(({ edits }) => edits.map((edit) => edit.id));
      const { changeLog, notes, pending } = bench;
      const list = await changeLog.changes();
      const mintChange = () => `change-decision-${list.all().length}` as ChangeId;
      await decideInNote(PATH, [id as ProposalId], choice, {
        ...{
          changeLog,
          notes,
          pending,
          list,
          device: 'desk' as DeviceId,
          mintChange,
          tag: 'ai_edit',
          mint: () => 'proposal-new' as ProposalId,
        },
        now: () => 1_796_000_000_000,
      });
      await pending.look(PATH);
    };
    const later = (text: string) => async (bench: MemoryBench) => {
      await bench.call(...swap(PATH, 'Middlemarch', text));
    };
    it.each<[string, (bench: MemoryBench) => Promise<unknown>]>([
      ['waits for the user', async () => undefined],
      ['accepted', decided('accept')],
      ['rejected', decided('reject')],
      ['accepted as the user rewrote it', decided({ amend: '- Persuasion\n' })],
      ['taken back by a later change', later('Emma')],
      ['waits for the user', later('Persuasion')],
      [
        'removed from the note by hand',
        async (bench) => {
          await bench.notes.change(PATH, bench.notes.text(PATH), FILES[PATH]);
          await bench.pending.look(PATH);
        },
      ],
    ])('“%s”', async (state, happens) => {
      const bench = memoryBench(FILES, { settings: { panelMode: 'review' } });
      const id = changeIn(await bench.call(...swap(PATH, 'Emma', 'Middlemarch')));
      await happens(bench);
      const { text } = await bench.call('get_changes', { path: PATH });
      const line = text.split('\n').find((each) => each.includes(`${id} `));
      expect(line).toMatch(new RegExp(`\\(\\+1 −1\\); ${state}$`));
    });

    it('counts edits of one change that ended in different ways', async () => {
      const files = { [PATH]: '- Emma\n\nText.\n\n- Ulysses\n' };
      const bench = memoryBench(files, { settings: { panelMode: 'review' } });
      const edits = [
        { old_text: 'Emma', new_text: 'Iliad' },
        { old_text: 'Ulysses', new_text: 'Faust' },
      ];
      await bench.call('edit_file', { path: PATH, edits });
      await decided('reject')(bench);
      const { text } = await bench.call('get_changes', {});
      expect(text).toContain('; 1 rejected, 1 waits for the user');
    });
  });

  it('shows many changes by pages', async () => {
    const bench = memoryBench(FILES);
    for (let at = 0; at < 45; at += 1) {
      await bench.call('write_file', { path: `Many/${at}.md`, content: `${at}\n` });
    }
    const first = await bench.call('get_changes', {});
    expect(first.text).toContain('45 changes of yours, newest first (page 1 of 2)');
    expect(first.text).toContain('(More changes: page 2.)');
    expect((await bench.call('get_changes', { page: 2 })).text).toContain('Created Many/0.md');
  });
});

describe('undo_changes', () => {
  it('restores the text before and keeps what was edited since', async () => {
    const bench = memoryBench(FILES);
    const id = changeIn(await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch')));
    await bench.notes.change(
      'Lists/Reading.md',
      '- Middlemarch\n- Ulysses\n',
      '- Middlemarch\n- Ulysses\n- Iliad\n',
    );
    const done = await bench.call('undo_changes', { ids: [id] });
    expect(done.text).toContain('1 change taken back.');
    expect(done.details).toMatchObject({
      kind: 'changes',
      changes: [{ kind: 'write', path: 'Lists/Reading.md', undoes: true, added: 1, removed: 1 }],
    });
    expect(textsIn(bench)['Lists/Reading.md']).toBe('- Emma\n- Ulysses\n- Iliad\n');
  });

  it('says which lines it did not undo because the user has changed them', async () => {
    const bench = memoryBench(FILES);
    const id = changeIn(await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch')));
    await bench.notes.change(
      'Lists/Reading.md',
      '- Middlemarch\n- Ulysses\n',
      '- Persuasion\n- Ulysses\n',
    );
    const done = await bench.call('undo_changes', { ids: [id] });
    expect(done.failed).toBe(true);
    expect(done.text).toContain('These lines have been changed since');
    expect(textsIn(bench)['Lists/Reading.md']).toBe('- Persuasion\n- Ulysses\n');
  });

  it('undoes all changes of requests, whatever they did', async () => {
    const bench = memoryBench(FILES, { settings: { tools: { delete: 'allow' } } });
    const before = textsIn(bench);
    await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch'));
    await bench.call('write_file', { path: 'New/Idea.md', content: 'Beans.\n' });
    await bench.call('move', { source: 'Lists/Reading.md', destination: 'Books/' });
    await bench.call('delete', { path: 'Lists/Shopping.md' });
    const { text } = await bench.call('get_changes', {});
    const turns = [...new Set(text.match(/turn-\S+/g))];
    const done = await bench.call('undo_changes', { ids: turns });
    expect(done.failed).toBe(false);
    expect(textsIn(bench)).toEqual(before);
    const again = await bench.call('undo_changes', { ids: turns });
    expect(again.details?.kind).toBe('unchanged');
  });

  it('makes a change again by undoing its undo', async () => {
    const bench = memoryBench(FILES);
    const id = changeIn(await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch')));
    const undo = changeIn(await bench.call('undo_changes', { ids: [id] }));
    await bench.call('undo_changes', { ids: [undo] });
    expect(textsIn(bench)['Lists/Reading.md']).toBe('- Middlemarch\n- Ulysses\n');
  });

  it('refuses in Read only, and asks in Review before accepted text changes', async () => {
    const bench = memoryBench(FILES);
    const id = changeIn(await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch')));
    bench.settings = { ...bench.settings, panelMode: 'read-only' };
    expect(await bench.call('undo_changes', { ids: [id] })).toMatchObject({
      details: { kind: 'refused', by: 'mode' },
    });
    bench.settings = { ...bench.settings, panelMode: 'review' };
    const asked = await bench.approvalOf('undo_changes', { ids: [id] });
    expect(asked.title).toBe('Undo 1 change?');
    expect(asked.lines).toContain('Changes Lists/Reading.md (+1 −1).');
    expect(textsIn(bench)['Lists/Reading.md']).toBe('- Middlemarch\n- Ulysses\n');
    expect((await bench.confirm(asked, 'allow-once')).failed).toBe(false);
    expect(textsIn(bench)['Lists/Reading.md']).toBe(FILES['Lists/Reading.md']);
  });

  it('withdraws an edit that waits without asking', async () => {
    const bench = memoryBench(FILES, { settings: { panelMode: 'review' } });
    const id = changeIn(await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch')));
    expect((await bench.call('get_changes', {})).text).toContain('; waits for the user');
    const done = await bench.call('undo_changes', { ids: [id] });
    expect(done.failed).toBe(false);
    expect(textsIn(bench)['Lists/Reading.md']).toBe(FILES['Lists/Reading.md']);
  });

  it('asks before it deletes a note again that an undo has brought back', async () => {
    const bench = memoryBench(FILES, { settings: { tools: { delete: 'allow' } } });
    const id = changeIn(await bench.call('delete', { path: 'Lists/Shopping.md' }));
    const undo = changeIn(await bench.call('undo_changes', { ids: [id] }));
    const asked = await bench.approvalOf('undo_changes', { ids: [undo] });
    expect(asked.lines).toContain('It deletes Lists/Shopping.md, which Parley did not create.');
  });

  it('asks once from ten notes on, with all of them listed, and then undoes them all', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Many/${at}.md`);
    const bench = memoryBench(Object.fromEntries(names.map((name) => [name, 'old\n'])));
    const before = textsIn(bench);
    for (const name of names) await bench.call(...swap(name, 'old', 'new'));
    const turn = /turn-\S+/.exec((await bench.call('get_changes', {})).text)![0];
    const asked = await bench.approvalOf('undo_changes', { ids: [turn] });
    expect(asked.title).toBe('Undo 12 changes?');
    expect(asked.items).toHaveLength(12);
    expect((await bench.confirm(asked, 'allow-once')).failed).toBe(false);
    expect(textsIn(bench)).toEqual(before);
  });

  it('undoes changes and moves of the same notes after one approval in Review', async () => {
    const bench = memoryBench(FILES, { settings: { tools: { delete: 'allow' } } });
    const before = textsIn(bench);
    await bench.call(...swap('Lists/Reading.md', 'Emma', 'Middlemarch'));
    await bench.call('move', { source: 'Lists/Reading.md', destination: 'Books/' });
    await bench.call(...swap('Books/Reading.md', 'Ulysses', 'Iliad'));
    await bench.call('write_file', { path: 'New/Idea.md', content: 'Beans.\n' });
    await bench.call('delete', { path: 'Lists/Shopping.md' });
    const turn = /turn-\S+/.exec((await bench.call('get_changes', {})).text)![0];
    bench.settings = { ...bench.settings, panelMode: 'review' };
    const asked = await bench.approvalOf('undo_changes', { ids: [turn] });
    const done = await bench.confirm(asked, 'allow-once');
    expect(done.text).not.toContain('Not undone');
    expect(textsIn(bench)).toEqual(before);
  });

  it('asks before an uncertain text comes back, and shows it', async () => {
    const query = '```dataviewjs\ndv.list()\n```\n';
    const bench = memoryBench({ 'Query.md': `${query}\nText.\n` });
    const id = changeIn(await bench.call(...swap('Query.md', query, '')));
    const asked = await bench.approvalOf('undo_changes', { ids: [id] });
    expect(asked.lines.join('\n')).toContain('may run code');
    expect(asked.changes?.[0]?.after).toContain('dataviewjs');
  });

  it('does not touch a note that is hidden now', async () => {
    const bench = memoryBench(FILES);
    const id = changeIn(await bench.call(...swap('Private/Diary.md', 'Dear', 'Oh dear')));
    bench.settings = { ...bench.settings, excludedFolders: ['Private'] };
    const done = await bench.call('undo_changes', { ids: [id] });
    expect(done.text).toContain('You have made no change with the id');
    expect(textsIn(bench)['Private/Diary.md']).toBe('Oh dear diary.\n');
  });

  it('keeps the meaning of line numbers that were shown before', async () => {
    const bench = memoryBench(FILES);
    const id = changeIn(
      await bench.call('edit_file', {
        path: 'Lists/Reading.md',
        edits: [{ position: 'start', content: '- Faust' }],
      }),
    );
    await bench.call('read_file', { path: 'Lists/Reading.md' });
    await bench.call('undo_changes', { ids: [id] });
    const edit = { position: 'replace:3', content: '- Odyssey' };
    await bench.call('edit_file', { path: 'Lists/Reading.md', edits: [edit] });
    expect(textsIn(bench)['Lists/Reading.md']).toBe('- Emma\n- Odyssey\n');
  });

  describe.each(['apply', 'review'] as const)('plans on what exists, in %s', (mode) => {
    const undoAll = async (bench: MemoryBench) => {
      bench.settings = { ...bench.settings, panelMode: mode };
      const { text } = await bench.call('get_changes', {});
      const turns = [...new Set(text.match(/turn-\S+/g))];
      return (await bench.call('undo_changes', { ids: turns })).text;
    };
    const open = () => memoryBench(FILES, { settings: { tools: { delete: 'allow' } } });

    it('a place that an earlier step of the undo makes free', async () => {
      const bench = open();
      const before = textsIn(bench);
      await bench.call('move', { source: 'Lists/Shopping.md', destination: 'Food.md' });
      await bench.call('write_file', { path: 'Lists/Shopping.md', content: 'See Food.\n' });
      expect(await undoAll(bench)).not.toContain('Not undone');
      expect(textsIn(bench)).toEqual(before);
    });

    it('notes that exchanged their names, and a folder that was deleted and made again', async () => {
      const bench = open();
      const before = textsIn(bench);
      const [one, other] = ['Lists/Reading.md', 'Lists/Shopping.md'];
      await bench.call('move', { source: one, destination: 'T.md' });
      await bench.call('move', { source: other, destination: one });
      await bench.call('move', { source: 'T.md', destination: other });
      await bench.call(...swap(one, 'bread', 'rye'));
      await bench.call('delete', { path: 'Lists' });
      await bench.call('write_file', { path: one, content: 'new\n' });
      expect(await undoAll(bench)).not.toContain('Not undone');
      expect(textsIn(bench)).toEqual(before);
    });

    it('a note that the user made at the old place', async () => {
      const bench = open();
      await bench.call('move', { source: 'Lists/Shopping.md', destination: 'Food.md' });
      bench.notes.put('Lists/Shopping.md', 'mine\n');
      expect(await undoAll(bench)).toContain('Something else is at Lists/Shopping.md now.');
      expect(textsIn(bench)).toMatchObject({
        'Lists/Shopping.md': 'mine\n',
        'Food.md': '- bread\n',
      });
    });

    it('a note that is removed again wherever it was moved', async () => {
      const bench = open();
      await bench.call('write_file', { path: 'New/Idea.md', content: 'Beans.\n' });
      await bench.call('move', { source: 'New/Idea.md', destination: 'Beans.md' });
      bench.notes.put('New/Idea.md', 'mine\n');
      expect(await undoAll(bench)).not.toContain('Not undone');
      expect(textsIn(bench)).toEqual({ ...FILES, 'New/Idea.md': 'mine\n' });
    });
  });
});
