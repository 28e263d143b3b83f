/**
 * Finds the folders of templates and their scripts in the settings of Obsidian's templates and
 * daily notes and of Templater.
 */
import type { App } from 'obsidian';
import type { DailyNoteSettings, TemplateSettings } from '#ports/metadata';

const TEMPLATES = 'templates.json';
const DAILY_NOTES = 'daily-notes.json';

/** Names of the settings that hold a folder or a note, by file in the configuration folder. */
const KEPT_IN: Readonly<Record<string, readonly string[]>> = {
  [TEMPLATES]: ['folder'],
  [DAILY_NOTES]: ['template'],
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

/** Settings of the core templates plugin, with its defaults. */
export async function templateSettings(app: App): Promise<TemplateSettings> {
  const { folder, dateFormat, timeFormat } = await settingsIn(TEMPLATES, app);
  return {
    folder: named(folder)?.replace(/^\/+|\/+$/g, '') ?? null,
    dateFormat: named(dateFormat) ?? 'YYYY-MM-DD',
    timeFormat: named(timeFormat) ?? 'HH:mm',
  };
}

/** Settings of the core plugin for daily notes; null if it is off or was never set up. */
export async function dailyNoteSettings(app: App): Promise<DailyNoteSettings | null> {
  const { folder, format, template } = await settingsIn(DAILY_NOTES, app);
  const plugins = await settingsIn('core-plugins.json', app);
  if (plugins['daily-notes'] === false) return null;
  if ([folder, format, template].every((value) => named(value) === null)) return null;
  return {
    folder: named(folder)?.replace(/^\/+|\/+$/g, '') ?? '',
    dateFormat: named(format) ?? 'YYYY-MM-DD',
    template: named(template),
  };
}

/** Empty if the file is missing or can't be read. */
async function settingsIn(file: string, { vault }: App): Promise<Record<string, unknown>> {
  const read = vault.adapter
    .read(`${vault.configDir}/${file}`)
    .then((text) => JSON.parse(text) as Record<string, unknown> | null);
  return (await read.catch(() => null)) ?? {};
}

function named(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
