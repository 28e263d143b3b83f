/**
 * Commands that Parley carries out from its change log, its queue and the vault, without a model.
 * They are spoken in plain words or typed with a slash.
 */

/**
 * `undo` is about what the user asked last; `undo-last-change`, about the last change of a note.
 * `sources` says what the last answer comes from. `stop` is about one request; `stop-everything`, about all that are open or queued. `edits` reads
 * out or decides pending edits. `remember` keeps the lasting wish that was just spoken.
 */
export type QuickCommand =
  | 'undo'
  | 'undo-last-change'
  | 'what-changed'
  | 'waiting'
  | 'sources'
  | 'stop'
  | 'stop-everything'
  | 'continue'
  | 'edits'
  | 'remember'
  | DueCommand;

/** Questions about open tasks; those of this week are due until Sunday. */
export type DueCommand = 'due-today' | 'due-tomorrow' | 'due-this-week' | 'overdue';

type SpokenOnly = 'undo-last-change' | 'stop-everything' | 'edits' | 'remember';

/** What is typed for a command. */
export const SLASH_COMMANDS: Readonly<Record<Exclude<QuickCommand, SpokenOnly>, string>> = {
  undo: '/undo',
  'what-changed': '/what-changed',
  waiting: '/waiting',
  sources: '/sources',
  stop: '/stop',
  continue: '/continue',
  'due-today': '/due-today',
  'due-tomorrow': '/due-tomorrow',
  'due-this-week': '/due-this-week',
  overdue: '/overdue',
};
