/** Sentences of a note, for the demo model to quote. */
import { numberedLines } from './demo-finding';

/** How many sentences an answer quotes from a note. */
const MAX_QUOTES = 3;
const MAX_POINTS = 5;

/** The lines of a result without frontmatter. */
export function readable(text: string): string[] {
  const texts = numberedLines(text).map((line) => line.text);
  const end = texts[0] === '---' ? texts.indexOf('---', 1) : -1;
  return texts.slice(end + 1);
}

/** The sentences with the most search words; if none has any, the first ones. */
export function extract(lines: readonly string[], wanted: readonly string[]): string[] {
  const telling = matching(lines, wanted);
  return telling.length > 0 ? telling : sentencesIn(lines).slice(0, MAX_QUOTES);
}

/** The sentences with the most search words, in their order; none without any of the words. */
export function matching(lines: readonly string[], wanted: readonly string[]): string[] {
  return sentencesIn(lines)
    .map((sentence, at) => {
      const lower = ` ${sentence.toLowerCase()}`;
      return { sentence, at, score: wanted.filter((word) => lower.includes(word)).length };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, MAX_QUOTES)
    .sort((one, other) => one.at - other.at)
    .map(({ sentence }) => sentence);
}

/** The first sentence below each heading, or else the first sentences. */
export function mainPoints(lines: readonly string[]): string[] {
  const sections: string[][] = [[]];
  for (const line of lines) {
    if (/^#{1,6}\s/.test(line)) sections.push([]);
    else sections.at(-1)?.push(line);
  }
  const firsts = sections.flatMap((section) => sentencesIn(section).slice(0, 1));
  const points = firsts.length > 2 ? firsts : sentencesIn(lines);
  return points.slice(0, MAX_POINTS);
}

function sentencesIn(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !/^\s*(?:#|\||```|%%|!\[|---|>\s*\[!)/.test(line))
    .map((line) => line.replace(/^\s*(?:(?:[-*+>]|\d+\.)\s+)+(?:\[.\]\s+)?/, ''))
    .map((line) => line.replace(/\s\^[\w-]+$/, '').trim())
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=\p{Lu})/u))
    .filter((sentence) => sentence.length > 3)
    .map((sentence) => (/[.!?:。！？]$/.test(sentence) ? sentence : `${sentence}.`));
}
