import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const PLUGIN_FILES = ['main.js', 'manifest.json', 'styles.css'];

/**
 * The folder named by `--vault`. Exits with a usage line if it is missing, and with a reason if it
 * is no vault.
 *
 * @param {string} command for the usage line
 * @returns {string}
 */
export function vaultFromArguments(command) {
  const at = process.argv.indexOf('--vault');
  const vault = at < 0 ? undefined : process.argv[at + 1];
  const reason = vault ? whyNoVault(vault) : `Usage: npm run ${command} -- --vault DIR`;
  if (vault && reason === null) return vault;
  console.error(reason);
  process.exit(2);
}

/** Null for a vault. */
function whyNoVault(/** @type {string} */ vault) {
  if (!existsSync(vault) || !statSync(vault).isDirectory()) return `${vault} is not a folder.`;
  if (existsSync(path.join(vault, configFolder(vault)))) return null;
  return `${vault} is no vault: it has no .obsidian folder. Open the folder in Obsidian once, or check that it is the right one.`;
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
