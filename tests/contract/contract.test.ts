/** Asks the headless host every contract question that needs no screen. */
import { START_FILES } from './start-files';
import { afterAll, beforeAll, expect, test } from 'vitest';
import '#workbench/boot-headless';
import { openHost, type TestHost } from '#tests/builders/workbench-host';
import type InAppContractPlugin from './asker-in-app';
import { buildContractPlugin, MANIFEST } from './bundle';
import { QUESTIONS } from './questions';

let host: TestHost;

beforeAll(async () => {
  host = await openHost(START_FILES, await buildContractPlugin('asker-in-app.ts'), {}, MANIFEST);
});

afterAll(() => host.close());

test.each(QUESTIONS.filter(({ onScreen }) => !onScreen))('$name', async ({ name, answer }) => {
  const asker = host.plugin as InAppContractPlugin;
  expect(await asker.answerHere(name)).toEqual({ given: answer, expected: answer });
  expect(host.errors).toEqual([]);
});
