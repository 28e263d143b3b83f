/** Numbers the paragraphs of texts from outside, so that an answer can name them. */
import type { CallResult, QuotableText } from '#model/message';
import { hashOf } from '#text/hash';
import { lineTexts } from '#text/list-diff';
import { isBlank } from '#text/note-blocks';
import { lineContexts } from '#text/note-structure';

/** A text with numbers, and its paragraphs without them as offsets in it. */
export interface NumberedParagraphs {
  readonly text: string;
  readonly spans: QuotableText['spans'];
}

/** Code is one paragraph with the blank lines in it. */
export function numberedParagraphs(text: string): NumberedParagraphs {
  const lines = lineTexts(text);
  const contexts = lineContexts(lines);
  const isStart = (at: number) => {
    const isInCode = contexts[at] === 'code' && contexts[at - 1] === 'code';
    return !isBlank(lines[at]) && !isInCode && (at === 0 || isBlank(lines[at - 1]));
  };
  const spans: [number, number][] = [];
  let numbered = '';
  lines.forEach((line, at) => {
    if (isStart(at)) {
      numbered += `${spans.length + 1}: `;
      spans.push([numbered.length, numbered.length]);
    }
    numbered += line;
    const last = spans.at(-1);
    if (last && !isBlank(line)) last[1] = numbered.length;
    if (at < lines.length - 1) numbered += '\n';
  });
  return { text: numbered, spans };
}

/** A text of one paragraph as it is, without a number. */
export function asOneParagraph(text: string): NumberedParagraphs {
  return { text, spans: [[0, text.length]] };
}

/** A name for marks that no other text has, however often the same place is asked. */
export function sourceNameFor(place: string, text: string): string {
  const words = place.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-');
  return `${words.slice(0, 40).replace(/^-|-$/g, '')}-${hashOf(text).slice(0, 3)}`;
}

/** The result with the paragraphs of a text that it holds after a head. */
export function withQuotable(
  result: CallResult,
  numbered: NumberedParagraphs,
  head: number,
  from: Pick<QuotableText, 'name' | 'from'>,
): CallResult {
  const spans = numbered.spans.map(([start, end]) => [head + start, head + end] as const);
  return spans.length === 0 ? result : { ...result, quotable: { ...from, spans } };
}
