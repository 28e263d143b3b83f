import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { CacheKeyIdGenerator } from 'vitest/node';
import { bundledPrograms } from './.ci/bundled-program.mjs';
import { IS_SAMPLE } from './tests/builders/sampled.ts';

const obsidian = {
  find: /^obsidian$/,
  replacement: path.resolve(import.meta.dirname, 'tests/workbench/obsidian/module.ts'),
};

/** Component and store tests: compiled by Svelte and run with a DOM. */
const SCREEN = ['tests/components/**/*.test.ts', 'tests/stores/**/*.test.ts'];
/** Tests that run on the fake Obsidian host, which provides a document. */
const HOST = [
  'tests/obsidian/**/*.test.ts',
  'tests/ports/**/*.test.ts',
  'tests/tools/**/*.test.ts',
  'tests/web/**/*.test.ts',
  'tests/contract/**/*.test.ts',
  'tests/workbench/*.test.ts',
  'tests/workbench/{build,disk,dom,headless,obsidian,server}/**/*.test.ts',
];
/**
 * Files that need a process of their own: they replace modules, or their servers misbehave on
 * purpose.
 */
const ISOLATED = ['tests/**/*.isolated.test.ts', 'tests/mcp/**/*.test.ts'];
const ISOLATED_SCREEN = ['tests/components/**/*.isolated.test.ts'];
/** Tests that start, kill and restart the built program. */
const PROCESS = [
  'tests/crash/**/*.test.ts',
  'tests/headless/**/*.test.ts',
  'tests/evals/**/*.full.test.ts',
];
/** Tests that only `npm run test:full` runs, because they take long. */
const FULL_ONLY = ['tests/e2e/full/**', 'tests/headless/**', 'tests/**/*.full.test.ts'];
const left = ['**/node_modules/**', ...(IS_SAMPLE ? FULL_ONLY : [])];
/** Tests that run the built plugin in a real browser. */
const BROWSER = ['tests/e2e/**/*.test.ts'];

const SEED = 'tests/setup/seed.ts';

/** Hash of the files that affect every compiled module. */
const compiledBy = createHash('sha1')
  .update(readFileSync(path.resolve(import.meta.dirname, 'package.json')))
  .update(readFileSync(path.resolve(import.meta.dirname, 'package-lock.json')))
  .update(readFileSync(path.resolve(import.meta.dirname, 'svelte.config.js')))
  .update(readFileSync(path.resolve(import.meta.dirname, 'tsconfig.json')))
  .digest('hex');

/** Bundled programs are not cached, because they contain other modules. */
const cacheKey: CacheKeyIdGenerator = ({ id }) => !id.endsWith('?bundled') && compiledBy;

const moduleCache: Plugin = {
  name: 'module-cache',
  configureVitest(context) {
    // Once: every call adds to the key, which would then depend on the number of projects.
    if (context.project !== context.vitest.projects[0]) return;
    context.experimental_defineCacheKeyGenerator(cacheKey);
  },
};

/** A project whose tests run in Node and import the fake Obsidian host. */
function inNode(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return {
    extends: true,
    resolve: { alias: [obsidian] },
    test: {
      name,
      environment: 'node',
      // Inlined so that its import of `obsidian` resolves to the alias above.
      server: { deps: { inline: ['obsidian-test-mocks'] } },
      setupFiles: [SEED],
      ...test,
    },
  };
}

/** A project whose tests render components in jsdom. */
function onScreen(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return {
    extends: true,
    // Without svelteTesting, Svelte resolves to its server build, where effects do nothing.
    plugins: [svelte(), svelteTesting({ autoCleanup: false })],
    test: {
      name,
      environment: 'jsdom',
      setupFiles: ['tests/components/setup.ts', SEED],
      ...test,
    },
  };
}

export default defineConfig({
  plugins: [bundledPrograms(), moduleCache],
  test: {
    // Generous like the polls below: a slow machine must not fail a test.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    // Shares compiled modules among the projects and keeps them for the next run.
    experimental: { fsModuleCache: true },
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['tests/setup/temporary-folders.ts'],
    projects: [
      inNode('core', {
        include: ['tests/**/*.test.ts'],
        exclude: [...SCREEN, ...HOST, ...ISOLATED, ...PROCESS, ...BROWSER, ...left],
        // Files share a process because they pass clocks in and leave no globals behind.
        isolate: false,
      }),
      inNode('host', {
        include: HOST,
        exclude: left,
        // Must come first, because the mocks look for a document while they are evaluated.
        setupFiles: ['tests/setup/fake-obsidian.ts', SEED],
        isolate: false,
      }),
      inNode('isolated', { include: ISOLATED, exclude: [...SCREEN, ...left] }),
      inNode('process', {
        include: PROCESS,
        exclude: left,
        testTimeout: 480_000,
        globalSetup: ['tests/setup/built-workbench.ts'],
      }),
      inNode('browser', {
        include: BROWSER,
        exclude: left,
        globalSetup: ['tests/setup/built-workbench.ts', 'tests/setup/browser-server.ts'],
        // Each test opens a page with a new profile, vault and server.
        isolate: false,
      }),
      onScreen('screen', {
        include: SCREEN,
        exclude: [...ISOLATED_SCREEN, ...left],
        isolate: false,
      }),
      onScreen('screen-isolated', { include: ISOLATED_SCREEN }),
    ],
  },
});
