/**
 * Tells names of properties that themes and plugins take a picture from, such as `coverUrl`, from
 * other words that begin or end alike, such as `coverage`.
 */

const PICTURE = wordsOf(
  `banners? covers? images? imgs? thumbs? thumbnails? icons? posters? logos? avatars? photos?
   pictures? pics? wallpapers? backdrops? backgrounds? header artworks? portraits? screenshots?
   illustrations? splash gallery bg hero preview figure stickers? headshots? art`,
);
/** What a picture is of, in names such as `albumcover`. */
const BEFORE = wordsOf(
  `my own main page note card list item tile grid book ebook magazine album song music movie film
   video podcast game recipe channel episode series show profile user author person people contact
   character member featured? post blog article web site app brand company team group club project
   product event place trip travel city country folder file top title head side full large small big
   mini tiny square wide default custom front back left right dark light day night alt og twitter
   social share fav touch apple emoji box fan key`,
);
/** What a picture is given by, in names such as `coverurl`. */
const AFTER = wordsOf(
  `urls? uris? src sources? links? href paths? files? data embed remote online external local web
   full large small big mini tiny square wide dark light alt size position height width`,
);

const COMPOUND = new RegExp(`^${BEFORE}*${PICTURE}+${AFTER}*$`);
/** No other words contain or end with these. */
const DISTINCT = new RegExp(
  `banner|thumbnail|wallpaper|backdrop|avatar|artwork|screenshot|headshot|(?:image|img|photo|picture)s?${AFTER}*$`,
);
const OTHER = /^(?:pilgr|scr)images?$|^telephotos?$/;

/** Longer ones are no words. */
const MAX_WORD_CHARS = 60;

/** Whether a property of this name is meant for a picture. */
export function isPictureName(name: string): boolean {
  const apart = name
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
  return [...wordsIn(apart), ...wordsIn(name)].some(isPictureWord);
}

function isPictureWord(word: string): boolean {
  if (word.length > MAX_WORD_CHARS) return true;
  return COMPOUND.test(word) || (DISTINCT.test(word) && !OTHER.test(word));
}

/** In lower case, without digits. */
function wordsIn(name: string): readonly string[] {
  return (
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}

/** A pattern for one of the words. */
function wordsOf(list: string): string {
  return `(?:${list.trim().split(/\s+/).join('|')})`;
}
