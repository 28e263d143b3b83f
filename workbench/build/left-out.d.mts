import type { Plugin } from 'vite';

export declare function leftOut(): Plugin;
