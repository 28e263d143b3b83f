import { chromium, type Browser } from 'playwright-core';
import { inject } from 'vitest';

let connected: Promise<Browser> | null = null;

/**
 * The browser of this test run. All test files of a process share the connection, so each test
 * closes the contexts that it creates.
 */
export function sharedBrowser(): Promise<Browser> {
  connected ??= chromium.connect(inject('browserEndpoint'));
  return connected;
}
