import { promises as fs } from 'node:fs';
import path from 'node:path';
import type { Folder } from './question';

/** Accesses the vault's folder through Node, bypassing the app. */
export function nodeFolder(base: string, configDir = '.obsidian'): Folder {
  const full = (relative: string) => path.join(base, relative);

  async function below(folder: string): Promise<string[]> {
    const entries = await fs.readdir(full(folder), { withFileTypes: true });
    const found: string[] = [];
    for (const entry of entries) {
      const at = folder ? `${folder}/${entry.name}` : entry.name;
      if (at === configDir) continue;
      if (!entry.isDirectory()) found.push(at);
      else found.push(...((await below(at)).length > 0 ? await below(at) : [`${at}/`]));
    }
    return found;
  }

  return {
    base,
    read: (file) => fs.readFile(full(file), 'utf8').catch(() => null),
    async write(file, text) {
      await fs.mkdir(path.dirname(full(file)), { recursive: true });
      await fs.writeFile(full(file), text);
    },
    remove: (file) => fs.rm(full(file), { recursive: true, force: true }),
    list: async () => (await below('')).sort(),
  };
}
