/**
 * Shows hostile Markdown everywhere that external text is rendered, and checks that it has no
 * effect.
 */
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from 'vite';
import { HOSTILE } from '#tests/hostile-markdown';
import type {} from '#tests/e2e/hostile/page';
import { sharedBrowser } from '#tests/e2e/shared-browser';

/** No server listens here; a route serves the page from a build. */
const ADDRESS = 'http://hostile.invalid/';
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

let context: BrowserContext;
let page: Page;
/** Unexpected requests, windows, navigation, dialogs and errors. */
const events: string[] = [];

beforeAll(async () => {
  const files = await builtFiles();
  context = await (await sharedBrowser()).newContext({ viewport: { width: 420, height: 800 } });
  page = await context.newPage();
  await context.route('**/*', (route) => {
    const url = route.request().url();
    const body = files.get(new URL(url).pathname.slice(1) || 'index.html');
    if (!url.startsWith(ADDRESS) || body === undefined || page.url() !== 'about:blank') {
      events.push(`a request to ${url}`);
    }
    const contentType = TYPES[url.split('.').at(-1) ?? ''] ?? 'text/html';
    return route.fulfill({ body: body ?? '', contentType });
  });
  await page.goto(ADDRESS);
  await page.waitForFunction(() => 'hostile' in window);
  events.splice(0);
  context.on('page', () => events.push('a window was opened'));
  page.on('framenavigated', (frame) => events.push(`went to ${frame.url()}`));
  page.on('dialog', (dialog) => {
    events.push(`a dialog said ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => events.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') events.push(message.text());
  });
});

afterAll(() => context.close());

test('the hostile samples are distinct, and there are at least 150', () => {
  expect(new Set(HOSTILE).size).toBe(HOSTILE.length);
  expect(HOSTILE.length).toBeGreaterThanOrEqual(150);
});

test('the check detects a script that runs and a picture that loads', async () => {
  const seen = await page.evaluate(async () => {
    const text = document.createElement('div');
    text.className = 'markdown-rendered';
    text.innerHTML =
      '<img src="https://evil.example/seen.png" onerror="alert(1)" style="position:fixed" id="app">';
    document.body.querySelector('main')?.append(text);
    const { hostile } = window;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const found = await hostile.message('Harmless.', 3);
    text.remove();
    return found;
  });
  expect(seen).toContain('alert was called');
  expect(events.splice(0)).toContain('a request to https://evil.example/seen.png');
});

describe('rendering hostile Markdown', () => {
  test.each(HOSTILE)(
    'this Markdown runs nothing, loads nothing and stays inside its message: %s',
    async (text) => {
      const found = await page.evaluate(
        async (given) => ({
          inPieces: await window.hostile.message(given, 5),
          atOnce: await window.hostile.message(given, 10_000),
          proposed: await window.hostile.widget(given),
          previewed: await window.hostile.preview(given),
        }),
        text,
      );
      expect(found).toEqual({ inPieces: [], atOnce: [], proposed: [], previewed: [] });
      expect(events.splice(0)).toEqual([]);
    },
  );
});

async function builtFiles(): Promise<ReadonlyMap<string, string>> {
  const built = await build({
    root: path.resolve('tests/e2e/hostile'),
    configFile: false,
    base: './',
    publicDir: false,
    logLevel: 'error',
    plugins: [svelte({ configFile: path.resolve('svelte.config.js') })],
    build: { write: false, target: 'es2022', minify: false },
  });
  if (!('output' in built)) throw new Error('One build was expected.');
  return new Map(
    built.output.map((file) => [
      file.fileName,
      file.type === 'chunk' ? file.code : String(file.source),
    ]),
  );
}
