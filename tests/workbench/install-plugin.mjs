/** `npm run install-plugin -- --vault DIR`: builds the plugin and installs it into a vault. */
import { ensurePackages } from '../../.ci/setup.mjs';
import { copyIntoVault, vaultFromArguments } from './build/vault-plugin.mjs';

const vault = vaultFromArguments('install-plugin');
ensurePackages();
const { ensureBuilt } = await import('./build/ensure-built.mjs');
const { pluginDir } = await ensureBuilt();
console.log(`Parley is in ${copyIntoVault(pluginDir, vault)}.`);
console.log('In Obsidian: Settings, Community plugins, reload the list, switch Parley on.');
