import { svelte } from '@sveltejs/vite-plugin-svelte';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { bundledPrograms } from './.ci/bundled-program.mjs';

/**
 * Copies `manifest.json` and `styles.css` next to the built `main.js`, so that the output folder is
 * a complete plugin.
 */
function pluginFiles(): Plugin {
  let root = '.';
  let outDir = 'dist';
  return {
    name: 'plugin-files',
    configResolved: (config) => {
      root = config.root;
      outDir = path.resolve(root, config.build.outDir);
    },
    closeBundle: () => {
      mkdirSync(outDir, { recursive: true });
      copyFileSync(path.join(root, 'manifest.json'), path.join(outDir, 'manifest.json'));
      const components = path.join(outDir, 'components.css');
      const styles = [readFileSync(path.join(root, 'styles.css'), 'utf8')];
      if (existsSync(components)) styles.push(readFileSync(components, 'utf8'));
      writeFileSync(path.join(outDir, 'styles.css'), styles.join('\n'));
    },
  };
}

export default defineConfig(({ mode }) => ({
  publicDir: false,
  define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
  plugins: [svelte(), bundledPrograms(), pluginFiles()],
  resolve: {
    alias: [
      {
        find: /^@modelcontextprotocol\/(?:client|server)\/_shims$/,
        replacement: path.resolve(import.meta.dirname, 'src/mcp/sdk-shims.ts'),
      },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    minify: mode === 'production',
    // Releases ship the source map as a separate file that `main.js` does not reference.
    sourcemap: mode === 'production' ? 'hidden' : 'inline',
    lib: {
      entry: 'src/main.ts',
      formats: ['cjs'],
      fileName: () => 'main.js',
      cssFileName: 'components',
    },
    rolldownOptions: {
      // Obsidian provides these modules; a bundled second copy would be incompatible with its own.
      external: [
        'obsidian',
        'electron',
        /^@codemirror\//,
        /^@lezer\//,
        /^node:/,
        ...builtinModules,
      ],
      optimization: {
        // Constants are inlined across modules: 6 KB less, compressed or not.
        inlineConst: true,
        // A module is compiled when it is first used, since most are not used at load.
        pifeForModuleWrappers: false,
      },
      output: { exports: 'named', codeSplitting: false },
    },
  },
}));
