/** Runs `npm run evals`. */
import { loadModule } from '../load-module.mjs';

const { ensureBuilt } = await import('../../workbench/build/ensure-built.mjs');
const built = await ensureBuilt();
const { main } = await loadModule('/tests/evals/evals.ts');
process.exit(await main(process.argv.slice(2), built));
