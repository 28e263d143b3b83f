/** A draft file that another program holds for a while, or that the queue writes, too. */
import { expect, test } from 'vitest';
import { DraftFile } from '#conversations/drafts';
import { NO_DRAFT } from '#model/attachment';
import type { ConversationId, DeviceId, RequestId } from '#model/ids';
import { settle, testClock } from '../builders/fake-clock';
import { diskError, memoryStore } from '../builders/fake-storage';

const PATH = 'plugin/drafts-device-a.json';
const draft = (text: string) => ({ ...NO_DRAFT, text });
const [first, second, third] = ['c-1', 'c-2', 'c-3'] as unknown as [
  ConversationId,
  ConversationId,
  ConversationId,
];

function open(text?: string) {
  const saved = { version: 1, drafts: { [first]: draft('Old'), [second]: draft('Sent') } };
  const store = memoryStore({ [PATH]: text ?? JSON.stringify(saved) });
  const problems: string[] = [];
  const clock = testClock();
  const file = new DraftFile({
    ...{ store, clock, folder: 'plugin', device: 'device-a' as DeviceId },
    mayWrite: () => true,
    report: (problem) => void problems.push(problem),
  });
  const kept = () => JSON.parse(store.files.get(PATH)!) as { drafts: Record<string, unknown> };
  return { store, clock, file, problems, kept };
}

test('drafts in a file that cannot be read are kept, and those typed meanwhile are added', async () => {
  const { store, clock, file, problems, kept } = open();
  store.unreadable.set(PATH, diskError('EBUSY'));
  file.keep(third, draft('New'));
  file.keep(second, draft(''));
  await settle();
  await clock.advance(1_000);
  await file.flush();
  expect(Object.keys(kept().drafts)).toEqual([first, second]);
  expect(problems).toHaveLength(1);
  store.unreadable.clear();
  file.keep(third, draft('Newer'));
  await settle();
  await clock.advance(1_000);
  await file.flush();
  expect(kept().drafts).toMatchObject({ [first]: { text: 'Old' }, [third]: { text: 'Newer' } });
  expect(Object.keys(kept().drafts)).toEqual([first, third]);
});

test('a message that was given back stays in the draft until the composer has it', async () => {
  const { clock, file, kept } = open();
  const save = async (text: string) => {
    file.keep(first, draft(text));
    await settle();
    await clock.advance(1_000);
    await file.flush();
  };
  const message = { id: 'request-1' as RequestId, text: 'Add milk', attachments: [] };
  await file.giveBack(first, message);
  expect(kept().drafts).toMatchObject({ [first]: { text: 'Old\n\nAdd milk' } });
  await save('Older');
  expect(kept().drafts).toMatchObject({ [first]: { text: 'Older\n\nAdd milk' } });
  await save('Older\n\nAdd milk');
  await save('');
  expect(Object.keys(kept().drafts)).toEqual([second]);
});

test('a message whose draft cannot be written is not given back', async () => {
  const { store, file, kept, problems } = open();
  store.refuse = () => {
    throw diskError('ENOSPC');
  };
  const message = { id: 'request-1' as RequestId, text: 'Add milk', attachments: [] };
  await expect(file.giveBack(first, message)).rejects.toThrow('ENOSPC');
  expect(problems).toHaveLength(1);
  store.refuse = null;
  await file.giveBack(first, { ...message, id: 'request-2' as RequestId, text: 'Add tea' });
  expect(kept()).toMatchObject({ drafts: { [first]: { text: 'Old\n\nAdd tea' } } });
  expect(kept()).toMatchObject({ returned: ['request-2'] });
});

test('what is typed after a restart, before the queue is read, forgets no returned message', async () => {
  const { store, file } = open();
  await file.giveBack(first, { id: 'request-1' as RequestId, text: 'Add milk', attachments: [] });
  const again = open(store.files.get(PATH));
  again.file.keep(second, draft('Typed'));
  await settle();
  await again.clock.advance(1_000);
  await again.file.flush();
  expect(await again.file.givenBack()).toEqual(['request-1']);
});
