import { svelte } from '@sveltejs/vite-plugin-svelte';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { leftOut } from './workbench/build/left-out.mjs';
import { oneFile } from './workbench/build/one-file.mjs';
import { secondPass } from './workbench/build/second-pass.mjs';
import { whole } from './workbench/build/whole.mjs';

/** The three files of a plugin's folder: the build makes `main.js`, these are the other two. */
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
  plugins: [svelte(), leftOut(), whole(), oneFile(), secondPass(), pluginFiles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    minify: mode === 'production',
    sourcemap: mode === 'production' ? false : 'inline',
    lib: {
      entry: 'src/main.ts',
      formats: ['cjs'],
      fileName: () => 'main.js',
      cssFileName: 'components',
    },
    rolldownOptions: {
      // No package is imported for what merely loading it does, whatever it says of itself.
      treeshake: { moduleSideEffects: (id) => !id.includes('node_modules') },
      // What Obsidian hands to plugins; a second copy of any of it would not work together with its own.
      external: [
        'obsidian',
        'electron',
        /^@codemirror\//,
        /^@lezer\//,
        /^node:/,
        ...builtinModules,
      ],
      output: {
        exports: 'named',
        // Whatever load needs lies together, so does what the first turn needs, and each part that comes later by
        // itself. Packages of tool servers have a zod of their own, which is asked for as `?whole`.
        codeSplitting: mode === 'production' && {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 1 },
            { name: 'turn', test: /[\\/](?:src[\\/](?:agent|tools)|zod)[\\/][^?]*$/ },
          ],
        },
        chunkFileNames: '[name].js',
      },
    },
  },
}));
