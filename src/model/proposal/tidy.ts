import { endsWithLine } from '../lines';
import { withGap } from './block';
import type { BlockSegment, Segment } from './form';

/** What can stand directly below the tag without becoming part of its paragraph. */
const INTERRUPTS =
  /^(?:[ \t]*\r?(?:\n|$)| {0,3}(?:#{1,6}(?:[ \t]|\r?\n|$)|[-*+][ \t]+\S|1[.)][ \t]+\S|>|`{3,}[^`\n]*(?:\n|$)|~{3,}))/;

/** The segments as they can be printed and read again: neighbouring texts joined, every block on lines of its own. */
export function tidied(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    const last = result.at(-1);
    if (segment.kind === 'block') {
      if (last) result[result.length - 1] = ended(last);
      result.push(segment);
    } else if (segment.text === '') continue;
    else if (last?.kind === 'text') {
      result[result.length - 1] = { kind: 'text', text: last.text + segment.text };
    } else {
      if (last?.kind === 'block') result[result.length - 1] = above(ended(last), segment.text);
      result.push(segment);
    }
  }
  return result;
}

function ended<Some extends Segment>(segment: Some): Some {
  const text = segment.kind === 'block' ? segment.raw : segment.text;
  if (endsWithLine(text)) return segment;
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  return segment.kind === 'block'
    ? { ...segment, raw: text + ending }
    : { ...segment, text: text + ending };
}

/** With the gap that the text below it needs. */
function above(segment: BlockSegment, text: string): BlockSegment {
  if (segment.block.gap || INTERRUPTS.test(text)) return segment;
  const raw = withGap(segment.raw);
  return raw === segment.raw
    ? segment
    : { ...segment, block: { ...segment.block, gap: true }, raw };
}
