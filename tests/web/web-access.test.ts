import { expect, test } from 'vitest';
import type { Spending } from '#model/message';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { pageHost } from '#obsidian/platform/page-loader';
import { answers, scriptedModel, words } from '#tests/builders/model-stream';
import { NODE } from '#tests/builders/node-modules';
import { WebAccess } from '#web/web-access';

const NEVER = new AbortController().signal;
const SPENT: Spending = {
  usage: { input: 900, output: 40, cacheRead: 0, cacheWrite: 0 },
  fee: 0.01,
};

test('a search by the model reports its usage, and a search by a provider reports none', async () => {
  let searchProvider: Settings['searchProvider'] = 'anthropic';
  const web = new WebAccess({
    host: pageHost(NODE),
    clock: { after: () => () => undefined },
    fetch: () => Promise.reject(new Error('offline')),
    model: (told) => ({
      async *stream(request, signal) {
        yield* scriptedModel(answers([words('Nothing.')])).stream(request, signal);
        told(SPENT);
      },
    }),
    settings: () => ({ ...DEFAULT_SETTINGS, searchProvider }),
    key: () => 'key-1234',
  });
  expect(await web.search('trees', 5, NEVER)).toMatchObject({ ok: false, spent: SPENT });
  searchProvider = 'brave';
  expect(await web.search('trees', 5, NEVER)).not.toHaveProperty('spent');
});
