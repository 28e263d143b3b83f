/**
 * `npm run dev -- --vault DIR`: rebuilds the plugin into a vault on every change. The build is
 * unminified and has an inline source map and a command for the contract questions. A failed build prints its error and keeps the plugin in
 * the vault.
 */
import path from 'node:path';
import { ensurePackages, ROOT } from '../../.ci/setup.mjs';
import { developmentBuild } from './build/development-build.mjs';
import { copyIntoVault, vaultFromArguments } from './build/vault-plugin.mjs';

const vault = vaultFromArguments('dev');
ensurePackages();
const { build } = await import('vite');

const outDir = path.join(ROOT, '.build', 'dev');

const options = developmentBuild(outDir);

await build({
  ...options,
  build: { ...options.build, watch: {} },
  plugins: [
    {
      name: 'copy-into-vault',
      enforce: 'post',
      buildStart() {
        for (const name of ['manifest.json', 'styles.css'])
          this.addWatchFile(path.join(ROOT, name));
      },
      closeBundle: {
        order: 'post',
        sequential: true,
        handler(error) {
          if (error) return;
          const time = new Date().toLocaleTimeString();
          console.log(
            `${time} Built into ${copyIntoVault(outDir, vault)}. Reload Parley in Obsidian.`,
          );
        },
      },
    },
  ],
});
