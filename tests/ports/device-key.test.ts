import { expect, it } from 'vitest';
import { DeviceKey } from '#ports/device-key';

/** Secret storage that may be locked. */
function storage() {
  return {
    saved: null as string | null,
    isLocked: false,
    problems: 0,
    get() {
      if (this.isLocked) throw new Error('locked');
      return this.saved;
    },
    set(key: string) {
      if (this.isLocked) throw new Error('locked');
      this.saved = key;
    },
    unavailable() {
      this.problems += 1;
    },
  };
}

function keyIn(secrets: ReturnType<typeof storage>): DeviceKey {
  return new DeviceKey({
    get: () => secrets.get(),
    set: (key) => secrets.set(key),
    unavailable: () => secrets.unavailable(),
  });
}

it('a device key verifies after a restart what it has signed, and nothing else', async () => {
  const secrets = storage();
  const signature = await keyIn(secrets).sign('Add milk');
  const next = keyIn(secrets);
  expect(await next.verifies('Add milk', signature)).toBe(true);
  expect(await next.verifies('Add eggs', signature)).toBe(false);
  expect(await next.verifies('Add milk', undefined)).toBe(false);
  expect(await next.verifies('Add milk', null)).toBe(false);
});

it('two devices have different keys', async () => {
  const signature = await keyIn(storage()).sign('Add milk');
  expect(await keyIn(storage()).verifies('Add milk', signature)).toBe(false);
});

it('one key is created, however many texts are signed at once', async () => {
  const secrets = storage();
  const key = keyIn(secrets);
  const signatures = await Promise.all([1, 2, 3].map(() => key.sign('Add milk')));
  expect(new Set(signatures).size).toBe(1);
  expect(await keyIn(secrets).verifies('Add milk', signatures[0])).toBe(true);
});

it('with a locked keychain nothing is signed or verified, until it is unlocked', async () => {
  const secrets = storage();
  const signature = await keyIn(secrets).sign('Add milk');
  secrets.isLocked = true;
  const key = keyIn(secrets);
  expect(await key.sign('Add milk')).toBeNull();
  expect(await key.verifies('Add milk', signature)).toBe(false);
  expect(await key.verifies('Add milk', null)).toBe(false);
  expect(secrets.problems).toBeGreaterThan(0);
  secrets.isLocked = false;
  expect(await key.verifies('Add milk', signature)).toBe(true);
});
