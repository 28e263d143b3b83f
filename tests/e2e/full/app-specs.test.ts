/** Runs the specs for the real app in the workbench, where the plugin meets its fake host. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONNECTION_REFUSED } from '#tests/e2e/chat';
import { openWorkbench, type OpenedWorkbench } from '#tests/e2e/driver';
import { APP_SPECS, VAULT_FILES } from '#tests/real-app/app-specs';
import type { AppWindow, Part, RunningApp } from '#tests/real-app/running-app';

let workbench: OpenedWorkbench;

beforeAll(async () => {
  workbench = await openWorkbench({ sample: false, files: VAULT_FILES });
});

afterAll(() => workbench[Symbol.asyncDispose]());

function windowOf(page: Page): AppWindow {
  const find = ({ css, text }: Part) =>
    page.locator(css, text === undefined ? {} : { hasText: text }).first();
  return {
    see: (part) => find(part).waitFor(),
    click: (part) => find(part).click(),
    async send(field, text) {
      await find(field).click();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    },
  };
}

function runningApp({ page, vault }: OpenedWorkbench): RunningApp {
  return {
    ...windowOf(page),
    vault,
    evaluate: (act, argument) => page.evaluate(`(${String(act)})(${JSON.stringify(argument)})`),
    press: (key) => page.keyboard.press(key),
    async reload() {
      await page.reload();
      await page.waitForSelector('body[data-ready="yes"]');
    },
    async inNewWindow(open, act) {
      const [popout] = await Promise.all([page.waitForEvent('popup'), open()]);
      await act(windowOf(popout));
      await popout.close();
    },
  };
}

test.each(APP_SPECS)('in the workbench: $title', async ({ run }) => {
  await run(runningApp(workbench));
  const faults = await workbench.faults();
  // SmartHole does not run, and the browser logs each attempt to connect.
  expect(faults.filter((fault) => !CONNECTION_REFUSED.test(fault))).toEqual([]);
});
