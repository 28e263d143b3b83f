import type { Plugin } from 'vite';

/** Gives an entry with all its imports as the text of one script: `import code from './entry.ts?bundled'`. */
export function bundledPrograms(): Plugin;
