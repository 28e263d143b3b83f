import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHost, type TestHost } from '#tests/builders/workbench-host';

function text(host: TestHost, file: string): string {
  return readFileSync(path.join(host.folder, file), 'utf8');
}

async function move(host: TestHost, from: string, to: string): Promise<void> {
  const file = host.app.vault.getAbstractFileByPath(from);
  if (!file) throw new Error(`No ${from}`);
  await host.app.fileManager.renameFile(file, to);
}

describe('renaming files', () => {
  test('renaming a note updates links to it and keeps their heading and alias', async () => {
    await using host = await openHost({
      'Old.md': '',
      'A.md': '[[Old]], [[Old#Head|shown]], ![[Old]], [md](Old.md#x) and `[[Old]]`',
    });
    await move(host, 'Old.md', 'New name.md');
    expect(text(host, 'A.md')).toBe(
      '[[New name]], [[New name#Head|shown]], ![[New name]], [md](New%20name.md#x) and `[[Old]]`',
    );
  });

  test('renaming a note updates links in front matter', async () => {
    await using host = await openHost({ 'Old.md': '', 'A.md': '---\nup: "[[Old|x]]"\n---\n' });
    await move(host, 'Old.md', 'New.md');
    expect(text(host, 'A.md')).toBe('---\nup: "[[New|x]]"\n---\n');
  });

  test('renaming a folder updates only the links that would break', async () => {
    await using host = await openHost({
      'f/One.md': '',
      'f/Two.md': '',
      'g/Two.md': '',
      'A.md': '[[One]] [[f/One]] [[f/Two]]',
      'B.md': '[[One]]',
    });
    const modified: string[] = [];
    host.app.vault.on('modify', (file) => modified.push(file.path));
    await move(host, 'f', 'h');
    expect(text(host, 'A.md')).toBe('[[One]] [[One]] [[h/Two]]');
    expect(modified).toEqual(['A.md']);
  });

  test('renaming a note renames the text of a link that is its old name', async () => {
    await using host = await openHost({
      'f/Old.md': '',
      'g/': '',
      'A.md': '[[f/Old|Old]] [[Old|Old]] [[f/Old#x|Old]] [Old](f/Old.md) [old](<f/Old.md>)',
    });
    await move(host, 'f/Old.md', 'g/New.md');
    expect(text(host, 'A.md')).toBe(
      '[[New|New]] [[New|Old]] [[New#x|Old]] [New](New.md) [old](<New.md>)',
    );
  });

  test('renaming a note to the name of another updates the links to that one', async () => {
    await using host = await openHost({ 'a/N.md': '', 'b/O.md': '', 'A.md': '[[N]]' });
    await move(host, 'b/O.md', 'N.md');
    expect(text(host, 'A.md')).toBe('[[a/N]]');
  });

  test('renaming a note updates links that were written just before', async () => {
    await using host = await openHost({ 'Old.md': '', 'A.md': '' });
    const note = host.app.vault.getFileByPath('A.md');
    if (note) await host.app.vault.modify(note, '[[Old]]');
    await move(host, 'Old.md', 'New.md');
    expect(text(host, 'A.md')).toBe('[[New]]');
  });

  test('moving a folder updates the cards of canvases and writes them in its own format', async () => {
    const canvas = (path: string) =>
      `{"edges":[], "nodes":[ {"type":"file","file":"${path}"},{"type":"file","file":"g/Two.md"}]}`;
    await using host = await openHost({
      ...{ 'f/One.md': '', 'g/Two.md': '', 'Map.canvas': canvas('f/One.md') },
      'Other.canvas': '{}',
    });
    await move(host, 'f', 'moved');
    expect(text(host, 'Map.canvas')).toBe(
      '{\n\t"nodes":[\n\t\t{"type":"file","file":"moved/One.md"},\n\t\t{"type":"file","file":"g/Two.md"}\n\t],\n\t"edges":[]\n}',
    );
    expect(text(host, 'Other.canvas')).toBe('{}');
  });

  test('moving a note updates its own relative links', async () => {
    await using host = await openHost({ 'a/Note.md': '[x](../b/To.md)', 'b/To.md': '' });
    await move(host, 'a/Note.md', 'Note.md');
    expect(text(host, 'Note.md')).toBe('[x](./b/To.md)');
  });

  test('renaming to a taken name fails and changes nothing', async () => {
    await using host = await openHost({ 'Old.md': '', 'New.md': '', 'A.md': '[[Old]]' });
    await expect(move(host, 'Old.md', 'New.md')).rejects.toThrow('already exists');
    expect(text(host, 'A.md')).toBe('[[Old]]');
  });
});

describe('processFrontMatter', () => {
  const change = (host: TestHost, fn: (front: Record<string, unknown>) => void) => {
    const file = host.app.vault.getFileByPath('A.md');
    if (!file) throw new Error('No note');
    return host.app.fileManager.processFrontMatter(file, fn);
  };

  test('processFrontMatter changes front matter in place and keeps key order and body', async () => {
    await using host = await openHost({ 'A.md': '---\nb: 1\na: text\n---\nBody\n' });
    await change(host, (front) => {
      front.b = [1, 'two'];
      front.c = true;
    });
    expect(text(host, 'A.md')).toBe('---\nb:\n  - 1\n  - two\na: text\nc: true\n---\nBody\n');
  });

  test('processFrontMatter adds front matter to a note without any, and does not fold long lines', async () => {
    await using host = await openHost({ 'A.md': 'Body' });
    const long = 'word '.repeat(40).trim();
    await change(host, (front) => (front.long = long));
    expect(text(host, 'A.md')).toBe(`---\nlong: ${long}\n---\nBody`);
  });

  test('processFrontMatter leaves invalid front matter alone', async () => {
    await using host = await openHost({ 'A.md': '---\na: [\n---\nBody' });
    await expect(change(host, (front) => (front.a = 1))).rejects.toThrow();
    expect(text(host, 'A.md')).toBe('---\na: [\n---\nBody');
  });
});

test("getNewFileParent returns the folder from the vault's settings", async () => {
  const settings = JSON.stringify({ newFileLocation: 'folder', newFileFolderPath: 'Inbox' });
  await using host = await openHost({ 'Inbox/': '', '.obsidian/app.json': settings });
  expect(host.app.fileManager.getNewFileParent('x.md').path).toBe('Inbox');
});
