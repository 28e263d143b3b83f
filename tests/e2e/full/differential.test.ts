/**
 * Compares the sanitizer as the plugin's build bundles it with the published package in Chromium.
 */
import path from 'node:path';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, type InlineConfig } from 'vite';
import { HOSTILE } from '#tests/hostile-markdown';
import { sharedBrowser } from '#tests/e2e/shared-browser';

/** Elements and attributes inside which HTML is read differently. */
const CONTEXTS: readonly (readonly [string, string])[] = [
  ['', ''],
  ['<p>', '</p>'],
  ['<table><tr><td>', '</td></tr></table>'],
  ['<svg>', '</svg>'],
  ['<svg><foreignObject>', '</foreignObject></svg>'],
  ['<math><mtext>', '</mtext></math>'],
  ['<math><annotation-xml encoding="text/html">', '</annotation-xml></math>'],
  ['<select><option>', '</option></select>'],
  ['<template>', '</template>'],
  ['<noscript>', '</noscript>'],
  ['<style>', '</style>'],
  ['<p title="', '">'],
  ['<!--', '-->'],
];

const PARTS = [
  ...[
    '<a href="https://a.b">',
    '</a>',
    '<svg>',
    '</svg>',
    '<math>',
    '</math>',
    '<style>',
    '</style>',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '<mglyph>',
    '<mtext>',
    '<table>',
    '<td>',
    '<form>',
    '</form>',
  ],
  ...[
    '<script>',
    '</script>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<p style="position:fixed">',
    '</p>',
  ],
  ...[
    '<mjx-c style="font-size:70%;transform:none">',
    '</mjx-c>',
    '<b id=app>',
    '</b>',
    '"',
    "'",
    '>',
  ],
  ...[
    '&lt;',
    '&#106;',
    'words',
    '<template>',
    '</template>',
    '<iframe srcdoc="',
    '<x-y is="z">',
    '\u0000',
  ],
];

const RANDOM = 3_000;

let page: Page;

/** A script that defines `name` with the sanitizers in it. */
async function scriptOf(name: string, config: InlineConfig): Promise<string> {
  const built = await build({
    root: path.resolve('.'),
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ...config,
    build: {
      write: false,
      target: 'es2022',
      ...config.build,
      lib: { entry: path.resolve('tests/e2e/differential/sanitizer.ts'), formats: ['iife'], name },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !('output' in output)) throw new Error('One build was expected.');
  return output.output[0].code;
}

beforeAll(async () => {
  page = await (await (await sharedBrowser()).newContext()).newPage();
  await page.goto('about:blank');
  const asReleased = { optimization: { inlineConst: true }, output: { codeSplitting: false } };
  const bundled = await scriptOf('bundled', {
    mode: 'production',
    build: { minify: true, rolldownOptions: asReleased },
  });
  const published = await scriptOf('published', {
    build: { minify: false },
    resolve: {
      alias: { dompurify: path.resolve('node_modules/dompurify/dist/purify.es.mjs') },
    },
  });
  await page.addScriptTag({ content: bundled });
  await page.addScriptTag({ content: published });
});

afterAll(() => page.context().close());

/** The inputs of which the two leave something different, and how many leave anything at all. */
function compare(inputs: readonly string[]): Promise<{ different: string[]; kept: number }> {
  return page.evaluate((texts) => {
    type Left = { readonly left: (html: string) => Readonly<Record<string, string>> };
    const { bundled, published } = window as unknown as Record<'bundled' | 'published', Left>;
    const different: string[] = [];
    let kept = 0;
    for (const text of texts) {
      const [one, other] = [bundled.left(text), published.left(text)];
      if (JSON.stringify(one) !== JSON.stringify(other)) different.push(text);
      if (Object.values(one).some((html) => html !== '')) kept += 1;
    }
    return { different, kept };
  }, inputs);
}

test('the bundled sanitizer leaves of hostile HTML what the published one leaves', async () => {
  const inputs = HOSTILE.flatMap((text) => CONTEXTS.map(([open, close]) => open + text + close));
  const { different, kept } = await compare(inputs);
  console.log(`sanitizer: ${inputs.length} hostile inputs, ${different.length} different`);
  expect(different).toEqual([]);
  expect(kept).toBeGreaterThan(inputs.length / 2);
});

test('the bundled sanitizer leaves of random HTML what the published one leaves', async () => {
  const html = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 12 });
  const inputs = fc.sample(html, { numRuns: RANDOM, seed: 21 }).map((parts) => parts.join(''));
  const { different, kept } = await compare(inputs);
  console.log(`sanitizer: ${inputs.length} random inputs, ${different.length} different`);
  expect(different).toEqual([]);
  expect(kept).toBeGreaterThan(inputs.length / 2);
});
