/** Names and words that look like those that load or run something. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addedParts, everyVariantIsUncertain, isUncertain } from './uncertain-variants';

/** Properties that themes and plugins read, and names that users give such properties. */
const PICTURE_NAMES =
  `banner banners cover covers icon icons image images img imgs thumb thumbnail poster posters logo
   avatar photo photos picture pic pics wallpaper backdrop background header artwork portrait
   screenshot illustration splash gallery bg hero preview figure sticker headshot art banner_src
   banner-image banner_url bannerurl bannerX coverUrl cover_url coverurl cover-image coverImage
   coverimg bookcover book_cover albumCover albumart moviePoster movie-poster featured_image
   featuredImage featureimage ogImage OGImage og:image og_image header-image headerimage headerImg
   heroImage hero-image heroimg pageicon page-icon noteIcon favicon appicon imageUrl imageURL
   IMAGE_URL imgsrc img_src imgLink thumbnailUrl thumbnail_url thumbUrl mythumb posterurl logoUrl
   companylogo teamLogo profilePic profilepic profile_picture profilePhoto userAvatar avatar_url
   authoravatar cardcover card_image cardimg recipeimage plantphoto petpicture backgroundImage
   background-image bgimage mybg bg_image main-pic mypic mypics cover2 image_1 photo3 notebanner
   pagebanner mybannerpic twitterimage twitter:image social-image shareimage`
    .trim()
    .split(/\s+/);

const ADDRESSES = ['https://example.org/x', '//example.org/x?y=1', 'http://example.org'];

const note = (name: string, address: string) =>
  `---\ntitle: A\n${/^[\w-]+$/.test(name) ? name : `"${name}"`}: ${address}\n---\nText.\n`;

describe('a property with an address', () => {
  test.each(PICTURE_NAMES)('is uncertain if its name is that of a picture: %s', (name) => {
    for (const address of ADDRESSES) expect(isUncertain(note(name, address))).toBe(true);
  });

  test('is uncertain for a name of several words, one of which is a picture', () => {
    const names = fc
      .record({
        picture: fc.constantFrom('banner', 'cover', 'icon', 'image', 'photo', 'logo', 'thumbnail'),
        other: fc.stringMatching(/^[a-z]{1,8}$/),
        form: fc.nat(7),
        address: fc.constantFrom(...ADDRESSES),
      })
      .map(({ picture, other, form, address }) => {
        const title = picture.charAt(0).toUpperCase() + picture.slice(1);
        const forms = [
          `${other}_${picture}`,
          `${picture}_${other}`,
          `${other}-${picture.toUpperCase()}`,
          `${other}${title}`,
          `${picture}${other.charAt(0).toUpperCase()}${other.slice(1)}`,
          `${other} ${picture}`,
          `${picture}2${other}`,
          `${other}.${title}`,
        ];
        return note(forms[form] ?? '', address);
      });
    everyVariantIsUncertain(names);
  });

  test.each(['coverage', 'article', 'topic', 'source', 'url', 'website'])(
    'is uncertain for a picture file under any name: %s',
    (name) => {
      const files = [
        ...['a.png', 'b.jpeg?x=1', 'c.webp', 'd.svg#e', 'e.gif', 'f.bmp&y=1', 'g.avif', 'h.JPG'],
        'i.ico',
      ];
      for (const file of files) {
        const text = note(name, `https://evil.example/${file}`);
        expect(isUncertain(text)).toBe(true);
        expect(addedParts('Note.md', 'Words.\n', text)).not.toEqual([]);
      }
    },
  );
});

describe('code in a line that begins with an equals sign', () => {
  const partOfQuery = fc
    .record({
      name: fc.constantFrom('sum', 'join', 'replace', 'choice', 'concat'),
      field: fc.constantFrom('rows.x', 'rows.file.link', 'price', 'rows.amount'),
      rest: fc.constantFrom(
        ' GROUP BY y',
        ' AS Total GROUP BY file.folder',
        ' FROM #book',
        ' WHERE done',
        ' SORT rating desc',
        ' GROUP BY',
      ),
    })
    .map((each) => `${each.name}(${each.field})${each.rest}`);

  test('is uncertain in a block of Dataview', () => {
    const block = fc
      .tuple(partOfQuery, fc.constantFrom('dataview', 'Dataview', 'dataviewjs'), fc.nat(20))
      .filter(([query, language]) => language === 'dataviewjs' || !query.startsWith('choice'))
      .map(([query, language, at]) => `\`\`\`${language}\nTABLE ${query} LIMIT ${at}\n\`\`\``);
    everyVariantIsUncertain(block);
  });

  test.each([
    'a + b',
    'sum(rows.x)',
    'this.x + "b c"',
    '"a b" + this.y',
    '[[A B]] + this.y',
    'a and b + c',
    '!a or sum(b)',
    'date(today) + this.text',
    'dur(1 day) + x',
    'join({ a: b })',
    'x + "https:" + y',
    "'a b' + c",
    'a&quot;b c&quot; + d',
    'date(2024-01-01T10:00) + x',
  ])('is uncertain if Dataview may read it: %s', (expression) => {
    expect(isUncertain(`See \`= ${expression}\` here.`)).toBe(true);
  });
});
