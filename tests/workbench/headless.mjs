/**
 * Runs the plugin in Node without a screen: JSON lines in, JSON lines out. First installs and
 * builds what is missing, and reports that on standard error.
 */
import { ensurePackages } from '../../.ci/setup.mjs';

ensurePackages();
const { ensureBuilt } = await import('./build/ensure-built.mjs');
const { program, pluginDir } = await ensureBuilt();
const { main } = await import(program);
await main(process.argv.slice(2), pluginDir);
