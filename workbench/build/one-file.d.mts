import type { Plugin } from 'vite';

export function oneFile(): Plugin;
