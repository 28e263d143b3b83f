/** Appending to a conversation against how much of it there is, as Node's file system has it. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Conversations } from '#conversations/repository';
import type { ConversationId, DeviceId, EntryId, MessageId, TurnId } from '#model/ids';
import { nodeModules } from '#obsidian/node';
import { nodeStore } from '#obsidian/store';

const SIZES = [10, 1_000, 10_000];
const APPENDS = 200;

export async function bench(print: (row: string) => void): Promise<void> {
  const node = nodeModules(createRequire(import.meta.url));
  if (!node) throw new Error('This needs Node.');
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    let first = 0;
    for (const messages of SIZES) {
      const id = `conversation-${messages}` as ConversationId;
      const conversations = new Conversations({
        store: nodeStore(node, folder),
        folder: 'conversations',
        device: 'device-bench' as DeviceId,
        now: () => Date.now(),
        tell: () => undefined,
      });
      const log = await conversations.begin(id);
      const append = (at: number, flush = false) =>
        log.append(
          {
            type: 'answer-end',
            turn: 'turn-none' as TurnId,
            message: `message-${at}` as MessageId,
            entry: null as EntryId | null,
            text: 'A message of some ordinary length, as people write them. '.repeat(4),
            source: 'typed',
            reply: { to: 'chat' },
          },
          { flush },
        );
      for (let at = 0; at < messages; at += 1) await append(at);
      const plain = await median(APPENDS, (at) => append(at));
      const flushed = await median(50, (at) => append(at, true));
      first ||= plain;
      const size = Math.round(
        statSync(path.join(folder, 'conversations', `${id}.jsonl`)).size / 1024,
      );
      print(
        `append with ${messages} messages there (${size} KB): ${plain.toFixed(3)} ms, ${(plain / first).toFixed(2)} times the first row; flushed to disk ${flushed.toFixed(3)} ms`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function median(count: number, act: (at: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    await act(at);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}
