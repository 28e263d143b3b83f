import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** Which component has which mark. */
const marks = new Map();

/** It stands at every element that a style applies to, so it is short. */
function markOf({ hash, css, filename }) {
  const mark = `p${hash(css).slice(-4)}`;
  const other = marks.get(mark) ?? css;
  if (other !== css) throw new Error(`The styles of ${filename} have the mark of others: ${mark}.`);
  marks.set(mark, css);
  return mark;
}

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { cssHash: markOf },
  vitePlugin: {
    // A global `runes: true` would also reach components of installed packages, some of which are not written with runes.
    dynamicCompileOptions: ({ filename }) =>
      filename.includes('node_modules') ? undefined : { runes: true },
  },
};
