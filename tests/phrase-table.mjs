/** Runs `npm run phrases`. */
import { loadModule } from './load-module.mjs';

const { phraseTable } = await loadModule('/tests/queue/spoken-phrases.ts');
console.log(await phraseTable());
process.exit();
