import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { ToolCall } from '#model/conversation';
import { durationText, summaryDetail, summaryLine } from '#components/tool/step-words.ts';
import StepLine from '#components/tool/StepLine.svelte';

function lineOf(call: Partial<ToolCall>, input: Record<string, unknown> = {}): string {
  const part = { type: 'call', wireId: 'w', name: 'ledger_match_receipts', input };
  const whole = { id: 'c', part, resolved: null, started: 1, ...call } as ToolCall;
  const item = { kind: 'call', key: 'c', call: whole, words: null } as const;
  return render(StepLine, { item }).container.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

test('a running call shows its progress until it ends', () => {
  expect(lineOf({ state: 'running' })).toBe('Using ledger match receipts');
  expect(lineOf({ state: 'running', progress: 'Reading 40 notes, 30 %' }, { path: 'May.md' })).toBe(
    'Reading 40 notes, 30 %',
  );
  const result = { text: 'Done.', failed: false };
  expect(lineOf({ state: 'finished', ended: 2, result })).toBe('Used ledger match receipts');
});

test.each([
  ['list_files', { pattern: '*{shopping,groceries}*' }, 'Listed files: “shopping” or “groceries”'],
  ['list_files', { pattern: 'a*', path: 'Lists' }, 'Listed files: “a” in Lists'],
  ['list_files', { pattern: 'Journal/**' }, 'Listed files: Journal'],
  ['list_files', { pattern: '**/*.md' }, 'Listed files'],
  ['search_files', { pattern: '^#+ .*gift' }, 'Searched for “gift”'],
  ['search_files', { pattern: '- \\[ \\]' }, 'Searched'],
  ['search_files', { pattern: 'one|two|three|four' }, 'Searched for “one”, “two”, “three”, …'],
  ['search_vault', { query: 'broad beans' }, 'Searched for “broad beans”'],
  ['explore_structure', {}, 'Explored folders'],
  ['get_context', {}, 'Checked attachments'],
  ['create_folder', { path: 'Projects/2026' }, 'Created Projects/2026'],
  ['apply_template', { path: 'Trip.md' }, 'Used a template for Trip'],
  ['execute_command', { command: 'editor:save-file' }, 'Ran save file'],
  ['read_webpage', { url: 'https://www.example.com/a?b=1' }, 'Read example.com'],
  ['move', { source: 'A/Boat.md', destination: 'B/2026/' }, 'Moved Boat → 2026'],
])('%s with %j is shown as "%s"', (name, input, line) => {
  const part = { type: 'call', wireId: 'w', name, input } as const;
  const result = { text: 'Done.', failed: false };
  expect(lineOf({ state: 'finished', ended: 2, part, result } as never)).toBe(line);
});

test('a call whose changes only wait is shown as proposed, in its line and in the summary', () => {
  const change = { change: 'c', kind: 'write', path: 'Shopping.md', added: 1, removed: 0 };
  const editing = (...changes: object[]) => {
    const part = { type: 'call', wireId: 'w', name: 'edit_file', input: { path: 'Shopping.md' } };
    const result = { text: 'Done.', failed: false, details: { kind: 'changes', changes } };
    return { id: 'c', part, resolved: null, started: 1, state: 'finished', ended: 2, result };
  };
  const proposed = editing({ ...change, proposes: ['one'] }) as unknown as ToolCall;
  const made = editing(change) as unknown as ToolCall;
  expect(lineOf(proposed)).toBe('Proposed to edit Shopping');
  expect(lineOf(made)).toBe('Edited Shopping');
  const items = [made, proposed, proposed].map((call) => ({
    ...{ kind: 'call', key: call.id, call, words: null },
  }));
  expect(summaryLine(items as never)).toBe('Edited 1 note, proposed to edit 2 notes');
});

test('a denied or stopped call is not shown as failed', () => {
  const result = { text: 'The user denied it.', failed: true } as const;
  const finished = { state: 'finished', ended: 2, started: null } as const;
  const settledBy = (choice: 'keep' | 'deny') =>
    ({
      ...{ interaction: { kind: 'approval' }, time: 1 },
      resolution: { kind: 'choice', choice },
    }) as never;
  const input = { path: 'Books/May.md' };
  expect(lineOf({ ...finished, resolved: settledBy('keep'), result }, input)).toBe(
    'You kept Books/May',
  );
  expect(lineOf({ ...finished, resolved: settledBy('deny'), result }, input)).toBe(
    'You denied: use ledger match receipts: Books/May',
  );
  const stopped = { ...result, details: { kind: 'stopped' } } as const;
  expect(lineOf({ ...finished, result: stopped }, input)).toMatch(/^Stopped: /);
  expect(lineOf({ ...finished, result }, input)).toMatch(/^Did not /);
});

test('a group of calls does not count denied or stopped calls as failures', () => {
  const declined = {
    ...{ id: 'c', state: 'finished', settled: null, started: null, ended: 2 },
    part: { type: 'call', wireId: 'w', name: 'write_file', input: {} },
    result: { text: 'Not run.', failed: true, details: { kind: 'stopped' } },
  } as unknown as ToolCall;
  const items = [declined, declined].map(
    (call, at) => ({ kind: 'call', key: `${at}`, call, words: null }) as const,
  );
  expect(summaryLine(items)).toBe('Stopped');
  expect(summaryDetail(items)).toBe('');
});

test('finished thinking is shown with the time it took, if that is long enough to mention', () => {
  const thought = (took: number) =>
    ({ kind: 'thinking', key: 't', text: 'Hm.', live: false, took }) as const;
  const shown = (took: number) =>
    render(StepLine, { item: thought(took) }).container.textContent?.trim();
  expect(shown(3000)).toBe('Thought for 3 s');
  expect(shown(200)).toBe('Thought');
  expect(summaryLine([thought(3000), thought(1200)])).toBe('Thought for 4 s');
});

test.each([
  [900, ''],
  [4_400, '4 s'],
  [59_700, '1 min 0 s'],
  [605_000, '10 min 5 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
])('%i milliseconds are called "%s"', (milliseconds, words) => {
  expect(durationText(milliseconds)).toBe(words);
});
