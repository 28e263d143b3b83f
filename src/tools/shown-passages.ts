/** What the marks of an answer name, among everything that the model was shown. */
import { lineHash } from '#model/edit/edit-block';
import type { Passage, NotePassage } from '#model/passage';
import { linesHash } from '#model/passage-check';
import { lineTexts } from '#text/list-diff';
import { isBlank } from '#text/note-blocks';
import { headingsIn } from '#text/note-structure';
import { firstCharacters } from '#text/shorten';
import { type SourceLines, sourceKey } from '#text/source-marks';
import { type SeenTurn, stepKey } from './printed-lines';
import type { ShownPassage } from './shown-notes';

/** Longer passages are cut: they are shown beside the answer, not instead of the note. */
const MAX_PASSAGE_CHARS = 2_000;

/**
 * Without blank lines at its ends; null if there are no others.
 *
 * @param created when the note was created
 */
export function notePassage(
  mark: SourceLines,
  { path, lines, modified, ...shown }: ShownPassage,
  created: number,
): NotePassage | null {
  const all = lineTexts(lines.text);
  let { first, last } = shown;
  while (first <= last && isBlank(all[first - 1])) first += 1;
  while (last > first && isBlank(all[last - 1])) last -= 1;
  if (first > last) return null;
  const above = all.slice(0, first - 1).findLast((line) => !isBlank(line));
  const below = all.slice(last).find((line) => !isBlank(line));
  const heading = headingsIn(all).findLast(({ line }) => line <= first);
  const cut = cutText(lines.text.slice(lines.start(first), lines.contentEnd(last)));
  return {
    ...{ kind: 'note', key: sourceKey(mark), path, first, last },
    heading: heading?.text ?? null,
    ...{ date: modified, created },
    ...cut,
    ...(cut.isCut && { whole: linesHash(all.slice(first - 1, last)) }),
    above: above === undefined ? null : lineHash(above),
    below: below === undefined ? null : lineHash(below),
  };
}

/**
 * The paragraphs of a text from outside; null if the model was not shown them before this step.
 *
 * @param running key of the step
 */
export function outsidePassage(
  mark: SourceLines,
  seen: readonly SeenTurn[],
  running: string,
): Passage | null {
  const calls = seen.flatMap(({ turn, steps }) => {
    const at = steps.findIndex(({ index }) => stepKey(turn.id, index) === running);
    return (at < 0 ? steps : steps.slice(0, at)).flatMap((step) => step.calls);
  });
  const found = calls.flatMap((call): Passage[] => {
    if (call.state !== 'finished' || !call.result.quotable) return [];
    const { name, from, spans } = call.result.quotable;
    if (name !== mark.source) return [];
    const first = spans[mark.first - 1];
    const last = spans[Math.min(mark.last, spans.length) - 1];
    if (!first || !last) return [];
    return [
      {
        ...{ ...from, key: sourceKey(mark), first: mark.first },
        last: Math.min(mark.last, spans.length),
        date: call.ended,
        ...cutText(call.result.text.slice(first[0], last[1])),
      },
    ];
  });
  return found.at(-1) ?? null;
}

function cutText(whole: string): Pick<NotePassage, 'text' | 'isCut'> {
  const text = firstCharacters(whole, MAX_PASSAGE_CHARS);
  return text.length < whole.length ? { text, isCut: true } : { text };
}
