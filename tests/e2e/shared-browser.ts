import { chromium, type Browser } from 'playwright-core';
import { afterAll, inject } from 'vitest';

let connected: Promise<Browser> | null = null;

/** The browser of this test run. Contexts created through it are closed when the test file ends. */
export function sharedBrowser(): Promise<Browser> {
  connected ??= chromium.connect(inject('browserEndpoint'));
  return connected;
}

afterAll(async () => {
  await (await connected)?.close();
});
