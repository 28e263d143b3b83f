/**
 * Finds active content: text in a note that other plugins execute, or that loads from elsewhere and
 * so reveals that it was read. When in doubt, text counts as active, even code that is only shown:
 * asking needlessly costs a glance, and missing active content can cost the vault.
 */
import { splitNote } from './front-matter-change';

/**
 * Returns the active content of `after` that is not in `before` word for word, or that was inactive
 * there.
 */
export function addedActiveContent(path: string, before: string, after: string): ActiveContent[] {
  const found = activeContent(path, after);
  if (found.length === 0 || before === '') return found;
  const added = beyond(activeContent(path, before), found);
  const woken = beyond(
    activeContent(path, before, activeRanges),
    activeContent(path, after, activeRanges),
  );
  return [...added, ...beyond(added, woken)];
}

/** Entries of `found` that are not in `known`, counting repetitions. */
function beyond(known: readonly ActiveContent[], found: readonly ActiveContent[]): ActiveContent[] {
  const left = new Map<string, number>();
  for (const { text } of known) left.set(text, (left.get(text) ?? 0) + 1);
  return found.filter(({ text }) => {
    const same = left.get(text) ?? 0;
    left.set(text, same - 1);
    return same <= 0;
  });
}

/** @param part selects the part of each text to check */
export function activeContent(
  path: string,
  text: string,
  part: (text: string) => string = (whole) => whole,
): ActiveContent[] {
  if (text === '') return [];
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const file = FILES_THAT_RUN.has(extension)
    ? [{ what: `a file of the kind .${extension}, which may be run`, text }]
    : [];
  const texts = extension === 'canvas' ? canvasTexts(text) : [text];
  return [
    ...file,
    ...texts.map(part).flatMap(inMarkdown),
    ...(extension === 'base' ? inBase(text) : []),
  ];
}

/**
 * Extensions of files that plugins load as code, that open as a page, or that the system runs when
 * a link to them is clicked.
 */
const FILES_THAT_RUN: ReadonlySet<string> = new Set(
  `js mjs cjs jsx ts mts cts tsx html htm shtml xhtml xht mhtml mht svg css xml xsl xslt
   app appimage appref-ms applescript bash bat cmd com command cpl desktop exe fish hta inf jar jse jnlp lnk msc msi
   php pif pl ps1 psm1 py pyw rb reg scf scpt scr sh terminal tool url vb vbe vbs webloc workflow ws wsf wsh zsh`
    .trim()
    .split(/\s+/),
);

