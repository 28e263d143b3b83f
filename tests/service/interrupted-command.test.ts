import { expect, test } from 'vitest';
import type { DeviceId } from '#model/ids';
import type { EventDraft } from '#model/event';
import { foldAll } from '#model/fold';
import { Ledger } from '#review/ledger';
import { closeInterruptedCalls } from '#service/recovery';
import { MemoryNotes } from '#tests/builders/notes';
import { memoryStore } from '#tests/builders/store';
import { Script } from '#workbench/gallery/script';

test('a command that was interrupted may have run, and a change without a trace has not', async () => {
  const script = new Script('a').ask('Do both').step();
  script.start(script.prepare('execute_command', { command: 'daily-notes' }));
  script.start(script.prepare('create_folder', { path: 'Fresh' }));
  const turn = foldAll(script.id, script.stepEnd().events).turns[0]!;
  const told: EventDraft[] = [];
  const ledger = new Ledger(memoryStore(), 'ledger', 'desk' as DeviceId);
  await closeInterruptedCalls(turn, ledger, new MemoryNotes(), async (event) => {
    told.push(event);
  });
  expect(told.map((event) => (event.type === 'call-end' ? event.result.text : ''))).toEqual([
    expect.stringMatching(/^Unknown: Parley was interrupted while execute_command ran/),
    expect.stringMatching(/^Not done: Parley was interrupted before create_folder/),
  ]);
});
