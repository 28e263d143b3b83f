import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change, ChangeFate, Effect } from '#model/change';
import type { NoteVault } from '#ports/vault';
import { applyChange, recoverChange } from '#edits/apply-change';
import { ChangeLog } from '#edits/change-log';
import { cases } from '../cases';
import { memoryStore } from '../builders/fake-storage';
import { change, DEVICE } from './changes';
import { tinyVault, type TinyVault } from './vault';

const changeLog = () => new ChangeLog(memoryStore(), 'ledger', DEVICE);
const recover = (made: Change, vault: TinyVault) => recoverChange(made, changeLog(), vault);

const WRITE: Effect = { kind: 'write', path: 'A.md', before: 'old text', after: 'new text' };
const CREATE: Effect = { kind: 'create', path: 'A.md', after: 'new text' };
const APPEND: Effect = { kind: 'write', path: 'A.md', before: 'one\n', after: 'one\ntwo\n' };
const DELETE: Effect = { kind: 'delete', path: 'A.md', before: 'old text' };
const MOVE: Effect = { kind: 'move', path: 'A.md', to: 'B.md' };
const FOLDER: Effect = { kind: 'folder', path: 'Lists' };

/** Change, texts in the vault, fate of the change, and text of the note after recovery. */
const TABLE: readonly [Effect, Record<string, string>, ChangeFate, string | undefined][] = [
  [WRITE, { 'A.md': 'new text' }, 'done', 'new text'],
  [WRITE, { 'A.md': 'old text' }, 'not-done', 'old text'],
  [WRITE, { 'A.md': '' }, 'finished-now', 'new text'],
  [WRITE, { 'A.md': 'new' }, 'finished-now', 'new text'],
  [WRITE, { 'A.md': 'newer' }, 'unknown', 'newer'],
  [WRITE, { 'A.md': 'new text and mine' }, 'unknown', 'new text and mine'],
  [WRITE, { 'A.md': 'old text and mine' }, 'unknown', 'old text and mine'],
  [WRITE, {}, 'unknown', undefined],
  [CREATE, { 'A.md': 'new text' }, 'done', 'new text'],
  [CREATE, {}, 'not-done', undefined],
  [CREATE, { 'A.md': '' }, 'finished-now', 'new text'],
  [CREATE, { 'A.md': 'new t' }, 'finished-now', 'new text'],
  [CREATE, { 'A.md': 'somebody else’s' }, 'unknown', 'somebody else’s'],
  // A cut append leaves the beginning of the new text, and so does the old text itself.
  [APPEND, { 'A.md': 'one\n' }, 'not-done', 'one\n'],
  [APPEND, { 'A.md': 'one\ntw' }, 'finished-now', 'one\ntwo\n'],
  [APPEND, { 'A.md': 'on' }, 'finished-now', 'one\ntwo\n'],
  [{ ...WRITE, before: '' }, { 'A.md': '' }, 'not-done', ''],
  [{ ...WRITE, after: '' }, { 'A.md': '' }, 'done', ''],
  [{ ...CREATE, after: '' }, { 'A.md': '' }, 'done', ''],
  [DELETE, {}, 'done', undefined],
  [DELETE, { 'A.md': 'old text' }, 'not-done', 'old text'],
  [MOVE, { 'A.md': 'x' }, 'not-done', 'x'],
  [MOVE, { 'B.md': 'x' }, 'done', undefined],
  [MOVE, { 'A.md': 'x', 'B.md': 'x' }, 'unknown', 'x'],
  [MOVE, {}, 'unknown', undefined],
];

