/**
 * Build: `npx vite build --config tests/workbench/gallery/vite.config.ts`. Without `build` it serves the
 * gallery and reloads on changes.
 */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import path from 'node:path';
import { defineConfig } from 'vite';

const root = path.resolve(import.meta.dirname, '../../..');

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [svelte({ configFile: path.join(root, 'svelte.config.js') })],
  build: { outDir: path.join(root, '.build/gallery'), emptyOutDir: true, minify: false },
});
