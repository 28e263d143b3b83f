/** Builds the plugin and puts it into a vault: `npm run install-plugin -- --vault DIR`. */
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ensurePackages } from '../.ci/setup.mjs';

const FILES = ['main.js', 'manifest.json', 'styles.css'];

const at = process.argv.indexOf('--vault');
const vault = at < 0 ? undefined : process.argv[at + 1];
if (!vault || !existsSync(vault) || !statSync(vault).isDirectory()) {
  console.error(
    vault ? `${vault} is not a folder.` : 'Usage: npm run install-plugin -- --vault DIR',
  );
  process.exit(2);
}

ensurePackages();
const { ensureBuilt } = await import('./build/ensure-built.mjs');
const { pluginDir } = await ensureBuilt();
const target = path.join(vault, configFolder(vault), 'plugins', 'parley');
mkdirSync(target, { recursive: true });
// Only these three: settings and conversations lie beside them.
for (const name of FILES) cpSync(path.join(pluginDir, name), path.join(target, name));
console.log(`Parley is in ${target}.`);
console.log('In Obsidian: Settings, Community plugins, reload the list, switch Parley on.');

/** `.obsidian`, or the folder that was chosen instead: the one that holds Obsidian's own settings. */
function configFolder(/** @type {string} */ folder) {
  const found = readdirSync(folder).find(
    (name) => name.startsWith('.') && existsSync(path.join(folder, name, 'app.json')),
  );
  return found ?? '.obsidian';
}
