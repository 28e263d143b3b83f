/** Contract of `NoteVault`, checked for the in-memory vault and for Obsidian over a real folder. */
import { describe, expect, it } from 'vitest';
import type { NoteEvent, NoteVault } from '#ports/vault';
import { MemoryNotes, type NoteFiles } from '../builders/fake-vault';
import { BENCHES, type ToolBench } from '../builders/tools';

describe.each(BENCHES)('Vault %s', (_, open) => {
  async function over(
    files: NoteFiles,
    ask: (notes: NoteVault, trashTo: ToolBench['trashTo']) => Promise<void>,
  ): Promise<void> {
    await using bench = await open(files);
    await ask(bench.notes, bench.trashTo);
  }

  async function textOf(notes: NoteVault, path: string): Promise<string> {
    const read = await notes.read(path);
    return read.ok ? read.value.text : `(${read.reason.kind})`;
  }

  async function bytesOf(notes: NoteVault, path: string): Promise<number[]> {
    const read = await notes.readBinary(path);
    return read.ok ? [...new Uint8Array(read.value)] : [];
  }

  const paths = (notes: NoteVault) =>
    notes
      .list()
      .map(({ path, kind }) => (kind === 'folder' ? `${path}/` : path))
      .sort();

  it('list returns files and folders, even empty ones, but not the root or hidden files', () =>
    over({ 'a/b/c.md': 'c', 'Empty/': '', '.git/config': 'x', 'a/.env': 'x' }, async (notes) => {
      expect(paths(notes)).toEqual(['Empty/', 'a/', 'a/b/', 'a/b/c.md']);
      expect(notes.get('')).toBeUndefined();
      expect(notes.get('.git/config')).toBeUndefined();
      expect(notes.get('a/.env')).toBeUndefined();
      expect(notes.get('A/b')).toBeUndefined();
      expect(notes.get('a/b')).toEqual({
        ...{ path: 'a/b', kind: 'folder', size: 0, created: 0, modified: 0 },
      });
      expect(await textOf(notes, '.git/config')).toBe('(missing)');
    }));

  it('get returns size in bytes and times', () =>
    over({ 'Note.md': 'é\n', 'Later.md': '' }, async (notes) => {
      const [first, later] = [notes.get('Note.md'), notes.get('Later.md')];
      expect(first).toMatchObject({ kind: 'file', size: 3 });
      expect(later?.modified).toBe((first?.modified ?? 0) + 60_000);
      expect(first?.created).toBeGreaterThan(0);
    }));

  it('read returns every character of the text', () =>
    over(
      { 'a.md': '\uFEFFone\r\ntwo', 'b.md': '', 'c.txt': '\u2028👩‍🚀\r', 'd.tex': 'é' },
      async (notes) => {
        expect(await textOf(notes, 'a.md')).toBe('\uFEFFone\r\ntwo');
        expect(await textOf(notes, 'b.md')).toBe('');
        expect(await textOf(notes, 'c.txt')).toBe('\u2028👩‍🚀\r');
        expect(await textOf(notes, 'd.tex')).toBe('é');
        expect(await notes.read('a.md')).toMatchObject({ ok: true, value: { unsaved: false } });
      },
    ));

  it('read reports files that are not text', () =>
    over(
      {
        'latin.md': Uint8Array.of(0x67, 0xfc, 0x6e),
        'utf16.md': Uint8Array.of(0xff, 0xfe, 0x61, 0x00),
        'nul.md': Uint8Array.of(0x61, 0x00, 0x62),
        'picture.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x00),
        'mark.md': 'a \uFFFD that is really there',
      },
      async (notes) => {
        for (const path of ['latin.md', 'utf16.md', 'nul.md', 'picture.png']) {
          expect(await textOf(notes, path)).toBe('(not-text)');
        }
        expect(await textOf(notes, 'mark.md')).toBe('a \uFFFD that is really there');
        const bytes = await notes.readBinary('picture.png');
        expect(bytes.ok && [...new Uint8Array(bytes.value)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0]);
        expect(await notes.readBinary('none.png')).toMatchObject({ reason: { kind: 'missing' } });
      },
    ));

  it('create makes parent folders, and never overwrites', () =>
    over({ 'Note.md': 'old' }, async (notes) => {
      expect(await notes.create('x/y/New.md', 'new\r\n')).toEqual({ ok: true, value: undefined });
      expect(await textOf(notes, 'x/y/New.md')).toBe('new\r\n');
      expect(paths(notes)).toEqual(['Note.md', 'x/', 'x/y/', 'x/y/New.md']);
      expect(await notes.create('Note.md', 'new')).toMatchObject({ reason: { kind: 'exists' } });
      expect(await notes.create('x/y', 'new')).toMatchObject({ reason: { kind: 'exists' } });
      expect(await notes.create('Note.md/New.md', 'new')).toMatchObject({ ok: false });
      expect(await textOf(notes, 'Note.md')).toBe('old');
    }));

  it('change writes only if the note still has the expected text', () =>
    over({ 'Note.md': 'one\r\n' }, async (notes) => {
      expect(await notes.change('Note.md', 'one\r\n', 'two')).toMatchObject({ ok: true });
      expect(await textOf(notes, 'Note.md')).toBe('two');
      expect(await notes.change('Note.md', 'one\r\n', 'three')).toEqual({
        ok: false,
        reason: { kind: 'changed', now: 'two' },
      });
      expect(await textOf(notes, 'Note.md')).toBe('two');
      expect(await notes.change('None.md', '', 'x')).toMatchObject({
        reason: { kind: 'missing' },
      });
    }));

  it('files made at the same moment share their new folders', () =>
    over({}, async (notes) => {
      for (let rounds = 0; rounds < 8; rounds += 1) {
        const first = notes.create(`${rounds}/y/One.md`, '1');
        for (let round = 0; round < rounds; round += 1) await new Promise(setImmediate);
        const made = await Promise.all([first, notes.create(`${rounds}/y/Two.md`, '2')]);
        expect(made.map(({ ok }) => ok)).toEqual([true, true]);
        expect(notes.get(`${rounds}/y/Two.md`)).toBeDefined();
      }
    }));

  it('createFolder makes parent folders, and reports an existing file or folder', () =>
    over({ 'a/b.md': '' }, async (notes) => {
      expect(await notes.createFolder('x/y/z')).toMatchObject({ ok: true });
      expect(paths(notes)).toEqual(['a/', 'a/b.md', 'x/', 'x/y/', 'x/y/z/']);
      expect(await notes.createFolder('a')).toMatchObject({ reason: { kind: 'exists' } });
      expect(await notes.createFolder('a/b.md')).toMatchObject({ reason: { kind: 'exists' } });
      expect(await notes.createFolder('a/b.md/c')).toMatchObject({ ok: false });
    }));

  it('move updates links, makes parent folders, and never overwrites', () =>
    over(
      {
        'In/Idea.md': '',
        'In/Other.md': '[[Idea]]',
        'A.md': '[[In/Idea|it]] and [[Idea]] and [[Else]]',
        'Taken.md': '',
      },
      async (notes) => {
        expect(await notes.move('In/Idea.md', 'Out/Far/Plan.md')).toMatchObject({ ok: true });
        expect(notes.get('In/Idea.md')).toBeUndefined();
        expect(await textOf(notes, 'A.md')).toBe('[[Plan|it]] and [[Plan]] and [[Else]]');
        expect(await textOf(notes, 'In/Other.md')).toBe('[[Plan]]');
        expect(await notes.move('Out/Far/Plan.md', 'Taken.md')).toMatchObject({
          reason: { kind: 'exists' },
        });
        expect(await notes.move('None.md', 'x.md')).toMatchObject({ reason: { kind: 'missing' } });
        expect(await notes.move('A.md', 'Taken.md/A.md')).toMatchObject({ ok: false });
        expect(paths(notes)).toContain('A.md');
      },
    ));

  it('move moves folders with their contents, and can change only the case of a name', () =>
    over({ 'in/a.md': 'a', 'in/deep/b.md': 'b', 'in/empty/': '' }, async (notes) => {
      expect(await notes.move('in', 'In')).toMatchObject({ ok: true });
      expect(await notes.move('In/a.md', 'In/A.md')).toMatchObject({ ok: true });
      expect(paths(notes)).toEqual(['In/', 'In/A.md', 'In/deep/', 'In/deep/b.md', 'In/empty/']);
      expect(await textOf(notes, 'In/A.md')).toBe('a');
    }));

  it('trash deletes a file or a folder with its contents', () =>
    over({ 'a/b.md': '', 'a/c/d.md': '', 'e.md': '' }, async (notes) => {
      expect(await notes.trash('a')).toMatchObject({ ok: true });
      expect(paths(notes)).toEqual(['e.md']);
      expect(await notes.trash('a')).toMatchObject({ reason: { kind: 'missing' } });
    }));

  it("trash uses the user's trash option, and restore returns files from the vault's own trash", () =>
    over(
      { 'a/b.md': 'b', 'a/p.png': Uint8Array.of(0, 255), 'a/e/': '', 'c.md': 'c' },
      async (notes, trashTo) => {
        expect(notes.trashGoes()).toBe('system');
        trashTo('nowhere');
        expect(notes.trashGoes()).toBe('nowhere');
        trashTo('vault');
        expect(notes.trashGoes()).toBe('vault');
        const first = await notes.trash('c.md');
        await notes.create('c.md', 'another');
        const second = await notes.trash('c.md');
        expect(first).toEqual({ ok: true, value: '.trash/c.md' });
        expect(second.ok && second.value).toMatch(/^\.trash\/c .*\.md$/);
        expect(await notes.restore('.trash/c.md', 'x/d.md', [])).toMatchObject({ ok: true });
        expect(await textOf(notes, 'x/d.md')).toBe('c');
        expect(await notes.restore('.trash/c.md', 'e.md', [])).toMatchObject({
          reason: { kind: 'missing' },
        });
        const folder = await notes.trash('a');
        const place = (folder.ok && folder.value) || '';
        await notes.create('a/b.md', 'in the way');
        expect(await notes.restore(place, 'a', [])).toMatchObject({ reason: { kind: 'exists' } });
        expect(paths(notes)).toEqual(['a/', 'a/b.md', 'x/', 'x/d.md']);
        await notes.trash('a');
        // Left by an interrupted restore.
        await notes.create('a/b.md', '');
        expect(await notes.restore(place, 'a', [])).toMatchObject({ ok: true });
        expect(paths(notes)).toEqual(['a/', 'a/b.md', 'a/e/', 'a/p.png', 'x/', 'x/d.md']);
        expect(await textOf(notes, 'a/b.md')).toBe('b');
        expect(await bytesOf(notes, 'a/p.png')).toEqual([0, 255]);
      },
    ));

  it('restore does not restore another file than the deleted one', () =>
    over({ 'a.md': 'one', 'f/b.png': Uint8Array.of(0, 255) }, async (notes, trashTo) => {
      trashTo('vault');
      await notes.trash('a.md');
      await notes.trash('f');
      const went = { size: 3, kept: null };
      const other = [{ ...went, path: 'a.md', text: 'two' }];
      const missing = { reason: { kind: 'missing' } };
      expect(await notes.restore('.trash/a.md', 'a.md', other)).toMatchObject(missing);
      expect(await notes.restore('.trash/f', 'f', [{ ...went, path: 'f/b.png' }])).toMatchObject(
        missing,
      );
      expect(paths(notes)).toEqual([]);
      const same = [{ ...went, path: 'a.md', text: 'one' }];
      expect(await notes.restore('.trash/a.md', 'a.md', same)).toMatchObject({ ok: true });
      expect(await textOf(notes, 'a.md')).toBe('one');
    }));

  it('putBack writes bytes, completes a cut file, and never overwrites another one', () =>
    over({ 'cut.png': Uint8Array.of(1), 'other.png': Uint8Array.of(9) }, async (notes) => {
      const whole = Uint8Array.of(1, 2, 255).buffer;
      for (const path of ['new/a.png', 'new/a.png', 'cut.png']) {
        expect(await notes.putBack(path, whole)).toMatchObject({ ok: true });
        expect(await bytesOf(notes, path)).toEqual([1, 2, 255]);
      }
      for (const path of ['other.png', 'new']) {
        expect(await notes.putBack(path, whole)).toMatchObject({ reason: { kind: 'exists' } });
      }
      expect(await bytesOf(notes, 'other.png')).toEqual([9]);
    }));

  it('onChange reports every change until it is unsubscribed', () =>
    over({ 'a.md': 'one', 'f/b.md': '' }, async (notes) => {
      const told: NoteEvent[] = [];
      const stop = notes.onChange((event) => told.push(event));
      await notes.change('a.md', 'one', 'two');
      await notes.create('new/c.md', '');
      await notes.move('a.md', 'A2.md');
      await notes.move('f', 'g');
      await notes.trash('g');
      stop();
      await notes.trash('A2.md');
      const said = told.map((event) =>
        'from' in event ? `${event.from} > ${event.path}` : `${event.kind} ${event.path}`,
      );
      const wanted = [
        ...['changed a.md', 'created new', 'created new/c.md', 'a.md > A2.md'],
        ...['f > g', 'f/b.md > g/b.md', 'removed g/b.md', 'removed g'],
      ];
      expect(said.filter((each) => wanted.includes(each))).toEqual(wanted);
      expect(said.filter((each) => each.startsWith('removed A2'))).toEqual([]);
    }));

  it('holdsHidden finds a hidden file in a folder, except for .DS_Store', () =>
    over(
      { 'a/b/.git/config': 'x', 'c/d.md': '', 'litter/.DS_Store': '', 'e/': '' },
      async (notes) => {
        expect(await notes.holdsHidden('a')).toMatch(/^a\/b\/\.git/);
        expect(await notes.holdsHidden('c')).toBeNull();
        expect(await notes.holdsHidden('litter')).toBeNull();
        expect(await notes.holdsHidden('e')).toBeNull();
      },
    ));

  it('escapes and escaping find nothing in a vault without symbolic links', () =>
    over({ 'a/b.md': '' }, async (notes) => {
      for (const path of ['a', 'a/b.md', 'a/none.md', 'none/none.md']) {
        expect(await notes.escapes(path, true)).toBeNull();
        expect(await notes.escapes(path, false)).toBeNull();
      }
      expect([...(await notes.escaping())]).toEqual([]);
      expect(notes.unsaved()).toEqual([]);
    }));
});

