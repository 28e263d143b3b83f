/** Calls in words for a person. */
import type { ToolCall } from '#model/conversation';

interface Words {
  readonly icon: string;
  /** "Reading" */
  readonly doing: string;
  /** "Read" */
  readonly done: string;
  /** What it is done to, once and several times; without it the doing alone is counted. */
  readonly things?: readonly [one: string, many: string];
}

const WORDS: Readonly<Record<string, Words>> = {
  read_file: { icon: 'file-text', doing: 'Reading', done: 'read', things: ['note', 'notes'] },
  get_file_info: {
    icon: 'info',
    doing: 'Looking at',
    done: 'looked at',
    things: ['note', 'notes'],
  },
  search_files: { icon: 'search', doing: 'Searching for', done: 'searched' },
  list_files: { icon: 'folder-tree', doing: 'Listing', done: 'listed files' },
  edit_file: { icon: 'pencil', doing: 'Editing', done: 'edited', things: ['note', 'notes'] },
  write_file: { icon: 'file-plus', doing: 'Writing', done: 'wrote', things: ['note', 'notes'] },
  create_folder: {
    icon: 'folder-plus',
    doing: 'Making',
    done: 'made',
    things: ['folder', 'folders'],
  },
  move: { icon: 'file-symlink', doing: 'Moving', done: 'moved', things: ['note', 'notes'] },
  delete: { icon: 'trash-2', doing: 'Deleting', done: 'deleted', things: ['note', 'notes'] },
};

function wordsFor(name: string): Words {
  const plain = name.replaceAll('_', ' ');
  return WORDS[name] ?? { icon: 'wrench', doing: `Using ${plain}:`, done: `used ${plain}` };
}

export function iconOf(name: string): string {
  return wordsFor(name).icon;
}

/** What a call is about: a path, a pattern, or nothing. */
export function subjectOf({ part }: ToolCall): string {
  const { path, paths, source, pattern, query, destination } = part.input;
  const first = path ?? source ?? pattern ?? query;
  if (Array.isArray(paths)) return paths.filter((each) => typeof each === 'string').join(', ');
  if (typeof first !== 'string') return '';
  return typeof destination === 'string' ? `${first} → ${destination}` : first;
}

/** "Reading Lists/Shopping.md" */
export function doingLine(call: ToolCall): string {
  return `${wordsFor(call.part.name).doing} ${subjectOf(call)}`.trim();
}

/** "Writing a call" while it is not there yet. */
export function comingLine(name: string): string {
  return name === '' ? 'Deciding what to do' : wordsFor(name).doing.replace(/:$/, '');
}

/** "Read" as the head of one call's line. */
export function doneWord(name: string): string {
  return capital(wordsFor(name).done);
}

/** "Read 3 notes, searched twice, 4 s" */
export function summaryLine(calls: readonly ToolCall[]): string {
  const names = [...new Set(calls.map(({ part }) => part.name))];
  const parts = names.map((name) =>
    counted(
      name,
      calls.filter(({ part }) => part.name === name),
    ),
  );
  const failed = calls.filter((call) => call.state === 'finished' && call.result.failed).length;
  if (failed > 0) parts.push(failed === calls.length ? 'without success' : `${failed} failed`);
  const time = spanOf(calls);
  if (time !== null) parts.push(duration(time));
  return capital(parts.join(', '));
}

function counted(name: string, calls: readonly ToolCall[]): string {
  const { done, things } = wordsFor(name);
  if (!things) return [done, times(calls.length)].filter(Boolean).join(' ');
  const count = calls.reduce((sum, { part }) => {
    const { paths } = part.input;
    return sum + (Array.isArray(paths) ? paths.length : 1);
  }, 0);
  return `${done} ${count} ${things[count === 1 ? 0 : 1]}`;
}

function times(count: number): string {
  if (count === 1) return '';
  return count === 2 ? 'twice' : `${count} times`;
}

/** From the first beginning to the last end; null where nothing has run. */
function spanOf(calls: readonly ToolCall[]): number | null {
  const begun = calls.flatMap((call) => ('started' in call && call.started ? [call.started] : []));
  const ended = calls.flatMap((call) => (call.state === 'finished' ? [call.ended] : []));
  if (begun.length === 0 || ended.length === 0) return null;
  return Math.max(0, Math.max(...ended) - Math.min(...begun));
}

export function duration(milliseconds: number): string {
  if (milliseconds < 950) return `${Math.max(0.1, Math.round(milliseconds / 100) / 10)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
