import { minify } from 'terser';
import { minify as minifyAgain } from 'vite';
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
          compress: {
            ...{ passes: 3, toplevel: true, hoist_funs: true, unsafe_arrows: true },
            // No function is asked how many parameters it has.
            keep_fargs: false,
          },
          mangle: { toplevel: true },
        });
        if (code === undefined) continue;
        const shorter = shorterStrings(shorterWords(shorterThis(code)));
        const again = await minifyAgain(part.fileName, shorter, {
          ...{ module: false, mangle: { toplevel: true } },
          compress: { target: 'es2022' },
        });
        part.code = again.code;
      }
    },
  };
}
