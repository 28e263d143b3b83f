/**
 * Takes a picture of every scene, narrow and wide, light and dark, into tests/e2e/shots/gallery. Pictures are meant to
 * be looked at, not compared. CHROMIUM names another browser than the system's.
 *
 *     node workbench/gallery/shoot.mjs [part of a scene's name]
 */
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const built = path.join(root, '.build/gallery');
const shots = path.join(root, 'tests/e2e/shots/gallery');
const only = process.argv[2] ?? '';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

await build({ configFile: path.join(here, 'vite.config.ts'), logLevel: 'warn' });
mkdirSync(shots, { recursive: true });

const server = createServer((request, response) => {
  const name = new URL(request.url ?? '/', 'http://x').pathname;
  const file = path.join(built, name === '/' ? 'index.html' : path.normalize(name));
  try {
    const bytes = readFileSync(file);
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain' });
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;

const profile = mkdtempSync(path.join(os.tmpdir(), 'gallery-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
const faults = [];
try {
  const page = context.pages()[0] ?? (await context.newPage());
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon'))
      faults.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${port}/`);
  const links = await page.locator('#gallery a').allTextContents();
  for (const scene of links.filter((name) => name.includes(only))) {
    for (const theme of ['light', 'dark']) {
      for (const width of [280, 420]) {
        await page.setViewportSize({ width, height: 760 });
        await page.goto(`http://127.0.0.1:${port}/?scene=${scene}&theme=${theme}`);
        await page.locator('.chat, .widget').first().waitFor();
        await page.screenshot({
          path: path.join(shots, `${scene}-${theme}-${width}.png`),
          // What is still on its way in is shown as it will be.
          animations: 'disabled',
        });
      }
    }
  }
} finally {
  await context.close();
  server.close();
  rmSync(profile, { recursive: true, force: true });
}
for (const fault of new Set(faults)) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
