/** Drives an app over WebDriver, through the part of WebdriverIO's browser that the specs need. */
import type { AppWindow, InPage, Part, RunningApp } from './running-app';

interface FoundElement {
  isDisplayed(): Promise<boolean>;
  getText(): Promise<string>;
  click(): Promise<void>;
}

/** Part of WebdriverIO's `Browser`, which its test runner provides as a global. */
export interface WebDriver {
  $$(css: string): { getElements(): Promise<FoundElement[]> };
  execute(script: string, ...args: unknown[]): Promise<unknown>;
  keys(keys: string): Promise<void>;
  refresh(): Promise<void>;
  getWindowHandle(): Promise<string>;
  getWindowHandles(): Promise<string[]>;
  switchToWindow(handle: string): Promise<void>;
  closeWindow(): Promise<unknown>;
  waitUntil<Value>(
    condition: () => Promise<Value>,
    options: { timeout: number; timeoutMsg: string },
  ): Promise<Value>;
}

const TIMEOUT_MS = 30_000;

function windowOf(driver: WebDriver): AppWindow {
  const find = ({ css, text = '' }: Part) =>
    driver.waitUntil(
      async () => {
        for (const element of await driver.$$(css).getElements()) {
          const isShown = await element.isDisplayed();
          const own = isShown ? await element.getText() : '';
          if (isShown && own.toLowerCase().includes(text.toLowerCase())) return element;
        }
        return undefined;
      },
      { timeout: TIMEOUT_MS, timeoutMsg: `${css} with the text "${text}" was not shown.` },
    ) as Promise<FoundElement>;
  return {
    see: async (part) => void (await find(part)),
    click: async (part) => (await find(part)).click(),
    async send(field, text) {
      await (await find(field)).click();
      await driver.keys(text);
      await driver.keys('\uE007');
    },
  };
}

/** The app that the driver controls, once the plugin is loaded. */
export async function webDriverApp(driver: WebDriver): Promise<RunningApp> {
  const evaluate = <Value, Argument>(act: (argument: Argument) => Value, argument: Argument) =>
    driver.execute(`return (${String(act)})(arguments[0])`, argument) as Promise<Awaited<Value>>;
  const loaded = () =>
    driver.waitUntil(
      () =>
        evaluate(() => {
          const { app } = window as unknown as Partial<InPage>;
          return !!app?.workspace.layoutReady && 'parley' in app.plugins.plugins;
        }, null),
      { timeout: TIMEOUT_MS, timeoutMsg: 'The plugin was not loaded.' },
    );
  await loaded();
  const basePath = () => (window as unknown as InPage).app.vault.adapter.getBasePath();
  return {
    ...windowOf(driver),
    vault: await evaluate(basePath, null),
    evaluate,
    press: () => driver.keys('\uE00C'),
    async reload() {
      await driver.refresh();
      await loaded();
    },
    async inNewWindow(open, act) {
      const main = await driver.getWindowHandle();
      const before = await driver.getWindowHandles();
      await open();
      const fresh = await driver.waitUntil(
        async () => (await driver.getWindowHandles()).find((each) => !before.includes(each)),
        { timeout: TIMEOUT_MS, timeoutMsg: 'No window was opened.' },
      );
      await driver.switchToWindow(fresh ?? main);
      await act(windowOf(driver));
      await driver.closeWindow();
      await driver.switchToWindow(main);
    },
  };
}
