/**
 * Finds HTML elements that load or run. A tag is read from every `<` that may begin one, also within
 * the attributes of another tag, because parsers disagree on what a quote hides. All readings
 * advance together, so that the time is linear.
 */
import { type Budget, nextPlace } from './budget';
import { isPlainLink, isVaultTarget } from './targets';

export interface FoundElement {
  readonly name: string;
  /** The tag, or the part that loads or runs. */
  readonly text: string;
}

/** Elements that always load or run, and those that do if they have attributes. */
const LOADS = /^(?:iframe|frame|frameset|script|style|embed|applet|portal|webview|fencedframe)$/;
const LOADS_WHAT_IT_NAMES = /^(?:object|link|base|meta|form)$/;
const WITH_CONTENT = /^(?:script|style|object)$/;

/** Attributes that load nothing, whatever their value. */
const HARMLESS =
  /^(?:alt|title|class|id|name|width|height|align|valign|lang|dir|colspan|rowspan|scope|headers|target|rel|role|type|start|open|color|size|face|border|cell(?:padding|spacing)|datetime|viewbox|xmlns(?:[:-][\w-]+)?|xml:[\w-]+|version|summary|label|placeholder|content|value|checked|disabled|controls|loop|muted|hidden|tabindex|reversed|span|(?:aria|data)-[\w-]+)$/;

/** Bits for the places of an HTML tokenizer within a tag; several readings may be open at once. */
const NAME = 1;
const BEFORE_ATTRIBUTE = 2;
const ATTRIBUTE = 4;
const AFTER_ATTRIBUTE = 8;
const BEFORE_VALUE = 16;
const DOUBLE_QUOTED = 32;
const SINGLE_QUOTED = 64;
const UNQUOTED = 128;

const TAG = /<([a-z][^\s/><"'=`]*)/giy;
const SPACE = /\s/;
/** The whitespace of HTML. Markdown has more. */
const HTML_SPACE = /[\t\n\f\r ]/;

/** Elements whose attributes are judged alike; a tag of each may be open at once. */
type Kind = 'link' | 'element' | 'other';

class OpenTag {
  states = 0;
  /** The latest tag of this kind that began; its name and where. */
  name = '';
  from = 0;

  open(name: string, from: number): void {
    this.name = name;
    this.from = from;
    this.states |= NAME;
  }
}

export function activeElements(text: string, budget: Budget): FoundElement[] {
  const found: FoundElement[] = [];
  const add = (name: string, from: number, end: number) => {
    const part = text.slice(from, end);
    budget.spendOn(part);
    found.push({ name, text: part });
  };
  const nextTag = nextPlace(text, /<[a-z]/gi);
  const ends = {
    double: nextPlace(text, '"'),
    single: nextPlace(text, "'"),
    bare: nextPlace(text, /[\s>]/g),
    tag: nextPlace(text, '>'),
    inner: nextPlace(text, '<'),
  };
  const open: Readonly<Record<Kind, OpenTag>> = {
    link: new OpenTag(),
    element: new OpenTag(),
    other: new OpenTag(),
  };
  const tags = Object.values(open);
  const isAnyOpen = () => tags.some(({ states }) => states !== 0);
  for (let at = 0; at < text.length; at += 1) {
    if (!isAnyOpen()) at = nextTag(at);
    if (at >= text.length) break;
    const sign = text.charAt(at);
    for (const tag of tags) {
      if (tag.states === 0) continue;
      if (sign === '=' && (tag.states & (ATTRIBUTE | AFTER_ATTRIBUTE)) !== 0) {
        const name = attributeBefore(text, at);
        if (loads(tag.name, name, () => valueAt(text, at + 1, ends, budget))) {
          add(tag.name, tag.from, valueEnd(text, at + 1, ends));
        }
      }
      tag.states = advanced(tag.states, sign);
    }
    if (sign !== '<') continue;
    TAG.lastIndex = at;
    const name = TAG.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) continue;
    open[kindOf(name)].open(name, at);
    if (
      LOADS.test(name) ||
      (LOADS_WHAT_IT_NAMES.test(name) && hasAttributes(text, at, name, ends.tag))
    ) {
      add(name, at, endOf(text, name, at, ends.tag));
    }
  }
  return found;
}

/** Names that an element can have. Browsers ignore the attributes of others. */
const ELEMENT_NAME = /^[a-z][a-z\d]*(?:[:-][a-z\d]+)*$/;

function kindOf(name: string): Kind {
  if (/^a(?:rea)?$/.test(name)) return 'link';
  return ELEMENT_NAME.test(name) ? 'element' : 'other';
}

/** The states after one more character. */
function advanced(states: number, sign: string): number {
  const isSpace = SPACE.test(sign);
  const mayBeWord = !HTML_SPACE.test(sign);
  let next = 0;
  if ((states & DOUBLE_QUOTED) !== 0) next |= sign === '"' ? BEFORE_ATTRIBUTE : DOUBLE_QUOTED;
  if ((states & SINGLE_QUOTED) !== 0) next |= sign === "'" ? BEFORE_ATTRIBUTE : SINGLE_QUOTED;
  if (sign === '>') return next;
  if ((states & BEFORE_VALUE) !== 0) {
    if (isSpace) next |= BEFORE_VALUE;
    if (sign === '"') next |= DOUBLE_QUOTED;
    else if (sign === "'") next |= SINGLE_QUOTED;
    else if (mayBeWord) next |= UNQUOTED;
  }
  if ((states & UNQUOTED) !== 0) {
    if (isSpace) next |= BEFORE_ATTRIBUTE;
    if (mayBeWord) next |= UNQUOTED;
  }
  if ((states & NAME) !== 0) next |= isSpace || sign === '/' ? BEFORE_ATTRIBUTE : NAME;
  if ((states & (BEFORE_ATTRIBUTE | ATTRIBUTE | AFTER_ATTRIBUTE)) === 0) return next;
  const isBefore = (states & BEFORE_ATTRIBUTE) !== 0;
  const isNamed = (states & (ATTRIBUTE | AFTER_ATTRIBUTE)) !== 0;
  if (sign === '=' && isNamed) next |= BEFORE_VALUE;
  if (sign === '=' && isBefore) next |= ATTRIBUTE;
  if (sign === '=') return next;
  if (sign === '/') return next | BEFORE_ATTRIBUTE;
  if (!isSpace) return next | ATTRIBUTE;
  return next | (isBefore ? BEFORE_ATTRIBUTE : 0) | (isNamed ? AFTER_ATTRIBUTE : 0);
}

interface Ends {
  readonly double: (from: number) => number;
  readonly single: (from: number) => number;
  readonly bare: (from: number) => number;
  readonly tag: (from: number) => number;
  readonly inner: (from: number) => number;
}

const MAX_NAME_CHARS = 40;

function attributeBefore(text: string, end: number): string {
  let last = end;
  while (last > 0 && SPACE.test(text.charAt(last - 1))) last -= 1;
  const near = text.slice(Math.max(0, last - MAX_NAME_CHARS), last);
  return (/[\w:@.-]*$/.exec(near)?.[0] ?? '').toLowerCase();
}

function valueStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.test(text.charAt(at))) at += 1;
  return at;
}

