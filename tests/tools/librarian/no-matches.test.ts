import { expect, it } from 'vitest';
import type { SearchResult } from '#search/grep';
import { whyNothing } from '#tools/librarian/unmatched-glob';

const ASKED = { written: 'Milk', caseSensitive: true, multiline: false };
const NOTHING = { finished: true, matches: 0, files: 0, found: [] } as unknown as SearchResult;

/** @param most number of searches until time is up */
async function why(most: number): Promise<{ reasons: string[]; searches: number }> {
  let searches = 0;
  const search = async () => {
    searches += 1;
    return searches > most ? { ...NOTHING, finished: false } : NOTHING;
  };
  const reasons = await whyNothing(ASKED, true, search, () => searches > most);
  return { reasons, searches };
}

it('whyNothing stops searching when time is up, and says so', async () => {
  for (const most of [0, 1, 2]) {
    const { reasons, searches } = await why(most);
    expect(searches).toBe(most + 1);
    expect(reasons).toEqual([expect.stringContaining('Not every reason was tried')]);
  }
});

it('whyNothing does not mention time if all reasons were tried', async () => {
  expect(await why(9)).toEqual({ reasons: [], searches: 3 });
});
