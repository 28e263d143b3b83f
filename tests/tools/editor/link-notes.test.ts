import { describe, expect, it } from 'vitest';
import type { CallResult } from '#model/message';
import { resultText } from '#messages/result-text';
import { BENCHES, memoryBench } from '#tests/builders/tools';

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

  it.each(['## Beds', 'Beds'])(
    'link_notes puts a link below the heading that is given as %o',
    async (context) => {
      const path = 'Projects/Garden.md';
      const { output, now } = await link({ source: path, target: 'Empty.md', context }, path);
      expect(now).toBe('# Garden\n\n## Beds\n\n[[Empty]]\n\nBack to [[Home|start]].\n');
      expect(output).toContain('below the heading.\n5: [[Empty]]');
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
      'Projects/Garden.md has no heading "Nope", so nothing was changed. Its headings: #Garden, #Beds.',
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
  });

  it('link_notes makes neither of two links if one of them is not possible', async () => {
    await using bench = await open(FILES);
    const textOf = async (path: string) => {
      const read = await bench.notes.read(path);
      return read.ok ? read.value.text : '';
    };
    const both = { both_ways: true };
    expect(
      await bench.expectFailure('link_notes', { source: 'Empty.md', target: 'map.png', ...both }),
    ).toBe(
      'map.png is not a note, so no link can be put into it.\nEmpty.md was not changed either, because both links are made or none. To add only the link in Empty.md, leave out both_ways.',
    );
    const lost = { source: 'Windows.md', target: 'Empty.md', context: 'Nowhere', ...both };
    expect(await bench.expectFailure('link_notes', lost)).toMatch(
      /^Windows\.md was not changed: .+\nEmpty\.md was not changed either, because both links are made or none\.$/,
    );
    expect([await textOf('Empty.md'), await textOf('Windows.md')]).toEqual(['', 'One\r\n']);
  });

  it('link_notes refuses both links if one of the notes is out of the editable scope', async () => {
    await using bench = await open(FILES, { settings: { editableScope: 'current' } });
    bench.activeNote = 'Empty.md';
    const input = { source: 'Empty.md', target: 'Home.md', both_ways: true };
    const results: CallResult[] = [];
    await bench.step('one', [['link_notes', input]], async (result) => void results.push(result));
    expect(results).toMatchObject([{ failed: true, details: { kind: 'refused', by: 'scope' } }]);
    expect(results[0]?.text).toContain('Empty.md was not changed either');
    expect(await bench.textOf('Empty.md')).toBe('');
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

  it('link_notes gives the user the reason of a refusal', async () => {
    await using bench = await open(FILES);
    const said = async (input: object) =>
      resultText(await bench.call('link_notes', { target: 'Garden', ...input }));
    expect(await said({ source: 'map.png' })).toBe(
      'The agent called this tool incorrectly, so nothing was done.',
    );
    expect(await said({ source: 'Home', context: 'Not there.' })).toBe(
      'The place in the note was not found.',
    );
  });
});

it('link_notes fails if only one of two links could be written, and says which', async () => {
  const bench = memoryBench(FILES);
  const change = bench.notes.change.bind(bench.notes);
  bench.notes.change = async (path, before, after) =>
    path === 'Empty.md'
      ? { ok: false, reason: { kind: 'disk', detail: 'EBUSY', full: false } }
      : change(path, before, after);
  const input = { source: 'Windows.md', target: 'Empty.md', both_ways: true };
  const result = await bench.call('link_notes', input);
  expect(result).toMatchObject({
    failed: true,
    details: { kind: 'changes', changes: [{ path: 'Windows.md' }] },
  });
  expect(result.text).toMatch(
    /^Added \[\[Empty\]\] to Windows\.md[^]+Only half was done: the link in Windows\.md, not the one in Empty\.md\.$/,
  );
  expect(resultText(result)).toBe(
    'Only half was done: the link in Windows.md, not the one in Empty.md.',
  );
  expect([bench.notes.text('Windows.md'), bench.notes.text('Empty.md')]).toEqual([
    'One\r\n\r\n[[Empty]]\r\n',
    '',
  ]);
});

it.each([
  ['water 📅 2026-01-05', 'water [[Home]] 📅 2026-01-05'],
  ['water 📅 2026', 'water [[Home]] 📅 2026-01-05'],
  ['a ⏫ #home 📅 2026-01-05', 'a [[Home]] ⏫ #home 📅 2026-01-05 ^id1'],
  ['b 🔁 every week', 'b [[Home]] 🔁 every week 🛫 2026-01-01 #x'],
  ['c [due:: 2026', 'c [[Home]] [due:: 2026-01-01]  (priority:: high)'],
  ['d 📅 2026-01-05, or', 'd 📅 2026-01-05, or [[Home]] so'],
  ['e #x', 'e #x [[Home]]'],
  ['f 📅 2026-01-05', 'f 📅 2026-01-05 [[Home]]'],
])('link_notes keeps the fields of a task at its end, after %j', async (context, line) => {
  const tasks = [
    'water 📅 2026-01-05',
    'a ⏫ #home 📅 2026-01-05 ^id1',
    'b 🔁 every week 🛫 2026-01-01 #x',
    'c [due:: 2026-01-01]  (priority:: high)',
    'd 📅 2026-01-05, or so',
    'e #x',
  ];
  const text = `${tasks.map((task) => `- [ ] ${task}\n`).join('')}- f 📅 2026-01-05\n`;
  await using bench = memoryBench({ 'Home.md': '', 'T.md': text });
  const input = { source: 'T.md', target: 'Home.md', context };
  await bench.expectSuccess('link_notes', input);
  expect((await bench.textOf('T.md')).split('\n')).toContain(
    `${line.startsWith('f') ? '- ' : '- [ ] '}${line}`,
  );
});
