/** Images in a note that come from elsewhere. */
import { splitNote } from '../front-matter';
import type { Running } from './running';
import { isOfTheVault, placeOf } from './targets';

/** Longer than any address that people write. */
const LONGEST_TARGET = 2_000;

const PICTURES_OF_THE_VAULT =
  /!\[\[[^[\]`\n\\]*\]\](?![([])|!\[[^[\]`\n\\]*\]\(\s*(?:<[^<>\n:&\\]*>|(?!\/\/)[^\s()<>:&\\]*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/g;

/** Whether it is one is left open where its words could be read in two ways. */
export function images(text: string): Running[] {
  const rest = text.replace(PICTURES_OF_THE_VAULT, (whole) => ' '.repeat(whole.length));
  if (!rest.includes('![')) return [];
  const found: Running[] = [];
  for (const paragraph of rest.matchAll(/(?:[^\n]|\n(?![ \t>]*(?:\r?\n|$)))+/g)) {
    const [words] = paragraph;
    const begin = words.indexOf('![');
    if (begin < 0) continue;
    for (const { index } of words.matchAll(/\]\s*\(/g)) {
      if (index < begin) continue;
      const target =
        /^\]\s*\(\s*(<[^>\n]*>|[^\s)]*)/.exec(words.slice(index, index + LONGEST_TARGET))?.[1] ??
        '';
      if (isOfTheVault(target)) continue;
      found.push({ what: `an image from ${placeOf(target)}`, text: target });
    }
    const byName = /\](?!\s*\()/.test(words.slice(begin));
    if (byName) found.push(...definitions(text));
  }
  return found;
}

/** What images may name instead of an address, wherever a reader might see one; a footnote is none. */
function definitions(text: string): Running[] {
  return [...text.matchAll(/(?<!\[\^[^\]\n]{0,100})\]:\s*(<[^>\n]*>|\S+)/g)].flatMap(
    ([whole, target = '']) =>
      isOfTheVault(target)
        ? []
        : [{ what: `an image from ${placeOf(target)}`, text: whole.trim() }],
  );
}

/** Properties from which banners and covers are loaded, each with the lines below that belong to it. */
export function pictureProperties(text: string): Running[] {
  const properties = (splitNote(text).front ?? []).join('\n').split(/\n(?=[^\s#-])/);
  return properties
    .filter((each) => /https?:|\/\/|data:/i.test(each))
    .filter((each) => PICTURE.test(each) || PICTURE_NAME.test(each))
    .map((each) => ({
      what: `an image from ${placeOf(each.replace(/^[^:]*:[\s"'>|-]*/, ''))}`,
      text: each,
    }));
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico)\b/i;

const PICTURE_NAME =
  /^[\s\w"'{,-]*(?:banner|cover|image|img|thumb|icon|poster|logo|avatar|photo|picture)/i;
