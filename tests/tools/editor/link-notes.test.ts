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
    const told = await bench.says('link_notes', input);
    const read = await bench.notes.read(path);
    return { told, now: read.ok ? read.value.text : '' };
  };

  it('puts it behind the passage, in the style of the vault', async () => {
    const input = { source: 'Home', target: 'Garden#Beds', text: 'here', context: 'water daily' };
    expect(await link(input, 'Home.md')).toEqual({
      told: 'Found as `Home.md`.\nFound as `Projects/Garden.md`.\n\nPut [[Garden#Beds|here]] into Home.md, behind the passage.',
      now: FILES['Home.md'].replace('water daily', 'water daily [[Garden#Beds|here]]'),
    });
  });

  it.each([
    ['Home.md', undefined, `${FILES['Home.md']}\n[[Garden]]\n`, 'at its end.'],
    ['Home.md', 'the beds', `${FILES['Home.md']}\n[[Garden]]\n`, 'occurs more than once.'],
    ['Home.md', 'nowhere', `${FILES['Home.md']}\n[[Garden]]\n`, 'does not occur.'],
    ['Windows.md', undefined, 'One\r\n\r\n[[Garden]]\r\n', 'at its end.'],
    ['Empty.md', undefined, '[[Garden]]\n', 'at its end.'],
  ])('puts it at the end of %s for the passage %j', async (source, context, text, why) => {
    const input = { source, target: 'Projects/Garden.md', ...(context ? { context } : {}) };
    const { told, now } = await link(input, source);
    expect(now).toBe(text);
    expect(told).toContain(why);
  });

  it('links both ways, and doubles none', async () => {
    await using bench = await open(FILES);
    const input = { source: 'Home.md', target: 'Projects/Garden.md', both_ways: true };
    expect(await bench.says('link_notes', input)).toBe(
      'Put [[Garden]] into Home.md, at its end.\nProjects/Garden.md links to Home.md already (line 5); nothing was added.',
    );
    expect(await bench.says('link_notes', input)).toContain(
      'Home.md links to Projects/Garden.md already',
    );
    expect(
      await bench.says('link_notes', { source: 'Empty.md', target: 'map.png', both_ways: true }),
    ).toContain('map.png is no note');
  });

  it('takes no words that would be more than words', async () => {
    await using bench = await open(FILES);
    for (const text of ['a]] ![x](https://example.com) [[', 'one\n```ai-edit', 'a|b', '']) {
      const input = { source: 'Home.md', target: 'Projects/Garden.md', text };
      expect(await bench.refuses('link_notes', input)).toContain('nothing was done');
    }
  });

  it('says what is not there', async () => {
    await using bench = await open(FILES);
    const refuses = (source: string, target: string) =>
      bench.refuses('link_notes', { source, target });
    expect(await refuses('Hme', 'Home')).toContain('Close matches');
    expect(await refuses('Home', 'Gardn#x')).toContain('Close matches');
    expect(await refuses('map.png', 'Home.md')).toContain('takes no link');
  });
});
