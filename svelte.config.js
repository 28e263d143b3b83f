import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  // It stands at every element that a style applies to, so it is short.
  compilerOptions: { cssHash: ({ hash, css }) => `p${hash(css).slice(-4)}` },
  vitePlugin: {
    // A global `runes: true` would also reach components of installed packages, some of which are not written with runes.
    dynamicCompileOptions: ({ filename }) =>
      filename.includes('node_modules') ? undefined : { runes: true },
  },
};
