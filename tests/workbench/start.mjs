/** The workbench in the browser. Installs and builds what is missing first; what it says of that goes to standard error. */
import { ensurePackages } from '../../.ci/setup.mjs';

ensurePackages();
const { ensureWorkbench } = await import('./build/ensure-built.mjs');
const { program, ...places } = await ensureWorkbench();
const { main } = await import(program);
await main(process.argv.slice(2), places);
