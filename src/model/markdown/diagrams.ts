/** What the source of a Mermaid diagram may load or run. */

/**
 * Addresses, HTML other than for bold and the like, images, styles that load, clicks, and escapes
 * that could hide these.
 */
const LOADING =
  /\/\/|\\(?!n)|\bdata:|\b(?:file|javascript|obsidian):|@\{|themeCSS|<(?!br *\/?>|\/?(?:b|i|u|em|strong|small|su[bp])>|[-=.|<*ox\s>)}]|(?<=<<)(?:fork|join|choice|interface|abstract|service|enum(?:eration)?)>>)|&#|&(?:lt|gt|colon|sol|newline|tab);|#(?:lt|gt|colon|sol|\d+|x[\da-f]+);|\bimg\b|\burl\b|@import|image\s*\(/i;

/** Ends of statements, and marks of directives, which Mermaid removes. */
const SEPARATOR = /[\n\r\u2028\u2029;]|%%/;
/** A statement that makes a node run code. */
const CLICK = /^\s*(?:click|callback)\b/i;

/** Whether a diagram in a note may load or run something. */
export function mayDiagramLoad(source: string): boolean {
  return LOADING.test(source) || source.split(SEPARATOR).some((each) => CLICK.test(each));
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
  if (UNSAFE.test(source)) return true;
  return source.split(/[\n\r\u2028\u2029]/).some((line) => {
    const style = line.search(STYLE);
    return UNSAFE_LINE.test(line) || (style >= 0 && /[^\w\s#,:;.%-]/.test(line.slice(style)));
  });
}
