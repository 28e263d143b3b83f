/**
 * Takes a picture of every scene in every theme, narrow and wide, and saves it in
 * tests/e2e/shots/gallery. The pictures are for people to look at, not for comparison. CHROMIUM
 * selects another browser.
 *
 * node tests/workbench/gallery/shoot.mjs [part of a scene's name] [theme,theme] [width,width] [rtl]
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from '../browser.mjs';
import { serveGallery } from './served.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const shots = path.join(root, 'tests/e2e/shots/gallery');
const [, , only = '', themes = 'light,dark,storybook,terminal', widths = '280,420', turned = ''] =
  process.argv;
const direction = turned === 'rtl' ? 'rtl' : 'ltr';

mkdirSync(shots, { recursive: true });
const gallery = await serveGallery();
const browser = await chromium.launch({ ...findBrowser(), headless: true });
const faults = new Set();
try {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 760 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.add(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.add(message.text());
  });
  await page.goto(`${gallery.url}#alone`);
  const links = await page.locator('#scenes a').all();
  const names = await Promise.all(links.map((link) => link.getAttribute('data-scene')));
  for (const scene of names.filter((name) => name?.includes(only))) {
    for (const theme of themes.split(',')) {
      for (const width of widths.split(',')) {
        const asked = new URLSearchParams({ scene: scene ?? '', theme, width, direction });
        const hash = `#${asked.toString()}&alone`;
        await page.evaluate((to) => (location.hash = to), hash);
        await page.waitForFunction((to) => document.body.dataset['ready'] === to, hash);
        const name = `${scene}-${theme}-${width}${turned === 'rtl' ? '-rtl' : ''}.png`;
        await page.locator('#gallery').screenshot({
          path: path.join(shots, name),
          // Skips to the end of animations.
          animations: 'disabled',
        });
      }
    }
  }
} finally {
  await browser.close();
  gallery.close();
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.size > 0 ? 1 : 0;
