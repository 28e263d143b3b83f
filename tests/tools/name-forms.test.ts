import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChangeId } from '#model/ids';
import { undoChanges } from '#edits/undo';
import { folderBench, type FolderBench } from '#tests/builders/tools';

const decomposed = (text: string) => text.normalize('NFD');
const composed = (text: string) => text.normalize('NFC');

const FILES = {
  [decomposed('Übungen/Größe.md')]: 'Erste Zeile\r\n\r\nZweite Zeile',
  [decomposed('Übungen/Café.md')]: `Siehe [[Größe]] und [[${decomposed('Größe')}|hier]].\n`,
  [decomposed('Übungen/é/ö.png')]: 'no text',
  'Start.md': `[[Übungen/Café]] ![](${encodeURI('Übungen/Größe.md')})\n`,
};

/** The texts of all files on disk, under the names that they have there. */
function onDisk(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.') && statSync(path.join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}

function withComposedNames(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [composed(name), text]));
}

/** Undoes all changes, newest first, and returns what was left. */
async function undoAll({ changeLog, notes, metadata }: FolderBench): Promise<readonly unknown[]> {
  let count = 0;
  const mintChange = () => `undo-${(count += 1)}` as ChangeId;
  const list = await changeLog.changes();
  const deps = { changeLog, notes, metadata, mintChange, now: Date.now };
  return (await undoChanges([...list.all()].reverse(), list, deps)).unapplied;
}

describe.each([
  ['composed', composed],
  ['decomposed', decomposed],
])('with names given in %s form', (_name, form) => {
  test('tools find notes whose names are decomposed on disk', async () => {
    await using bench = await folderBench(FILES);
    for (const given of ['Übungen/Größe.md', 'Größe', '[[Größe]]']) {
      expect(await bench.expectSuccess('read_file', { path: form(given) })).toContain(
        '3: Zweite Zeile',
      );
    }
    const calls: [string, object][] = [
      ['list_files', { path: form('Übungen'), pattern: form('Grö*') }],
      ['search_files', { pattern: 'Zeile', file_pattern: form('Übungen/*.md') }],
      ['search_vault', { query: form('Größe') }],
      ['get_links', { path: form('Café') }],
      ['get_file_info', { path: form('Café') }],
    ];
    for (const [name, input] of calls)
      expect(await bench.expectSuccess(name, input)).toContain('Übungen/Größe.md');
    expect(await bench.expectSuccess('find_dead_links', {})).toContain('No broken links');
  });

  test('a change keeps the decomposed name on disk, and its undo restores every byte', async () => {
    await using bench = await folderBench(FILES);
    const note = form('Übungen/Größe.md');
    const edits = [{ old_text: 'Erste', new_text: 'Neue' }];
    await bench.expectSuccess('edit_file', { path: note, edits });
    await bench.expectSuccess('update_properties', { path: note, set: { a: 1 } });
    await bench.expectSuccess('link_notes', { source: note, target: form('Café') });
    await bench.expectSuccess('read_file', { path: form('Übungen/Café.md') });
    await bench.expectSuccess('write_file', { path: form('Übungen/Café.md'), content: 'neu' });
    const names = Object.keys(FILES).sort();
    expect(Object.keys(onDisk(bench.folder)).sort()).toEqual(names);
    expect(await undoAll(bench)).toEqual([]);
    expect(onDisk(bench.folder)).toEqual(FILES);
  });

  test.each(['vault', 'system', 'nowhere'] as const)(
    'undo brings back moved and deleted files with their links, where deleted files go to: %s',
    async (trash) => {
      await using bench = await folderBench(FILES);
      bench.trashTo(trash);
      const moved = { source: form('Größe'), destination: form('Übungen/Maß.md') };
      expect(await bench.expectSuccess('move', moved)).toContain('3 links in 2 notes now point');
      await bench.expectSuccess('move', { source: form('Übungen'), destination: form('Çöp') });
      await bench.expectSuccess('delete', { path: form('Çöp/Café') });
      await bench.expectSuccess('delete', { path: form('Çöp') });
      expect(Object.keys(onDisk(bench.folder))).toEqual(['Start.md']);
      expect(await undoAll(bench)).toEqual([]);
      expect(withComposedNames(onDisk(bench.folder))).toEqual(withComposedNames(FILES));
    },
  );
});

test('a path with no-break spaces names the file that has plain ones in Obsidian', async () => {
  await using bench = await folderBench({ 'Shot 3\u202fPM.md': 'one' });
  for (const given of ['Shot 3\u202fPM.md', 'Shot\u00a03\u00a0PM'])
    expect(await bench.expectSuccess('read_file', { path: given })).toContain('1: one');
  const made = await bench.expectSuccess('write_file', { path: 'a\u00a0b.md', content: 'two' });
  expect(made).toContain('Created a b.md');
  expect(await bench.textOf('a b.md')).toBe('two');
});
