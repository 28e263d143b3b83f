/** Asks the headless host every contract question that needs no screen. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import '#workbench/boot-headless';
import { openHost, type TestHost } from '../host';
import type ContractPlugin from './asker';
import { buildContractPlugin, MANIFEST } from './bundle';
import { nodeFolder } from './folder';
import { QUESTIONS } from './questions';

let host: TestHost;

beforeAll(async () => {
  host = await openHost({ 'First.md': '' }, await buildContractPlugin(), {}, MANIFEST);
}, 60_000);

afterAll(() => host.close());

test.each(QUESTIONS.filter(({ onScreen }) => !onScreen))('$name', async ({ name, answer }) => {
  const asker = host.plugin as ContractPlugin;
  expect(await asker.answer(name, nodeFolder(host.folder))).toEqual(answer);
  expect(host.errors).toEqual([]);
});
