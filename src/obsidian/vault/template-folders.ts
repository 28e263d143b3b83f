/**
 * Where templates and the scripts in them lie, as the settings of the plugins that use them say: Obsidian's own
 * templates and daily notes, and Templater.
 */
import type { App } from 'obsidian';
import type { TemplateSettings } from '#ports/metadata';

const TEMPLATES = 'templates.json';

/** By file of the configuration folder, the names under which each keeps a folder or a note. */
const KEPT_IN: Readonly<Record<string, readonly string[]>> = {
  [TEMPLATES]: ['folder'],
  'daily-notes.json': ['template'],
  'plugins/templater-obsidian/data.json': ['templates_folder', 'user_scripts_folder'],
};

export async function templateFolders(app: App): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(KEPT_IN).map(async ([file, names]) => {
      const settings = await settingsIn(file, app);
      return names.flatMap((name) => named(settings[name]) ?? []);
    }),
  );
  return found.flat();
}

/** Of the core plugin, with its own defaults. */
export async function templateSettings(app: App): Promise<TemplateSettings> {
  const { folder, dateFormat, timeFormat } = await settingsIn(TEMPLATES, app);
  return {
    folder: named(folder)?.replace(/^\/+|\/+$/g, '') ?? null,
    dateFormat: named(dateFormat) ?? 'YYYY-MM-DD',
    timeFormat: named(timeFormat) ?? 'HH:mm',
  };
}

/** Nothing where the file is not there, or can't be read: that plugin names none. */
async function settingsIn(file: string, { vault }: App): Promise<Record<string, unknown>> {
  const read = vault.adapter
    .read(`${vault.configDir}/${file}`)
    .then((text) => JSON.parse(text) as Record<string, unknown> | null);
  return (await read.catch(() => null)) ?? {};
}

function named(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
