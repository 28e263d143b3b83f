/** What an approval covers: what was shown, and nothing that came up since. */
import { describe, expect, test } from 'vitest';
import { Caller } from './caller';

const FILES = {
  'Note.md': 'One.\n',
  'Page.html': 'One.\n',
  'Old.md': 'Old.\n',
  'AGENTS.md': 'Be kind.\n',
};
const YES = { kind: 'choice', choice: 'allow-once' } as const;
const SCRIPT = '<script>x</script>';
const ADDS_SCRIPT = { path: 'Page.html', edits: [{ position: 'end', content: SCRIPT }] };

describe('an approval', () => {
  test('an approval of a change to a page writes it', async () => {
    const caller = new Caller(FILES);
    expect(await caller.decides('edit_file', ADDS_SCRIPT, YES)).toMatchObject({ failed: false });
    expect(caller.notes.text('Page.html')).toBe(`One.\n${SCRIPT}\n`);
  });

  test('an approval does not cover a file that has changed meanwhile', async () => {
    const caller = new Caller(FILES);
    const result = await caller.decides('edit_file', ADDS_SCRIPT, YES, () =>
      caller.notes.put('Page.html', 'Other.\n'),
    );
    expect(result.text).toMatch(/^`Page\.html` was not changed: it needs the user's approval/);
    expect(caller.notes.text('Page.html')).toBe('Other.\n');
  });

  test('an approval of one path does not cover another', async () => {
    const caller = new Caller(FILES, { settings: { tools: { write_file: 'ask' } } });
    const result = await caller.decides('write_file', { content: '# Idea' }, YES, () =>
      caller.notes.put('Idea.md', 'Somebody else’s.\n'),
    );
    expect(result).toMatchObject({ failed: true });
    expect(caller.notes.get('Idea 2.md')).toBeUndefined();
  });

  test('an approval does not override what has been forbidden meanwhile', async () => {
    const forbids: readonly ((caller: Caller) => void)[] = [
      (caller) => void (caller.mode = 'read-only'),
      (caller) => void (caller.settings = { ...caller.settings, allowAdd: false }),
      (caller) => void (caller.settings = { ...caller.settings, tools: { edit_file: 'off' } }),
      (caller) => void (caller.settings = { ...caller.settings, editableScope: 'context' }),
    ];
    for (const forbid of forbids) {
      const caller = new Caller(FILES);
      const result = await caller.decides('edit_file', ADDS_SCRIPT, YES, () => forbid(caller));
      expect(result.failed).toBe(true);
      expect(caller.notes.text('Page.html')).not.toContain(SCRIPT);
    }
  });

  test('"always" allows the tool, but never pages or instructions', async () => {
    const always = { kind: 'choice', choice: 'always' } as const;
    const caller = new Caller(FILES, { settings: { tools: { edit_file: 'ask' } } });
    const input = { path: 'Note.md', edits: [{ position: 'end', content: 'Two.' }] };
    expect(await caller.call('edit_file', input)).toMatchObject({
      asks: { choices: ['allow-once', 'always', 'deny'], title: 'Change Note.md?' },
    });
    await caller.decides('edit_file', input, always);
    expect(caller.settings.tools).toEqual({ edit_file: 'allow' });
    expect(await caller.call('edit_file', input)).toMatchObject({ result: { failed: false } });
    expect(await caller.call('edit_file', ADDS_SCRIPT)).toMatchObject({
      asks: { choices: ['allow-once', 'deny'] },
    });
  });
});

describe('the approval shown to the user', () => {
  test('an approval has everything that would be sent, however long', async () => {
    const tools = { web_search: 'ask', search_files: 'ask' } as const;
    const caller = new Caller(FILES, { settings: { tools } });
    const query = `${'apples and pears '.repeat(22)}and the secret`;
    const asked = await caller.call('web_search', { query });
    expect(asked).toMatchObject({ asks: { input: [{ name: 'query', text: query }] } });
    const pattern = 'x'.repeat(5_000);
    const long = await caller.call('search_files', { pattern, file_pattern: '*.md' });
    expect(long).toMatchObject({
      asks: {
        input: [
          { name: 'pattern', text: pattern },
          { name: 'file_pattern', text: '*.md' },
        ],
      },
    });
  });

  test('an approval shows what would be written and why it asks', async () => {
    const caller = new Caller(FILES);
    const input = { path: 'AGENTS.md', edits: [{ position: 'end', content: 'Obey.' }] };
    expect(await caller.call('edit_file', input)).toMatchObject({
      asks: {
        title: 'Change AGENTS.md?',
        lines: ['AGENTS.md tells agents or plugins what to do.', 'Changes AGENTS.md (+2 −0).'],
        changes: [{ path: 'AGENTS.md', before: 'Be kind.\n', after: 'Be kind.\n\nObey.\n' }],
      },
    });
  });

  test('an approval of a change to a long file has all that changes', async () => {
    const long = 'word word\n'.repeat(30_000);
    const caller = new Caller({ 'Page.html': long });
    expect(await caller.call('edit_file', ADDS_SCRIPT)).toMatchObject({
      asks: {
        allows: [expect.stringMatching(/^write\nPage\.html\n/) as string],
        changes: [{ path: 'Page.html', before: '', after: `${SCRIPT}\n` }],
      },
    });
  });

  test('a change that is too long to be shown is refused instead of asked about', async () => {
    const caller = new Caller({ 'AGENTS.md': 'word word\n'.repeat(150_000) });
    const edits = [{ old_text: 'word', new_text: 'sword', replace_all: true }];
    expect(await caller.says('edit_file', { path: 'AGENTS.md', edits })).toContain('too long');
  });

  test('no approval is requested for what would be refused anyway', async () => {
    const caller = new Caller(FILES, { settings: { allowReplace: false } });
    expect(await caller.call('delete', { path: 'Old.md' })).toMatchObject({
      result: { failed: true, details: { kind: 'refused', by: 'capability' } },
    });
  });

  test('a file that is renamed to a note asks if its text may run', async () => {
    const caller = new Caller({ 'Script.txt': SCRIPT });
    expect(
      await caller.call('move', { source: 'Script.txt', destination: 'Script.md' }),
    ).toMatchObject({
      asks: {
        lines: [
          `It changes how an HTML element is read, which may run code, load from elsewhere, or be unseen: ${SCRIPT}`,
          'Moves Script.txt to Script.md.',
        ],
      },
    });
    expect(
      await caller.call('move', { source: 'Script.txt', destination: 'Other.txt' }),
    ).toMatchObject({ result: { failed: false } });
  });

  test.each(['A`.md', 'A%%.md', '$A$.md', 'New `/A.md'])(
    'a move to %s asks, because links to it may be read as more than links',
    async (destination) => {
      const caller = new Caller({ 'A.md': 'One.\n', 'B.md': '[[A]] `<img src=x>`\n' });
      expect(await caller.call('move', { source: 'A.md', destination })).toMatchObject({
        asks: {
          lines: [expect.stringContaining('a sign of code, comments or formulas') as string, {}],
        },
      });
    },
  );

  test('a move asks for no sign that the name has already', async () => {
    const caller = new Caller({ 'Budget $100.md': 'One.\n' });
    const input = { source: 'Budget $100.md', destination: 'Old/Budget $100, 50%.md' };
    expect(await caller.call('move', input)).toMatchObject({ result: { failed: false } });
  });

  test.each(['=', '+', '-', '@'])(
    'a spreadsheet with a cell that begins with %s asks',
    async (sign) => {
      const caller = new Caller({ 'Costs.csv': 'Rent;5\n' });
      const edits = [{ position: 'end', content: `Food;${sign}cmd|calc` }];
      expect(await caller.call('edit_file', { path: 'Costs.csv', edits })).toMatchObject({
        asks: {
          lines: [
            `It adds a formula of a spreadsheet, which may run code, load from elsewhere, or be unseen: Food;${sign}cmd|calc`,
            'Changes Costs.csv (+1 −0).',
          ],
        },
      });
    },
  );
});
