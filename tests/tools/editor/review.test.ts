/**
 * In review mode the tools propose their changes, and every tool reads the proposals as if they
 * were made.
 */
import { describe, expect, it } from 'vitest';
import { resultText } from '#messages/result-text';
import { BENCHES } from '#tests/builders/tools';

const PATH = 'Garden.md';
const BEFORE = '---\ntags: [plants]\n---\n# Garden\n\n- beans\n- peas\n\n## Later\n\nRest.\n';
const REVIEW = { settings: { panelMode: 'review' } } as const;

describe.each(BENCHES)('Tools in review mode %s', (_, open) => {
  it('the tools propose edits, and read them as if they were made, with their line numbers', async () => {
    await using bench = await open({ [PATH]: BEFORE }, REVIEW);
    await bench.expectSuccess('read_file', { path: PATH });
    const edits = [
      { old_text: 'tags: [plants]', new_text: 'tags: [plants, food]\nseason: spring' },
      { position: 'after:# Garden', content: '\n## Soon\n' },
    ];
    const said = await bench.expectSuccess('edit_file', { path: PATH, edits });
    expect(said).toContain('Proposed to change Garden.md. The user has not decided yet;');
    expect(said).not.toContain('ai-edit');
    const after = BEFORE.replace('[plants]', '[plants, food]\nseason: spring').replace(
      '# Garden\n',
      '# Garden\n\n## Soon\n',
    );
    const read = await bench.expectSuccess('read_file', { path: PATH });
    expect(
      read
        .split('\n')
        .slice(1, -1)
        .map((line) => line.replace(/^\s*\d+: ?/, '')),
    ).toEqual(after.trimEnd().split('\n'));
    const info = await bench.expectSuccess('get_file_info', { path: PATH });
    expect(info).toContain('  5: # Garden\n  7: ## Soon\n  12: ## Later');
    expect(await bench.expectSuccess('search_files', { pattern: '^## Later' })).toContain(
      '>12: ## Later',
    );
    expect(await bench.expectSuccess('search_files', { pattern: 'ai-edit' })).toContain(
      'No matches',
    );
    await bench.expectSuccess('edit_file', {
      path: PATH,
      edits: [{ position: 'replace:10', content: '- sweet peas' }],
    });
    expect(
      await bench.expectSuccess('read_file', { path: PATH, start_line: 10, end_line: 10 }),
    ).toContain('- sweet peas');
  });

  it('write_file proposes a new note or the whole text of another', async () => {
    await using bench = await open({ [PATH]: BEFORE }, REVIEW);
    const made = await bench.call('write_file', { path: 'New.md', content: '# New\n\nText.\n' });
    expect(made.text).toContain('Proposed to create New.md');
    const { changes } = made.details as { changes: readonly { proposes?: readonly string[] }[] };
    expect(changes[0]?.proposes).toHaveLength(1);
    await bench.expectSuccess('read_file', { path: PATH });
    const whole = await bench.expectSuccess('write_file', { path: PATH, content: 'Only this.\n' });
    expect(whole).toContain('Proposed to replace the text of Garden.md');
    expect(await bench.expectSuccess('read_file', { path: PATH })).toContain('1: Only this.');
  });

  it('edit_file in apply mode says that earlier proposals of the note are still pending', async () => {
    await using bench = await open({ [PATH]: BEFORE }, REVIEW);
    await bench.expectSuccess('edit_file', {
      path: PATH,
      edits: [{ old_text: 'beans', new_text: 'broad beans' }],
    });
    bench.settings = { ...bench.settings, panelMode: 'apply' };
    const said = await bench.expectSuccess('edit_file', {
      path: PATH,
      edits: [{ old_text: 'Rest.', new_text: 'The rest.' }],
    });
    expect(said).toContain('All of it is made. Earlier edits of Garden.md still wait');
    const read = await bench.expectSuccess('read_file', { path: PATH });
    expect(read).toMatch(
      /- broad beans[^]*\n\(The text includes edits that still wait for the user: only proposed line/,
    );
  });

  it('what finds lines says which are only proposed', async () => {
    await using bench = await open({ [PATH]: '# Beds\n\nRest.\n', 'Peas.md': 'Peas.\n' }, REVIEW);
    const edits = [{ old_text: 'Rest.', new_text: 'Sow chickpeas.\n\n[[Peas]]' }];
    await bench.expectSuccess('edit_file', { path: PATH, edits });
    const waits = '(Only proposed, in edits that still wait for the user: Garden.md line';
    const find = (tool: string, input: object) => bench.expectSuccess(tool, input);
    expect(await find('search_files', { pattern: 'chickpeas' })).toContain(`${waits}s 3, 4, 5.)`);
    const searched = { query: 'chickpeas', include_content: true };
    expect(await find('search_vault', searched)).toContain(`${waits}s 3, 4, 5.)`);
    expect(await find('get_links', { path: PATH })).toContain(`${waits} 5.)`);
    expect(await find('search_vault', { query: 'beds' })).not.toContain('Garden.md line 1');
    expect(await find('search_vault', { query: 'peas' })).not.toContain(
      'wait for the user: Peas.md',
    );
  });

  it('edit_file in apply mode says that an addition inside a pending edit only waits', async () => {
    await using bench = await open({ [PATH]: BEFORE }, REVIEW);
    const pending = { position: 'insert:8', content: '- kale\n- leeks' };
    const edits = (content: string) => [{ position: 'insert:9', content }];
    await bench.expectSuccess('read_file', { path: PATH });
    await bench.expectSuccess('edit_file', { path: PATH, edits: [pending] });
    bench.settings = { ...bench.settings, panelMode: 'apply' };
    await bench.expectSuccess('read_file', { path: PATH });
    const said = await bench.expectSuccess('edit_file', { path: PATH, edits: edits('- rice') });
    expect(said).toContain('Proposed to change Garden.md.\nIt is not made, even in Apply');
    const both = [...edits('- corn'), { old_text: 'Rest.', new_text: 'The rest.' }];
    const partly = await bench.expectSuccess('edit_file', { path: PATH, edits: both });
    expect(partly).toContain('Changed Garden.md.\nOnly a part of it is made');
  });

  it('edit_file in apply mode says that all is made beside the words of a pending edit', async () => {
    await using bench = await open({ [PATH]: 'Some words here.\n' }, REVIEW);
    const edit = (old_text: string, new_text: string) =>
      bench.call('edit_file', { path: PATH, edits: [{ old_text, new_text }] });
    await edit('words', 'letters');
    bench.settings = { ...bench.settings, panelMode: 'apply' };
    const made = await edit('here', 'there');
    expect(made.text).toContain('Changed Garden.md.\nAll of it is made. Earlier edits');
    expect(resultText(made)).toBe('Changed Garden.md (+1 −1)');
    const raw = await bench.notes.read(PATH);
    expect(raw.ok && raw.value.text).toMatch(/^Some words there\.\n```ai-edit/);
    const back = await edit('letters', 'words');
    expect(back.text).toContain('Changed Garden.md.\nThis takes back an earlier edit of yours');
    expect(resultText(back)).toBe('Changed Garden.md (+1 −1)');
  });

  it('edit_file in review mode says that a change only takes back what waited', async () => {
    await using bench = await open({ [PATH]: 'Some words here.\n\nMore.\n' }, REVIEW);
    const edit = (old_text: string, new_text: string) =>
      bench.expectSuccess('edit_file', { path: PATH, edits: [{ old_text, new_text }] });
    await edit('words', 'letters');
    await edit('More', 'Less');
    expect(await edit('letters', 'words')).toContain('takes back an earlier edit of yours');
    expect(await edit('Less', 'Fewer')).toContain('The user has not decided yet');
    expect(await edit('Fewer', 'More')).toContain('Nothing of this change waits.');
  });

  it('update_properties says of a proposed property that the user has not decided, and of no moved lines', async () => {
    await using bench = await open({ [PATH]: BEFORE }, REVIEW);
    await bench.expectSuccess('read_file', { path: PATH });
    const input = { path: PATH, set: { cover: 'https://a.example/x.png' }, remove: ['due'] };
    expect(await bench.expectSuccess('update_properties', input)).toBe(
      [
        'Proposed to change properties of Garden.md:',
        '  cover (text): "https://a.example/x.png", new',
        '  due: not removed, since the note does not have it',
        'The user has not decided yet; until then you read Garden.md as if it were accepted.',
        'Note: It waits for the user, whatever the mode, because it adds a property, which may run code, load from elsewhere, or be unseen. Report it as proposed.',
      ].join('\n'),
    );
  });

  it('update_properties takes back a property that only waits', async () => {
    await using bench = await open({ [PATH]: BEFORE }, REVIEW);
    const set = { cover: 'https://a.example/x.png' };
    await bench.expectSuccess('update_properties', { path: PATH, set });
    const remove = { path: PATH, remove: ['cover'] };
    expect(await bench.expectSuccess('update_properties', remove)).toContain(
      'This takes back an earlier edit of yours',
    );
    expect(await bench.textOf(PATH)).toBe(BEFORE);
  });

  it('the tools say of what a note has already that it is only proposed', async () => {
    const head = '---\nold: 1\ntags: [plants]\n---\n';
    await using bench = await open({ [PATH]: `${head}Text.\n`, 'B.md': '' }, REVIEW);
    const edits = [
      { old_text: 'old: 1\ntags: [plants]', new_text: 'old: 1\ntags: [plants, food]\nnew: 2' },
      { position: 'end', content: '\n[[B]]' },
    ];
    await bench.expectSuccess('edit_file', { path: PATH, edits });
    bench.settings = { ...bench.settings, panelMode: 'apply' };
    const waits = 'It is only in an edit that still waits for the user: report it as proposed.';
    const said = async (name: string, input: object) => (await bench.call(name, input)).text;
    const content = await bench.textOf(PATH);
    await bench.expectSuccess('read_file', { path: PATH });
    for (const [name, input] of [
      ['update_properties', { path: PATH, set: { new: 2 } }],
      ['add_tags', { path: PATH, tags: ['food'] }],
      ['link_notes', { source: PATH, target: 'B' }],
      ['write_file', { path: PATH, content }],
    ] as const) {
      expect(await said(name, input)).toMatch(new RegExp(`already[^]*\n${waits}$`));
    }
    expect(await said('update_properties', { path: PATH, set: { old: 1 } })).not.toContain(waits);
    expect(await said('add_tags', { path: PATH, tags: ['plants'] })).not.toContain(waits);
  });

  it('the tools refuse text that looks like a complete pending edit', async () => {
    await using bench = await open({ [PATH]: BEFORE }, REVIEW);
    const block = '```ai-edit\n{"id":"abc123","type":"add","after":"x"}\n```\n';
    expect(await bench.expectFailure('write_file', { path: 'New.md', content: block })).toContain(
      'holds an ai-edit block',
    );
    const edits = [{ position: 'end', content: block }];
    expect(await bench.expectFailure('edit_file', { path: PATH, edits })).toContain(
      'Nothing was written',
    );
    expect(await bench.expectSuccess('read_file', { path: PATH })).toContain('Rest.');
    // Without the blank line, it would be part of the paragraph above.
    const indented = `\n${block.replace(/^(?=.)/gm, '    ')}`;
    await bench.expectSuccess('edit_file', {
      path: PATH,
      edits: [{ position: 'end', content: indented }],
    });
  });
});
