import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { ToolCall } from '#model/conversation';
import ItemLine from '#components/tool/ItemLine.svelte';

function lineOf(call: Partial<ToolCall>, input: Record<string, unknown> = {}): string {
  const part = { type: 'call', wireId: 'w', name: 'ledger_match_receipts', input };
  const whole = { id: 'c', part, settled: null, started: 1, ...call } as ToolCall;
  const item = { kind: 'call', key: 'c', call: whole, words: null } as const;
  return render(ItemLine, { item }).container.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

test('A call that runs says how far it is, for as long as it runs', () => {
  expect(lineOf({ state: 'running' })).toBe('Using ledger match receipts');
  expect(lineOf({ state: 'running', progress: '12 of 40' })).toBe(
    'Using ledger match receipts: 12 of 40',
  );
  expect(lineOf({ state: 'running', progress: '1 of 2' }, { path: 'Books/May.md' })).toBe(
    'Using ledger match receipts: Books/May 1 of 2',
  );
  const result = { text: 'Done.', failed: false };
  expect(lineOf({ state: 'finished', ended: 2, result })).toBe('Used ledger match receipts');
});
