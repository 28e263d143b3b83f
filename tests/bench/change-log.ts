/** Measures loading and using a change log of 200 MB on disk. Prints numbers; asserts nothing. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Change } from '#model/change';
import type { CallId, ChangeId, ConversationId, DeviceId, TurnId } from '#model/ids';
import { systemClock } from '#obsidian/platform/system-clock';
import { nodeModules } from '#obsidian/platform/node-modules';
import { nodeStorage } from '#obsidian/platform/node-storage';
import { ChangeLog } from '#edits/change-log';
import { shown, watched } from './timing/watched';

const DEVICE = 'device-bench' as DeviceId;
const CHANGES = 20_000;
const NOTES = 500;
const FILE_CHARS = 4_000_000;

export async function bench(print: (row: string) => void): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    const bytes = writeLedger(folder);
    print(`${CHANGES} changes of ${NOTES} notes, ${(bytes / 1e6).toFixed(0)} MB`);
    const rebuilt = await watched(() => open(folder).changes());
    print(`without an index, every file read: ${shown(rebuilt)} (block: budget 16 ms)`);
    const index = statSync(path.join(folder, `ledger/${DEVICE}.index.jsonl`)).size;
    const changeLog = open(folder);
    const loaded = await watched(() => changeLog.changes());
    print(
      `after a start, from the index of ${(index / 1e6).toFixed(1)} MB: ${shown(loaded)} (block: budget 16 ms)`,
    );
    const history = await watched(async () => (await changeLog.changes()).ofNote(noteAt(7)));
    print(`history of a note with ${history.value.length} changes: ${shown(history)}`);
    const texts = await watched(() => changeLog.read(history.value.slice(0, 20)));
    print(`texts of ${texts.value.size} changes in as many files: ${shown(texts)}`);
    const added = await watched(() => changeLog.intend(changeAt(CHANGES)));
    print(`one more, flushed to disk: ${shown(added)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function open(folder: string): ChangeLog {
  const node = nodeModules(createRequire(import.meta.url));
  return new ChangeLog(nodeStorage(node, folder), 'ledger', DEVICE, systemClock(node));
}

function writeLedger(folder: string): number {
  mkdirSync(path.join(folder, 'ledger'));
  let bytes = 0;
  let size = Infinity;
  let number = 0;
  for (let at = 0; at < CHANGES; at += 1) {
    const change = changeAt(at);
    const fate = { type: 'fate', change: change.id, fate: 'done' };
    const text = `${JSON.stringify({ type: 'change', change })}\n${JSON.stringify(fate)}\n`;
    if (size + text.length > FILE_CHARS) {
      number += 1;
      size = 0;
    }
    const name = `${DEVICE}.${String(number).padStart(6, '0')}.jsonl`;
    appendFileSync(path.join(folder, 'ledger', name), text);
    size += text.length;
    bytes += text.length;
  }
  return bytes;
}

const TEXT = 'A line of some ordinary length, as people write them.\n'.repeat(90);

function changeAt(at: number): Change {
  return {
    ...{ kind: 'write', path: noteAt(at), before: TEXT, after: `${TEXT}${at}\n` },
    id: `change-${String(at).padStart(9, '0')}` as ChangeId,
    time: 1_700_000_000_000 + at,
    origin: {
      ...{ device: DEVICE, tool: 'edit_file', source: 'typed' },
      conversation: `conversation-${Math.floor(at / 200)}` as ConversationId,
      turn: `turn-${Math.floor(at / 10)}` as TurnId,
      call: `turn-${Math.floor(at / 10)}.1.${at % 10}` as CallId,
    },
  };
}

function noteAt(at: number): string {
  return `Notes/Note ${at % NOTES}.md`;
}
