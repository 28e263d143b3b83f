/** Checks layout and accessibility of every gallery scene in every theme, narrow and wide. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCENE_GROUPS, THEMES } from '#workbench/gallery/scenes';
import { serveGallery, type ServedGallery } from '../../workbench/gallery/served.mjs';
import { sceneProblems } from '#tests/e2e/amiss';
import { sharedBrowser } from '#tests/e2e/shared-browser';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** In pixels: a comfortable width, and the minimum width of a sidebar. */
const WIDTHS = [420, 280];

let gallery: ServedGallery;
let context: BrowserContext;
let page: Page;
let errors: string[] = [];

beforeAll(async () => {
  gallery = await serveGallery();
  context = await (
    await sharedBrowser()
  ).newContext({
    viewport: { width: 820, height: 760 },
    reducedMotion: 'reduce',
  });
  page = await context.newPage();
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`${gallery.url}#alone`);
  await page.addScriptTag({ content: AXE });
});

afterAll(async () => {
  await context.close();
  gallery.close();
});

describe.each(Object.entries(SCENE_GROUPS))('%s', (_group, scenes) => {
  test.each(Object.keys(scenes))(
    'the scene %s has no layout or accessibility problems',
    async (scene) => {
      errors = [];
      const hash = `#scene=${scene}&width=280&alone`;
      await page.evaluate((to) => (location.hash = to), hash);
      await page.waitForFunction((to) => document.body.dataset['ready'] === to, hash);
      const amiss = await page.evaluate(sceneProblems, { themes: THEMES, widths: WIDTHS });
      expect([...amiss, ...errors].join('\n\n')).toBe('');
    },
  );
});

test.each([375, 280])('the / menu does not cut its hints at %i px', async (width) => {
  const hash = `#scene=composer-commands&width=${width}&alone`;
  await page.evaluate((to) => (location.hash = to), hash);
  await page.waitForFunction((to) => document.body.dataset['ready'] === to, hash);
  const hints = await page
    .getByRole('option')
    .locator('.aside')
    .evaluateAll((all) =>
      all.map((each) => [each.textContent, each.scrollWidth <= each.clientWidth] as const),
    );
  expect(hints).toContainEqual(['edits notes right away', true]);
  expect(hints.filter(([, isWhole]) => !isWhole)).toEqual([]);
});
