import type { InlineConfig } from 'vite';

export function developmentBuild(outDir: string): InlineConfig;
