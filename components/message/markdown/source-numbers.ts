/** Draws the marks of an answer as numbers of their sources. */
import * as t from '#messages/answer-messages';
import { type Citations, citationsIn, passageLink, type Passage, sourceName } from '#model/passage';
import { oneLine, shorten } from '#text/shorten';
import { plainText } from '#text/plain-text';
import { hasLines, MAX_MARK_CHARS, readSourceMark, withoutSourceMarks } from '#text/source-marks';
import { escapeHtml, isPlainHtml, plainHtml } from './escape-html';

/** Brackets in a spelling that nothing else in HTML has. */
const [OPEN, CLOSE] = ['&#0091;', '&#0093;'];
const MARK = String.raw`${OPEN}.*?${CLOSE}`;
const EMPHASIS = '(?:strong|em|del|mark)';
/** Marks beside each other, with the blanks before them and what may emphasize nothing else. */
const MARKS = new RegExp(
  String.raw`(?<![ \t])([ \t]*)((?:<${EMPHASIS}>){0,4})(${MARK}(?:[ \t]*${MARK})*)((?:</${EMPHASIS}>){0,4})`,
  'g',
);
const EACH = new RegExp(`[ \\t]*${OPEN}(.*?)${CLOSE}`, 'g');

/** A mark as it is written, which can be found in the HTML of its block. */
export function sourceMarkHtml(raw: string): string {
  return `${OPEN}${escapeHtml(raw.slice(1, -1))}${CLOSE}`;
}

/** Text that is not read as Markdown, in which marks are found all the same. */
export function htmlWithMarks(text: string): string {
  let html = '';
  let done = 0;
  for (let from = text.indexOf('[@'); from >= 0; from = text.indexOf('[@', from + 2)) {
    const mark = readSourceMark(text.slice(from, from + MAX_MARK_CHARS));
    if (!mark) continue;
    const end = from + mark.to;
    html += escapeHtml(text.slice(done, from)) + sourceMarkHtml(text.slice(from, end));
    done = end;
  }
  return html + escapeHtml(text.slice(done));
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
  const plain = withoutSourceMarks(raw, citations.isMark);
  const drawn = isPlainHtml(html)
    ? plainHtml(plain)
    : html.replace(MARKS, (_, blanks: string, opened: string, marks: string, closed: string) => {
        const numbers = marks.replace(EACH, (mark: string, written: string) =>
          numberHtml(mark, unescaped(written), citations),
        );
        const isLeft = numbers.includes(OPEN);
        const [before, after] = isLeft ? [opened, closed] : withoutPairs(opened, closed);
        return `${isLeft || before !== '' ? blanks : ''}${before}${numbers}${after}`;
      });
  return { ...block, html: drawn, raw: plain };
}

/** Tags that open and close nothing but what is between them are left out. */
function withoutPairs(opened: string, closed: string): [string, string] {
  const opens: string[] = opened.match(/\w+/g) ?? [];
  const closes: string[] = closed.match(/\w+/g) ?? [];
  while (opens.length > 0 && opens.at(-1) === closes[0]) {
    opens.pop();
    closes.shift();
  }
  return [opens.map((name) => `<${name}>`).join(''), closes.map((name) => `</${name}>`).join('')];
}

function numberHtml(mark: string, written: string, citations: Citations): string {
  const { numberOf, sources, outdated, isMark } = citations;
  const read = readSourceMark(`[${written}]`);
  if (!read || !(isMark ?? hasLines)(read)) return mark;
  const { lines } = read;
  const numbers = new Set(lines.flatMap((each) => numberOf(each) ?? []));
  return [...numbers]
    .map((number) => {
      const source = sources[number - 1];
      if (!source) return '';
      const link = escapeHtml(passageLink(source));
      const href = source.kind === 'page' ? escapeHtml(source.url) : '#';
      const state = outdated?.has(number) ? ' is-outdated' : '';
      return `<sup class="parley-cites"><a class="parley-cite${state}" href="${href}" data-source="${number}" data-link="${link}">${number}</a></sup>`;
    })
    .join('');
}

/** The reverse of `escapeHtml`. */
function unescaped(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Gives the numbers in a fragment their names and descriptions. */
export function nameSources(fragment: ParentNode, { sources, outdated }: Citations): void {
  for (const number of fragment.querySelectorAll<HTMLElement>('.parley-cite')) {
    const source = sources[Number(number.dataset['source']) - 1];
    if (!source) continue;
    const isOutdated = outdated?.has(Number(number.dataset['source'])) ?? false;
    const name = t.sourceName(number.textContent, placeText(source), isOutdated);
    number.setAttribute('aria-label', name);
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
