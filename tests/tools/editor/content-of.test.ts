/** Edits that put the text of other notes into a note. */
import { describe, expect, it } from 'vitest';
import { BENCHES, folderBench, memoryBench } from '#tests/builders/tools';
import { linksIn } from '#text/link-reader';

const FILES = {
  'Garden.md': '# Garden\n\nIntro.\n\n## End\n\nLast.\n',
  'Inbox/Beans.md': '---\ntags: [x]\n---\n\n# Beans\r\n\r\nSow [[Peas]] in May. ^b1\r\n\r\n\r\n',
  'Inbox/Peas.md': 'Peas need a [fence](Deep/Fence.md).\n',
  'Inbox/Deep/Fence.md': 'Wood.\n',
  'Private/Diary.md': 'Secret.\n',
};
const take = (content_of: string, position = 'end', more: object = {}) => ({
  path: 'Garden.md',
  edits: [{ position, content_of, ...more }],
});

describe.each(BENCHES)('edit_file with the text of another note %s', (_, open) => {
  it('the text below the properties is put where it is asked for, below the content', async () => {
    await using bench = await open(FILES);
    const edits = [
      { position: 'end-of:## End', content_of: 'Beans', content: '## From the inbox' },
      { position: 'end', content_of: 'Inbox/Peas.md' },
    ];
    await bench.expectSuccess('edit_file', { path: 'Garden.md', edits: edits.slice(0, 1) });
    expect(await bench.textOf('Garden.md')).toBe(
      '# Garden\n\nIntro.\n\n## End\n\nLast.\n\n## From the inbox\n\n# Beans\n\nSow [[Peas]] in May. ^b1\n',
    );
    await bench.expectSuccess('edit_file', { path: 'Garden.md', edits: edits.slice(1) });
    expect(await bench.textOf('Garden.md')).toMatch(
      /\^b1\n\nPeas need a \[fence\]\(.*Fence\.md\)\.\n$/,
    );
    expect(await bench.textOf('Inbox/Beans.md')).toBe(FILES['Inbox/Beans.md']);
  });

  it('dashes at the beginning of an empty note stay a divider', async () => {
    const source = '---\na: 1\n---\n---\nb: 2\n---\nWords.\n';
    await using bench = await open({ 'Garden.md': '', 'Source.md': source });
    await bench.expectSuccess('edit_file', take('Source.md'));
    expect(await bench.textOf('Garden.md')).toBe('\n---\nb: 2\n---\nWords.');
  });

  it.each([
    [take('Garden'), "`Garden.md` can't be put into itself. Nothing was changed."],
    [take('Gone'), '`Gone` does not exist'],
    [take('Private/Diary.md'), 'excluded'],
    [take('Inbox/Peas.md', 'delete:1'), 'was not changed'],
    [
      { path: 'Garden.md', edits: [take('Inbox/Beans.md').edits[0], take('Beans').edits[0]] },
      'links to ^b1 could then mean two places',
    ],
  ])('refuses %j', async (input, reason) => {
    await using bench = await open(FILES, { settings: { excludedFolders: ['Private'] } });
    expect(await bench.expectFailure('edit_file', input)).toContain(reason);
    expect(await bench.textOf('Garden.md')).toBe(FILES['Garden.md']);
  });
});

describe('edit_file with the text of another note', () => {
  it('text that was taken over was not shown, so it cannot be overwritten unseen', async () => {
    const text = Array.from({ length: 60 }, (_, at) => `Line ${at}.\n`).join('\n');
    await using bench = memoryBench({ 'Garden.md': '', 'Long.md': text });
    await bench.expectSuccess('write_file', { path: 'New.md', content: '# New\n' });
    await bench.expectSuccess('edit_file', { ...take('Long.md'), path: 'New.md' });
    expect(await bench.expectFailure('write_file', { path: 'New.md', content: 'x\n' })).toContain(
      'you have not seen all of it',
    );
  });

  it('links lead where they did, and code stays as it is', async () => {
    const links = '[[./C]] [[./C#Part|x]] ![[./C]] [c](./C.md#Part) [d](<./C.md>) [p](pic.png)';
    await using bench = await folderBench({
      ...{ 'Garden.md': 'See [[C]].\n', 'C.md': '1\n', 'Old/C.md': '2\n', 'Old/pic.png': '' },
      'Old/B.md': `${links} \`[[./C]]\` [e](https://example.org/C.md)\n`,
    });
    const targets = async (path: string) =>
      linksIn(await bench.textOf(path)).map(
        ({ name }) => bench.app.metadataCache.getFirstLinkpathDest(name, path)?.path,
      );
    const before = await targets('Old/B.md');
    expect(new Set(before)).toEqual(new Set(['Old/C.md', 'Old/pic.png']));
    await bench.expectSuccess('edit_file', take('Old/B.md'));
    expect(await targets('Garden.md')).toEqual(['C.md', ...before]);
    expect(await bench.textOf('Garden.md')).toMatch(
      /\[\[Old\/C#Part\|x\]\] .* `\[\[\.\/C\]\]` \[e\]\(https:\/\/example\.org\/C\.md\)\n$/,
    );
  });

  it('edits of the other note that wait for the user stay there', async () => {
    await using bench = memoryBench(FILES, { settings: { panelMode: 'review' } });
    const edits = [{ old_text: 'Peas need', new_text: 'Peas want' }];
    await bench.expectSuccess('edit_file', { path: 'Inbox/Peas.md', edits });
    bench.settings = { ...bench.settings, panelMode: 'apply' };
    const told = await bench.expectSuccess('edit_file', take('Inbox/Peas.md'));
    expect(told).toContain('edits of Inbox/Peas.md that wait for the user were not taken over');
    expect(await bench.textOf('Garden.md')).toContain('Peas need a [fence]');
  });

  it('says that the properties of the other note were left out', async () => {
    await using bench = memoryBench(FILES);
    const told = await bench.expectSuccess('edit_file', take('Inbox/Beans.md'));
    expect(told).toContain('properties of Inbox/Beans.md were not taken over');
    expect(await bench.expectSuccess('edit_file', take('Inbox/Peas.md'))).not.toContain(
      'taken over',
    );
  });
});
