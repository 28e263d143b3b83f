import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Settings, settingsForProvider } from '#model/settings';

const settings = (change: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, ...change });
const BOTH = { web_search: 'allow', read_webpage: 'allow' } as const;

test('choosing the first search provider allows both web tools; switching providers keeps permissions and changes the key name', () => {
  const first = settingsForProvider('brave', settings({ tools: { move: 'ask' } }));
  expect(first).toEqual({ tools: { move: 'ask', ...BOTH }, searchKeyName: 'parley-brave-key' });
  const own = { web_search: 'ask', read_webpage: 'off' } as const;
  expect(settingsForProvider('tavily', settings({ searchProvider: 'brave', tools: own }))).toEqual({
    tools: own,
    searchKeyName: 'parley-tavily-key',
  });
});

test('turning web search off removes the permissions that came with it and keeps the user’s own for reading pages', () => {
  const now = { searchProvider: 'brave' } as const;
  expect(settingsForProvider('', settings({ ...now, tools: BOTH })).tools).toEqual({});
  const own = { ...BOTH, read_webpage: 'ask' } as const;
  expect(settingsForProvider('', settings({ ...now, tools: own })).tools).toEqual({
    read_webpage: 'ask',
  });
});
