/** Creates notes and waits for the metadata events that follow. */
import type { App, TFile } from 'obsidian';

/** Creates a note and waits until its metadata is cached. */
export async function createIndexed(app: App, path: string, text: string): Promise<TFile> {
  const known = next(app, 'changed', path);
  await app.vault.create(path, text);
  return known;
}

/** Creates a note and waits until its links are resolved. */
export async function createLinked(app: App, path: string, text: string): Promise<TFile> {
  const counted = linksResolved(app, path);
  await app.vault.create(path, text);
  return counted;
}

/** Resolves when the links of this note are next resolved. */
export function linksResolved(app: App, path: string): Promise<TFile> {
  return next(app, 'resolve', path);
}

function next(
  { metadataCache, vault }: App,
  event: 'changed' | 'resolve',
  path: string,
): Promise<TFile> {
  return new Promise((resolve) => {
    const ref = metadataCache.on(event as 'resolve', (file) => {
      if (file !== vault.getFileByPath(path)) return;
      metadataCache.offref(ref);
      resolve(file);
    });
  });
}
