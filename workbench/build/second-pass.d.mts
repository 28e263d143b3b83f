import type { Plugin } from 'vite';

export function secondPass(): Plugin;
