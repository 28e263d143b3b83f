// First, because the rest looks for a document while it is evaluated.
import './dom/headless-dom';
import path from 'node:path';
import type { WriteInPieces } from './disk/disk';
import { createNodeDisk } from './disk/node-disk';
import { WorkbenchApp } from './obsidian/app';
import { reportedErrors } from './obsidian/events';
import { collectNotices, type RaisedNotice } from './obsidian/notice';

export interface VaultOptions {
  /** A folder, which must exist. */
  vault: string;
  /** By name. */
  secrets?: Record<string, string>;
  /** Obsidian lets people choose another name than `.obsidian`. */
  configDir?: string;
  /** Off unless given here or as WORKBENCH_WRITE_IN_PIECES=<bytes>:<milliseconds>. */
  writeInPieces?: WriteInPieces;
  /** Whether a file cannot be read now, as while a virus scanner or a cloud drive holds it. */
  isLocked?: (path: string) => boolean;
  /** False returns the vault as soon as the layout is ready, before any note is indexed. */
  waitForIndex?: boolean;
  /** Called with every notice that the user would see. */
  onNotice?(raised: RaisedNotice): void;
}

export interface OpenVault {
  app: WorkbenchApp;
  notices: RaisedNotice[];
  /** Errors that event handlers threw in this process. */
  errors: unknown[];
  /** Stops watching and waits for the disk. */
  close(): Promise<void>;
}

/**
 * Opens a folder as Obsidian would at its start, in a process without a screen. `prepare` is for what
 * the app does before it has read the vault, which is loading plugins.
 */
export async function openVault(
  options: VaultOptions,
  prepare: (app: WorkbenchApp) => Promise<void> = async () => undefined,
): Promise<OpenVault> {
  const pieces = options.writeInPieces ?? piecesFrom(process.env.WORKBENCH_WRITE_IN_PIECES);
  const disk = createNodeDisk(path.resolve(options.vault), {
    ...(pieces ? { pieces } : {}),
    ...(options.isLocked ? { isLocked: options.isLocked } : {}),
  });
  const { notices, stop } = collectNotices(options.onNotice);
  const app = WorkbenchApp.open({ disk, ...options });
  (globalThis as { app?: unknown }).app = app;

  // Watching begins before the vault is read, so that nothing slips through in between.
  const watch = disk.watch((changed) => app.notice(changed));
  const close = async (): Promise<void> => {
    watch.close();
    await app.close();
    stop();
  };
  try {
    await prepare(app);
    const indexed = new Promise<unknown>((resolve) => app.metadataCache.on('resolved', resolve));
    await app.loadVault();
    if (options.waitForIndex !== false) await indexed;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    app,
    notices,
    errors: reportedErrors(),
    close,
  };
}

function piecesFrom(setting: string | undefined): WriteInPieces | undefined {
  const [bytes, pauseMs] = (setting ?? '').split(':').map(Number);
  return bytes && bytes > 0 ? { bytes, pauseMs: pauseMs ?? 0 } : undefined;
}
