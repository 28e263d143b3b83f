import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { localEngine } from '#tests/builders/search-engines';
import { eventually } from '#tests/builders/eventually';
import { BENCHES, folderBench } from '#tests/builders/tools';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';

const FILES = {
  'Inbox/Old.md': '# Old\n\n[[#Care]] and [[Old]]\n\n## Care\n',
  'New.md': '# New\n\n## Care\n\n### Water\n\n## Seeds\n\nSee [[Old]].\n',
  'A.md':
    '---\nup: "[[Old|above]]"\n---\nSee [[Old]], ![[Old#Care]] and [the old](Inbox/Old.md#Gone).\r\n',
  'B.md': 'Nothing but `[[Old]]`.\n',
  'Private/C.md': '[[Old]]\n',
  'Map.canvas':
    '{"nodes":[{"type":"text","text":"[[Old]]"},{"type":"file","file":"Inbox/Old.md"}]}',
};
const tool = 'redirect_links';

describe.each(BENCHES)('redirect_links %s', (_, open) => {
  it('counts first, and then redirects all links to a note', async () => {
    await using bench = await open(FILES, { settings: { excludedFolders: ['Private'] } });
    const input = { from: 'Old', to: 'New#Seeds' };
    const lost =
      'Note: the heading or block of 1 link is not in the new note, so it leads to New.md#Seeds: [the old](Inbox/Old.md#Gone) in A.md.';
    expect(await bench.expectSuccess(tool, { ...input, count_only: true })).toBe(
      [
        'Found as `Inbox/Old.md`.\nFound as `New.md`.',
        '8 links in 4 files lead to Inbox/Old.md. Nothing was changed yet.',
        '  A.md: 4',
        '  Inbox/Old.md: 1',
        '  Map.canvas: 2',
        '  New.md: 1',
        lost,
      ].join('\n'),
    );
    expect(await bench.expectSuccess(tool, input)).toBe(
      [
        'Found as `Inbox/Old.md`.\nFound as `New.md`.',
        'Redirected links to Inbox/Old.md in 4 notes:',
        '  A.md: 4 links',
        '  Inbox/Old.md: 1 link',
        '  Map.canvas: 2 links',
        '  New.md: 1 link',
        lost,
      ].join('\n'),
    );
    expect(await bench.textOf('A.md')).toBe(
      '---\nup: "[[New#Seeds|above]]"\n---\nSee [[New#Seeds|Old]], ![[New#Care]] and [the old](New.md#Seeds).\r\n',
    );
    expect(await bench.textOf('Inbox/Old.md')).toBe(
      '# Old\n\n[[#Care]] and [[New#Seeds|Old]]\n\n## Care\n',
    );
    expect(await bench.textOf('New.md')).toContain('See [[#Seeds|Old]].');
    expect(await bench.textOf('Map.canvas')).toBe(
      '{"nodes":[{"type":"text","text":"[[New#Seeds|Old]]"},{"type":"file","file":"New.md","subpath":"#Seeds"}]}',
    );
    expect(await bench.textOf('B.md')).toBe(FILES['B.md']);
    const hidden = await bench.notes.read('Private/C.md');
    expect(hidden.ok && hidden.value.text).toBe('[[Old]]\n');
    expect(await bench.expectSuccess(tool, input)).toContain('No link leads to Inbox/Old.md');
  });

  it('redirects links to a heading, also within its note, and to a note that is gone', async () => {
    await using bench = await open({
      'Plan.md': '# Plan\n\n## Later on\n\n### Beds\n\nSee [[#Later]].\n',
      'A.md': '[[Plan#Later]] [[Plan#Plan#Later#Beds]] [[Plan]] [[Gone]] [x](Sub/Gone.md#Part)\n',
    });
    await bench.expectSuccess(tool, { from: 'Plan.md#Later', to: 'Plan.md#Later on' });
    expect(await bench.textOf('Plan.md')).toContain('See [[#Later on]].');
    expect(await bench.expectSuccess(tool, { from: 'Sub/Gone.md', to: 'Plan' })).toContain(
      'Changed 2 links in A.md.',
    );
    expect(await bench.textOf('A.md')).toBe(
      '[[Plan#Later on]] [[Plan#Later on#Beds]] [[Plan]] [[Plan]] [x](Plan.md)\n',
    );
  });

  it('proposes the links in Review', async () => {
    await using bench = await open(FILES, { settings: { panelMode: 'review' } });
    const said = await bench.expectSuccess(tool, { from: 'Inbox/Old.md', to: 'New.md' });
    expect(said).toContain('Proposed to redirect links to Inbox/Old.md in 5 notes.');
    expect(await bench.textOf('Private/C.md')).toBe('[[New]]\n');
    const raw = await bench.notes.read('Private/C.md');
    expect(raw.ok && raw.value.text).toContain('[[Old]]\n```ai-edit');
  });

  it.each([
    [{ from: 'Old', to: 'Nowhere' }, '`Nowhere` does not exist'],
    [{ from: 'Old', to: 'New#Nope' }, 'New.md has no heading "Nope", so nothing was changed.'],
    [{ from: 'Old#Care', to: 'Old#care' }, 'from and to are the same place'],
    [{ from: '', to: 'New' }, 'from'],
  ])('refuses %j', async (input, reason) => {
    await using bench = await open(FILES);
    expect(await bench.expectFailure(tool, input)).toContain(reason);
  });
});

