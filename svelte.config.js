import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  // By content, not by file name: the build is the same in every folder.
  compilerOptions: { cssHash: ({ hash, css }) => `p-${hash(css)}` },
  vitePlugin: {
    // A global `runes: true` would also reach components of installed packages, some of which are not written with runes.
    dynamicCompileOptions: ({ filename }) =>
      filename.includes('node_modules') ? undefined : { runes: true },
  },
};
