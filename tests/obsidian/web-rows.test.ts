import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { changedWith } from '#obsidian/settings/search-settings';

const settings = (change: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, ...change });
const BOTH = { web_search: 'allow', read_webpage: 'allow' } as const;

test('Who searches first allows both tools; another leaves them as they are, with a key of its own', () => {
  const first = changedWith('brave', settings({ tools: { move: 'ask' } }));
  expect(first).toEqual({ tools: { move: 'ask', ...BOTH }, searchKeyName: 'parley-brave-key' });
  const own = { web_search: 'ask', read_webpage: 'off' } as const;
  expect(changedWith('tavily', settings({ searchProvider: 'brave', tools: own }))).toEqual({
    tools: own,
    searchKeyName: 'parley-tavily-key',
  });
});

test('Nobody takes back what came with the choice, and leaves what was set for reading alone', () => {
  const now = { searchProvider: 'brave' } as const;
  expect(changedWith('', settings({ ...now, tools: BOTH })).tools).toEqual({});
  const own = { ...BOTH, read_webpage: 'ask' } as const;
  expect(changedWith('', settings({ ...now, tools: own })).tools).toEqual({ read_webpage: 'ask' });
});