function valueEnd(text: string, from: number, ends: Ends): number {
  const start = valueStart(text, from);
  const quote = text.charAt(start);
  if (quote === '"') return ends.double(start + 1);
  return quote === "'" ? ends.single(start + 1) : ends.bare(start);
}

interface Value {
  readonly text: string;
  /** Whether it has an end, and no other tag may begin within it. */
  readonly isClear: boolean;
}

function valueAt(text: string, from: number, ends: Ends, budget: Budget): Value {
  const start = valueStart(text, from);
  const end = valueEnd(text, from, ends);
  budget.spend(end - start);
  return {
    text: text.slice(/["']/.test(text.charAt(start)) ? start + 1 : start, end),
    isClear: end < text.length && ends.inner(start) >= end,
  };
}

/** Attributes that load what they name. */
const LOADING =
  /^(?:src|srcset|imagesrcset|href|data|poster|background|xlink:href|action|formaction|ping|manifest|codebase|archive|classid|lowsrc|dynsrc|profile|cite|longdesc|usemap)$/;

/** Whether the attribute loads or runs. */
function loads(element: string, attribute: string, read: () => Value): boolean {
  if (HARMLESS.test(attribute) || attribute === '') return false;
  if (HANDLER.test(attribute) || attribute === 'srcdoc') return true;
  const { text, isClear } = read();
  if (attribute === 'style') return !isClear || STYLE_LOADS.test(text);
  // Only styles and handlers matter to an unknown element, such as a link in angle brackets.
  if (!ELEMENT_NAME.test(element)) return false;
  if (!LOADING.test(attribute)) return VALUE_LOADS.test(text);
  if (!isClear) return true;
  if (attribute === 'href' && /^a(?:rea)?$/.test(element)) return !isPlainLink(text);
  return !isVaultTarget(text);
}

/** Words that begin with "on" are no events, such as the attributes of exported notes. */
const HANDLER = /^on(?!enote|going$|ly$|ce$|to$)[a-z]{3,}$/;
const STYLE_LOADS = /url|image|import|src|expression|\\|&|\/\//i;
const VALUE_LOADS =
  /\/\/|\\|&#|&(?!(?:amp|apos|quot|lt|gt|nbsp);)\w+;|url\s*\((?!#)|^\s*(?:https?|data|file|javascript|obsidian):/i;

function hasAttributes(
  text: string,
  at: number,
  name: string,
  tagEnd: (from: number) => number,
): boolean {
  const from = at + 1 + name.length;
  const end = tagEnd(from);
  const next = valueStart(text, from);
  return next < end && text.slice(next, next + 2) !== '/>';
}

/** Where a tag ends, or its content if that runs. */
function endOf(text: string, name: string, at: number, tagEnd: (from: number) => number): number {
  if (!WITH_CONTENT.test(name)) return tagEnd(at);
  const closer = new RegExp(`</${name}(?![a-z])`, 'gi');
  closer.lastIndex = at;
  return closer.exec(text)?.index ?? text.length;
}
