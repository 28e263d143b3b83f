import { describe, expect, it } from 'vitest';
import { BENCHES } from '#tests/builders/tools';
import { FIXTURE } from '#tests/tools/fixture-vault';

describe.each(BENCHES)('get_file_info %s', (_, open) => {
  it('get_file_info describes a note: times, words, headings with lines, links both ways, tags', async () => {
    await using bench = await open({ ...FIXTURE, 'From.md': '[[Tomatoes]] [[Love apples]]\n' });
    const text = await bench.expectSuccess('get_file_info', { path: 'Tomatoes' });
    expect(text.replace(/^Created: .*$/m, 'Created: …')).toMatch(
      new RegExp(
        [
          '^Found as `Notes/Tomatoes.md`\\.',
          'Notes/Tomatoes.md',
          'Type: note',
          'Size: 216 bytes',
          'Created: …',
          'Changed: 2026-11-12 08:\\d\\d UTC',
          'Lines: 19',
          'Words: 26',
          'Tags: #watering #garden #food/summer',
          'Links to \\(2\\): Notes/Compost.md, Lists/Shopping.md',
          'Broken links \\(1\\): Nowhere',
          'Linked from \\(2\\): Boards/Beds.canvas, From.md',
          'Headings:',
          '  5: # Tomatoes',
          '  9: ## Care',
          '  17: ## Harvest$',
        ].join('\n'),
      ),
    );
  });

  it.each([
    ['Notes/京都の苔.md', 9],
    ['Notes/ערב.md', 2],
    ['Notes/Empty.md', 0],
    ['Notes/Compost.md', 4],
  ])('get_file_info counts the words of %s', async (path, words) => {
    await using bench = await open(FIXTURE);
    const text = await bench.expectSuccess('get_file_info', { path });
    expect(text).toContain(`\nWords: ${words}\n`);
  });

  it('get_file_info describes other files, and notes that are not text', async () => {
    await using bench = await open(FIXTURE);
    const photo = await bench.expectSuccess('get_file_info', { path: 'photo.png' });
    expect(photo).toMatch(/\nType: png file\nSize: 12 bytes\nCreated: .*\nChanged: [^\n]*$/);
    const latin = await bench.expectSuccess('get_file_info', { path: 'Latin1' });
    expect(latin).toMatch(/Type: note[^]*not UTF-8 text/);
  });

  it('get_file_info describes folders, including empty ones and the root', async () => {
    await using bench = await open(FIXTURE);
    const infoOf = async (path: string) =>
      (await bench.expectSuccess('get_file_info', { path })).replace(
        /^Created: 20\d\d-\d\d-\d\d \d\d:\d\d UTC$/m,
        'Created: …',
      );
    expect(await infoOf('Home/')).toMatch(
      /^Home\/\nType: folder\nCreated: …\nDirectly in it: 1 file and 1 folder\nFiles at any depth: 1, 10 bytes\nLast change of a file in it: 2026-11-12/,
    );
    expect(await infoOf('old')).toBe(
      'Found as `Old`.\nOld/\nType: folder\nCreated: …\nDirectly in it: nothing (it is empty)\nFiles at any depth: 0, 0 bytes\nLast change of a file in it: none',
    );
    expect(await infoOf('/')).toMatch(
      /^\/ \(the vault's root\)\nType: folder\nCreated: …\nDirectly in it: 0 files and 7 folders\n/,
    );
  });

  it('get_file_info limits the length of its lists', async () => {
    const headings = Array.from({ length: 60 }, (_, at) => `## Part ${at}`).join('\n');
    const links = Array.from({ length: 60 }, (_, at) => `[[None ${at}]]`).join(' ');
    await using bench = await open({ 'Note.md': `${headings}\n${links}\n` });
    const text = await bench.expectSuccess('get_file_info', { path: 'Note.md' });
    expect(text).toContain('Broken links (60): None 0, ');
    expect(text).toContain(', and 10 more\n');
    expect(text).toMatch(/ {2}50: ## Part 49\n {2}\(10 more; read_file shows them\)$/);
  });

  it('get_file_info suggests close matches for a missing path', async () => {
    await using bench = await open(FIXTURE);
    expect(await bench.expectFailure('get_file_info', { path: 'Nots' })).toBe(
      '`Nots` does not exist. Close matches: `Notes`.',
    );
  });
});
