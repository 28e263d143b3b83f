/** Runs `npm run tool-outputs -- FILE`. */
import { loadModule } from './load-module.mjs';

const [file] = process.argv.slice(2);
if (!file) {
  console.error('Expected the file to write: npm run tool-outputs -- FILE');
  process.exit(2);
}
const { writeToolOutputs } = await loadModule('/tests/tool-outputs.ts');
console.log(`Wrote ${await writeToolOutputs(file)} calls to ${file}.`);
process.exit();