describe('recoverChange', () => {
  it.each(TABLE)(
    'recoverChange of %o with %o in the vault returns %s',
    async (effect, texts, fate, now) => {
      const vault = tinyVault(texts);
      expect(await recover(change(effect), vault)).toBe(fate);
      expect(vault.texts.get('A.md')).toBe(now);
    },
  );

  it('recoverChange of a new folder checks whether the folder exists', async () => {
    expect(await recover(change(FOLDER), tinyVault({}, ['Lists']))).toBe('done');
    expect(await recover(change(FOLDER), tinyVault())).toBe('not-done');
    expect(await recover(change(FOLDER), tinyVault({ Lists: 'a file' }))).toBe('not-done');
  });

  it('recoverChange returns unknown if the note cannot be read or completed', async () => {
    const vault = tinyVault({ 'A.md': 'new' });
    vault.refuse = { kind: 'disk', detail: 'locked', full: false };
    expect(await recover(change(WRITE), vault)).toBe('unknown');
    const full = tinyVault({ 'A.md': 'new' });
    full.onAct = () => {
      full.refuse = { kind: 'disk', detail: 'full', full: true };
    };
    expect(await recover(change(WRITE), full)).toBe('unknown');
    expect(full.texts.get('A.md')).toBe('new');
  });

  it('recoverChange records the fate in the change log', async () => {
    const kept = changeLog();
    const made = change(WRITE);
    await kept.intend(made);
    await recoverChange(made, kept, tinyVault({ 'A.md': '' }));
    expect(await kept.ofCall(made.origin.call!)).toEqual([{ change: made, fate: 'finished-now' }]);
  });

  it('recoverChange completes a write that was cut at any byte, even within a character', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, text, fc.nat(), async (before, after, at) => {
        const bytes = new TextEncoder().encode(after);
        const cut = bytes.slice(0, at % (bytes.length + 1));
        // Obsidian reads an incomplete character as a replacement character.
        const found = new TextDecoder('utf-8', { ignoreBOM: true }).decode(cut);
        const vault = tinyVault({ 'A.md': found });
        const made = change({ kind: 'write', path: 'A.md', before, after });
        const fate = await recover(made, vault);
        const now = vault.texts.get('A.md');
        expect(['done', 'not-done', 'finished-now']).toContain(fate);
        expect(now).toBe(fate === 'not-done' ? before : after);
      }),
      cases,
    );
  });

  it('recoverChange never overwrites a text that is neither the old nor the beginning of the new one', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (before, after, now) => {
        const vault = tinyVault({ 'A.md': now });
        const made = change({ kind: 'write', path: 'A.md', before, after });
        await recover(made, vault);
        const kept = vault.texts.get('A.md');
        expect(kept === now || after.startsWith(now.replace(/\uFFFD+$/, ''))).toBe(true);
      }),
      cases,
    );
  });
});

describe('applyChange', () => {
  it.each<[Effect, Record<string, string>, Record<string, string>]>([
    [WRITE, { 'A.md': 'old text' }, { 'A.md': 'new text' }],
    [CREATE, {}, { 'A.md': 'new text' }],
    [DELETE, { 'A.md': 'old text' }, {}],
    [MOVE, { 'A.md': 'x' }, { 'B.md': 'x' }],
  ])('applyChange of %o to %o results in %o', async (effect, texts, left) => {
    const vault = tinyVault(texts);
    const kept = changeLog();
    const made = change(effect);
    expect(await applyChange(made, kept, vault)).toMatchObject({ ok: true });
    expect(Object.fromEntries(vault.texts)).toEqual(left);
    expect(await kept.ofCall(made.origin.call!)).toEqual([{ change: made, fate: 'done' }]);
    // After a crash before the fate was saved, recovery finds the same fate.
    expect(await recover(made, vault)).toBe('done');
  });

  describe('A write that fails halfway', () => {
    const full = { kind: 'disk', detail: 'no space left', full: true } as const;
    /** The first write leaves `left` and fails; `later` says whether the next ones work. */
    const breaking = (left: string, later: 'works' | 'fails') => {
      const vault = tinyVault({ 'A.md': 'old text' });
      let writes = 0;
      const notes: NoteVault = {
        ...vault,
        read: vault.read.bind(vault),
        change: async (path, before, after) => {
          writes += 1;
          if (writes > 1 && later === 'works') return vault.change(path, before, after);
          if (writes === 1) vault.texts.set(path, left);
          return { ok: false, reason: full };
        },
      };
      return { vault, notes };
    };

    it.each(['', 'new', 'new te'])(
      'applyChange restores the old text if the failed write left %j',
      async (left) => {
        const { vault, notes } = breaking(left, 'works');
        const made = change(WRITE);
        const kept = changeLog();
        expect(await applyChange(made, kept, notes)).toEqual({ ok: false, reason: full });
        expect(vault.texts.get('A.md')).toBe('old text');
        expect(await kept.ofCall(made.origin.call!)).toMatchObject([{ fate: 'not-done' }]);
      },
    );

    it('applyChange reports an incomplete note and keeps both texts in the change log if restoring fails, too', async () => {
      const { notes } = breaking('new', 'fails');
      const made = change(WRITE);
      const kept = changeLog();
      expect(await applyChange(made, kept, notes)).toEqual({ ok: false, reason: { kind: 'cut' } });
      expect(await kept.ofCall(made.origin.call!)).toEqual([{ change: made, fate: 'unknown' }]);
    });

    it('applyChange succeeds if the failed write left the complete text', async () => {
      const { notes } = breaking('new text', 'fails');
      expect(await applyChange(change(WRITE), changeLog(), notes)).toMatchObject({ ok: true });
    });
  });

  it('applyChange creates a folder', async () => {
    const vault = tinyVault();
    await applyChange(change(FOLDER), changeLog(), vault);
    expect(vault.folders).toContain('Lists');
  });
});
