/** Judges the text of a paragraph, heading, list item or table: what is in it beside words. */

/** Characters that some readers take for a line break, and others that readers do not see. */
const UNSEEN = /[\0\v\f\u0085\u2028\u2029\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u;

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

/** Elements that only format text, without attributes. */
const FORMATTING =
  /<(?:\/?(?:abbr|b|i|u|s|em|strong|small|su[bp]|kbd|mark|del|ins|cite|q|br|hr|wbr|p|div|center|details|summary|blockquote|[uod]l|li|d[td]|table|thead|tbody|tfoot|tr|t[hd]|caption|h[1-6]) ?\/?>|https?:\/\/[^\s<>]*>|mailto:[^\s<>]*>|[\w.+-]+@[\w.-]+>|[^A-Za-z!?/%]|$)/iy;

/** With brackets behind it, others than Obsidian read an image whose address is in these. */
const EMBED = /!\[\[[^[\]`<>\\\n:|#]*(?:#[^[\]`<>\\\n|]*)?(?:\|[^[\]`<>\\\n]*)?\]\](?![([])/y;
const IMAGE =
  /!\[[^[\]`<>\\\n]*\]\((?!<?(?:[\s\p{Cc}]|\/[\s\p{Cc}]*\/))(?:<[^<>:\\&\n]*>|(?:[^\s()<>:\\&]|&(?![#\w]+;))+)(?: "[^"\\\n]*")?\)/uy;

/**
 * Why the text is not certainly inert, as a noun; null if it is.
 *
 * @param hasCode whether backticks may mark code, which they do not in HTML
 * @param mayBeTable whether some reader may take lines of it for rows of a table
 */
export function whyUncertain(text: string, hasCode: boolean, mayBeTable: boolean): string | null {
  if (UNSEEN.test(text)) return 'unusual characters';
  if (!/[`<!$\\]|%%|~~~|:\/\/|\]\(|\]:/.test(text)) return null;
  if (text.includes('~~~')) return 'a block of code';
  if (text.includes('<%')) return 'a template command';
  const lines = text.split('\n').map((line) => withoutCode(line, mayBeTable));
  if (lines.includes(null)) return 'code in a line';
  if (text.match(CODE)?.some((code) => mayBeInput(code.slice(1, -1)))) return 'code in a line';
  // A reader that takes each backtick for a mark finds code where others find text.
  const isOdd = text.split('\n').some((line) => line.split('`').length % 2 === 0);
  if (isOdd && text.split('`').some(mayBeInput)) return 'code in a line';
  const isCode = hasCode && !(lines.length > 1 && lines.some((line) => isDoubtful(line ?? '')));
  const words = isCode ? lines.join('\n') : text;
  if (words.includes('%%') || COMMENT.test(words)) return 'a comment';
  if (hasOther(words, '<', [FORMATTING])) return 'an HTML element';
  if (hasOther(words, '![', [EMBED, IMAGE])) return 'an image';
  if (hasUncertainLink(words)) return 'a link that may start a program';
  return words.includes('$') && hasUncertainFormula(text) ? 'a formula' : null;
}

const CODE = /`[^`\n]*`/g;

/** A link definition without a target, whose title is never shown. */
const COMMENT = /^[ \t>*+\d.)-]*\[[^\]\n]*\]:[ \t]*(?:#\S*|<>)[ \t]*(?:\n[ \t>]*)?["'(]/m;

/** Whether a backtick after the text may belong to an address, a link, an element or a formula. */
function isDoubtful(text: string): boolean {
  const isOpen = (start: string, end: RegExp) => {
    const at = text.lastIndexOf(start);
    return at >= 0 && !end.test(text.slice(at));
  };
  return (
    /[$]|\\$/.test(text) ||
    // A title may hold any signs.
    (text.includes('](') && /["']/.test(text)) ||
    isOpen('://', /\s/) ||
    isOpen('www.', /\s/) ||
    isOpen('[', /\]/) ||
    isOpen('](', /\)/) ||
    isOpen('<', />/)
  );
}

/**
 * The line without what is certainly code; null if its backticks are not in pairs, each pair around
 * code. Code within more than one backtick stays, since some readers may not know it.
 */
export function withoutCode(line: string, mayBeTable: boolean): string | null {
  if (!line.includes('`')) return line;
  const spans = spansOf(line);
  if (spans === null) return null;
  const parts = line.split('`').slice(1, -1);
  const isDoubled = line.includes('``');
  // A reader that takes each backtick for a mark may find code between any two of them.
  if (isDoubled && parts.some(mayBeInput)) return null;
  const isCertain = spans.every(({ isCode, text }) =>
    // A bar in a table ends its cell before its code is read.
    isCode ? !(mayBeTable && text.includes('|')) : !isDoubtful(text),
  );
  if (!isCertain) return parts.some(mayBeInput) ? null : line;
  let marks = 0;
  return spans
    .map(({ isCode, text }) => {
      const isOutside = marks % 2 === 0;
      marks += text.split('`').length - 1;
      const isKnown = isCode && isOutside && !text.slice(1, -1).includes('`');
      return isKnown ? `\`${'x'.repeat(text.length - 2)}\`` : text;
    })
    .join('');
}

interface Span {
  /** With its marks, if it is code. */
  readonly text: string;
  readonly isCode: boolean;
}

/** The text and code of a line in turn; null if not all of its backticks are in pairs. */
function spansOf(line: string): Span[] | null {
  const runs = [...line.matchAll(/`+/g)];
  const spans: Span[] = [];
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const { 0: marks, index: start } = runs[at]!;
    // What begins a line may be a fence.
    if (marks.length > 2 && !/[\p{L}`]/u.test(line.slice(0, start))) return null;
    do at += 1;
    while (at < runs.length && runs[at]![0] !== marks);
    if (at === runs.length) return null;
    const end = runs[at]!.index + marks.length;
    spans.push({ text: line.slice(from, start), isCode: false });
    spans.push({ text: line.slice(start, end), isCode: true });
    from = end;
  }
  return [...spans, { text: line.slice(from), isCode: false }];
}

/** Words with a colon that begin code in a line: of a plugin, but for those of a search or address. */
const INPUT =
  /^\s*(?:(?:button|js-engine)\b|(?!(?:file|path|content|tag|line|block|section|task|task-todo|task-done|match-case|ignore-case):)[a-z][\w-]*:(?!\/\/|\\))/i;

/** Whether a plugin may read code in a line as a query or an input, by how it begins. */
function mayBeInput(code: string): boolean {
  return mayBeQuery(code) || INPUT.test(code);
}

/** Whether a plugin may read any code as a query, by how it begins. */
export function mayBeQuery(code: string): boolean {
  return /^(?:\$=|=(?![=>]|$)|[A-Z_]+\[)/.test(code.replace(/^[\p{Z}\p{C}]+/u, ''));
}

const INLINE = /!\[[^\]\n]*\]\(/y;

/** Whether an image may have its address elsewhere in the note. */
export function hasReferencedImage(text: string): boolean {
  return hasOther(text, '![', [EMBED, INLINE]);
}

/** Whether anything begins with `start` that has none of these sticky shapes. */
function hasOther(text: string, start: string, shapes: readonly RegExp[]): boolean {
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + start.length)) {
    const from = at;
    const isKnown = shapes.some((shape) => {
      shape.lastIndex = from;
      return shape.test(text);
    });
    if (!isKnown) return true;
  }
  return false;
}

const TARGET = /\]\([ \t]*(<[^>\n]*>?|[^ \t\n)]*)/g;
/** An address on the web, of mail or of a phone, or a path in the vault. */
const PLAIN = /^(?:(?:https?:\/\/|mailto:|tel:)[^\\]*|[^:&\\/#?]*(?:[/#?][^\\]*)?)$/i;
const WEB = /(?<![a-z\d+.-])https?$/i;

/**
 * The marks of quotes, list items, tasks, footnotes and definitions before the text of a line, as
 * the source of a pattern.
 */
export const CONTAINERS = String.raw`^[\s>]*(?:(?:(?:[-*+]|\d+[.)]|\[[^\]\n]*\]:?)\s|\[\^[^\]\n]*\]:(?!\s))[\s>]*)*`;

/**
 * What may define the target of references: it begins a line or, for a reader with other borders,
 * above the text, and no bracket is in its label but escaped ones, which some readers do not know.
 * The target may stand in the next line.
 */
const DEFINITION = new RegExp(
  String.raw`(?:${CONTAINERS}\[|(?<![^]))((?:\\[^]|[^[\]\\])*|[^[\]]*)\]:` +
    String.raw`(?=[ \t]*(?:\n[ \t>]*)?(<[^>\n]*>?|[^ \t\n]*)([^\n]*))`,
  'gm',
);
/** What may stand behind a target: nothing, or a title that may go on in the next line. */
const TITLE =
  /^[ \t]*(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|\((?:\\.|[^)\\])*(?:\)|\\?$))?[ \t]*$/;
/** A word with a colon, which would open nothing. */
const WORD = /^[^:&\\]*:$/;
/** What no scheme begins with. */
const NO_SCHEME = /^(?:[\d“”„«‘’]|\\?[!*_[(])/;

function hasUncertainLink(text: string): boolean {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    if (
      /[a-z\d]$/i.test(text.slice(0, at).slice(-1)) &&
      !WEB.test(text.slice(Math.max(0, at - 9), at))
    )
      return true;
  }
  if (/\]\([ \t]*$/m.test(text)) return true;
  const targets = Array.from(text.matchAll(TARGET), ([, target = '']) => target);
  if (!targets.every(isPlain)) return true;
  if (!text.includes(']:')) return false;
  return Array.from(text.matchAll(DEFINITION)).some(
    ([start, label = '', target = '', rest = '']) => {
      if (label.trim() === '' && start.endsWith(`[${label}]:`)) return false;
      const isDefined = TITLE.test(rest);
      if (/^\^\S+$/.test(label))
        return isDefined && /^[a-z][\w+.-]*:(?!\/\/).|&(?:#|\w+;)|^[^:]*\\/i.test(target);
      const isWord = NO_SCHEME.test(target) || (!isDefined && WORD.test(target));
      return !isWord && !isPlain(target);
    },
  );
}

function isPlain(target: string): boolean {
  return PLAIN.test(target.replace(/^<|>$/g, ''));
}

/** Commands that only draw letters, signs and what they are set in, all of it where it can be seen. */
const DRAWING: ReadonlySet<string> = new Set(
  `
  Alpha Beta Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega alpha beta gamma delta epsilon
  varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma varsigma tau
  upsilon phi varphi chi psi omega hbar ell Re Im aleph nabla partial infty emptyset varnothing forall
  exists nexists neg lnot top bot angle triangle prime backslash degree
  frac dfrac tfrac cfrac binom sqrt sum prod int iint iiint oint coprod bigcup bigcap bigoplus bigotimes
  lim limsup liminf sup inf max min arg det dim exp gcd hom ker lg ln log Pr sin cos tan cot sec csc
  arcsin arccos arctan sinh cosh tanh coth mod bmod pmod operatorname limits nolimits
  pm mp times div cdot cdots ldots dots vdots ddots ast star circ bullet oplus otimes odot cap cup setminus
  wedge vee land lor le leq ge geq ne neq ll gg approx equiv cong sim simeq propto parallel perp mid nmid
  in notin ni subset supset subseteq supseteq subsetneq models vdash to gets mapsto implies impliedby iff
  leftarrow rightarrow leftrightarrow Leftarrow Rightarrow Leftrightarrow longrightarrow longleftarrow
  Longrightarrow Longleftarrow uparrow downarrow Uparrow Downarrow hookrightarrow rightharpoonup
  xrightarrow xleftarrow rightleftharpoons therefore because
  hat bar vec dot ddot tilde widehat widetilde overline underline overbrace underbrace overset underset
  stackrel boxed cancel not left right big Big bigg Bigg bigl bigr Bigl Bigr lvert rvert lVert rVert vert
  Vert lfloor rfloor lceil rceil langle rangle lbrace rbrace lbrack rbrack
  text textbf textit textrm texttt textsf mathrm mathbf mathit mathsf mathtt mathbb mathcal mathfrak
  mathscr boldsymbol bm pmb rm bf it displaystyle textstyle scriptstyle tiny small large Large
  quad qquad space hline tag notag nonumber label begin end substack middle ce
  `.match(/\S+/g),
);

/** Whether a text with dollar signs has a command that may do more than draw. */
function hasUncertainFormula(text: string): boolean {
  const commands = text.matchAll(/\\([a-z]+|[^a-z])/gi);
  return Array.from(commands).some(([, name = '']) => /^[a-z]/i.test(name) && !DRAWING.has(name));
}
