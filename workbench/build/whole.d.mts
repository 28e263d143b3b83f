import type { Plugin } from 'vite';

export function whole(): Plugin;
