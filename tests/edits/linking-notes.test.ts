import { describe, expect, it } from 'vitest';
import type { Effect } from '#model/change';
import { type Metadata, NOTE_KEYS } from '#ports/metadata';
import type { LinkCounts } from '#text/link-reader';
import { NO_METADATA } from '../builders/fake-metadata';
import { linkingNotes, repairLinkingNotes, notesNotRewritten } from '#edits/linking-notes';
import { ChangeLog } from '#edits/change-log';
import { memoryStore } from '../builders/fake-storage';
import { change, DEVICE } from './changes';
import { tinyVault } from './vault';

const BEFORE = '---\nup: "[[In/A]]"\n---\nSee [[In/A|it]] and [it](In/A.md).\n\nThe end: [[In/A]]';
const AFTER = BEFORE.replaceAll('In/A', 'Out/A');

const moved = (from: string, to: string, linking: Record<string, string>) =>
  change({
    kind: 'move',
    path: from,
    to,
    linking: Object.entries(linking).map(([path, before]) => ({ path, before })),
  } satisfies Effect) as Extract<ReturnType<typeof change>, { kind: 'move' }>;
const changeLog = new ChangeLog(memoryStore(), 'ledger', DEVICE);
const MOVE = moved('In/A.md', 'Out/A.md', { 'B.md': BEFORE });

