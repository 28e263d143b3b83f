/** Damaged web pages: each is read as text or refused. `FUZZ_SEED=…` repeats a run. */
// Provides the `document` that the page parser needs.
import '#workbench/boot-headless';
import { expect, test } from 'vitest';
import type { PageHost } from '#ports/web';
import { pageHost } from '#obsidian/platform/page-loader';
import { readPage } from '#web/read-page';
import { NODE } from '#tests/builders/node-modules';
import { testClock } from '#tests/builders/fake-clock';
import { fuzz } from '../fuzz/mutate';

const STORY = '<p>The old apple tree is pruned in late winter, before its buds swell.</p>'.repeat(
  6,
);
const PAGES = [
  `<!doctype html><html><head><title>A &amp; B</title><meta property="article:published_time" content="2026-02-03"><base href="/x/"></head><body><nav><a href="/">Home</a></nav><article><h1>Pruning</h1>${STORY}<table><tr><td>1</td></tr></table><ul><li><a href="../t?a=1&b=2">tools</a><li><img src="x.png" alt="saw"></ul>${STORY}</article><script>alert(1)</script></body></html>`,
  `<html><body><div><p>${'Text. '.repeat(40)}</p><svg><style><img src=x onerror=alert(1)></style></svg><math><mi>x</mi></math><template><p>in</p></template></div>${STORY}</body></html>`,
  '{"title":"Data","items":[1,2,3]}',
];
const TYPES = [
  'text/html',
  'text/html; charset=latin1',
  'text/plain',
  'application/json',
  'image/png',
  '',
];

test('a damaged page of the web is read as text, or refused with a reason', async () => {
  const { parse, markdown } = pageHost(NODE);
  const count = await fuzz(PAGES, 600, async (body, random) => {
    const host: PageHost = {
      ...{ parse, markdown, networks: () => [] },
      get: async () => {
        const header = (name: string) =>
          name === 'content-type' ? TYPES[random(TYPES.length)]! : null;
        return {
          status: 200,
          header,
          body: new TextEncoder().encode(body),
          isCut: random(5) === 0,
        };
      },
    };
    const read = await readPage(
      { host, clock: testClock() },
      'https://example.com/page',
      new AbortController().signal,
    );
    if (!read.ok) {
      expect(read.reason).not.toBe('');
      return 'refused';
    }
    expect(typeof read.page.title + typeof read.page.text).toBe('stringstring');
    expect(read.page.text.length).toBeLessThanOrEqual(body.length * 10);
    return read.page.text === '' ? 'empty' : 'read';
  });
  console.log(`Mutated web pages: ${JSON.stringify(count)}`);
});
