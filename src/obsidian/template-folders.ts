/**
 * Where templates and the scripts in them lie, as the settings of the plugins that use them say: Obsidian's own
 * templates and daily notes, and Templater.
 */
import type { App } from 'obsidian';

/** By file of the configuration folder, the names under which each keeps a folder or a note. */
const KEPT_IN: Readonly<Record<string, readonly string[]>> = {
  'templates.json': ['folder'],
  'daily-notes.json': ['template'],
  'plugins/templater-obsidian/data.json': ['templates_folder', 'user_scripts_folder'],
};

export async function templateFolders({ vault }: App): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(KEPT_IN).map(async ([file, names]) => {
      const settings = await vault.adapter
        .read(`${vault.configDir}/${file}`)
        .then((text) => JSON.parse(text) as Record<string, unknown> | null)
        // Not there, or not to be read: that plugin names none.
        .catch(() => null);
      return names.map((name) => settings?.[name]);
    }),
  );
  return found.flat().filter((each): each is string => typeof each === 'string' && each !== '');
}
