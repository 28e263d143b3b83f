import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  // Hashes the content instead of the path, so that the build is the same in every folder.
  compilerOptions: { cssHash: ({ hash, css }) => `p-${hash(css)}` },
  vitePlugin: {
    // A global `runes: true` would also apply to components of installed packages.
    dynamicCompileOptions: ({ filename }) =>
      filename.includes('node_modules') ? undefined : { runes: true },
  },
};
