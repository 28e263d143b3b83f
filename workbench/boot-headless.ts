// First, because the rest looks for a document while it is evaluated.
import './dom/headless-dom.ts';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'obsidian-test-mocks/obsidian';
import type { WriteInPieces } from './disk/disk.ts';
import { createNodeDisk } from './disk/node-disk.ts';
import { WorkbenchApp } from './obsidian/app.ts';
import { reportedErrors } from './obsidian/events.ts';
import { collectNotices, type RaisedNotice } from './obsidian/notice.ts';
import { unknownProperties } from './obsidian/unknown-properties.ts';
import { installPlugin } from './plugin-install.ts';
import { loadPlugin, type ModuleSource } from './plugin-loader.ts';
import { hostModules } from './plugin-modules.ts';

export interface HeadlessOptions {
  /** A folder, which must exist. */
  vault: string;
  /** The built plugin: `main.js`, `manifest.json` and perhaps `styles.css`. */
  pluginDir: string;
  /** By name. */
  secrets?: Record<string, string>;
  configDir?: string;
  /** Called when the plugin is loaded and the vault not yet, so that nothing it does then is missed. */
  onLoaded?(plugin: Plugin): void;
  /** Off unless given here or as WORKBENCH_WRITE_IN_PIECES=<bytes>:<milliseconds>. */
  writeInPieces?: WriteInPieces;
}

export interface HeadlessHost {
  app: WorkbenchApp;
  plugin: Plugin;
  notices: RaisedNotice[];
  /** Of the whole process, like the next one. */
  unknownProperties: Set<string>;
  /** What event handlers threw. */
  errors: unknown[];
  /** Unloads the plugin and waits for the disk. */
  close(): Promise<void>;
}

/** Opens a folder as Obsidian would at its start, with one plugin, in a process without a screen. */
export async function bootHeadless(options: HeadlessOptions): Promise<HeadlessHost> {
  const vault = path.resolve(options.vault);
  const id = installPlugin(options.pluginDir, vault, options.configDir);
  const pieces = options.writeInPieces ?? piecesFrom(process.env.WORKBENCH_WRITE_IN_PIECES);
  const disk = createNodeDisk(vault, pieces && { pieces });
  const { notices, stop } = collectNotices();
  const app = WorkbenchApp.open({ disk, ...options });
  (globalThis as { app?: unknown }).app = app;

  // Watching begins before the vault is read, so that nothing slips through in between.
  const watch = disk.watch((changed) => app.notice(changed));
  const release = async (): Promise<void> => {
    watch.close();
    await app.close();
    stop();
  };
  try {
    const plugin = await loadPlugin(app, id, modules);
    options.onLoaded?.(plugin);
    await app.loadVault();
    const close = async (): Promise<void> => {
      plugin.unload();
      await release();
    };
    return {
      app,
      plugin,
      notices,
      unknownProperties: unknownProperties(),
      errors: reportedErrors(),
      close,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

const requireBuiltin = createRequire(import.meta.url);

const modules: ModuleSource = (name) =>
  hostModules(name) ?? (isBuiltin(name) ? (requireBuiltin(name) as unknown) : undefined);

function piecesFrom(setting: string | undefined): WriteInPieces | undefined {
  const [bytes, pauseMs] = (setting ?? '').split(':').map(Number);
  return bytes && bytes > 0 ? { bytes, pauseMs: pauseMs ?? 0 } : undefined;
}
