/**
 * Counts the file operations between a request and the first model request of its turn, in a chat
 * that begins with it and in one that goes on. Disks differ in how long one takes; what a user waits
 * for is how many come one after the other.
 */
import path from 'node:path';
import type { ConversationId } from '#model/ids';
import { reply } from '#workbench/model/replies';
import {
  type FileOperation,
  oneAfterTheOther,
  recordFileOperations,
} from './timing/file-operations';
import { listVault, until, untilTrue, voiceStage } from './timing/voice-stage';

/** Nothing waits for these. */
const BESIDE = /\/(prompts\/|index-)/;

export async function bench(
  print: (row: string) => void,
  { list = '' }: Record<string, string> = {},
): Promise<void> {
  const recording = await recordFileOperations();
  let asked = 0;
  let askedAt = NaN;
  const next = () => {
    askedAt = performance.now();
    asked += 1;
    return reply('Done.');
  };
  const vault = listVault('Lists/Shopping.md');
  const ask = async (stage: VoiceStage, name: string, begin: () => unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const before = asked;
    recording.operations = [];
    const began = performance.now();
    await begin();
    await until(() => asked > before);
    const all = recording.operations.filter((each) => each.ended < askedAt);
    const chain = oneAfterTheOther(all.filter(({ path: file }) => !BESIDE.test(file)));
    print(
      `${name}: ${chain.length} file operations one after the other, ${all.length} in all; the model asked after ${(askedAt - began).toFixed(0)} ms`,
    );
    const shown = list === 'all' ? all : list === '' ? [] : chain;
    for (const each of shown) print(`    ${row(each, began, vault)}`);
    await untilTrue(async () => (await stage.agent.state()).running.length === 0);
  };
  const typed = ({ agent }: VoiceStage, conversation?: ConversationId) =>
    agent.queue.send({ text: 'add milk', ...(conversation ? { conversation } : {}) });
  const first = await voiceStage({ vault, next });
  await ask(first, 'typed, the first request in a vault', () => typed(first));
  await first.close();
  const second = await voiceStage({ vault, next });
  const { agent, smartHole } = second;
  let chat: ConversationId | undefined;
  agent.subscribe((event) => (chat = event.conversation));
  await ask(second, 'typed, after a restart', () => typed(second));
  await ask(second, 'typed, in the same chat', () => typed(second, chat));
  await agent.conversations.create();
  await ask(second, 'typed, in a new chat', () => typed(second, chat));
  await ask(second, 'spoken, in the same chat', () => smartHole.say('add eggs'));
  await second.close();
}

type VoiceStage = Awaited<ReturnType<typeof voiceStage>>;

function row({ name, path: file, began, ended }: FileOperation, start: number, vault: string) {
  const times = `${(began - start).toFixed(1)} to ${(ended - start).toFixed(1)}`;
  return `${times.padEnd(18)} ${name.padEnd(10)} ${path.relative(vault, file)}`;
}
