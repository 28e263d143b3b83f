/** Asks Obsidian the contract questions that the fake host of the workbench is tested with. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type InAppContractPlugin from '#tests/contract/asker-in-app';
import type { WebDriver } from './webdriver-app';

/** Globals of Mocha and WebdriverIO, whose packages only `runner/` installs. */
declare const browser: WebDriver & {
  reloadObsidian(options: { vault: string; plugins: readonly string[] }): Promise<void>;
};
declare function describe(title: string, suite: () => void): void;
declare function it(title: string, run: () => Promise<void>): void;
declare function before(run: () => Promise<void>): void;

const VAULT = path.resolve(import.meta.dirname, '../../.build/real-app/contract-vault');

const inPage = <Value>(
  act: (plugin: InAppContractPlugin, argument: string) => Value,
  argument = '',
) =>
  browser.execute(
    `return (${String(act)})(app.plugins.plugins.contract, arguments[0])`,
    argument,
  ) as Promise<Awaited<Value>>;

describe('Obsidian', () => {
  before(() => browser.reloadObsidian({ vault: VAULT, plugins: ['contract'] }));

  it('answers every contract question as the fake host does', async () => {
    const names = await inPage((plugin) => plugin.names());
    assert.ok(names.length > 0);
    const different: unknown[] = [];
    for (const name of names) {
      const { given, expected } = await inPage((plugin, each) => plugin.answerHere(each), name);
      try {
        assert.deepEqual(given, expected);
      } catch {
        different.push({ name, given, expected });
      }
    }
    assert.deepEqual(different, []);
  });
});
