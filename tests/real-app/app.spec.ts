/** Runs the app specs and the contract questions in the app that WebdriverIO has started. */
import assert from 'node:assert/strict';
import { demoModel } from '#workbench/model/demo';
import { startModelServer, type ModelServer } from '#workbench/model/server';
import { APP_SPECS } from './app-specs';
import type { InPage, RunningApp } from './running-app';
import { webDriverApp, type WebDriver } from './webdriver-app';

/** Globals of Mocha and WebdriverIO, whose packages only `runner/` installs. */
declare const browser: WebDriver;
declare function describe(title: string, suite: () => void): void;
declare function it(title: string, run: () => Promise<void>): void;
declare function before(run: () => Promise<void>): void;
declare function after(run: () => Promise<void>): void;

interface Settings {
  readonly settings: {
    current(): { readonly apiKeyName: string };
    set(changes: Record<string, unknown>): Promise<{ readonly ok: boolean }>;
  };
}

/** Saves the settings as the user of this device, so that they are trusted. */
async function useModel(app: RunningApp, endpoint: string): Promise<boolean> {
  return app.evaluate(async (url) => {
    const { plugins, secretStorage } = (window as unknown as InPage).app;
    const { agent } = plugins.plugins.parley as { agent: Promise<Settings> };
    const { settings } = await agent;
    secretStorage.setSecret(settings.current().apiKeyName, 'no-key-needed');
    const model = 'claude-haiku-4-5-20251001';
    return (await settings.set({ endpoint: url, model, panelMode: 'apply' })).ok;
  }, endpoint);
}

describe('Parley in the app', () => {
  let app: RunningApp;
  let server: ModelServer;

  before(async () => {
    server = await startModelServer({ respond: demoModel() });
    app = await webDriverApp(browser);
    assert.ok(await useModel(app, server.url));
  });

  after(async () => {
    assert.deepEqual(server.violations, []);
    await server.close();
  });

  for (const { title, run } of APP_SPECS) it(title, () => run(app));
});
