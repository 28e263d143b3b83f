import type { Plugin } from 'vite';

export function lenientMocks(): Plugin;
