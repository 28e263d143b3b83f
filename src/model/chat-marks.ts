/**
 * Tells marks of sources from citations in the same form, such as Pandoc's, which an answer repeats
 * from a note.
 */
import { noteName, withoutNoteExtension } from '#text/paths';
import type { IsMark, SourceMark } from '#text/source-marks';
import { allCalls, type Turn } from './conversation';

/**
 * A mark has the name of a source of the chat, or lines and a spelling that nothing shown to the
 * model has.
 */
export function marksOfChat(turns: () => readonly Turn[]): IsMark {
  const known = new Map<string, boolean>();
  return (mark) => {
    const before = known.get(mark.inner);
    if (before !== undefined) return before;
    const is = isMarkIn(turns(), mark);
    known.set(mark.inner, is);
    return is;
  };
}

function isMarkIn(turns: readonly Turn[], { inner, lines }: Pick<SourceMark, 'inner' | 'lines'>) {
  const [bare = '', ...rest] = inner.split(/:[ \t]*(?=L?\d)/);
  const names = lines.length > 0 ? lines.map(({ source }) => source) : [bare];
  const sources = new Set(turns.flatMap(sourceNames).map(spelling));
  if (names.some((name) => sources.has(spelling(name)))) return true;
  return rest.length > 0 && !isQuoted(inner.split(/[,;\s]/, 1)[0] ?? inner, turns);
}

/** Paths and names of all that a turn can name. */
function sourceNames(turn: Turn): string[] {
  const { request, steering, activeNote, passages } = turn;
  const attached = [request, ...steering].flatMap(({ attachments }) =>
    attachments.flatMap((each) => ('path' in each ? [each.path] : [])),
  );
  const shown = allCalls(turn).flatMap((call) => {
    if (call.state !== 'finished') return [];
    const { lines = [], quotable } = call.result;
    return [...lines.map(({ path }) => path), ...(quotable ? [quotable.name] : [])];
  });
  const named = passages.map(({ key }) => key.slice(0, key.lastIndexOf(':')));
  const paths = [...attached, ...shown, ...named, ...(activeNote === null ? [] : [activeNote])];
  return paths.flatMap((path) => [path, withoutNoteExtension(path), noteName(path)]);
}

function spelling(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Whether a citation key is in what the user or a tool said, as in `[@key]` or `@article{key,`. */
function isQuoted(key: string, turns: readonly Turn[]): boolean {
  const spellings = [`@${key}`, `{${key}`];
  return turns.some((turn) => {
    const said = [turn.request, ...turn.answers, ...turn.steering].map(({ text }) => text);
    const shown = allCalls(turn).map((call) => (call.state === 'finished' ? call.result.text : ''));
    return [turn.context, ...said, ...shown].some((text) =>
      spellings.some((each) => text.includes(each)),
    );
  });
}
