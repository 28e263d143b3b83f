import type { ToolCall } from '#model/conversation';

/** What a call is about: a note, a pattern, or nothing ('' as its name). */
export interface Subject {
  readonly name: string;
  /** With its `/`; '' for what lies in none. */
  readonly folder: string;
  /** As it was given. */
  readonly whole: string;
}

export function subjectOf({ part }: ToolCall): Subject {
  const { path, paths, source, pattern, query, command, url, destination } =
    part.malformed === undefined ? part.input : begunInput(part.malformed);
  if (Array.isArray(paths)) {
    const all = paths.filter(isText);
    return { name: all.map(noteName).join(', '), folder: '', whole: all.join('\n') };
  }
  const place = path ?? source;
  if (!isText(place)) {
    const words = pattern ?? query ?? command ?? url;
    return isText(words) ? { name: words, folder: '', whole: words } : NOTHING;
  }
  const folder = place.slice(0, place.lastIndexOf('/', place.length - 2) + 1);
  if (!isText(destination)) return { name: noteName(place), folder, whole: place };
  const whole = `${place} → ${destination}`;
  return { name: `${noteName(place)} → ${destination.replace(/\.md$/, '')}`, folder: '', whole };
}

const NOTHING: Subject = { name: '', folder: '', whole: '' };

/** Notes go by their names, as they do everywhere in Obsidian. */
function noteName(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1).replace(/\.md$/, '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The texts of an input that broke off: those that were written to their end. */
function begunInput(json: string): Readonly<Record<string, unknown>> {
  const fields = json.matchAll(/[{,]\s*"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*")/g);
  return Object.fromEntries(
    [...fields].map(([, name = '', value = '""']) => [name, plain(value)] as const),
  );
}

function plain(quoted: string): unknown {
  try {
    return JSON.parse(quoted);
  } catch {
    return '';
  }
}
