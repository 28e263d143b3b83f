/** Starts the one browser that all browser tests of a run connect to. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findBrowser } from '../workbench/browser.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    ...findBrowser(() => undefined),
    headless: true,
  });
  project.provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
}
