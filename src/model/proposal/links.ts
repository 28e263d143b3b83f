import { withTexts } from './block';
import { parseNote, printNote, type Segment } from './form';

/**
 * What waits with its links rewritten on both sides, as the host rewrites those of common text when a note gets
 * another name.
 */
export function rewriteLinks(
  segments: readonly Segment[],
  rewrite: (text: string) => string,
): Segment[] {
  const rewritten = segments.map((segment) =>
    segment.kind === 'text' ? segment : { ...segment, raw: withTexts(segment.raw, rewrite) },
  );
  return parseNote(printNote(rewritten));
}
