import { describe, expect, it } from 'vitest';
import { BENCHES, folderBench, memoryBench } from '#tests/builders/tools';
import { expectReadable } from '#tests/builders/readable';
import { FIXTURE } from '#tests/tools/fixture-vault';

describe.each(BENCHES)('write_file %s', (_, open) => {
  it.each([
    ['New', 'New.md'],
    ['Deep/er/New.md', 'Deep/er/New.md'],
    ['/Lists/./New', 'Lists/New.md'],
    ['data.csv', 'data.csv'],
    ['Meeting 3.5', 'Meeting 3.5.md'],
    ['Notes/e\u0301té', 'Notes/été.md'],
    ['a\u00a0b.md', 'a b.md'],
  ])('write_file creates %j at %s', async (path, made) => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectSuccess('write_file', { path, content: 'one\r\ntwo' })).toBe(
      `Created ${made} (2 lines, 8 characters).`,
    );
    const read = await bench.notes.read(made);
    expect(read).toMatchObject({ ok: true, value: { text: 'one\r\ntwo' } });
    // The model has written the text but was shown no line numbers of it.
    const edits = [{ position: 'replace:1', content: '1' }];
    expect(await bench.expectFailure('edit_file', { path: made, edits })).toContain(
      'First call read_file',
    );
    await bench.expectSuccess('write_file', { path: made, content: 'three' });
  });

  it.each([
    ['# Garden: plans/2027\nx', 'Garden plans 2027.md'],
    ['---\ntitle: x\n---\nFirst words\n\n## Later heading ##', 'Later heading.md'],
    ['```sh\n# install\n```\n# Setup', 'Setup.md'],
    ['- [ ] Buy [[Notes/Tomatoes|tomato]] and [figs](x)', 'Buy tomato and figs.md'],
    ['> quoted', 'quoted.md'],
    ['# ...hidden', 'hidden.md'],
    ['# \u200b.git', 'git.md'],
    ['# ．git', 'Note ．git.md'],
    ['# CON', 'Note CON.md'],
    ['# PROGRA~1', 'Note PROGRA~1.md'],
    ['# 京都の苔', '京都の苔.md'],
    [`# ${'x'.repeat(79)}👩‍🚀`, `${'x'.repeat(79)}.md`],
    ['', 'Untitled.md'],
    ['***', 'Untitled.md'],
    ['# old', 'old 2.md'],
  ])('write_file names a note with the text %j %s', async (content, made) => {
    await using bench = await open({ 'Old.md': 'there' });
    expect(await bench.expectSuccess('write_file', { content })).toContain(`Created ${made} (`);
  });

  it('write_file never uses a name that is taken', async () => {
    await using bench = await open({ 'Lists/Plan.md': 'mine', 'Lists/plan 2.md': 'mine' });
    for (const made of ['Lists/Plan 3.md', 'Lists/Plan 4.md']) {
      const input = { content: '# Plan', folder: 'Lists/' };
      expect(await bench.expectSuccess('write_file', input)).toContain(`Created ${made} `);
    }
    expect(
      await bench.expectSuccess('write_file', { content: '# Plan', path: 'Lists/' }),
    ).toContain('Created Lists/Plan 5.md ');
    expect(await bench.expectSuccess('write_file', { content: '# Plan', folder: '/' })).toContain(
      'Created Plan.md ',
    );
  });

  it('write_file replaces a note only if all of its current text was shown', async () => {
    await using bench = await open(FIXTURE);
    const input = { path: 'Lists/Shopping', content: '- figs\n' };
    expect(await bench.expectFailure('write_file', input)).toBe(
      'Lists/Shopping.md exists and you have not seen it in this conversation (what was shown before a summary or a restart does not count), so it was not overwritten. Read it with read_file {"path":"Lists/Shopping.md"}, or change a part with edit_file.',
    );
    await bench.expectSuccess('read_file', { path: 'Shopping' });
    const change = ['Lists/Shopping.md', '- bread\n- butter\n- cheese\n', '- salt\n'] as const;
    await bench.notes.change(...change);
    expect(await bench.expectFailure('write_file', input)).toBe(
      'Lists/Shopping.md exists and you have not seen it in this conversation (what was shown before a summary or a restart does not count), so it was not overwritten. Read it with read_file {"path":"Lists/Shopping.md"}, or change a part with edit_file.',
    );
    await bench.expectSuccess('read_file', { path: 'Shopping' });
    expect(await bench.expectSuccess('write_file', input)).toBe(
      'Replaced the text of Lists/Shopping.md (1 line, 7 characters; +1 −1 lines).',
    );
    expect(await bench.expectSuccess('write_file', input)).toBe(
      'Lists/Shopping.md already has exactly this text; nothing was written.',
    );
  });

  it.each([
    [{ path: 'Notes' }, /^`Notes` names a folder\. Expected .* such as `Notes\/Name.md`\.$/],
    [{ path: 'lists/New.md' }, /existing `Lists` differ only in case.* Use `Lists\/New\.md` or/],
    [{ path: 'Lists/shopping.md' }, /the existing `Lists\/Shopping.md` differ only/],
    [{ path: 'Lists/Shopping.md/x.md' }, /`Lists\/Shopping.md` is a file, not a folder\.$/],
    [{ path: 'what?.md' }, /`\?` is not allowed in names on every system/],
    [{ path: 'con.md' }, /Windows keeps this name for a device/],
    [{ path: 'Notes/Latin1.md' }, /not UTF-8 text/],
    [{ path: 'a.md', folder: 'Lists' }, /folder goes with no path/],
    [{ folder: 'Lists/Shopping.md' }, /is a file, not a folder/],
    [{ folder: '.git' }, /is protected/],
    [{ file: 'a.md' }, /Unrecognized key: "file"/],
  ])('write_file answers %j with what would work', async (input, expected) => {
    await using bench = await open(FIXTURE);
    const text = await bench.expectFailure('write_file', { content: 'x', ...input });
    expect(text).toMatch(expected);
    expectReadable(text);
  });
});

describe('write_file', () => {
  it("write_file creates a note in the user's folder for new notes", async () => {
    const app = JSON.stringify({ newFileLocation: 'folder', newFileFolderPath: 'Inbox' });
    await using bench = await folderBench({ 'Inbox/': '', '.obsidian/app.json': app });
    expect(await bench.expectSuccess('write_file', { content: '# Idea' })).toContain(
      'Inbox/Idea.md',
    );
    const memory = memoryBench();
    memory.metadata.place = 'Later';
    expect(await memory.expectSuccess('write_file', { content: '# Idea' })).toContain(
      'Later/Idea.md',
    );
  });

  it('write_file says that the disk is full and nothing was written', async () => {
    const bench = memoryBench();
    bench.notes.refuseAll({ kind: 'disk', detail: '', full: true });
    expect(await bench.expectFailure('write_file', { path: 'a.md', content: 'x' })).toBe(
      'The disk is full; `a.md` was not written.',
    );
    expect(bench.notes.paths()).toEqual([]);
  });
});
