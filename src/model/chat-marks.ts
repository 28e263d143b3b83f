/**
 * Tells marks of sources from citations in the same form, such as Pandoc's, which an answer repeats
 * from a note.
 */
import { extensionOf, foldPath, noteName, withoutNoteExtension } from '#text/paths';
import { hasLines, type IsMark, type SourceMark } from '#text/source-marks';
import { allCalls, type Turn } from './conversation';

/**
 * A mark has lines and the name of a source of the chat, or it has a spelling that nothing shown to
 * the model has, and lines or the name of a source that no citation key has.
 */
export function marksOfChat(turns: () => readonly Turn[]): IsMark {
  return (mark) => isMarkIn(turns(), mark);
}

function isMarkIn(turns: readonly Turn[], mark: Pick<SourceMark, 'inner' | 'lines'>): boolean {
  const { inner, lines } = mark;
  if (lines.some(({ source }) => isSource(source, turns))) return true;
  const isWritten = lines.length > 0 || hasLines(mark);
  return (isWritten || (isFileName(inner) && isSource(inner, turns))) && !isCited(inner, turns);
}

/** Whether the name is not in the form of a citation key, such as `smith2020`. */
function isFileName(name: string): boolean {
  return /[/\s]/.test(name) || extensionOf(name) !== '';
}

function isSource(name: string, turns: readonly Turn[]): boolean {
  const plain = withoutNoteExtension(foldPath(name));
  return turns.some((turn) => sourceNames(turn).has(plain));
}

/** Whether what the user or a tool said has the citation, as in `[@key]` or `@article{key,`. */
function isCited(inner: string, turns: readonly Turn[]): boolean {
  const [key] = keysIn(`@${inner}`);
  return key !== undefined && turns.some((turn) => citationKeys(turn).has(key));
}

/** Paths and names of all that a turn can name, folded and without the extension of notes. */
const sourceNames = onceForTurn((turn) => {
  const { request, steering, activeNote, passages } = turn;
  const attached = [request, ...steering].flatMap(({ attachments }) =>
    attachments.flatMap((each) => ('path' in each ? [each.path] : [])),
  );
  const shown = allCalls(turn).flatMap((call) => {
    if (call.state !== 'finished') return [];
    const { lines = [], quotable } = call.result;
    return [...lines.map(({ path }) => path), ...(quotable ? [quotable.name] : [])];
  });
  const named = passages.flatMap(({ key, ...passage }) => [
    key.slice(0, key.lastIndexOf(':')),
    ...('path' in passage ? [passage.path] : []),
  ]);
  const paths = new Set([
    ...attached,
    ...shown,
    ...named,
    ...(activeNote === null ? [] : [activeNote]),
  ]);
  return [...paths].map(foldPath).flatMap((path) => [withoutNoteExtension(path), noteName(path)]);
});

/** All in what was said and shown in a turn that may be a citation key. */
const citationKeys = onceForTurn((turn) => {
  const said = [turn.request, ...turn.answers, ...turn.steering].map(({ text }) => text);
  const shown = allCalls(turn).map((call) => (call.state === 'finished' ? call.result.text : ''));
  return [turn.context, ...said, ...shown].flatMap(keysIn);
});

/** Of a key that is longer, only its beginning is compared. */
const KEY = /[@{]([^\s,;@{}[\]()'"]{1,200})/g;

/** Without the signs at their ends, which may end a sentence or emphasis. */
function keysIn(text: string): string[] {
  return Array.from(text.matchAll(KEY), ([, key = '']) => key.replace(/[^\p{L}\p{N}]+$/u, ''));
}

/** Collects words of a turn once. A turn never changes: another takes its place. */
function onceForTurn(collect: (turn: Turn) => string[]): (turn: Turn) => ReadonlySet<string> {
  const known = new WeakMap<Turn, ReadonlySet<string>>();
  return (turn) => {
    const words = known.get(turn) ?? new Set(collect(turn));
    known.set(turn, words);
    return words;
  };
}
