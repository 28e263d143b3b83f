import { describe, expect, it } from 'vitest';
import { ALL_TOOLS } from '#tools/all-tools';
import { benchFor } from '../../builders/run-tool-case';
import { IS_SAMPLE } from '../../builders/sampled';
import { TOOL_CASES } from '../../builders/tool-cases';
import { memoryBench } from '../../builders/tools';

const bench = memoryBench();

describe('plan', () => {
  it('plan shows the steps and counts those that are done', async () => {
    const steps = [
      { text: 'Find the list', state: 'done' },
      { text: 'Add milk', state: 'doing' },
    ];
    expect(await bench.call('plan', { steps })).toEqual({
      text: 'The plan is shown: 1 of 2 done.',
      failed: false,
      details: { kind: 'plan', steps },
    });
  });

  it.each([
    [{}, 'steps is missing'],
    [{ steps: [] }, 'steps: Expected at least 1'],
    [{ steps: [{ text: 'a' }] }, 'steps[0].state is missing'],
    [{ steps: [{ text: '', state: 'open' }] }, 'steps[0].text: Expected at least 1'],
    [{ steps: [{ text: 'a', status: 'open' }] }, 'steps[0]: Unrecognized key: "status"'],
    [{ steps: Array(31).fill({ text: 'a', state: 'open' }) }, 'steps: Expected at most'],
  ])('plan answers %j with the problem and an example', async (input, fault) => {
    const text = await bench.expectFailure('plan', input);
    expect(text).toContain(`- ${fault}`);
    expect(text).toContain('A valid input is, for example: {"steps":[{"text":"Find the list"');
  });
});

describe('send_message', () => {
  it('send_message says that the message was shown', async () => {
    expect(await bench.call('send_message', { message: 'Sorting.' })).toEqual({
      text: 'Shown to the user.',
      failed: false,
      details: { kind: 'message', text: 'Sorting.' },
    });
    for (const message of ['', '  ', '\u200b\n']) {
      const said = await bench.expectFailure('send_message', { message });
      expect(said).toContain('message: Expected words');
    }
  });

  it('send_message asks the user if the message is a question', async () => {
    const input = { message: 'Which one?', is_question: true };
    expect(await bench.expectFailure('send_message', input)).toMatch(
      /^A question needs a conversation/,
    );
  });
});

describe('ask_user', () => {
  it('ask_user asks the user', async () => {
    const input = { question: 'Which list?', choices: ['a', 'b'], allow_free_text: false };
    expect(await bench.expectFailure('ask_user', input)).toMatch(
      /^A question needs a conversation/,
    );
  });

  it.each([
    [{ question: '' }, 'question: Expected at least 1'],
    [{ question: 'a', choices: [''] }, 'choices[0]: Expected at least 1'],
    [{ question: 'a', choices: Array(9).fill('b') }, 'choices: Expected at most'],
    [{ question: 'a', allow_free_text: false }, 'allow_free_text false needs choices.'],
  ])('ask_user answers %j with the problem', async (input, fault) => {
    expect(await bench.expectFailure('ask_user', input)).toContain(`- ${fault}`);
  });
});

describe('done', () => {
  it('done ends the turn with an outcome', async () => {
    expect(await bench.call('done', { summary: 'Added milk.', outcome: 'partly' })).toEqual({
      text: 'The turn ends here.',
      failed: false,
      details: { kind: 'done', outcome: 'partly', summary: 'Added milk.' },
    });
    expect(await bench.expectFailure('done', { summary: 'x', outcome: 'success' })).toContain(
      'outcome: Expected one of "done"|"partly"|"not_done"',
    );
  });
});

describe('An unknown or restricted tool', () => {
  it('an unknown tool is answered with the available tools, and one that is off with a reason', async () => {
    expect(await bench.expectFailure('shell', {})).toBe(
      'There is no tool "shell". The tools are: read_file, get_file_info, get_properties, get_context, write_file, edit_file, replace_in_notes, update_tasks, update_properties, add_tags, rename_tag, link_notes, redirect_links, apply_template, list_files, search_files, search_vault, query_notes, list_tags, get_links, find_dead_links, explore_structure, create_folder, move, copy, delete, copy_notes, open_note, plan, send_message, ask_user, get_conversation, get_changes, undo_changes, done, end_conversation.',
    );
    const off = memoryBench({}, { settings: { tools: { plan: 'off', done: 'off' } } });
    expect(await off.expectFailure('plan', { steps: [] })).toMatch(
      /^plan is switched off in the user/,
    );
    expect(await off.expectSuccess('done', { summary: 'x', outcome: 'done' })).toBe(
      'The turn ends here.',
    );
  });

  it('a tool set to ask shows an approval for once or always', async () => {
    const asking = memoryBench({ 'a.md': 'x' }, { settings: { tools: { read_file: 'ask' } } });
    const card = await asking.approvalOf('read_file', { path: 'a.md' });
    expect(card).toMatchObject({
      title: 'Read a?',
      lines: [],
      choices: ['allow-once', 'always', 'deny'],
    });
    expect(await asking.confirm(card, 'always')).toMatchObject({ failed: false });
    expect(asking.settings.tools).toEqual({ read_file: 'allow' });
    expect(await asking.expectSuccess('read_file', { path: 'a.md' })).toContain('1: x');
  });

  it('an approval shows all of its input', async () => {
    const tools = { search_files: 'ask', read_file: 'ask' } as const;
    const asking = memoryBench({ 'a.md': 'x' }, { settings: { tools } });
    const search = { pattern: 'oat milk', file_pattern: 'Lists', max_results: 5 };
    expect(await asking.approvalOf('search_files', search)).toMatchObject({
      title: 'Search for “oat milk”?',
      lines: [],
      input: [
        { name: 'pattern', text: 'oat milk' },
        { name: 'file_pattern', text: 'Lists' },
        { name: 'max_results', text: '5' },
      ],
    });
    const paths = ['a.md', 'b.md', 'c.md', 'd.md'];
    expect(await asking.approvalOf('read_file', { paths })).toMatchObject({
      title: 'Read a, b, c, d?',
      input: [{ name: 'paths', text: JSON.stringify(paths, null, 2) }],
    });
  });

  it('the approval of every tool asks in words for the user', async () => {
    const asked = new Set<string>();
    const named = ALL_TOOLS.flatMap(({ name }) => (name.includes('_') ? [name] : []));
    for (const { tool, input, settings, before = [] } of TOOL_CASES) {
      if (IS_SAMPLE && asked.has(tool)) continue;
      const tools = { ...settings?.tools, [tool]: 'ask' } as const;
      const asking = await benchFor({ settings: { ...settings, tools } });
      for (const [name, given] of before) await asking.call(name, given);
      // A call that cannot succeed is answered without asking.
      const card = await asking.approvalOf(tool, input).catch(() => null);
      if (card === null) continue;
      asked.add(tool);
      const words = [card.title, ...card.lines].join('\n');
      expect(named.filter((name) => words.includes(name))).toEqual([]);
      expect(card.title).toMatch(/^[A-Z][^{}]+\?$/);
      expect(card.title).not.toMatch(/undefined|“”/);
    }
    const fixed = ['ask_user', 'done'];
    const names = ALL_TOOLS.map(({ name }) => name).filter((name) => !fixed.includes(name));
    expect(names.filter((name) => !asked.has(name))).toEqual([]);
  });
});
