import { expect, test } from 'vitest';
import type { DeviceId } from '#model/ids';
import type { EventDraft } from '#model/event';
import { reduceAll } from '#model/reducer';
import { ChangeLog } from '#edits/change-log';
import { closeInterruptedCalls } from '#queue/interrupted-calls';
import type { ToolEffect } from '#tools/tool';
import { MemoryNotes } from '../builders/fake-vault';
import { memoryStore } from '../builders/fake-storage';
import { Script } from '#workbench/gallery/script';

const EFFECTS: Readonly<Record<string, ToolEffect>> = {
  execute_command: 'change',
  create_folder: 'change',
  desk_send: 'outside',
};
const effectOf = (tool: string) => EFFECTS[tool] ?? null;

test('an interrupted command counts as unknown, and a change without a trace as not done', async () => {
  const script = new Script('a').ask('Do both').step();
  script.start(script.prepare('execute_command', { command: 'daily-notes' }));
  script.start(script.prepare('create_folder', { path: 'Fresh' }));
  script.start(script.prepare('desk_send', { to: 'Ann' }));
  script.start(script.prepare('nobodys', {}));
  const turn = reduceAll(script.id, script.stepEnd().events).turns[0]!;
  const told: EventDraft[] = [];
  const changeLog = new ChangeLog(memoryStore(), 'ledger', 'desk' as DeviceId);
  const record = async (event: EventDraft) => void told.push(event);
  await closeInterruptedCalls(turn, changeLog, new MemoryNotes(), record, effectOf);
  expect(told.map((event) => (event.type === 'call-end' ? event.result.text : ''))).toEqual([
    expect.stringMatching(/^Unknown: Parley was interrupted while execute_command ran/),
    expect.stringMatching(/^Not done: Parley was interrupted before create_folder/),
    expect.stringMatching(/^Unknown: Parley was interrupted while desk_send ran/),
    expect.stringMatching(/^Unknown: Parley was interrupted while nobodys ran/),
  ]);
});
