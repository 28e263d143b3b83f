import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILES = ['main.js', 'manifest.json', 'styles.css'];

/**
 * Puts a built plugin where the app looks for it and says its id. Only files that differ are written,
 * and everything else there (settings, conversations) is kept.
 */
export function installPlugin(built: string, vault: string, configDir = '.obsidian'): string {
  const { id } = JSON.parse(readFileSync(path.join(built, 'manifest.json'), 'utf8')) as {
    id: string;
  };
  const target = path.join(vault, configDir, 'plugins', id);
  mkdirSync(target, { recursive: true });
  for (const name of FILES) {
    const from = path.join(built, name);
    const to = path.join(target, name);
    if (!existsSync(from)) continue;
    const bytes = readFileSync(from);
    if (!existsSync(to) || !bytes.equals(readFileSync(to))) writeFileSync(to, bytes);
  }
  return id;
}
