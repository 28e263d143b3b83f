/** Draws the marks of an answer as numbers of their sources. */
import * as t from '#messages/answer-messages';
import { type Citations, citationsIn, passageLink, type Passage, sourceName } from '#model/passage';
import { oneLine, shorten } from '#text/shorten';
import { plainText } from '#text/plain-text';
import { readSourceMark, withoutSourceMarks } from '#text/source-marks';
import { escapeHtml, isPlainHtml, plainHtml } from './escape-html';

/** Brackets in a spelling that nothing else in HTML has. */
const [OPEN, CLOSE] = ['&#0091;', '&#0093;'];
const MARK = new RegExp(String.raw`(?<![ \t])[ \t]*${OPEN}(.*?)${CLOSE}`, 'g');

/** A mark as it is written, which can be found in the HTML of its block. */
export function sourceMarkHtml(raw: string): string {
  return `${OPEN}${escapeHtml(raw.slice(1, -1))}${CLOSE}`;
}

/** Of a text without sources, whose marks name nothing. */
export const NO_CITATIONS: Citations = citationsIn('', []);

/** A block with a number in place of each mark; a mark that names nothing is left out. */
export function withSourceNumbers<Drawn extends { readonly html: string; readonly raw: string }>(
  block: Drawn,
  citations: Citations,
): Drawn {
  const { html, raw } = block;
  if (!raw.includes('[@')) return block;
  const drawn = isPlainHtml(html)
    ? plainHtml(withoutSourceMarks(raw))
    : html.replace(MARK, (_, written: string) => numberHtml(unescaped(written), citations));
  return { ...block, html: drawn, raw: withoutSourceMarks(raw) };
}

function numberHtml(written: string, { numberOf, sources }: Citations): string {
  const lines = readSourceMark(`[${written}]`)?.lines ?? [];
  const numbers = new Set(lines.flatMap((each) => numberOf(each) ?? []));
  return [...numbers]
    .map((number) => {
      const source = sources[number - 1];
      if (!source) return '';
      const link = escapeHtml(passageLink(source));
      const href = source.kind === 'page' ? escapeHtml(source.url) : '#';
      return `<sup class="parley-cites"><a class="parley-cite" href="${href}" data-source="${number}" data-link="${link}">${number}</a></sup>`;
    })
    .join('');
}

/** The reverse of `escapeHtml`. */
function unescaped(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Gives the numbers in a fragment their names and descriptions. */
export function nameSources(fragment: ParentNode, { sources }: Citations): void {
  for (const number of fragment.querySelectorAll<HTMLElement>('.parley-cite')) {
    const source = sources[Number(number.dataset['source']) - 1];
    if (!source) continue;
    number.setAttribute('aria-label', t.sourceName(number.textContent, placeText(source)));
    number.setAttribute('aria-description', passageWords(source));
  }
}

function placeText(passage: Passage): string {
  const heading = passageHeading(passage);
  return heading === null ? sourceName(passage) : `${sourceName(passage)}, ${heading}`;
}

/** The heading above a passage; null if there is none. */
export function passageHeading(passage: Passage): string | null {
  return passage.kind === 'note' ? passage.heading : null;
}

const MAX_WORDS_CHARS = 300;

/** The words of a passage in one line. */
export function passageWords({ text }: Passage): string {
  return shorten(oneLine(plainText(text).replace(/^[•✓] /gm, '')), MAX_WORDS_CHARS);
}

export const SOURCE_ICONS = { note: 'file-text', page: 'globe', result: 'plug' } as const;
