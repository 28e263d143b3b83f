import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App, Plugin } from 'obsidian';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { bootHeadless, type HeadlessHost, type HeadlessOptions } from '#workbench/boot-headless';

/** Files by path; a path that ends in `/` is an empty folder. */
export type Files = Record<string, string>;

export interface TestHost extends Omit<HeadlessHost, 'app' | 'plugin'> {
  app: App;
  plugin: Plugin;
  /** Path of the vault's folder. */
  folder: string;
  [Symbol.asyncDispose](): Promise<void>;
}

const EMPTY_PLUGIN = `
  const { Plugin } = require('obsidian');
  module.exports = class Toy extends Plugin {};
`;

/**
 * Starts a headless host with these files in a new vault and with this code as the plugin's
 * `main.js`.
 */
export async function openHost(
  files: Files = {},
  main = EMPTY_PLUGIN,
  options: Partial<HeadlessOptions> = {},
  manifest: object = TOY,
): Promise<TestHost> {
  const folder = temporaryFolder('vault');
  const pluginDir = temporaryFolder('plugin');
  writeFiles(folder, files);
  writeFiles(pluginDir, { 'main.js': main, 'manifest.json': JSON.stringify(manifest) });
  const host = await bootHeadless({ vault: folder, pluginDir, ...options });
  return {
    ...host,
    app: host.app.asOriginalType__(),
    plugin: host.plugin.asOriginalType2__(),
    folder: options.vault ?? folder,
    [Symbol.asyncDispose]: () => host.close(),
  };
}

const TOY = { id: 'toy', name: 'Toy', version: '1.0.0', minAppVersion: '1.13.0', author: 'a' };

export function writeFiles(folder: string, files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    const full = path.join(folder, file);
    mkdirSync(file.endsWith('/') ? full : path.dirname(full), { recursive: true });
    if (!file.endsWith('/')) writeFileSync(full, text);
  }
}

/** Resolves with the arguments of the next matching event. */
export function nextEvent(
  source: { on(name: string, callback: (...data: unknown[]) => unknown): unknown },
  name: string,
  matches: (...data: unknown[]) => boolean = () => true,
): Promise<unknown[]> {
  return new Promise((resolve) => {
    source.on(name, (...data) => {
      if (matches(...data)) resolve(data);
    });
  });
}
