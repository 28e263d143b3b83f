import { describe, expect, it } from 'vitest';
import { BENCHES } from '#tests/builders/tools';

const FILES = {
  'Home.md': '# Home\n\nSee the beds, and the beds again; water daily.\n',
  'Projects/Garden.md': '# Garden\n\n## Beds\n\nBack to [[Home|start]].\n',
  'Windows.md': 'One\r\n',
  'Empty.md': '',
  'map.png': Uint8Array.of(1),
};

describe.each(BENCHES)('link_notes %s', (_, open) => {
  const link = async (input: object, path: string) => {
    await using bench = await open(FILES);
    const text = await bench.expectSuccess('link_notes', input);
    const read = await bench.notes.read(path);
    return { output: text, now: read.ok ? read.value.text : '' };
  };

  it("link_notes puts the link after the given text, in the vault's link style", async () => {
    const input = { source: 'Home', target: 'Garden#Beds', text: 'here', context: 'water daily' };
    expect(await link(input, 'Home.md')).toEqual({
      output:
        'The source was found as Home.md.\nThe target was found as Projects/Garden.md.\nAdded [[Garden#Beds|here]] to Home.md, after the passage.\n3: See the beds, and the beds again; water daily [[Garden#Beds|here]].',
      now: FILES['Home.md'].replace('water daily', 'water daily [[Garden#Beds|here]]'),
    });
  });

  it.each([
    ['Home.md', `${FILES['Home.md']}\n[[Garden]]\n`, 'at its end.\n5: [[Garden]]'],
    ['Windows.md', 'One\r\n\r\n[[Garden]]\r\n', 'at its end.\n3: [[Garden]]'],
    ['Empty.md', '[[Garden]]\n', 'at its end.\n1: [[Garden]]'],
  ])(
    'link_notes puts the link at the end of %s and returns its line',
    async (source, text, why) => {
      const { output, now } = await link({ source, target: 'Projects/Garden.md' }, source);
      expect(now).toBe(text);
      expect(output).toContain(why);
    },
  );

  it('link_notes refuses context text that does not occur exactly once', async () => {
    await using bench = await open(FILES);
    const input = { source: 'Home.md', target: 'Projects/Garden.md' };
    expect(await bench.expectFailure('link_notes', { ...input, context: 'the beds' })).toBe(
      'Home.md was not changed: the passage "the beds" occurs 2 times. Give more words around the one you mean:\n3: See the beds, and the beds again; water daily.',
    );
    expect(await bench.expectFailure('link_notes', { ...input, context: 'water dayly' })).toBe(
      'Home.md was not changed: the passage "water dayly" does not occur in it. The closest is:\n3: See the beds, and the beds again; water daily.',
    );
    expect(await bench.notes.read('Home.md')).toMatchObject({ value: { text: FILES['Home.md'] } });
  });

  it('link_notes recognizes existing links to a heading, and refuses a missing heading', async () => {
    await using bench = await open({
      ...FILES,
      'Home.md': 'See [[Garden]] and [[Garden#Beds]].\n',
    });
    const link = (target: string) => ({ source: 'Home.md', target });
    expect(await bench.expectFailure('link_notes', link('Garden#Nope'))).toContain(
      'Projects/Garden.md has no heading "Nope", so nothing was added. Its headings: #Garden, #Beds.',
    );
    expect(await bench.expectSuccess('link_notes', link('Garden#beds'))).toContain(
      'already links to',
    );
    expect(await bench.expectSuccess('link_notes', link('Garden#Garden'))).toContain(
      'Added [[Garden#Garden]]',
    );
  });

  it('link_notes links both ways, and adds no duplicate', async () => {
    await using bench = await open(FILES);
    const input = { source: 'Home.md', target: 'Projects/Garden.md', both_ways: true };
    expect(await bench.expectSuccess('link_notes', input)).toBe(
      'Added [[Garden]] to Home.md, at its end.\n5: [[Garden]]\nProjects/Garden.md already links to Home.md (line 5); nothing was added.',
    );
    expect(await bench.expectSuccess('link_notes', input)).toContain(
      'Home.md already links to Projects/Garden.md',
    );
    expect(
      await bench.expectSuccess('link_notes', {
        source: 'Empty.md',
        target: 'map.png',
        both_ways: true,
      }),
    ).toContain('map.png is not a note');
  });

  it('link_notes refuses link text that is more than plain text', async () => {
    await using bench = await open(FILES);
    for (const text of ['a]] ![x](https://example.com) [[', 'one\n```ai-edit', 'a|b', '']) {
      const input = { source: 'Home.md', target: 'Projects/Garden.md', text };
      expect(await bench.expectFailure('link_notes', input)).toContain('nothing was done');
    }
  });

  it('link_notes says which note is missing or cannot hold a link', async () => {
    await using bench = await open(FILES);
    const refuses = (source: string, target: string) =>
      bench.expectFailure('link_notes', { source, target });
    expect(await refuses('Hme', 'Home')).toContain('Close matches');
    expect(await refuses('Home', 'Gardn#x')).toContain('Close matches');
    expect(await refuses('map.png', 'Home.md')).toContain('no link can be put into it');
  });
});
