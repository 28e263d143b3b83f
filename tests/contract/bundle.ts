import path from 'node:path';
import { build, type Rolldown } from 'vite';
import { ROOT } from './sources';

export const MANIFEST = {
  ...{ id: 'contract', name: 'Contract', version: '1.0.0' },
  ...{ minAppVersion: '1.13.4', author: 'Parley', description: 'Asks the host.' },
};

/** Builds the `main.js` of the asking plugin from its entry file. */
export async function buildContractPlugin(
  entry: 'asker.ts' | 'asker-in-app.ts' = 'asker.ts',
): Promise<string> {
  const built = await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: {
        entry: path.join(import.meta.dirname, entry),
        formats: ['cjs'],
        fileName: 'main',
      },
      rolldownOptions: {
        external: ['obsidian', /^@codemirror\//, /^node:/],
        output: { exports: 'named' },
      },
    },
  });
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput];
  return output[0].code;
}
