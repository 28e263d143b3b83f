/**
 * Judges expressions of Bases and queries of Dataview. What they compute may be drawn as Markdown or
 * as a picture, so that an address put together from a note's text would carry that text away.
 */
import { MAX_YAML_CHARS, yamlScalars } from '#text/yaml-scalars';
import { isPictureName } from './picture-names';

/** Functions whose results contain no text that the expression puts together. */
const PLAIN_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs all any asfile aslink average ceil choice contains containsall containsany containsword date datetime day
   default duration dur econtains empty endswith escapehtml every filter first flat floor format ffilter file firstvalue
   hash haslink hasproperty hastag icontains if infolder isempty istruthy istype keys last length linksto list lower map
   matches max maxby mean median meta min minby month none nonnull notempty now num number object outgoing product
   random relative reverse round rows date since slice sort some split startswith stddev striptime
   time title today tofixed tostring trim trunc truncate typeof unique upper values week weekyear where year link`
    .trim()
    .split(/\s+/),
);

const TOKEN =
  /"(?:[^"\\]|\\[^])*"?|'(?:[^'\\]|\\[^])*'?|\[\[[^[\]]*\]\]|[\p{L}_$][\p{L}\p{N}_$-]*|\d+(?:\.\d+)?|\S/gu;

/** A literal that is markup, an address or an escape by itself. */
const MARKED = /<[a-z/!]|\\|`|\]\(|!\[|:\/|\/\/|&#?\w+;|^\s*(?:https?|data|file|javascript|ftp):/i;

/** A span of time, such as "1 week", which is added to a date. */
const SPAN = /^["']?\s*-?\d+(?:\.\d+)?\s*[a-z]*\s*["']?$/i;

/** Whether an expression may put together an address, markup or a picture. */
export function isRiskyExpression(text: string): boolean {
  const tokens = text.match(TOKEN) ?? [];
  const isRisky = tokens.some((token, at) => {
    if (/^["']/.test(token)) return isMarked(token);
    if (token === '+') return joinsText(tokens, at);
    return tokens[at + 1] === '(' && /^[\p{L}_$]/u.test(token) && !isPlainCall(token);
  });
  return isRisky || joinsArguments(tokens);
}

/**
 * Whether Dataview can read a text as an expression. It cannot read a formula of a spreadsheet, such
 * as `SUM(A1:A3)`, or a part of a query, such as `sum(rows.x) GROUP BY`, and then runs nothing.
 */
export function isExpression(text: string): boolean {
  // Colons and words have other meanings within objects, links, dates, quotes and entities.
  if (/[{'\\]|\[\[|&#?\w+;|date|dur/i.test(text)) return true;
  const tokens = text.match(TOKEN) ?? [];
  return !tokens.some((token, at) => {
    const [before = '', next = ''] = [tokens[at - 1], tokens[at + 1]];
    if (token === ':') return !/^\d/.test(before) || !/^\d/.test(next);
    const isEnd = token === ')' || (isName(token) && !isOperator(token));
    return isEnd && isName(next) && !isOperator(next);
  });
}

function isName(token: string): boolean {
  return /^\p{L}/u.test(token);
}

function isOperator(token: string): boolean {
  return /^(?:and|or|not|in|is|contains)$/i.test(token);
}

/** Whether a plus may join two texts, also across a number between them. */
function joinsText(tokens: readonly string[], at: number): boolean {
  const [before = '', next = '', afterNext = ''] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  const isNumber = NUMBER_FUNCTIONS.test(next) ? afterNext === '(' : SPAN.test(next);
  if (SPAN.test(before)) return !isNumber && tokens[at - 2] === '+';
  return !isNumber || (SPAN.test(next) && afterNext === '+' && !SPAN.test(tokens[at + 3] ?? ''));
}

const NUMBER_FUNCTIONS = /^(?:dur|duration|number|num|length)$/i;

/** Functions that join their arguments, and the first one of which any other text may be part. */
const JOINING: ReadonlyMap<string, number> = new Map([
  ['link', 1],
  ['truncate', 2],
]);

/** Whether a function joins its first argument with a text that is not written there. */
function joinsArguments(tokens: readonly string[]): boolean {
  /** The open brackets: which argument of the function comes next, and which may not be any text. */
  const open: { joined: number; argument: number }[] = [];
  return tokens.some((token, at) => {
    const inner = open.at(-1);
    if (/^[([{]$/.test(token)) {
      const name = token === '(' ? (tokens[at - 1] ?? '').toLowerCase() : '';
      open.push({ joined: JOINING.get(name) ?? Infinity, argument: 0 });
    } else if (/^[)\]}]$/.test(token)) open.pop();
    else if (token === ',' && inner) {
      inner.argument += 1;
      const isLiteral = /^["']/.test(tokens[at + 1] ?? '') && /^[),]$/.test(tokens[at + 2] ?? '');
      return inner.argument >= inner.joined && !isLiteral;
    }
    return false;
  });
}

function isMarked(literal: string): boolean {
  const words = literal.slice(1, -1);
  return MARKED.test(words) || !/^(?:"[^"]*"|'[^']*')$/.test(literal);
}

/** Words before a bracket that are no functions. */
const WORDS =
  /^(?:from|where|and|or|not|table|list|task|calendar|without|id|as|by|group|limit|flatten|asc|desc|in)$/i;

function isPlainCall(name: string): boolean {
  return PLAIN_FUNCTIONS.has(name.toLowerCase()) || WORDS.test(name);
}

/** Settings of a base whose values are only shown. */
const LABELS = /^(?:name|displayname|type|order|direction|property|cardsize|rowheight)$/i;
const FORMULAS = /^(?:formulas|summaries)$/i;

/** Whether a base may load a picture or put together an address. */
export function isRiskyBase(text: string): boolean {
  if (text.length > MAX_YAML_CHARS) return true;
  const { scalars, isCertain } = yamlScalars(text);
  if (!isCertain) return true;
  return scalars.some(({ keys, value }) => {
    const key = keys.at(-1) ?? '';
    // The name of a formula may be any word.
    if (LABELS.test(key) && !keys.slice(0, -1).some((each) => FORMULAS.test(each))) return false;
    // Properties that are meant for pictures are checked where a note sets them.
    if (/^(?:image|cover)$/i.test(key))
      return !/^file\.\w+$/.test(value) && (/formula/i.test(value) || !isPictureName(value));
    return isRiskyExpression(value);
  });
}
