/**
 * A Vite plugin: `import code from './entry.ts?bundled'` gives the entry with all its imports as the
 * text of one script. A worker is started from such a text, since the plugin for Obsidian is a
 * single file.
 */
import { build } from 'vite';

const SUFFIX = '?bundled';
const BUNDLED = /\?bundled$/;

/** @returns {import('vite').Plugin} */
export function bundledPrograms() {
  /** @type {Map<string, Promise<{ code: string, files: readonly string[] }>>} */
  const made = new Map();
  let isMinified = false;
  return {
    name: 'bundled-programs',
    enforce: 'pre',
    configResolved: (config) => {
      isMinified = config.command === 'build' && config.build.minify !== false;
    },
    buildStart: () => made.clear(),
    resolveId: {
      filter: { id: BUNDLED },
      async handler(source, importer) {
        const entry = await this.resolve(source.slice(0, -SUFFIX.length), importer);
        return entry && `${entry.id}${SUFFIX}`;
      },
    },
    load: {
      filter: { id: BUNDLED },
      async handler(id) {
        const entry = id.slice(0, -SUFFIX.length);
        // Several modules may ask for the program at the same time.
        const making = made.get(entry) ?? bundle(entry, isMinified);
        made.set(entry, making);
        const { code, files } = await making;
        for (const file of files) this.addWatchFile(file);
        return `export default ${JSON.stringify(code)};`;
      },
    },
  };
}

/**
 * @param {string} entry
 * @param {boolean} isMinified
 */
async function bundle(entry, isMinified) {
  const results = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      minify: isMinified,
      rolldownOptions: { input: entry, output: { format: 'iife', codeSplitting: false } },
    },
  });
  const [program] = /** @type {import('vite').Rollup.RollupOutput[]} */ ([results].flat())[0]
    .output;
  return { code: program.code, files: Object.keys(program.modules) };
}
