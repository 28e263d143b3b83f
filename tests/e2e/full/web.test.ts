/**
 * Web search and pages in a chat: a provider's results, the list of sources, and approval for new
 * addresses.
 */
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { toolResults } from '#workbench/model/wire';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const SETTINGS = {
  panelMode: 'apply',
  searchProvider: 'tavily',
  tools: { web_search: 'allow', read_webpage: 'allow' },
};

const results = ['Pruning old apple trees', 'Obstbaumschnitt für Anfänger', '苹果树修剪'].map(
  (title, at) => ({
    ...{ title, url: `https://garden${at}.example/pruning`, score: 0.9 },
    content: 'Prune in late winter, before the buds swell.',
  }),
);

/** @returns the key and body of each search request */
async function providerOf({ page }: OpenedChat, status = 200, answer: object = { results }) {
  const asked: unknown[] = [];
  await page.route('https://api.tavily.com/search', async (route) => {
    const request = route.request();
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers });
    asked.push([request.headers()['authorization'], request.postDataJSON()]);
    await route.fulfill({ status, headers, json: answer });
  });
  return asked;
}

const withKey = ({ page }: OpenedChat) =>
  page.evaluate(() => {
    const { app } = window as unknown as { app: import('obsidian').App };
    app.secretStorage.setSecret('parley-search-key', 'tvly-1234');
  });

const lastResult = (chat: OpenedChat) =>
  toolResults(chat.modelRequests().at(-1)?.messages ?? []).at(-1)?.text;

test('a web search lists its sources, and reading a different address needs approval', async () => {
  await using chat = await openChat({
    settings: SETTINGS,
    model: [
      reply('I look that up.', call('web_search', { query: 'pruning old apple trees', limit: 3 })),
      reply(call('read_webpage', { url: 'https://garden0.example/pruning?who=nora' })),
      reply('Prune them in late winter, before the buds swell.'),
    ],
  });
  const asked = await providerOf(chat);
  await chat.open();
  await withKey(chat);
  await chat.send('When do I prune old apple trees?');
  await chat.approval.waitFor();
  expect(asked).toEqual([
    ['Bearer tvly-1234', { query: 'pruning old apple trees', max_results: 3 }],
  ]);
  expect(await chat.approval.textContent()).toContain('gave exactly this address');
  await chat.checkLooks('web-card');
  await chat.approval.getByRole('button', { name: 'Deny' }).click();
  await chat.log.getByText('Prune them in late winter').waitFor();
  await chat.idle();
  expect(lastResult(chat)).toContain('The user denied read_webpage');
  const sources = chat.log.getByRole('list', { name: 'Sources' }).getByRole('link');
  expect(await sources.evaluateAll((all) => all.map((each) => each.getAttribute('href')))).toEqual(
    results.map(({ url }) => url),
  );
  await chat.checkLooks('web-sources');
  await chat.expectNoFaults();
});

test("a search provider's error is reported to the user and the agent", async () => {
  await using chat = await openChat({
    settings: SETTINGS,
    model: [
      reply(call('web_search', { query: 'apples' })),
      reply('The search is not set up yet: its key is refused.'),
    ],
  });
  await providerOf(chat, 401, { detail: { error: 'Unauthorized: tvly-1234 is no key.' } });
  await chat.open();
  await withKey(chat);
  await chat.send('Search the web for apples.');
  await chat.log.getByText('its key is refused').waitFor();
  await chat.idle();
  expect(lastResult(chat)).toBe(
    'Tavily refuses the key (401: Unauthorized: ••• is no key.). The user can set it in Parley’s settings, under Search and web.',
  );
  await chat.expectNoFaults('401');
});

test('choosing a search provider allows the web tools, and choosing none resets them', async () => {
  await using chat = await openChat({ settings: { panelMode: 'apply' } });
  const { page } = chat;
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder('Select a command…').fill('settings');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Search and web/ }).click();
  const provider = page.locator('.setting-item', { hasText: 'Web search' }).first();
  await provider.getByRole('combobox').selectOption({ label: 'Brave Search' });
  await page.getByText('Web search key').scrollIntoViewIfNeeded();
  await chat.screenshot('settings-web');
  const saved = () =>
    JSON.parse(chat.read('.obsidian/plugins/parley/data.json')) as { settings: { tools?: object } };
  const tools = () => saved().settings.tools;
  await expect.poll(tools).toEqual({ web_search: 'allow', read_webpage: 'allow' });
  await provider.getByRole('combobox').selectOption({ label: 'None' });
  await page.getByText('Web search key').waitFor({ state: 'hidden' });
  await expect.poll(() => tools() ?? {}).toEqual({});
  await chat.expectNoFaults();
});
