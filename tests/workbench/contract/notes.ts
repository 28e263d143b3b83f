/** Waits for what the app does after a change, by the events it tells of it. */
import type { App, TFile } from 'obsidian';

/** A new note that the app has read. */
export async function indexed(app: App, path: string, text: string): Promise<TFile> {
  const known = next(app, 'changed', path);
  await app.vault.create(path, text);
  return known;
}

/** A new note whose links are counted. */
export async function linked(app: App, path: string, text: string): Promise<TFile> {
  const counted = recounted(app, path);
  await app.vault.create(path, text);
  return counted;
}

/** When the links of this note are counted the next time. */
export function recounted(app: App, path: string): Promise<TFile> {
  return next(app, 'resolve', path);
}

function next({ metadataCache }: App, event: 'changed' | 'resolve', path: string): Promise<TFile> {
  return new Promise((resolve) => {
    const ref = metadataCache.on(event as 'resolve', (file) => {
      if (file.path !== path) return;
      metadataCache.offref(ref);
      resolve(file);
    });
  });
}
