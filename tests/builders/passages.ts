/** Passages of notes and pages, as answers have them. */
import type { NotePassage, PagePassage } from '#model/passage';
import { lineHash } from '#model/edit/edit-block';
import { lineTexts } from '#text/list-diff';
import { headingsIn } from '#text/note-structure';
import { noteName } from '#text/paths';

/** The passage of the only run of lines with this text in a note. */
export function passageOf(path: string, note: string, text: string): NotePassage {
  const lines = lineTexts(note);
  const own = lineTexts(text);
  const at = lines.findIndex((_, index) => own.every((line, more) => lines[index + more] === line));
  if (at < 0) throw new Error(`${path} does not have the lines: ${text}`);
  const [first, last] = [at + 1, at + own.length];
  const hash = (line: string | undefined) => (line === undefined ? null : lineHash(line));
  return {
    ...{ kind: 'note', key: `${noteName(path)}:${first}-${last}`, path, first, last, text },
    heading: headingsIn(lines).findLast(({ line }) => line <= first)?.text ?? null,
    ...{ date: Date.UTC(2026, 4, 1), created: 1 },
    above: hash(lines.slice(0, at).findLast((line) => line.trim() !== '')),
    below: hash(lines.slice(last).find((line) => line.trim() !== '')),
  };
}

export function pagePassage(passage: Partial<PagePassage> = {}): PagePassage {
  return {
    ...{ kind: 'page', key: 'Growing basil:2-2', url: 'https://example.com/basil' },
    ...{ title: 'Growing basil', first: 2, last: 2, text: 'Basil likes warmth.' },
    date: Date.UTC(2026, 4, 2),
    ...passage,
  };
}

/** The result of work in steps, all at once. */
export function allSteps<Value>(steps: Iterator<void, Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
