import { describe, expect, it } from 'vitest';
import { BENCHES, memoryBench } from '#tests/builders/tools';
import { FIXTURE } from '#tests/tools/fixture-vault';

const KEPT = 'It goes to the system trash. Parley keeps a copy, so undo brings it back.';

/** The stand-in for Obsidian has no system trash. */
const SYSTEM_TRASH: Readonly<Record<string, string>> = {
  'in memory': 'it went to the system trash',
  'in a folder': 'it went to the .trash folder of the vault',
};

describe.each(BENCHES)('delete %s', (where, open) => {
  it('delete asks for approval with the size, the links that would break and whether undo is possible', async () => {
    await using bench = await open({ ...FIXTURE, 'A.md': '[[Compost]] ![[Notes/Compost]]' });
    expect(await bench.approvalOf('delete', { path: 'compost' })).toMatchObject({
      title: 'Delete “Compost” in Notes?',
      lines: [
        'A note of 5 lines, 33 characters, last changed November 12, 2026.',
        '2 notes link to it, and 3 links would be broken: in A.md, Notes/Tomatoes.md.',
        KEPT,
      ],
      choices: ['delete', 'keep'],
    });
    expect(await bench.approvalOf('delete', { path: 'Home' })).toMatchObject({
      title: 'Delete Home?',
      lines: [
        'The folder contains 1 file and 1 folder: Home/Plan.md.',
        'No other note links to notes in it.',
        KEPT,
      ],
    });
    expect(await bench.approvalOf('delete', { path: 'photo' })).toMatchObject({
      lines: [
        'A file of 12 bytes, last changed November 12, 2026.',
        'No other note links to it.',
        KEPT,
      ],
    });
    expect(await bench.approvalOf('delete', { path: 'Old' })).toMatchObject({
      lines: ['An empty folder.', expect.anything(), expect.anything()],
    });
    expect(bench.notes.get('Notes/Compost.md')).toBeDefined();
  });

  it('delete deletes only if the user approves', async () => {
    await using bench = await open(FIXTURE);
    const keep = await bench.approvalOf('delete', { path: 'Compost' });
    expect(await bench.confirm(keep, 'keep', 'I need it')).toEqual({
      text: 'The user denied delete: I need it. Nothing was changed. Do not try another way.',
      failed: true,
      details: { kind: 'declined' },
    });
    expect(bench.notes.get('Notes/Compost.md')).toBeDefined();
    const card = await bench.approvalOf('delete', { path: 'Compost' });
    expect(await bench.confirm(card, 'delete')).toMatchObject({
      text: `Found as \`Notes/Compost.md\`.\nDeleted Notes/Compost.md; ${SYSTEM_TRASH[where]}. The user can undo it. 1 link in Notes/Tomatoes.md led to it; find_dead_links lists what is broken now.`,
      details: { changes: [{ kind: 'delete', path: 'Notes/Compost.md', removed: 5 }] },
    });
    expect(bench.notes.get('Notes/Compost.md')).toBeUndefined();
    expect(await bench.expectSuccess('delete', { path: 'Notes' })).toContain(
      'Deleted Notes with everything in it',
    );
    expect(bench.notes.get('Notes/Tomatoes.md')).toBeUndefined();
    expect(await bench.expectSuccess('delete', { path: 'Old' })).toMatch(/^Deleted Old; /);
  });

  it.each([
    [
      'vault',
      'It goes to the .trash folder of the vault. Undo brings it back.',
      'it went to the .trash folder of the vault. The user can undo it.',
    ],
    [
      'nowhere',
      'It is deleted permanently. Parley keeps a copy, so undo brings it back.',
      'it was deleted permanently. The user can undo it.',
    ],
  ] as const)(
    'delete says what happens to the file if the trash is: %s',
    async (goes, expected, after) => {
      await using bench = await open(FIXTURE);
      bench.trashTo(goes);
      const card = await bench.approvalOf('delete', { path: 'Home' });
      expect(card.lines.at(-1)).toBe(expected);
      expect((await bench.confirm(card, 'delete')).text).toContain(after);
    },
  );

  it('delete counts the cards of canvases among the links', async () => {
    const nodes = [{ id: '1', type: 'file', file: 'B.md', x: 0, y: 0, width: 1, height: 1 }];
    const canvas = JSON.stringify({ nodes, edges: [] });
    await using bench = await open({ 'A.md': '[[B]]', 'B.md': '', 'Map.canvas': canvas });
    const card = await bench.approvalOf('delete', { path: 'B.md' });
    expect(card.lines[1]).toBe(
      '2 files link to it, and 2 links would be broken: in A.md, Map.canvas.',
    );
    expect((await bench.confirm(card, 'delete')).text).toContain(
      '2 links in A.md, Map.canvas led to it; find_dead_links lists what is broken now.',
    );
  });

  it.each([
    [{ path: '/' }, "The vault's root can't be deleted."],
    [{ path: 'Plan' }, 'matches several: `Home/Plan.md`, `Work/Plan.md`'],
    [{ path: 'Shoping' }, '`Shoping` does not exist. Close matches: `Lists/Shopping.md`.'],
    [{ path: '.trash' }, 'is protected'],
    [{}, 'Give path or paths.'],
    [{ paths: ['a', 'b'] }, '`a` does not exist'],
  ])('delete refuses %j without asking for approval', async (input, expected) => {
    await using bench = await open(FIXTURE);
    await expect(bench.approvalOf('delete', input)).rejects.toThrow('does not ask');
    expect(await bench.expectFailure('delete', input)).toContain(expected);
  });
});

describe('delete', () => {
  it('delete says that files too large for a copy cannot be restored', async () => {
    const half = new Uint8Array(26_000_000);
    const bench = memoryBench({ 'Films/a.mp4': half, 'Films/b.mp4': half });
    expect((await bench.approvalOf('delete', { path: 'Films/a.mp4' })).lines.at(-1)).toBe(KEPT);
    const card = await bench.approvalOf('delete', { path: 'Films' });
    expect(card.lines.at(-1)).toBe(
      'It goes to the system trash. It is larger than the 50 MB that Parley keeps a copy of, so it can’t be undone.',
    );
    expect((await bench.confirm(card, 'delete')).text).toMatch(/It can’t be undone\.$/);
    bench.trashTo('vault');
    await bench.notes.create('Films/c.txt', '');
    expect((await bench.approvalOf('delete', { path: 'Films' })).lines.at(-1)).toContain(
      'Undo brings',
    );
  });

  it('delete names only the first of many linking notes, and saves the text in the change log', async () => {
    const links = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`N${at}.md`, '[[Gone]]']),
    );
    const bench = memoryBench({ ...links, 'Gone.md': 'the text' });
    const card = await bench.approvalOf('delete', { path: 'Gone.md' });
    expect(card.lines[1]).toBe(
      '8 notes link to it, and 8 links would be broken: in N0.md, N1.md, N2.md, N3.md, N4.md and 3 more.',
    );
    await bench.confirm(card, 'delete');
    expect(bench.notes.trashed).toEqual(['Gone.md']);
    expect(await bench.changeLog.ofCall(card.call)).toMatchObject([
      { change: { kind: 'delete', before: 'the text' }, fate: 'done' },
    ]);
  });
});
