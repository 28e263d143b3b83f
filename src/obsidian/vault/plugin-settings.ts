/**
 * Settings of other plugins, as their files have them: Obsidian's templates and daily notes,
 * Templater, Periodic Notes and Tasks.
 */
import type { App } from 'obsidian';
import { DEFAULT_TASK_SETTINGS, type TaskSettings } from '#text/task-change';
import { DEFAULT_MARKS, type TaskMark, type TaskMarks, type TaskMarkType } from '#text/task-marks';
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

/** Settings of Periodic Notes, which goes before the core plugin; null if both are off. */
export async function dailyNoteSettings(app: App): Promise<DailyNoteSettings | null> {
  const [periodic, { folder, format, template }, plugins] = await Promise.all([
    periodicNoteSettings(app),
    settingsIn(DAILY_NOTES, app),
    settingsIn('core-plugins.json', app),
  ]);
  if (periodic) return periodic;
  if (plugins['daily-notes'] === false) return null;
  if ([folder, format, template].every((value) => named(value) === null)) return null;
  return dailyNotesIn(folder, format, template);
}

/** Version 0 has one `daily`; version 1 has sets of calendars, one of which is active. */
async function periodicNoteSettings(app: App): Promise<DailyNoteSettings | null> {
  const settings = await pluginSettings('periodic-notes', app);
  if (!settings) return null;
  const sets: readonly unknown[] = Array.isArray(settings['calendarSets'])
    ? settings['calendarSets']
    : [];
  const active = sets.map(recordOf).find(({ id }) => id === settings['activeCalendarSet']);
  const { enabled, folder, format, template, templatePath } = recordOf(
    active?.['day'] ?? settings['daily'],
  );
  return enabled === true ? dailyNotesIn(folder, format, template ?? templatePath) : null;
}

function dailyNotesIn(folder: unknown, format: unknown, template: unknown): DailyNoteSettings {
  return {
    folder: named(folder)?.replace(/^\/+|\/+$/g, '') ?? '',
    dateFormat: named(format) ?? 'YYYY-MM-DD',
    template: named(template),
  };
}

/** Settings of the Tasks plugin, with its defaults; null if it is off. */
export async function taskSettings(app: App): Promise<TaskSettings | null> {
  const settings = await pluginSettings('obsidian-tasks-plugin', app);
  if (!settings) return null;
  const ofDefault = DEFAULT_TASK_SETTINGS;
  const isOn = (name: string, byDefault: boolean) => {
    const value = settings[name];
    return typeof value === 'boolean' ? value : byDefault;
  };
  return {
    format: settings['taskFormat'] === 'dataview' ? 'dataview' : ofDefault.format,
    globalFilter: named(settings['globalFilter']) ?? ofDefault.globalFilter,
    setsDone: isOn('setDoneDate', ofDefault.setsDone),
    setsCanceled: isOn('setCancelledDate', ofDefault.setsCanceled),
    setsCreated: isOn('setCreatedDate', ofDefault.setsCreated),
    nextBelow: isOn('recurrenceOnNextLine', ofDefault.nextBelow),
    dropsScheduled: isOn('removeScheduledDateOnRecurrence', ofDefault.dropsScheduled),
    marks: taskMarks(recordOf(settings['statusSettings'])),
  };
}

const MARK_TYPES: Readonly<Record<string, TaskMarkType>> = {
  ...{ TODO: 'todo', IN_PROGRESS: 'in-progress', ON_HOLD: 'on-hold' },
  ...{ DONE: 'done', CANCELLED: 'canceled', NON_TASK: 'non-task' },
};

/** Of several statuses with one symbol, the plugin uses the first. */
function taskMarks({ coreStatuses, customStatuses }: Record<string, unknown>): TaskMarks {
  const marks = new Map<string, TaskMark>();
  for (const each of [coreStatuses, customStatuses].flat().map(recordOf)) {
    const { symbol, nextStatusSymbol, type } = each;
    if (typeof symbol !== 'string' || [...symbol].length !== 1 || marks.has(symbol)) continue;
    const next = typeof nextStatusSymbol === 'string' ? nextStatusSymbol : '';
    marks.set(symbol, { type: MARK_TYPES[String(type)] ?? 'todo', next });
  }
  if (marks.size === 0) return DEFAULT_MARKS;
  // Obsidian draws it as done.
  return new Map([['X', { type: 'done', next: ' ' }], ...marks]);
}

/** Settings of a community plugin; null if it is off, empty if it has saved none. */
async function pluginSettings(id: string, app: App): Promise<Record<string, unknown> | null> {
  const enabled: unknown = await settingsIn('community-plugins.json', app);
  if (!Array.isArray(enabled) || !enabled.includes(id)) return null;
  return settingsIn(`plugins/${id}/data.json`, app);
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
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
