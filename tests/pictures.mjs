/** Runs `npm run pictures [-- NAME]`, which writes the pictures of the docs into `docs/images`. */
import { loadModule } from './load-module.mjs';

const { writePictures } = await loadModule('/tests/pictures.ts');
const { names, faults } = await writePictures('docs/images', process.argv[2]);
for (const fault of faults) console.error(fault);
console.log(`Wrote ${names.join(', ')} to docs/images.`);
process.exit(faults.length > 0 ? 1 : 0);
