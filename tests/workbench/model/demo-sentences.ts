/** Sentences of a note, for the demo model to quote. */
import { nameOf, numberedLines, type NumberedLine } from './demo-finding';

/** How many sentences an answer quotes from a note. */
const MAX_QUOTES = 3;
const MAX_POINTS = 5;

/** A sentence with the number of its line. */
export interface Quote {
  readonly line: number;
  readonly sentence: string;
}

/** The lines of a result without frontmatter. */
export function readable(text: string): NumberedLine[] {
  const lines = numberedLines(text);
  const texts = lines.map((line) => line.text);
  const end = texts[0] === '---' ? texts.indexOf('---', 1) : -1;
  return lines.slice(end + 1);
}

/** With the mark of its source. */
export function marked({ line, sentence }: Quote, path: string): string {
  return `${sentence} [@${nameOf(path)}:${line}]`;
}

/** The sentences with the most search words; if none has any, the first ones. */
export function extract(lines: readonly NumberedLine[], wanted: readonly string[]): Quote[] {
  const telling = matching(lines, wanted);
  return telling.length > 0 ? telling : sentencesIn(lines).slice(0, MAX_QUOTES);
}

/** The sentences with the most search words, in their order; none without any of the words. */
export function matching(lines: readonly NumberedLine[], wanted: readonly string[]): Quote[] {
  return sentencesIn(lines)
    .map((quote, at) => {
      const lower = ` ${quote.sentence.toLowerCase()}`;
      return { quote, at, score: wanted.filter((word) => lower.includes(word)).length };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, MAX_QUOTES)
    .sort((one, other) => one.at - other.at)
    .map(({ quote }) => quote);
}

/** The first sentence below each heading, or else the first sentences. */
export function mainPoints(lines: readonly NumberedLine[]): Quote[] {
  const sections: NumberedLine[][] = [[]];
  for (const line of lines) {
    if (/^#{1,6}\s/.test(line.text)) sections.push([]);
    else sections.at(-1)?.push(line);
  }
  const firsts = sections.flatMap((section) => sentencesIn(section).slice(0, 1));
  const points = firsts.length > 2 ? firsts : sentencesIn(lines);
  return points.slice(0, MAX_POINTS);
}

function sentencesIn(lines: readonly NumberedLine[]): Quote[] {
  return lines
    .filter(({ text }) => !/^\s*(?:#|\||```|%%|!\[|---|>\s*\[!)/.test(text))
    .flatMap(({ number: line, text }) =>
      sentencesOf(text).map((sentence): Quote => ({ line, sentence })),
    );
}

function sentencesOf(line: string): string[] {
  return line
    .replace(/^\s*(?:(?:[-*+>]|\d+\.)\s+)+(?:\[.\]\s+)?/, '')
    .replace(/\s\^[\w-]+$/, '')
    .trim()
    .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
    .filter((sentence) => sentence.length > 3)
    .map((sentence) => (/[.!?:。！？]$/.test(sentence) ? sentence : `${sentence}.`));
}