describe('Notes that link to a moved note', () => {
  it('repairLinkingNotes restores a note whose rewrite was cut off anywhere', async () => {
    for (let length = 0; length < AFTER.length; length += 1) {
      const vault = tinyVault({ 'B.md': AFTER.slice(0, length) });
      await repairLinkingNotes(MOVE, changeLog, vault);
      expect(vault.texts.get('B.md')).toBe(BEFORE);
    }
  });

  it('repairLinkingNotes restores a note that was cut off in a link with parentheses', async () => {
    const before =
      'The [[In/A (1)|a (b)]] ![a](In/A%20(1).md#b(c)d) [a](In/A((1)).md "t") [a](<In/A (1).md>)';
    const after = before.replaceAll('In/A', 'Out/A');
    for (let length = 0; length < after.length; length += 1) {
      const vault = tinyVault({ 'B.md': after.slice(0, length) });
      await repairLinkingNotes(
        moved('In/A (1).md', 'Out/A (1).md', { 'B.md': before }),
        changeLog,
        vault,
      );
      expect(vault.texts.get('B.md'), after.slice(0, length)).toBe(before);
    }
    const other = 'Not a [link](In A.md) here';
    const vault = tinyVault({ 'B.md': 'Not a [link](In A.md) by me' });
    await repairLinkingNotes(
      moved('In/A (1).md', 'Out/A (1).md', { 'B.md': other }),
      changeLog,
      vault,
    );
    expect(vault.texts.get('B.md')).toBe('Not a [link](In A.md) by me');
  });

  it('repairLinkingNotes restores a note that was cut off after the text of a link was renamed', async () => {
    const before = 'See [Old](In/Old.md) and ![[In/Old|Old]], then [it](In/Old.md).\n';
    const after = before.replaceAll('In/', 'Out/').replaceAll('Old', 'New');
    for (let length = 0; length < after.length; length += 1) {
      const vault = tinyVault({ 'B.md': after.slice(0, length) });
      await repairLinkingNotes(
        moved('In/Old.md', 'Out/New.md', { 'B.md': before }),
        changeLog,
        vault,
      );
      expect(vault.texts.get('B.md'), after.slice(0, length)).toBe(before);
    }
  });

  it('repairLinkingNotes restores a canvas that was cut off', async () => {
    const before = '{"nodes":[{"file":"In/A.md"}]}';
    const move = moved('In/A.md', 'Out/A.md', { 'M.canvas': before });
    const after = JSON.stringify({ nodes: [{ file: 'Out/A.md' }] }, null, '\t');
    for (let length = 0; length <= after.length; length += 1) {
      const vault = tinyVault({ 'M.canvas': after.slice(0, length) });
      await repairLinkingNotes(move, changeLog, vault);
      expect(vault.texts.get('M.canvas')).toBe(length < after.length ? before : after);
    }
  });

  it.each([
    ['rewritten', AFTER],
    ['not rewritten', BEFORE],
    ['longer by now', `${AFTER}\nMine.`],
    ['changed by the user', AFTER.replace('See', 'Look at')],
    ['begun otherwise', 'Mine.'],
  ])('repairLinkingNotes leaves a note unchanged if it is %s', async (_how, text) => {
    const vault = tinyVault({ 'B.md': text });
    await repairLinkingNotes(MOVE, changeLog, vault);
    expect(vault.texts.get('B.md')).toBe(text);
  });

  it('repairLinkingNotes finds a linking note that moved along', async () => {
    const move = moved('In', 'Out', { 'In/B.md': BEFORE });
    const vault = tinyVault({ 'Out/B.md': '' });
    await repairLinkingNotes(move, changeLog, vault);
    expect(vault.texts.get('Out/B.md')).toBe(BEFORE);
  });

  it('notRewritten returns the notes that still contain the old path', async () => {
    expect(await notesNotRewritten(MOVE, tinyVault({ 'B.md': BEFORE }))).toEqual(['B.md']);
    expect(await notesNotRewritten(MOVE, tinyVault({ 'B.md': AFTER }))).toEqual([]);
    const byName = moved('In/A.md', 'Out/A.md', { 'B.md': 'See [[A]].' });
    expect(await notesNotRewritten(byName, tinyVault({ 'B.md': 'See [[A]].' }))).toEqual([]);
    const renamed = moved('A.md', 'Z.md', { 'B.md': 'See [[A]].' });
    expect(await notesNotRewritten(renamed, tinyVault({ 'B.md': 'See [[A]].' }))).toEqual(['B.md']);
  });

  it('linkingNotes finds broken links that lead to the moved file afterward', async () => {
    const vault = tinyVault({ 'A.png': '', 'B.md': '![[x/P.png]]', 'C.md': '![[y/P.png]]' });
    const metadata = metadataOf({}, { 'B.md': { 'x/P.png': 1 }, 'C.md': { 'y/P.png': 1 } });
    const move = { kind: 'move', path: 'A.png', to: 'x/P.png' } as const;
    expect(await linkingNotes(move, vault, metadata)).toEqual([
      { path: 'B.md', before: '![[x/P.png]]' },
    ]);
  });

  it('linkingNotes returns the notes whose links the host may rewrite, with their texts', async () => {
    const vault = tinyVault({ 'In/A.md': 'A', 'B.md': BEFORE, 'C.md': 'C', 'M.canvas': '"A"' });
    const metadata: Metadata = {
      ...metadataOf({ 'B.md': { 'In/A.md': 3 }, 'C.md': { 'B.md': 1 }, 'In/A.md': { 'C.md': 1 } }),
      behind: () => new Set(['New.md', 'C.md']),
    };
    const found = await linkingNotes(
      { kind: 'move', path: 'In/A.md', to: 'Out/A.md' },
      vault,
      metadata,
    );
    expect(found).toEqual([
      { path: 'B.md', before: BEFORE },
      { path: 'C.md', before: 'C' },
      { path: 'In/A.md', before: 'A' },
      { path: 'M.canvas', before: '"A"' },
    ]);
  });
});

/** Of notes with these links. */
function metadataOf(resolved: LinkCounts, unresolved: LinkCounts = {}): Metadata {
  const facts: Metadata = {
    ...NO_METADATA,
    linksFrom: (path) => resolved[path] ?? {},
    brokenLinksFrom: (path) => unresolved[path] ?? {},
  };
  return {
    ...facts,
    async notesBy(kind) {
      const found = new Map<string, Set<string>>();
      for (const path of Object.keys({ ...resolved, ...unresolved })) {
        for (const key of NOTE_KEYS[kind](facts, path))
          found.set(key, (found.get(key) ?? new Set()).add(path));
      }
      return found;
    },
  };
}
