/** Text for a listener: plain sentences without signs, paths and extensions, in whole sentences. */
import { findLinks, linkText } from './link-reader';
import { noteName } from './paths';
import { MAX_SCANNED_CHARS, plainText } from './plain-text';
import { oneLine, shorten } from './shorten';

const MAX_NAME_CHARS = 40;

/** The name of a note or file as one says it; a name of signs only is kept. */
export function saidName(path: string): string {
  const name = noteName(path);
  return shorten(oneLine(withoutSigns(name)) || oneLine(name), MAX_NAME_CHARS);
}

/**
 * Markdown as one says it, in one line of sentences: lists become enumerations, links and paths
 * become names, signs and emoji are left out.
 */
export function saidText(markdown: string): string {
  const lines = plainText(withNames(markdown.slice(0, MAX_SCANNED_CHARS)))
    .split('\n')
    .map((line) => ({ isItem: ITEM.test(line), text: saidLine(line.replace(ITEM, '')) }))
    .filter(({ text }) => text !== '');
  return lines
    .map(({ isItem, text }, at) => {
      const next = lines[at + 1];
      if (ENDED.test(text) || (next && PAUSED.test(text))) return text;
      return isItem && next?.isItem ? `${text},` : `${text.replace(PAUSED, '')}.`;
    })
    .join(' ');
}

/** A few words as one says them, such as the request in a title: without the end of a sentence. */
export function saidWords(text: string): string {
  return oneLine(saidText(text).replace(/(?<=[^.])\.$/, ''));
}

const ITEM = /^(?:[•✓]|\d+[.)])\s+/;
const ENDED = /[.!?…。！？][”’"')»]*$/;
const PAUSED = /[,;:–—-]+$/;

/** Links by the name of their note, so that no folder is read out. */
function withNames(markdown: string): string {
  let named = '';
  let done = 0;
  for (const link of findLinks(markdown)) {
    if (!link.isWiki || link.from < done || link.text !== null) continue;
    named += markdown.slice(done, link.from) + noteName(linkText(link));
    done = link.to;
  }
  return named + markdown.slice(done);
}

function saidLine(line: string): string {
  return oneLine(withoutSigns(withoutPlaces(line)))
    .replace(/\s+([,.;:!?])/g, '$1')
    .replace(/^[,.;:\s]+/, '');
}

/** Folders and the slash behind them. */
const FOLDERS = String.raw`(?:[^\s/“”"'(),;:]+\/)+`;
const EXTENSION = String.raw`\.[a-zA-Z]\w{1,5}\b`;
/** The rest of a name, within a sentence. */
const IN_NAME = String.raw`(?:[^/\n“”".]|\.(?!\s)){0,120}?`;

/**
 * Folders before the name of a file. "And/or oat drink in Cake.md" is a sentence, so a name of many
 * words counts only if it or the folder begins with a capital letter.
 */
const FOLDERS_OF_FILE = new RegExp(
  [
    String.raw`${FOLDERS}(?=[^\s/“”"]{0,120}?(?: [^\s/“”"]{1,120}?)?${EXTENSION})`,
    String.raw`${FOLDERS}(?=[^\p{Ll}\p{N}\s/“”"]${IN_NAME}${EXTENSION})`,
    String.raw`(?<![^\s“”"'(])(?=\p{Lu})${FOLDERS}(?=${IN_NAME}${EXTENSION})`,
  ].join('|'),
  'gu',
);

/** A web address by its host, a path by its last name, a note without `.md`. */
function withoutPlaces(line: string): string {
  return line
    .replace(/\bhttps?:\/\/(?:www\.)?([^\s/?#“”"'<>()]+)[^\s“”"'<>()]*/gi, '$1')
    .replace(FOLDERS_OF_FILE, '')
    .replace(/\.md\b/gi, '')
    .replace(/\s*\(\+\d+ [−-]\d+\)/g, '');
}

function withoutSigns(text: string): string {
  return text
    .replace(
      /\p{Extended_Pictographic}|[\p{Regional_Indicator}\p{Emoji_Modifier}\ufe0f\u20e3]/gu,
      ' ',
    )
    .replace(/[\u200b-\u200f\u2060-\u2064\u202a-\u202e]/g, '')
    .replace(/(?<=\d)\s*\*\s*(?=\d)/g, ' times ')
    .replace(/(?<=\S)\s+=\s+(?=\S)/g, ' is ')
    .replace(/\s+[-–—]+>?\s+|\s*(?:[=-]>|[→⇒])\s*/g, ', ')
    .replace(/[*_#`~|^\\<>{}[\]‹›•✓←↑↓↔=\p{Cc}\p{Co}]+/gu, ' ');
}

/** Made on first use, because it loads a dictionary. */
let segmenter: Intl.Segmenter | undefined;
/** The segmenter sees no sentence that begins with a number. */
const NUMBER_START = /(?<=[\p{L}\p{N}”’"')][.!?][”’"')]? )(?=\p{N})/u;
const ABBREVIATED = /(?:^|\s)(?:\p{Lu}|Dr|Mr|Mrs|Ms|St|No|vs|etc|e\.g|i\.e|\d+)\.\s*$/u;

export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  const parts = [...segmenter.segment(text)].flatMap(({ segment }) => segment.split(NUMBER_START));
  for (const segment of parts) {
    const before = sentences.at(-1);
    if (before !== undefined && ABBREVIATED.test(before)) sentences.push(sentences.pop() + segment);
    else sentences.push(segment);
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

/**
 * The first whole sentences that fit, and `rest` if others are left. A sentence that does not fit by
 * itself is cut after a clause, or between words.
 */
export function firstSentences(text: string, room: number, rest: string): string {
  if (text.length <= room) return text;
  const sentences = sentencesOf(text);
  const space = room - rest.length - 1;
  const shown = fitting(sentences, space);
  return `${shown === '' ? cutSentence(sentences[0] ?? '', space) : shown} ${rest}`;
}

/** The last sentence, which asks, and as many of the first ones as fit before it. */
export function withLastSentence(text: string, room: number): string {
  if (text.length <= room) return text;
  const sentences = sentencesOf(text);
  const last = sentences.pop() ?? '';
  if (last.length > room) return cutSentence(last, room);
  const first = fitting(sentences, room - last.length - 1);
  return first === '' ? last : `${first} ${last}`;
}

function fitting(sentences: readonly string[], room: number): string {
  let shown = '';
  for (const sentence of sentences) {
    const longer = shown === '' ? sentence : `${shown} ${sentence}`;
    if (longer.length > room) break;
    shown = longer;
  }
  return shown;
}

function cutSentence(sentence: string, room: number): string {
  const clause = sentence.slice(0, room - 1).replace(/[,;:][^,;:]*$/, '');
  const isCut = clause.length < room - 1 && clause.length > room / 3;
  const mark = /[?？]\W*$/.test(sentence) ? '?' : '.';
  return isCut ? `${clause.trimEnd()}${mark}` : shorten(sentence, room);
}
