/** The tag that puts a note out of the agent's sight, as the note's own text has it. */
import { bearsTag } from '#model/tag';
import { splitNote } from './front-matter';

/** Right also in the moments before the host's index knows of what was just written. */
export function textBearsTag(text: string, tag: string): boolean {
  if (tag === '' || !mayHold(text, tag)) return false;
  const { front, body } = splitNote(text);
  return bearsTag(propertyTags(front ?? []), tag) || bearsTag(inlineTags(body), tag);
}

/** Whether a text hides the note at a path; the same function again for the same tag. */
export function hidingTexts(tag: string): (path: string, text: string) => boolean {
  const known = hiding.get(tag);
  if (known) return known;
  const hides = (path: string, text: string) =>
    path.toLowerCase().endsWith('.md') && textBearsTag(text, tag);
  hiding.set(tag, hides);
  return hides;
}

const hiding = new Map<string, (path: string, text: string) => boolean>();

function propertyTags(front: readonly string[]): string[] {
  const tags: string[] = [];
  let inTags = false;
  for (const line of front) {
    const key = /^["']?([^\s:#"'-][^:"']*)["']?\s*:(.*)$/.exec(line);
    if (key) inTags = /^tags?$/i.test((key[1] ?? '').trim());
    if (inTags) tags.push(...(key ? (key[2] ?? '') : line).split(/[\s,[\]{}"']+/));
  }
  return tags.filter((each) => each !== '' && each !== '-');
}

function inlineTags(body: string): string[] {
  const prose = body
    .replace(/^([ \t>]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t>]*\2[`~]*[ \t]*$/gm, '')
    .replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '');
  return Array.from(prose.matchAll(INLINE_TAG), ([, tag]) => tag ?? '');
}

/** As Obsidian reads one: to the first blank or sign of ASCII or general punctuation, but for `-`, `_` and `/`. */
const INLINE_TAG =
  /(?<=^|[\s>([{"'*_=~|])#([^\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\s]+)/gm;

/** Most texts do not have the word at all. */
function mayHold(text: string, tag: string): boolean {
  const known = spelled.get(tag) ?? spellingsOf(tag);
  spelled.set(tag, known);
  return known.test(text);
}

const spelled = new Map<string, RegExp>();

function spellingsOf(tag: string): RegExp {
  const spellings = [tag.normalize('NFC'), tag.normalize('NFD')].map((each) =>
    each.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'),
  );
  return new RegExp(spellings.join('|'), 'iu');
}
