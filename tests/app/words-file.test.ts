import { expect, test } from 'vitest';
import { DeviceWordsFile } from '#app/words-file';
import { memoryStore } from '../builders/fake-storage';

const DAY_MS = 24 * 60 * 60 * 1_000;
const START = Date.UTC(2026, 10, 1, 9);

/** The files of devices in one synced folder; time goes on with `after`. */
function devices() {
  const store = memoryStore();
  let time = START;
  const file = (device: string, isFollower = false) =>
    new DeviceWordsFile({
      ...{ store, device, folder: 'own' },
      now: () => time,
      isFollower: () => isFollower,
    });
  return {
    ...{ store, file },
    names: () => store.list('own'),
    after: (days: number) => (time += days * DAY_MS),
  };
}

const bytes = (text: string) => new TextEncoder().encode(text).buffer;
const textOf = (read: ArrayBuffer | null) => read && new TextDecoder().decode(read);

test('the word index of a device is read back, and replaces the older one', async () => {
  const { file, names, after } = devices();
  const desk = file('device-a-b');
  expect(await desk.read()).toBeNull();
  await desk.write(bytes('one'));
  after(3);
  await desk.write(bytes('two'));
  expect(textOf(await desk.read())).toBe('two');
  expect(await names()).toEqual(['words-device-a-b-2026-11-04.bin']);
});

test('a device does not read the word index of another device whose name begins alike', async () => {
  const { file } = devices();
  await file('device-a').write(bytes('a'));
  expect(await file('device').read()).toBeNull();
  expect(await file('device-a-b').read()).toBeNull();
});

test('a write removes the word indexes of devices that were not used for 60 days', async () => {
  const { file, names, store, after } = devices();
  await store.write('own/words-device-old.bin', 'without a day');
  await store.write('own/data.json', '{}');
  await file('device-old').write(bytes('old'));
  after(20);
  await file('device-new').write(bytes('new'));
  after(41);
  await file('device-desk').write(bytes('desk'));
  expect(await names()).toEqual([
    'data.json',
    'words-device-desk-2027-01-01.bin',
    'words-device-new-2026-11-21.bin',
  ]);
});

test('a device that only reads its word index shows that it is still used', async () => {
  const { file, names, after } = devices();
  const laptop = file('device-laptop');
  await laptop.write(bytes('laptop'));
  after(40);
  expect(textOf(await laptop.read())).toBe('laptop');
  after(40);
  await file('device-desk').write(bytes('desk'));
  expect(await names()).toContain('words-device-laptop-2026-12-11.bin');
  expect(textOf(await laptop.read())).toBe('laptop');
});

test('a follower reads the word index and does not write it', async () => {
  const { file, names, after } = devices();
  await file('device-desk').write(bytes('desk'));
  const follower = file('device-desk', true);
  expect([file('device-desk').mayWrite(), follower.mayWrite()]).toEqual([true, false]);
  after(40);
  expect(textOf(await follower.read())).toBe('desk');
  expect(await names()).toEqual(['words-device-desk-2026-11-01.bin']);
});

test('removing the word index of a device leaves those of others', async () => {
  const { file, names } = devices();
  await file('device-desk').write(bytes('desk'));
  await file('device-other').write(bytes('other'));
  await file('device-desk').remove();
  expect(await names()).toEqual(['words-device-other-2026-11-01.bin']);
});
