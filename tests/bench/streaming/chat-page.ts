/** Opens the chat panel in Chromium and traces its main thread. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { build } from 'vite';
import { findBrowser } from '../../workbench/browser.mjs';
import type {} from './page';
import { partsOf, type Part } from './trace';

/** No server listens here; a route answers every request from the build. */
const ADDRESS = 'http://bench.invalid/';
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

export interface Traced {
  readonly html: string;
  readonly parts: readonly Part[];
}

export class ChatPage {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #faults: string[] = [];

  constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
    page.on('pageerror', (error) => this.#faults.push(error.stack ?? error.message));
  }

  /** Traces `run`, which separates its parts by performance marks and returns the final HTML. */
  async trace(run: (page: Page) => Promise<string>): Promise<Traced> {
    await this.#browser.startTracing(this.page, { categories: ['toplevel', 'blink.user_timing'] });
    const html = await run(this.page);
    const trace = await this.#browser.stopTracing();
    if (this.#faults.length > 0) throw new Error(`The page failed.\n${this.#faults.join('\n')}`);
    return { html, parts: partsOf(trace) };
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** @param flags additional Chromium flags */
export async function openChatPage(flags: readonly string[] = []): Promise<ChatPage> {
  const files = await builtFiles();
  const { args, ...found } = findBrowser(() => undefined);
  const browser = await chromium.launch({ ...found, args: [...args, ...flags] });
  const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
  await page.route('**/*', (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
    const body = files.get(name);
    if (body === undefined) return route.fulfill({ status: 404, body: '' });
    return route.fulfill({ body, contentType: TYPES[name.split('.').at(-1) ?? ''] ?? 'text/html' });
  });
  const chat = new ChatPage(browser, page);
  await page.goto(ADDRESS);
  await page.waitForFunction(() => 'bench' in window);
  return chat;
}

/** The production build of the page, by file name. */
async function builtFiles(): Promise<ReadonlyMap<string, string>> {
  // The benchmark runs in a development server; without this, Svelte would include its development
  // checks.
  process.env['NODE_ENV'] = 'production';
  const built = await build({
    root: path.resolve('tests/bench/streaming'),
    configFile: false,
    base: './',
    publicDir: false,
    logLevel: 'error',
    plugins: [svelte({ configFile: path.resolve('svelte.config.js') })],
    build: { write: false, target: 'es2022' },
  });
  if (!('output' in built)) throw new Error('One build was expected.');
  return new Map(
    built.output.map((file) => [
      file.fileName,
      file.type === 'chunk' ? file.code : String(file.source),
    ]),
  );
}