describe('The in-memory vault', () => {
  it('a crash during a write of the in-memory vault leaves the beginning of the new text', async () => {
    const notes = new MemoryNotes({ 'a.md': 'before' });
    notes.crashInNextWrite(3);
    let ended = false;
    void notes.change('a.md', 'before', 'the after').then(() => (ended = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(notes.text('a.md')).toBe('the');
    expect(ended).toBe(false);
  });

  it('the in-memory vault reads unsaved text of an editor, and a change saves it', async () => {
    const notes = new MemoryNotes({ 'a.md': 'saved' });
    notes.type('a.md', 'typed');
    expect(notes.unsaved()).toEqual(['a.md']);
    expect(await notes.read('a.md')).toEqual({ ok: true, value: { text: 'typed', unsaved: true } });
    expect(await notes.change('a.md', 'saved', 'x')).toMatchObject({ reason: { now: 'typed' } });
    expect(await notes.change('a.md', 'typed', 'changed')).toMatchObject({ ok: true });
    expect(notes.text('a.md')).toBe('changed');
    expect(notes.unsaved()).toEqual([]);
  });

  it('the in-memory vault resolves symbolic links for every path below them', async () => {
    const notes = new MemoryNotes({ 'out/a.md': '' });
    notes.link('out', '/elsewhere');
    expect(await notes.escapes('out/a.md')).toBe('/elsewhere/a.md');
    expect([...(await notes.escaping())]).toEqual(['out']);
    expect(await notes.escapes('outer')).toBeNull();
  });
});
