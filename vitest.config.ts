import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { lenientMocks } from './workbench/build/lenient-mocks.mjs';

export default defineConfig({
  plugins: [lenientMocks()],
  resolve: {
    alias: [
      {
        find: /^obsidian$/,
        replacement: path.resolve(import.meta.dirname, 'workbench/obsidian/module.ts'),
      },
    ],
  },
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    // The mocks are changed on the way (see the plugin), which only happens to what is inlined.
    server: { deps: { inline: ['obsidian-test-mocks'] } },
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