/** Pieces of notes, and what they are after the redirect. */
const piece = fc.constantFrom<readonly [string, string]>(
  ...([
    ['[[Old]]', '[[New]]'],
    ['[[old.md|x]]', '[[New|x]]'],
    ['![[Old#Kept]]', '![[New#Kept]]'],
    ['[[Sub/Old#Gone]]', '[[New]]'],
    ['[t](Sub/Old.md)', '[t](New.md)'],
    ['[t](<Sub/Old.md#Kept>)', '[t](<New.md#Kept>)'],
    ['[![[Old]]](Other.md)', '[![[New]]](Other.md)'],
    ['\n| a | [[Old\\|b]] |\n| --- | --- |\n', '\n| a | [[New\\|b]] |\n| --- | --- |\n'],
  ] as const),
);
const same = fc.constantFrom(
  ...['[[Other]]', '[t](Other.md#Old)', '`[[Old]]`', '\n```\n[[Old]]\n```\n', '[[#Old]]', 'Old.md'],
  ...['\n', ' ', 'words', 'https://example.org/Old.md', '\\[[Old]', '[[Older]]'],
);
const content = fc.array(
  fc.oneof(
    piece,
    same.map((each) => [each, each] as const),
  ),
  { maxLength: 10 },
);

test(
  'after redirect_links no link resolves to the old note, and everything else is as it was',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(content, fc.boolean()), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('apply', 'review'),
        async (notes, panelMode) => {
          const text = (at: 0 | 1) =>
            notes.map(([pieces, isWindows]) => {
              const whole = pieces.map((each) => `x ${each[at]} `).join('');
              return isWindows ? whole.replaceAll('\n', '\r\n') : whole;
            });
          const [before, after] = [text(0), text(1)];
          const paths = before.map((_, at) => `Notes/N${at}.md`);
          await using bench = await folderBench(
            {
              ...Object.fromEntries(paths.map((path, at) => [path, before[at]!])),
              ...{ 'Sub/Old.md': 'Old [[#Old]].\n', 'New.md': '# Kept\n', 'Other.md': '' },
            },
            { engine: localEngine(), settings: { panelMode: panelMode as 'apply' } },
          );
          await bench.expectSuccess(tool, { from: 'Sub/Old.md', to: 'New.md' });
          for (const [at, path] of paths.entries()) {
            expect(await bench.textOf(path)).toBe(after[at]);
          }
          if (panelMode === 'review') return;
          // A change of uncertain text waits, whatever the mode.
          const made: string[] = [];
          for (const path of paths) {
            const read = await bench.notes.read(path);
            if (read.ok && !read.value.text.includes('ai-edit')) made.push(path);
          }
          // The index follows a little later.
          await eventually(() => {
            const { resolvedLinks } = bench.app.metadataCache;
            const leading = made.filter((path) => 'Sub/Old.md' in (resolvedLinks[path] ?? {}));
            expect(leading).toEqual([]);
          });
        },
      ),
      cases,
    );
  },
  CASES_TIMEOUT_MS,
);
