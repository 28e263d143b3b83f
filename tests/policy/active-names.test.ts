/** Names and words that look like those that load or run something. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activeContent } from '#policy/active/active-content';
import { isPictureName } from '#policy/active/picture-names';
import { isExpression } from '#policy/active/queries';
import { cases } from '#tests/cases';
import { asks, everyVariantAsks } from './active-variants';

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

const OTHER_NAMES =
  `coverage code-coverage testCoverage covert covered covering coverlet hardcover softcover
   undercover discover discovery recover recovery rediscover uncover silicon silicone lexicon
   lexicons rubicon emoticon iconic iconography iconoclast semicon photographer photographers
   photography photograph photon photons photosynthesis photoshop telephoto imagination imaginary
   imagery imagine imager reimagine pilgrimage scrimage posterior posterity imposter composter logout
   login logotype logopedics dialogo catalogo catálogo prologo headers subheadings headline
   backgrounder thumbtack portraiture picturesque splashdown galleries heroic heroine topic epic
   tropic topics pictogram spicy bgp debug article artist arts party chart smart start heart cart
   depart artery articles state previewer configure disfigure figurative figured coverletter
   coverstory iconicity photogenic avaturn bannock pictorial`
    .trim()
    .split(/\s+/);

/** The ways in which users and plugins write a name. */
const written = (name: string) => [
  name,
  name.toUpperCase(),
  name.charAt(0).toUpperCase() + name.slice(1),
  `my-${name}`,
  `${name}_2`,
  `a.${name}`,
];

const ADDRESSES = ['https://example.org/x', '//example.org/x?y=1', 'http://example.org'];

const note = (name: string, address: string) =>
  `---\ntitle: A\n${/^[\w-]+$/.test(name) ? name : `"${name}"`}: ${address}\n---\nText.\n`;

describe('a property with an address', () => {
  test.each(PICTURE_NAMES)('asks if its name is that of a picture: %s', (name) => {
    for (const each of written(name)) expect(isPictureName(each), each).toBe(true);
    for (const address of ADDRESSES) expect(asks(note(name, address))).toBe(true);
  });

  test.each(OTHER_NAMES)(
    'does not ask if its name only looks like that of a picture: %s',
    (name) => {
      for (const each of written(name)) expect(isPictureName(each), each).toBe(false);
      for (const address of ADDRESSES) {
        expect(activeContent('Note.md', note(name, address))).toEqual([]);
      }
    },
  );

  test('asks for a name of several words, one of which is a picture', () => {
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
    everyVariantAsks(names);
  });

  test('asks for a picture file under any name', () => {
    const names = fc
      .record({
        name: fc.constantFrom(...OTHER_NAMES.filter((each) => /^[\w-]+$/.test(each))),
        file: fc.constantFrom('a.png', 'b.jpeg?x=1', 'c.webp', 'd.svg#e'),
      })
      .map(({ name, file }) => note(name, `https://evil.example/${file}`));
    everyVariantAsks(names);
  });
});

describe('code in a line that begins with an equals sign', () => {
  const cell = fc
    .tuple(fc.constantFrom('A', 'B', 'AB', 'Z'), fc.integer({ min: 1, max: 99 }))
    .map(([column, row]) => `${column}${row}`);
  const range = fc.tuple(cell, cell).map((ends) => ends.join(':'));
  const spreadsheet = fc
    .record({
      name: fc.constantFrom('SUM', 'VLOOKUP', 'SUMIF', 'INDEX', 'COUNTIF', 'TEXTJOIN', 'CONCAT'),
      range,
      more: fc.constantFrom('', ', 2', ', ">5"', ', A1', ' + SUM(C1:C9)', ' * 2'),
    })
    .map((each) => `${each.name}(${each.range}${each.more})`);
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

  test('does not ask if Dataview cannot read it', () => {
    const seen = new Set<string>();
    const form = fc.constantFrom('In Excel, write `=%` here.', '- `= %`', '| `=%` | x |', '> `=%`');
    fc.assert(
      fc.property(fc.oneof(spreadsheet, partOfQuery), form, (formula, line) => {
        const text = line.replace('%', () => formula);
        seen.add(text);
        expect(activeContent('Note.md', text)).toEqual([]);
      }),
      { numRuns: Math.max(100, cases.numRuns) },
    );
    expect(seen.size).toBeGreaterThanOrEqual(50);
  });

  test('does not ask in prose and in code of another kind', () => {
    fc.assert(
      fc.property(fc.oneof(spreadsheet, partOfQuery), (formula) => {
        for (const text of [
          `Use ${formula} there.`,
          `Use \`${formula}\` there.`,
          `\`\`\`sql\nSELECT ${formula}\n\`\`\``,
          `---\nformula: ${formula.replaceAll(/[:#>"]/g, '.')}\n---\n`,
          `total:: ${formula}`,
        ]) {
          expect(activeContent('Note.md', text), text).toEqual([]);
        }
      }),
      { numRuns: Math.max(60, cases.numRuns) },
    );
  });

  test('asks in a block of Dataview', () => {
    const block = fc
      .tuple(partOfQuery, fc.constantFrom('dataview', 'Dataview', 'dataviewjs'), fc.nat(20))
      .filter(([query, language]) => language === 'dataviewjs' || !query.startsWith('choice'))
      .map(([query, language, at]) => `\`\`\`${language}\nTABLE ${query} LIMIT ${at}\n\`\`\``);
    everyVariantAsks(block);
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
  ])('asks if Dataview may read it: %s', (expression) => {
    expect(isExpression(expression)).toBe(true);
    expect(asks(`See \`= ${expression}\` here.`)).toBe(true);
  });
});
