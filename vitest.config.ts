import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { leftOut } from './workbench/build/left-out.mjs';
import { lenientMocks } from './workbench/build/lenient-mocks.mjs';

const obsidian = {
  find: /^obsidian$/,
  replacement: path.resolve(import.meta.dirname, 'workbench/obsidian/module.ts'),
};
/** What draws, or keeps what is drawn: compiled by Svelte and run with a DOM. */
const SCREEN = ['tests/components/**/*.test.ts', 'tests/stores/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    maxWorkers: 2,
    // Far longer than anything takes that is polled for: what fails is wrong, and not slow.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        plugins: [lenientMocks(), leftOut()],
        resolve: { alias: [obsidian] },
        test: {
          name: 'core',
          include: ['tests/**/*.test.ts'],
          exclude: SCREEN,
          environment: 'node',
          // They are changed on the way (see the plugins), which only happens to what is inlined.
          server: { deps: { inline: ['obsidian-test-mocks', 'minimatch', 'zod'] } },
        },
      },
      {
        extends: true,
        // Without svelteTesting the runes are compiled for a server, where effects do nothing.
        plugins: [svelte(), leftOut(), svelteTesting({ autoCleanup: false })],
        test: {
          name: 'screen',
          include: SCREEN,
          environment: 'jsdom',
          setupFiles: ['tests/components/setup.ts'],
          server: { deps: { inline: ['dompurify', 'marked'] } },
        },
      },
    ],
  },
});
