import { describe, expect, it } from 'vitest';
import { DEMO_WORDS, demoReply } from '#workbench/model/demo';
import { intentOf } from '#workbench/model/demo-intent';
import { numberedLines, pathsIn } from '#workbench/model/demo-finding';
import { playDemoTurn, type Notes } from '#tests/builders/described-tools';

const vault = (): Notes =>
  new Map([
    ['Lists/Shopping.md', '# Shopping\n\n- Oat milk\n- Apples\n- Coffee\n\nMarket on Saturday.\n'],
    [
      'Lists/Todo.md',
      '# Todo\n\n## Open\n\n- [ ] Call the bank\n- [ ] Sort photos\n    - [ ] 2025\n\n## Done\n\n- [x] Pay rent\n',
    ],
    ['Lists/Books to read.md', '# Books to read\n\n* Dune\n* Emma\n'],
    ['Lists/Plain.md', '# Plain\n'],
    [
      'Notes/Tomatoes.md',
      '---\ntags: [garden]\n---\n# Tomatoes\n\nTomatoes want sun. Water low.\n',
    ],
    ['Journal/2026-11-12.md', '# Thursday\n\nSowed nothing, read about tomatoes in the rain.\n'],
    ['Projects/Alpha meeting.md', '# Alpha\n'],
    ['Projects/Beta meeting.md', '# Beta\n'],
    ['Templates/Meeting.md', '# {{title}}\n'],
  ]);

describe('the demo model with lists', () => {
  it('the demo model appends a line in the style of the list with at most six requests', () => {
    const notes = vault();
    const turn = playDemoTurn(notes, 'Add milk to my shopping list.');
    expect(notes.get('Lists/Shopping.md')).toBe(
      '# Shopping\n\n- Oat milk\n- Apples\n- Coffee\n- Milk\n\nMarket on Saturday.\n',
    );
    expect(turn).toMatchObject({ outcome: 'done', violations: [] });
    expect(turn.summary).toContain('[[Shopping]]');
    expect(turn.calls).toBeLessThanOrEqual(6);
    expect(turn.made[0]).toMatchObject({
      name: 'plan',
      input: { steps: [{ state: 'doing' }, {}, {}] },
    });
  });

  it.each(['\t', '│', ' | ', ': ', '│ '])(
    'the demo model reads line numbers separated by %j',
    (separator) => {
      const notes = vault();
      playDemoTurn(notes, 'add tea to the shopping list', { separator });
      expect(notes.get('Lists/Shopping.md')).toContain('- Coffee\n- Tea\n');
    },
  );

  it.each([
    'put eggs and bread on the groceries list',
    'Could you please add eggs, and bread to Shopping?',
    'Simone, add some eggs and bread to my SHOPPING list, thanks!',
    '<context>Active note: Lists/Todo.md</context>\n\nadd eggs and bread to shopping',
  ])('the demo model understands %j', (said) => {
    const notes = vault();
    playDemoTurn(notes, said);
    expect(notes.get('Lists/Shopping.md')).toContain('- Coffee\n- Eggs\n- Bread\n');
  });

  it('the demo model adds a task after the last open task and its subtasks', () => {
    const notes = vault();
    playDemoTurn(notes, 'add call mum and dad to my to-do list');
    expect(notes.get('Lists/Todo.md')).toContain(
      '    - [ ] 2025\n- [ ] Call mum and dad\n\n## Done',
    );
  });

  it('the demo model keeps the bullet style of the list', () => {
    const notes = vault();
    playDemoTurn(notes, 'add Middlemarch to my reading list');
    expect(notes.get('Lists/Books to read.md')).toBe(
      '# Books to read\n\n* Dune\n* Emma\n* Middlemarch\n',
    );
  });

  it('the demo model reports an item that is already listed and reopens a completed task', () => {
    const notes = vault();
    const before = notes.get('Lists/Shopping.md');
    expect(playDemoTurn(notes, 'add apples to my shopping list').summary).toMatch(/already/);
    expect(notes.get('Lists/Shopping.md')).toBe(before);
    playDemoTurn(notes, 'add pay rent to my todo list');
    expect(notes.get('Lists/Todo.md')).toContain('- [ ] Pay rent');
  });

  it('the demo model creates a missing list and starts an empty one', () => {
    const notes = vault();
    expect(playDemoTurn(notes, 'add tent to my packing list').outcome).toBe('done');
    expect(notes.get('Lists/Packing.md')).toBe('# Packing\n\n- tent\n');
    playDemoTurn(notes, 'add one thing to the plain list');
    expect(notes.get('Lists/Plain.md')).toBe('# Plain\n- one thing\n');
  });

  it('the demo model removes items and checks off tasks', () => {
    const notes = vault();
    playDemoTurn(notes, 'take apples off my shopping list');
    expect(notes.get('Lists/Shopping.md')).not.toContain('Apples');
    playDemoTurn(notes, 'tick off call the bank on my todo list');
    expect(notes.get('Lists/Todo.md')).toContain('- [x] Call the bank');
    expect(playDemoTurn(notes, 'remove rice from my shopping list').outcome).toBe('not_done');
  });

  it('the demo model lists open items', () => {
    const turn = playDemoTurn(vault(), 'What’s on my todo list?');
    expect(turn.summary).toBe('On [[Todo]]:\n\n- Call the bank\n- Sort photos\n- 2025');
  });

  it('the demo model tries the close match that an error suggests', () => {
    const notes = vault();
    const turn = playDemoTurn(notes, 'add tea to the shopping list', {
      instead: (name) => (name === 'list_files' ? { content: 'lists/shopping.md' } : undefined),
    });
    expect(turn.outcome).toBe('done');
    expect(notes.get('Lists/Shopping.md')).toContain('- Tea');
  });

  it('the demo model reports why an edit was denied', () => {
    const turn = playDemoTurn(vault(), 'add tea to the shopping list', {
      instead: (name) =>
        name === 'edit_file'
          ? { content: 'This conversation is read only.', is_error: true }
          : undefined,
    });
    expect(turn).toMatchObject({ outcome: 'not_done' });
    expect(turn.summary).toContain('read only');
  });

  it('the demo model does not report a proposed edit as done', () => {
    const turn = playDemoTurn(vault(), 'add tea to the shopping list', {
      instead: (name) => (name === 'edit_file' ? { content: 'Proposed 1 change.' } : undefined),
    });
    expect(turn.summary).toMatch(/^Proposed for your review/);
  });

  it('the demo model repeats a call once that a crash prevented', () => {
    const notes = vault();
    const turn = playDemoTurn(notes, 'add tea to the shopping list', {
      instead: (name, _input, time) =>
        name === 'edit_file' && time === 1
          ? { content: 'Not done: Obsidian closed.', is_error: true }
          : undefined,
    });
    expect(turn.made.filter(({ name }) => name === 'edit_file')).toHaveLength(2);
    expect(turn.outcome).toBe('done');
  });
});

