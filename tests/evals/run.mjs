/** Runs `npm run evals`. */
import { loadModule } from '../load-module.mjs';

const { main } = await loadModule('/tests/evals/evals.ts');
const { ensureBuilt } = await import('../workbench/build/ensure-built.mjs');
process.exit(await main(process.argv.slice(2), () => ensureBuilt()));
