/** What the source of a diagram or a formula in an answer may load, run or change. */

/** Ends of statements and of their blocks, and marks of directives, which Mermaid removes. */
const SEPARATOR = /[\n\r\u2028\u2029;}]|%%/;
/** Statements after which another may follow without a separator. */
const LEAD = /^\s*(?:(?:end|gantt|topAxis|inclusiveEndDates|week(?:day|end)\s+\w+)\s+)*/i;
/** A statement that makes a node run code. */
const CLICK = /^(?:click|callback)\b/i;
/** A link of a class, and the links of an actor. */
const LINK = /^(?:link\s+(?:`[^`]*`|[\p{L}\p{N}_][^\s"'`]*)\s*["']|links?\s[^:]*:[^@{]*[@{])/iu;
/** Diagrams without clicks. Their texts may begin with any word. */
const WITHOUT_CLICKS = /^\s*(?:journey|timeline)\b/;
const CALL = /\bclick\s+\S+\s+(?:call\s+[\w.$]+\(|href\s*["'])/i;
/** In such diagrams, an element may have an address as its last argument. */
const C4 = /\bC4(?:Context|Container|Component|Dynamic|Deployment)/;
const QUOTED_ADDRESS = /["']\s*[a-z][\w+.-]*:\S/i;

/** Mermaid draws no longer text, unless Obsidian or a plugin sets another limit. */
const MAX_CHARS = 50_000;

/** Whether a click may run code or open an address. */
function mayAct(source: string): boolean {
  if (CALL.test(source) || (C4.test(source) && QUOTED_ADDRESS.test(source))) return true;
  const hasClicks = !WITHOUT_CLICKS.test(source);
  return source.split(SEPARATOR).some((each) => {
    const statement = each.replace(LEAD, '');
    return LINK.test(statement) || (hasClicks && CLICK.test(statement));
  });
}

/**
 * URLs, HTML, images, configuration, and functions in styles, which would act while a diagram is
 * drawn, before it can be sanitized.
 */
const UNSAFE =
  /\/\/|\\|(?:https?|file|app|data|javascript):|@\{|%%\{|<(?!br *\/?>|[-=.|<*ox\s>)}]|(?<=<<)(?:fork|join|choice|interface|abstract|service|enum(?:eration)?)>>)|&#?\w+;|#(?:lt|gt|0*6[02]|x0*3[ce]);|url|@import|image\s*\(/i;
const UNSAFE_LINE = /^\s*(?:---\s*$|(?:click|link|call)\b)/i;
const STYLE = /(?:style|classDef)\b/i;

/** Whether Parley leaves a diagram as source text. */
export function isUnsafeDiagram(source: string): boolean {
  if (source.length > MAX_CHARS) return true;
  if (UNSAFE.test(source) || /\$\s*link\b/i.test(source) || mayAct(source)) return true;
  return source.split(/[\n\r\u2028\u2029]/).some((line) => {
    const style = line.search(STYLE);
    return UNSAFE_LINE.test(line) || (style >= 0 && /[^\w\s#,:;.%-]/.test(line.slice(style)));
  });
}

/**
 * Commands of formulas that reach outside of the formula: MathJax turns them into links, styles,
 * classes, ids and fonts, or loads extensions for them.
 */
const REACHES_OUT =
  'href|style|class|cssId|require|includegraphics|mmlToken|bbox|unicode|data|html\\w*|(?:begin)?csname|newextarrow';

/** Definitions, which would affect all later formulas. */
const DEFINES = '[a-z]*def|(?:future)?let|[a-z]*(?:command|environment)|Declare\\w+';

const FORBIDDEN = new RegExp(`\\\\(?:${REACHES_OUT}|${DEFINES})(?![a-z])`, 'i');

/** Whether a formula reaches outside, or changes later formulas. */
export function isForbiddenFormula(source: string): boolean {
  return FORBIDDEN.test(source);
}
