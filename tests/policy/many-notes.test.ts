/** Calls that change many notes ask once, with the list of all notes. */
import { describe, expect, test } from 'vitest';
import { MANY_NOTES } from '#policy/decide';
import { Caller } from './caller';

const ALLOW = { kind: 'choice', choice: 'allow-once' } as const;

function notes(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`Note ${at + 1}.md`, `Text ${at + 1}.\n`]),
  );
}

const SET = { where: { folder: '/' }, set: { status: 'done' } };

describe('a call that changes many notes', () => {
  test.each(['apply', 'review'] as const)(
    'in %s, a call that changes ten notes asks once and lists them',
    async (mode) => {
      const caller = new Caller(notes(MANY_NOTES), { mode });
      expect(await caller.call('update_properties', SET)).toEqual({
        asks: {
          kind: 'approval',
          tool: 'update_properties',
          title: 'Change 10 notes?',
          lines: ['It changes 10 notes in one step.'],
          said: { title: 'Change 10 notes?', about: [] },
          items: expect.arrayContaining(['Changes Note 10.md (+3 −0).']) as string[],
          input: [{ name: 'set', text: '{\n  "status": "done"\n}' }],
          choices: ['allow-once', 'deny'],
          allows: expect.any(Array) as string[],
        },
      });
      expect(caller.notes.text('Note 1.md')).toBe('Text 1.\n');
    },
  );

  test('an approval names the notes in which the change only becomes an edit to review', async () => {
    const caller = new Caller({ ...notes(MANY_NOTES), 'Flow.md': '```mermaid\nText\n```\n' });
    const replace = { replacements: [{ old_text: 'Text', new_text: 'Word' }] };
    const why = 'since it changes a block of `mermaid`, which may run code';
    expect(await caller.call('replace_in_notes', replace)).toMatchObject({
      asks: {
        lines: [
          'It changes 11 notes in one step.',
          expect.stringContaining(`In Flow.md it becomes an edit to review, ${why}`) as string,
        ],
        items: expect.arrayContaining([
          'Changes Flow.md (+1 −1), as an edit to review.',
          'Changes Note 1.md (+1 −1).',
        ]) as string[],
      },
    });
    caller.mode = 'review';
    expect(await caller.call('replace_in_notes', replace)).toMatchObject({
      asks: { lines: ['It changes 11 notes in one step.'] },
    });
  });

  test('a call that changes fewer notes does not ask', async () => {
    const caller = new Caller(notes(MANY_NOTES - 1));
    expect(await caller.call('update_properties', SET)).toMatchObject({
      result: { failed: false, details: { changes: { length: MANY_NOTES - 1 } } },
    });
  });

  test('notes that stay as they are do not count', async () => {
    const done = { 'Done.md': '---\nstatus: done\n---\n' };
    const caller = new Caller({ ...notes(MANY_NOTES - 1), ...done });
    expect(await caller.call('update_properties', SET)).toMatchObject({ result: {} });
  });

  test('an approval covers no note that has changed or appeared meanwhile', async () => {
    const caller = new Caller(notes(12));
    const result = await caller.decides('update_properties', SET, ALLOW, () => {
      caller.notes.put('Note 3.md', 'Other.\n');
      caller.notes.put('New.md', 'New.\n');
    });
    expect(result).toMatchObject({ failed: false, details: { changes: { length: 11 } } });
    expect(result.text).toContain('Changed properties of 11 notes (status (text): "done", new):');
    expect(result.text).toContain('Not done in 2 notes:\n  New.md, Note 3.md: it was not changed:');
    expect(caller.notes.text('Note 3.md')).toBe('Other.\n');
    expect(caller.notes.text('New.md')).toBe('New.\n');
    expect(caller.notes.text('Note 12.md')).toBe('---\nstatus: done\n---\nText 12.\n');
  });

  test('a denied call changes nothing', async () => {
    const caller = new Caller(notes(12));
    await caller.decides('update_properties', SET, { kind: 'choice', choice: 'deny' });
    expect(caller.notes.text('Note 1.md')).toBe('Text 1.\n');
  });

  test('a note that asks for a reason of its own is shown with its text', async () => {
    const caller = new Caller({ ...notes(12), 'AGENTS.md': 'Be kind.\n' });
    expect(await caller.call('update_properties', SET)).toMatchObject({
      asks: {
        title: 'Change 13 notes?',
        lines: [
          'It changes 13 notes in one step.',
          'AGENTS.md tells agents or plugins what to do.',
        ],
        changes: [{ path: 'AGENTS.md' }],
      },
    });
  });
});