describe('the demo model with whole notes', () => {
  it('the demo model creates a note with the given text', () => {
    const notes = vault();
    playDemoTurn(notes, 'Create a note about sourdough with feed the starter every day');
    expect(notes.get('Sourdough.md')).toBe('# Sourdough\n\nFeed the starter every day\n');
    playDemoTurn(notes, 'create a note called "Gift ideas" in the folder Lists');
    expect(notes.get('Lists/Gift ideas.md')).toBe('# Gift ideas\n');
  });

  it.each([
    'What do my notes say about tomatoes?',
    'summarize my notes on tomatoes',
    'find tomatoes',
  ])('the demo model finds and summarizes notes for %j', (said) => {
    const turn = playDemoTurn(vault(), said);
    expect(turn.summary).toContain('[[Tomatoes]]: Tomatoes want sun.');
    expect(turn.summary).toContain('[[2026-11-12]]');
    expect(turn.summary).not.toContain('tags');
  });

  it('the demo model reports when nothing is found', () => {
    expect(playDemoTurn(vault(), 'what do my notes say about zebras?').summary).toMatch(
      /nothing about zebras/,
    );
  });

  it('the demo model renames, moves and deletes notes', () => {
    const notes = vault();
    playDemoTurn(notes, 'rename Tomatoes to Growing tomatoes');
    expect(notes.has('Notes/Growing tomatoes.md')).toBe(true);
    playDemoTurn(notes, 'move growing tomatoes to the folder Archive');
    expect(notes.has('Archive/Growing tomatoes.md')).toBe(true);
    expect(playDemoTurn(notes, 'delete the note Growing tomatoes').outcome).toBe('done');
    expect(notes.has('Archive/Growing tomatoes.md')).toBe(false);
  });

  it('the demo model does not take a repeated "delete it" for the open note', () => {
    const context = '<context>Active note: Lists/Shopping.md</context>';
    const input = { path: 'Notes/Tomatoes.md' };
    const reply = demoReply({
      model: 'demo',
      max_tokens: 100,
      tools: [{ name: 'delete' }],
      messages: [
        { role: 'user', content: 'Delete Tomatoes' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'd1', name: 'delete', input }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'd1', content: 'Deleted.' }],
        },
        { role: 'assistant', content: 'I deleted Tomatoes.' },
        { role: 'user', content: `${context} Simone, delete it` },
      ],
    });
    expect(reply.blocks).toEqual([
      {
        type: 'text',
        text: 'I deleted Tomatoes before. To delete another note, tell me its name.',
      },
    ]);
  });

  it('the demo model accepts that the user keeps a note', () => {
    const turn = playDemoTurn(vault(), 'delete tomatoes', {
      instead: (name) =>
        name === 'delete'
          ? { content: 'Not done: the user chose Keep.', is_error: true }
          : undefined,
    });
    expect(turn).toMatchObject({ outcome: 'not_done' });
    expect(turn.made.filter(({ name }) => name === 'delete')).toHaveLength(1);
  });

  it.each(['Projects/Beta meeting.md', 'the second one', 'beta meeting'])(
    'the demo model asks which of several notes is meant and understands the answer %j',
    (answer) => {
      const notes = vault();
      const turn = playDemoTurn(notes, 'delete meeting', { answer });
      const question = turn.made.find(({ name }) => name === 'ask_user');
      expect(question?.input.choices).toEqual([
        'Projects/Alpha meeting.md',
        'Projects/Beta meeting.md',
      ]);
      expect(notes.has('Projects/Beta meeting.md')).toBe(false);
      expect(notes.has('Projects/Alpha meeting.md')).toBe(true);
    },
  );

  it('the demo model edits the active note when the user says "this note"', () => {
    const notes = vault();
    playDemoTurn(notes, '<context>Active note: Lists/Shopping.md</context> add tea to this note');
    expect(notes.get('Lists/Shopping.md')).toContain('- Tea');
  });
});

