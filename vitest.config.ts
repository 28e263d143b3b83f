import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const obsidian = {
  find: /^obsidian$/,
  replacement: path.resolve(import.meta.dirname, 'workbench/obsidian/module.ts'),
};
/** Components and stores: compiled by Svelte and run with a DOM. */
const SCREEN = ['tests/components/**/*.test.ts', 'tests/stores/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    maxWorkers: 2,
    // A poll that runs this long is a failure, not a slow machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        resolve: { alias: [obsidian] },
        test: {
          name: 'core',
          include: ['tests/**/*.test.ts'],
          exclude: SCREEN,
          environment: 'node',
          // Inlined so that its import of `obsidian` resolves to the alias above.
          server: { deps: { inline: ['obsidian-test-mocks'] } },
        },
      },
      {
        extends: true,
        // Without svelteTesting, components are compiled for a server, where effects do nothing.
        plugins: [svelte(), svelteTesting({ autoCleanup: false })],
        test: {
          name: 'screen',
          include: SCREEN,
          environment: 'jsdom',
          setupFiles: ['tests/components/setup.ts'],
        },
      },
    ],
  },
});
