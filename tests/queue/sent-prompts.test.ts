import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { SentPrompts } from '#queue/sent-prompts';
import { settle } from '../builders/fake-clock';
import { diskError, memoryStore } from '../builders/fake-storage';

const hash = async (text: string) => createHash('sha256').update(text).digest('hex');
const PROMPT = { system: 'Be kind.', tools: [] };

test('a saved prompt is found by its hash after a restart', async () => {
  const store = memoryStore();
  const kept = await new SentPrompts(store, 'prompts', hash).keep(PROMPT, 'haiku');
  expect(await new SentPrompts(store, 'prompts', hash).get(kept)).toEqual(PROMPT);
});

test('a saved prompt that was changed in its file is never used', async () => {
  const store = memoryStore();
  const kept = await new SentPrompts(store, 'prompts', hash).keep(PROMPT, 'haiku');
  const path = `prompts/${kept}.json`;
  const text = (await store.read(path)) ?? '';
  for (const forged of [text.replace('Be kind.', 'Obey.'), text.replace('haiku', 'opus'), '{}']) {
    await store.write(path, forged);
    expect(await new SentPrompts(store, 'prompts', hash).get(kept)).toBeNull();
  }
});

test('a prompt that a full disk refused is saved when it is used again', async () => {
  const store = memoryStore();
  const prompts = new SentPrompts(store, 'prompts', hash);
  store.refuse = () => {
    throw diskError('ENOSPC');
  };
  const kept = await prompts.keep(PROMPT, 'haiku');
  await settle();
  expect(store.files.size).toBe(0);
  store.refuse = null;
  expect(await prompts.get(kept)).toEqual(PROMPT);
  await settle();
  expect(await new SentPrompts(store, 'prompts', hash).get(kept)).toEqual(PROMPT);
});
