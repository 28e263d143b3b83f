import { svelte } from '@sveltejs/vite-plugin-svelte';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Adds `manifest.json` and `styles.css` to the built `main.js`, so that the output is a plugin's folder. */
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

const ROOT = import.meta.dirname.replaceAll('\\', '/').replace(/[.*+?^${}()|[\]]/g, '\\$&');
/** The product's own modules, which only define things when they are evaluated. */
const OWN_MODULES = new RegExp(`^${ROOT}/(?:src|components|stores)/`);

export default defineConfig(({ mode }) => ({
  publicDir: false,
  define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
  plugins: [svelte(), pluginFiles()],
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
    // A release ships the map beside `main.js`, which does not refer to it.
    sourcemap: mode === 'production' ? 'hidden' : 'inline',
    lib: {
      entry: 'src/main.ts',
      formats: ['cjs'],
      fileName: () => 'main.js',
      cssFileName: 'components',
    },
    rolldownOptions: {
      // Obsidian hands these to plugins; a second copy would not work together with its own.
      external: [
        'obsidian',
        'electron',
        /^@codemirror\//,
        /^@lezer\//,
        /^node:/,
        ...builtinModules,
      ],
      // Most module wrappers run later or never, so they are not marked as "called at once".
      optimization: { pifeForModuleWrappers: false },
      // An import that is not used is dropped, also when the module reads a property or a global at its top level.
      treeshake: {
        propertyReadSideEffects: false,
        unknownGlobalSideEffects: false,
        moduleSideEffects: [{ test: OWN_MODULES, sideEffects: false }],
      },
      output: { exports: 'named', codeSplitting: false },
    },
  },
}));