describe('the demo model in general', () => {
  it.each(['Hello', 'Write me a poem', 'What time is it?'])(
    'the demo model introduces itself in reply to %j',
    (said) => {
      const turn = playDemoTurn(vault(), said);
      expect(turn.text).toBe(DEMO_WORDS);
      expect(turn.text).toContain('demo model');
    },
  );

  it('the demo model works the same when tools are presented as agents', () => {
    const notes = vault();
    const turn = playDemoTurn(notes, 'add tea to the shopping list', { agents: true });
    expect(turn).toMatchObject({ outcome: 'done', violations: [] });
    expect(notes.get('Lists/Shopping.md')).toContain('- Tea');
  });

  it('the demo model resumes the earlier request after "Continue."', () => {
    const { messages } = playDemoTurn(vault(), 'add tea to the shopping list');
    const half = messages.slice(0, 4);
    const ask = { role: 'user', content: 'Continue.' };
    const stop = { role: 'assistant', content: 'A limit was reached.' };
    const tools = ['list_files', 'read_file', 'edit_file', 'done'].map((name) => ({ name }));
    const reply = demoReply({
      model: 'm',
      max_tokens: 1,
      tools,
      messages: [...half, messages[4] ?? ask, stop, ask].slice(0, -1).concat(ask),
    });
    expect(reply.blocks.find((block) => block.type === 'tool_use')).toMatchObject({
      name: 'edit_file',
    });
  });

  it('the demo model answers a request that was stopped at once, after "Continue."', () => {
    const context = { type: 'text', text: '<context>\nToday.\n</context>' };
    const said = (text: string) => ({ type: 'text', text });
    const names = ['search_files', 'list_files', 'read_file', 'done'];
    const reply = demoReply({
      ...{ model: 'm', max_tokens: 1, tools: names.map((name) => ({ name })) },
      messages: [
        {
          role: 'user',
          content: [
            ...[context, said('What do my notes say about tomatoes?')],
            said('<context>\nThe user stopped the turn above before it ended.\n</context>'),
            ...[context, said('Continue.')],
          ],
        },
      ],
    });
    expect(reply.blocks).toContainEqual(expect.objectContaining({ name: 'search_files' }));
  });

  it('the demo model repeats a search that was stopped, after "Continue."', () => {
    const said = 'What do my notes say about tomatoes?';
    const { messages } = playDemoTurn(vault(), said);
    const stopped = messages.slice(0, 3).map((message, at) =>
      at < 2 || typeof message.content === 'string'
        ? message
        : {
            ...message,
            content: message.content?.map((block) => ({
              ...block,
              ...{ content: 'Stopped by the user before it finished.', is_error: true },
            })),
          },
    );
    const names = ['search_files', 'list_files', 'read_file', 'done'];
    const reply = demoReply({
      ...{ model: 'm', max_tokens: 1, tools: names.map((name) => ({ name })) },
      messages: [...stopped, { role: 'user', content: 'Continue.' }] as typeof messages,
    });
    expect(reply.blocks).toContainEqual(expect.objectContaining({ name: 'search_files' }));
  });

  it.each([
    [
      '<context>Active note: Lists/Todo.md</context>\n\nWhat water do tomatoes want?',
      '[[Tomatoes]]',
    ],
    [
      'Find notes related to [[Tomatoes]]. Say in a few words how each is related.',
      'about Tomatoes,',
    ],
  ])('the demo model answers %j from a search', (said, words) => {
    const turn = playDemoTurn(vault(), said);
    expect(turn.outcome).toBe('done');
    expect(turn.summary).toContain(words);
  });

  it.each([
    'Fix spelling, grammar and awkward sentences in [[Tomatoes]]. Keep its meaning.',
    '<context>Quick edit: change only line 3 of Lists/Todo.md</context>\n\nMake this shorter.',
  ])('the demo model says that it cannot rewrite, in reply to %j', (said) => {
    const turn = playDemoTurn(vault(), said);
    expect(turn).toMatchObject({ outcome: 'not_done', violations: [] });
    expect(turn.summary).toContain('can’t rewrite');
  });

  it('titles and summaries of the demo model differ and are cut between words', () => {
    const request = {
      ...{ model: 'm', max_tokens: 1 },
      messages: [
        {
          role: 'user' as const,
          content:
            'Write title and summary.\nUser: What did I write about the garden in the last few days and weeks?\nAgent: Tomatoes want sun.',
        },
      ],
    };
    const text = demoReply(request)
      .blocks.map((block) => ('text' in block ? block.text : ''))
      .join('');
    expect(text).toBe(
      'What did I write about the garden in the last few days and\n\nTomatoes want sun.\nWhat did I write about the garden in the last few days and weeks?',
    );
  });

  it('the demo model returns a title for a request without tools', () => {
    const messages = [{ role: 'user', content: 'User: Add milk to my list' }];
    const reply = demoReply({ model: 'm', max_tokens: 1, messages });
    expect(reply.blocks).toEqual([{ type: 'text', text: 'Add milk to my list' }]);
  });

  it('intentOf recognizes the kind of a request from its wording', () => {
    expect(intentOf('move Ideas to Archive')).toMatchObject({ kind: 'move', folder: 'Archive' });
    expect(intentOf('Rename [[Ideas]] to Old')).toMatchObject({ source: 'Ideas', name: 'Old' });
    expect(intentOf('remind me to call Ana')).toMatchObject({ kind: 'add', what: 'call Ana' });
    expect(intentOf('delete Lists/Plain.md')).toMatchObject({ target: 'Lists/Plain.md' });
    expect(intentOf('sing')).toEqual({ kind: 'other' });
  });

  it('numberedLines and pathsIn tolerate different output formats', () => {
    expect(numberedLines('head\n  9│  - a\n 10│3: b')).toEqual([
      { number: 9, text: ' - a' },
      { number: 10, text: '3: b' },
    ]);
    expect(
      pathsIn(
        '- `Lists/Books to read.md` (note)\n  12: see Other.md\n2026-11-12.md:3: x\nNo note.',
      ),
    ).toEqual(['Lists/Books to read.md', '2026-11-12.md']);
  });
});
