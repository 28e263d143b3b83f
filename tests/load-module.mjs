/** Loads a TypeScript module of the tests outside the test runner, with the fake Obsidian. */
import path from 'node:path';
import { ensurePackages, ROOT } from '../.ci/setup.mjs';

/** @returns {Promise<any>} */
export async function loadModule(/** @type {string} */ module) {
  ensurePackages();
  const { createServer } = await import('vite');
  const { bundledPrograms } = await import('../.ci/bundled-program.mjs');
  const server = await createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [bundledPrograms()],
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    ssr: { noExternal: ['obsidian-test-mocks', 'rrule'] },
    resolve: {
      alias: [
        { find: /^obsidian$/, replacement: path.join(ROOT, 'tests/workbench/obsidian/module.ts') },
      ],
    },
  });
  return server.ssrLoadModule(module);
}
