import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const PLUGIN_FILES = ['main.js', 'manifest.json', 'styles.css'];

/**
 * The folder named by `--vault`. Exits with a usage line if it is missing.
 *
 * @param {string} command for the usage line
 * @returns {string}
 */
export function vaultFromArguments(command) {
  const at = process.argv.indexOf('--vault');
  const vault = at < 0 ? undefined : process.argv[at + 1];
  if (vault && existsSync(vault) && statSync(vault).isDirectory()) return vault;
  console.error(vault ? `${vault} is not a folder.` : `Usage: npm run ${command} -- --vault DIR`);
  process.exit(2);
}

/**
 * Copies a built plugin into a vault. Keeps existing settings and conversations.
 *
 * @param {string} pluginDir the folder with `main.js`, `manifest.json` and `styles.css`
 * @param {string} vault
 * @returns {string} the plugin's folder in the vault
 */
export function copyIntoVault(pluginDir, vault) {
  const target = path.join(vault, configFolder(vault), 'plugins', 'parley');
  mkdirSync(target, { recursive: true });
  for (const name of PLUGIN_FILES) cpSync(path.join(pluginDir, name), path.join(target, name));
  return target;
}

/**
 * Name of the vault's configuration folder: `.obsidian`, or the one that the user configured
 * instead.
 */
function configFolder(/** @type {string} */ vault) {
  const found = readdirSync(vault).find(
    (name) => name.startsWith('.') && existsSync(path.join(vault, name, 'app.json')),
  );
  return found ?? '.obsidian';
}
