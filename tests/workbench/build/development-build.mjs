import path from 'node:path';
import { ROOT } from '../../../.ci/setup.mjs';

/**
 * The options of a development build: unminified, with an inline source map, and with the command
 * that asks Obsidian the contract questions.
 *
 * @param {string} outDir
 * @returns {import('vite').InlineConfig}
 */
export function developmentBuild(outDir) {
  return {
    root: ROOT,
    configFile: path.join(ROOT, 'vite.config.ts'),
    mode: 'development',
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      lib: { entry: path.join(ROOT, 'tests/contract/development-plugin.ts') },
    },
  };
}
