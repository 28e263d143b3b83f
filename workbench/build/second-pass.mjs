import { minify } from 'terser';
import { shorterStrings } from './shorter-strings.mjs';
import { shorterThis } from './shorter-this.mjs';
import { shorterWords } from './shorter-words.mjs';

/**
 * Shortens once more what the build has made: another minifier sees what the first does not, above all variables that
 * are used once.
 *
 * @returns {import('vite').Plugin}
 */
export function secondPass() {
  let isProduction = false;
  return {
    name: 'second-pass',
    enforce: 'post',
    configResolved: ({ mode }) => {
      isProduction = mode === 'production';
    },
    async generateBundle(_options, bundle) {
      if (!isProduction) return;
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        const { code } = await minify(part.code, {
          ecma: 2020,
          // Called unsafe for functions that are made instances of; those here that are not classes are only called.
          compress: { passes: 3, toplevel: true, hoist_funs: true, unsafe_arrows: true },
          mangle: { toplevel: true },
        });
        if (code !== undefined) part.code = shorterStrings(shorterWords(shorterThis(code)));
      }
    },
  };
}