function inMarkdown(text: string): ActiveContent[] {
  return [
    ...(/[`~]{3}/.test(text) ? fences(text) : []),
    ...(text.includes('`') ? inlineCode(text) : []),
    ...(text.includes('<%') ? activeCommands(text) : []),
    ...(text.includes('$') ? formulas(text) : []),
    ...(text.includes('<') ? activeElements(text) : []),
    ...(text.includes('![') ? images(text) : []),
    ...links(text),
    ...pictureProperties(text),
  ];
}

function inBase(text: string): ActiveContent[] {
  return [...text.matchAll(/^.*(?::\/\/|html\(|image\(|icon\().*$/gim)].map(([line]) => ({
    what: 'a formula that may load from elsewhere',
    text: line,
  }));
}

/**
 * Returns the texts of a canvas's cards. Embedded web pages become iframes, so that they count as
 * loaded.
 */
function canvasTexts(text: string): string[] {
  try {
    const { nodes } = JSON.parse(text) as { nodes?: unknown };
    if (!Array.isArray(nodes)) return [text];
    return nodes.flatMap((node: { type?: unknown; text?: unknown; url?: unknown } | null) => {
      if (node === null || typeof node !== 'object') return [];
      const words = typeof node.text === 'string' ? [node.text] : [];
      const page = typeof node.url === 'string' ? [`<iframe src="${node.url}">`] : [];
      return [...words, ...page];
    });
  } catch {
    return [text];
  }
}

/** An item of active content. */
export interface ActiveContent {
  /** Description for the user, such as "a block of `dataviewjs`" or "an image from example.org". */
  readonly what: string;
  /** The whole text that would run or load. */
  readonly text: string;
}

const OPENER = /^[ \t>*+\-\d.)]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^`\n]*$/;

/**
 * Returns the text without inactive parts: blocks that are only displayed, inline code, indented
 * lines, comments, and escaped characters.
 */
export function activeRanges(text: string): string {
  return withoutShownBlocks(text)
    .replace(/%%[^]*?%%|<!--[^]*?-->/g, ' ')
    .replace(/\\[!-/:-@[-`{-~]/g, ' ')
    .replace(/(?<!`)(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, ' ')
    .replace(/^(?: {4}|\t)[^\n]*$/gm, '');
}

function withoutShownBlocks(text: string): string {
  let closer: RegExp | null = null;
  let isKept = true;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    if (closer) {
      if (isKept) kept.push(line);
      if (closer.test(line)) closer = null;
      continue;
    }
    const [, ticks, language = ''] = OPENER.exec(line.replace(/\r$/, '')) ?? [];
    if (ticks !== undefined) {
      closer = new RegExp(`^[ \\t>]*${ticks.charAt(0)}{${ticks.length},}[ \\t\\r]*$`);
      isKept = language !== '' && !isShownOnly(language);
    }
    if (ticks === undefined || isKept) kept.push(line);
  }
  return kept.join('\n');
}

/**
 * Languages whose blocks are displayed only. Some plugin may execute blocks of any other language;
 * these cannot all be listed.
 */
const SHOWN_ONLY: ReadonlySet<string> = new Set(
  `ada ahk apache applescript asciidoc asm assembly awk ascii bash basic bat batch bibtex c c# c++ cfg clj clojure cmake
   cobol coffeescript conf console cpp crystal cs csharp csh css csv cuda cypher d dart dataview diff docker dockerfile
   dos dot ebnf elisp elixir elm env erlang excel f# fish fortran fsharp gdscript gherkin git gitignore glsl go golang
   gradle graphql groovy haskell hcl hlsl hs html http ignore ini java javascript jq js json json5 jsonc jsonl jsx julia
   kotlin kt latex less lisp log lua make makefile markdown math matlab md mdx mermaid mips mjs mysql nasm nginx nim nix
   nushell objc objective-c ocaml octave output pascal patch perl pgsql php plain plaintext postgres postgresql
   powershell ps1 pseudo pseudocode prolog properties proto protobuf psql pwsh py python query r racket raku rb
   re regex rest rs rst ruby rust sass scala scheme scss sed sh shell shell-session sml solidity sparql sql sqlite ssh
   stata svelte svg swift systemd systemverilog tcl terraform tex text todo toml ts tsv tsx turtle txt typescript typst
   v vb vba verilog vhdl vim vimscript vue wasm xml yaml yml zig zsh ai-edit base tasks`
    .trim()
    .split(/\s+/),
);

/**
 * Languages whose blocks are displayed only, unless they match this pattern for content that loads
 * or runs.
 */
const ONLY_WITH: ReadonlyMap<string, RegExp> = new Map([
  ['mermaid', /:\/\/|<|\bclick\b|\bimg\b/i],
  ['base', /:\/\/|<|html\(|image\(|icon\(/i],
  ['tasks', /\bfunction\b/i],
]);

/** Whether a block of this language is never active, whatever it contains. */
export function isShownOnly(language: string): boolean {
  const name = language.toLowerCase();
  return SHOWN_ONLY.has(name) && !ONLY_WITH.has(name);
}

export function fences(text: string): ActiveContent[] {
  const found: ActiveContent[] = [];
  for (const opener of text.matchAll(
    /^((?:[ \t>*+\-\d.)]|\[\^[^\]\n]+\]:)*)(`{3,}|~{3,})[ \t]*([^\s`]+)[^\n]*$/gm,
  )) {
    const [head, lead = '', ticks = '', language = ''] = opener;
    const name = language.toLowerCase();
    const isShown = SHOWN_ONLY.has(name) || name.startsWith('ad-');
    const onlyWith = ONLY_WITH.get(name);
    if (isShown && !onlyWith) continue;
    const block = head + upToCloser(text.slice(opener.index + head.length), ticks, widthOf(lead));
    if (isShown && !onlyWith?.test(block)) continue;
    found.push({ what: `a block of \`${language}\``, text: block });
  }
  return found;
}

/**
 * Returns the text up to the line that certainly closes the block, otherwise to the end. A fence
 * that is indented further belongs to the block.
 */
function upToCloser(rest: string, ticks: string, indent: number): string {
  const closers = new RegExp(`^([ \\t>]*)${ticks.charAt(0)}{${ticks.length},}[ \\t]*$`, 'gm');
  for (const { 0: line, 1: lead = '', index } of rest.matchAll(closers)) {
    if (widthOf(lead) <= indent + 3) return rest.slice(0, index + line.length);
  }
  return rest;
}

function widthOf(lead: string): number {
  return lead.replaceAll('\t', '    ').length;
}

/** Finds inline code that Dataview (`$= …`) or Meta Bind executes. */
export function inlineCode(text: string): ActiveContent[] {
  const inline = /(?<!`)`+\s*(?:\$=|(?:BUTTON|VIEW|INPUT|EMBED)\[|js-engine\b)[^`]*`*/g;
  return [...text.matchAll(inline)].map(([whole]) => ({ what: 'code in a line', text: whole }));
}

export function activeCommands(text: string): ActiveContent[] {
  return [...text.matchAll(/<%(?:(?!%>)[^])*(?:%>)?/g)].map(([whole]) => ({
    what: 'a template command (`<% … %>`)',
    text: whole,
  }));
}

/** Finds formulas that MathJax turns into links and styles, which may load from elsewhere. */
export function formulas(text: string): ActiveContent[] {
  return [...text.matchAll(/\\(?:href|style|require|includegraphics)(?![a-z])[^\n$]*/gi)].map(
    ([whole]) => ({ what: 'a formula that links or loads', text: whole }),
  );
}

/** Elements that always load or run, and those that do if they have attributes. */
const LOADS = /^(?:iframe|frame|frameset|script|style|embed|applet|portal|webview)$/;
const LOADS_WHAT_IT_NAMES = /^(?:object|link|base|meta|form)$/;

const WITH_CONTENT = /^(?:script|style|object)$/;

/** Longer than any tag written by hand. */
const MAX_ELEMENT_CHARS = 2_000;

export function activeElements(text: string): ActiveContent[] {
  const found: ActiveContent[] = [];
  for (const { 0: opening, 1: written = '', index } of text.matchAll(/<([a-z][\w:-]*)/gi)) {
    const name = written.toLowerCase();
    const rest = text.slice(index + opening.length, index + opening.length + MAX_ELEMENT_CHARS);
    // Parsers disagree on whether a quote hides a following `>`, so check both readings.
    const quoted = /^(?:"[^"]*"|'[^']*'|[^<>"'])*/.exec(rest)?.[0] ?? '';
    const bare = /^[^>]*/.exec(rest)?.[0] ?? '';
    const loads =
      LOADS.test(name) ||
      (LOADS_WHAT_IT_NAMES.test(name) && quoted.trim() !== '') ||
      [quoted, bare].some((each) => ATTRIBUTE.test(each) || isExternalAddress(name, each));
    if (!loads) continue;
    const longer = quoted.length > bare.length ? quoted : bare;
    found.push({
      what: `an HTML element \`<${name}>\``,
      text:
        opening +
        (WITH_CONTENT.test(name) ? contentOf(name, text.slice(index + opening.length)) : longer),
    });
  }
  return found;
}

function contentOf(name: string, rest: string): string {
  const end = rest.search(new RegExp(`</${name}\\b`, 'i'));
  return end < 0 ? rest : rest.slice(0, end);
}

const ATTRIBUTE =
  /[\s"'/](?:on[a-z]+|src|srcset|srcdoc|poster|background|data|action|formaction|ping|xlink:href|cite|lowsrc|dynsrc|manifest|profile|codebase|archive|classid|longdesc|usemap)\s*=|style\s*=[^]*(?:url|image|import|\\|&)/i;

/**
 * Whether `href` is unsafe. A link is followed only on a click, so fewer targets are unsafe in
 * links than in other elements.
 */
function isExternalAddress(name: string, attributes: string): boolean {
  const href = /[\s"'/]href\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/i.exec(` ${attributes}`)?.[1];
  if (href === undefined) return false;
  const target = href.replace(/^["']|["']$/g, '');
  return name === 'a' || name === 'area' ? !isPlainLink(target) : !isVaultTarget(target);
}

/** Longer than any URL written by hand. */
const MAX_TARGET_CHARS = 2_000;

const PICTURES_OF_THE_VAULT =
  /!\[\[[^[\]`\n\\]*\]\](?![([])|!\[[^[\]`\n\\]*\]\(\s*(?:<[^<>\n:&\\]*>|(?!\/\/)[^\s()<>:&\\]*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/g;

/**
 * Finds images that load from elsewhere. If a text can be read in two ways, it counts as an image.
 */
export function images(text: string): ActiveContent[] {
  const rest = text.replace(PICTURES_OF_THE_VAULT, (whole) => ' '.repeat(whole.length));
  if (!rest.includes('![')) return [];
  const found: ActiveContent[] = [];
  for (const paragraph of rest.matchAll(/(?:[^\n]|\n(?![ \t>]*(?:\r?\n|$)))+/g)) {
    const [words] = paragraph;
    const begin = words.indexOf('![');
    if (begin < 0) continue;
    for (const { index } of words.matchAll(/\]\s*\(/g)) {
      if (index < begin) continue;
      const target =
        /^\]\s*\(\s*(<[^>\n]*>|[^\s)]*)/.exec(words.slice(index, index + MAX_TARGET_CHARS))?.[1] ??
        '';
      if (isVaultTarget(target)) continue;
      found.push({ what: `an image from ${placeOf(target)}`, text: target });
    }
    const byName = /\](?!\s*\()/.test(words.slice(begin));
    if (byName) found.push(...definitions(text));
  }
  return found;
}

/**
 * Finds link reference definitions that images may use, wherever a parser might see one. Footnotes
 * do not count.
 */
function definitions(text: string): ActiveContent[] {
  return [...text.matchAll(/(?<!\[\^[^\]\n]{0,100})\]:\s*(<[^>\n]*>|\S+)/g)].flatMap(
    ([whole, target = '']) =>
      isVaultTarget(target)
        ? []
        : [{ what: `an image from ${placeOf(target)}`, text: whole.trim() }],
  );
}

/**
 * Finds properties that banners and covers are loaded from, each with the lines below that belong
 * to it.
 */
export function pictureProperties(text: string): ActiveContent[] {
  const properties = (splitNote(text).front ?? []).join('\n').split(/\n(?=[^\s#-])/);
  return properties
    .filter((each) => /https?:|\/\/|data:/i.test(each))
    .filter((each) => PICTURE.test(each) || PICTURE_NAME.test(each))
    .map((each) => ({
      what: `an image from ${placeOf(each.replace(/^[^:]*:[\s"'>|-]*/, ''))}`,
      text: each,
    }));
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico)\b/i;

const PICTURE_NAME =
  /^[\s\w"'{,-]*(?:banner|cover|image|img|thumb|icon|poster|logo|avatar|photo|picture)/i;

/**
 * URLs that make a program act. They count anywhere, because some parsers turn bare URLs into
 * links.
 */
const ACTS =
  /\b(?:obsidian|vscode|shell|javascript|vbscript|file|smb|ms-[a-z-]+|data):(?=\/|\S*[(;,])\S*/gi;

/** Targets of links in brackets, in angle brackets, and by reference. Footnotes do not count. */
const TARGETS: readonly RegExp[] = [
  /\]\(\s*(<[^>\n]*>|[^\s)]+)/g,
  /<([a-z][\w+.-]*:(?!:)[^\s<>]*)>/gi,
  /^[ \t>*+\-\d.)]*\[(?!\^)[^\]\n]+\]:\s*(<[^>\n]*>|\S+)/gm,
];

export function links(text: string): ActiveContent[] {
  const bare = Array.from(text.matchAll(ACTS), ([whole]) => whole.replace(/[)>]+$/, ''));
  const named = TARGETS.flatMap((target) => [...text.matchAll(target)]).flatMap(
    ([whole, target = '']) =>
      isPlainLink(target) || bare.some((each) => target.includes(each)) ? [] : [whole.trim()],
  );
  return [...bare, ...named].map((each) => ({
    what: 'a link that makes a program act',
    text: each,
  }));
}

/**
 * Whether the target is certainly a path in the vault: it has no scheme, host, entity or escape.
 */
export function isVaultTarget(target: string): boolean {
  const bare = target.replace(/^<|>$/g, '');
  return !/^\s*(?:\/\/|\\\\)|[:\\]|&#?\w+;/.test(bare);
}

export function placeOf(target: string): string {
  const host = /^<?\s*[a-z][\w+.-]*:\/\/([^/?#\s>]+)/i.exec(target)?.[1];
  return host ?? 'elsewhere';
}

/** Schemes that are safe to follow on a click. */
const PLAIN_SCHEMES = /^(?:https?|mailto|tel|zotero|doi):/i;

export function isPlainLink(target: string): boolean {
  const bare = target.replace(/^<|>$/g, '').trim();
  // The `#` of an entity (`&#58;`) does not start a fragment.
  const head = bare.split(/[/?]|(?<!&)#/, 1)[0] ?? '';
  return PLAIN_SCHEMES.test(bare) || !/[:\\\p{Cc}]|&#?\w+;?/u.test(head);
}
