/**
 * Text in a note that does something by being there: other plugins execute it, or it loads from elsewhere, which also
 * tells elsewhere that it was read. Found by its loosest reading, also in code that shows it only: to ask once too
 * often costs a glance, and to miss one costs the vault.
 */
import { splitNote } from './front-matter';

export interface Running {
  /** What it is, for a person: "a `dataviewjs` block", "an image from elsewhere". */
  readonly what: string;
  /** All that would run or load. */
  readonly text: string;
}

/** What runs in `after` and did not, word for word, in `before`. */
export function addedRunning(path: string, before: string, after: string): Running[] {
  const found = runningText(path, after);
  if (found.length === 0 || before === '') return found;
  const known = new Map<string, number>();
  for (const { text } of runningText(path, before)) known.set(text, (known.get(text) ?? 0) + 1);
  return found.filter(({ text }) => {
    const left = known.get(text) ?? 0;
    known.set(text, left - 1);
    return left <= 0;
  });
}

export function runningText(path: string, text: string): Running[] {
  if (text === '') return [];
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const file = FILES_THAT_RUN.has(extension)
    ? [{ what: `a file of the kind .${extension}, which may be run`, text }]
    : [];
  const told = extension === 'canvas' ? canvasTexts(text) : [text];
  return [...file, ...told.flatMap(inMarkdown), ...(extension === 'base' ? inBase(text) : [])];
}

/** What plugins load as code, and what opens as a page. */
const FILES_THAT_RUN: ReadonlySet<string> = new Set(
  'js mjs cjs jsx ts mts cts tsx html htm xhtml mhtml svg css'.split(' '),
);

function inMarkdown(text: string): Running[] {
  return [
    ...(/[`~]{3}/.test(text) ? fences(text) : []),
    ...(text.includes('`') ? inlineCode(text) : []),
    ...(text.includes('<%') ? commands(text) : []),
    ...(text.includes('<') ? elements(text) : []),
    ...(text.includes('![') ? images(text) : []),
    ...links(text),
    ...pictureProperties(text),
  ];
}

/**
 * Languages whose blocks are only shown. Any other may be the name under which some plugin runs what it finds, and
 * there are more of these plugins than anybody could list.
 */
const SHOWN_ONLY: ReadonlySet<string> = new Set(
  `ada ahk apache applescript asciidoc asm assembly awk ascii bash basic bat batch bibtex c c# c++ cfg clj clojure cmake
   cobol coffeescript conf console cpp crystal cs csharp csh css csv cuda cypher d dart dataview diff docker dockerfile
   dos dot ebnf elisp elixir elm env erlang excel f# fish fortran fsharp gdscript gherkin git gitignore glsl go golang
   gradle graphql groovy haskell hcl hlsl hs html http ignore ini java javascript jq js json json5 jsonc jsonl jsx julia
   kotlin kt latex less lisp log lua make makefile markdown math matlab md mdx mermaid mips mjs mysql nasm nginx nim nix
   nushell objc objective-c ocaml octave output pascal patch perl pgsql php plain plaintext plantuml postgres postgresql
   powershell ps1 pseudo pseudocode prolog properties proto protobuf psql puml pwsh py python query r racket raku rb
   re regex rest rs rst ruby rust sass scala scheme scss sed sh shell shell-session sml solidity sparql sql sqlite ssh
   stata svelte svg swift systemd systemverilog tcl terraform tex text todo toml ts tsv tsx turtle txt typescript typst
   v vb vba verilog vhdl vim vimscript vue wasm xml yaml yml zig zsh ai-edit base cpp.net`
    .trim()
    .split(/\s+/),
);

/** Shown by Obsidian itself, and able to load what they name. */
const MAY_LOAD: ReadonlySet<string> = new Set(['mermaid', 'base']);

function fences(text: string): Running[] {
  const found: Running[] = [];
  for (const opener of text.matchAll(/^([ \t>*+\-\d.)]*)(`{3,}|~{3,})[ \t]*([^\s`]+)[^\n]*$/gm)) {
    const [head, lead = '', ticks = '', language = ''] = opener;
    const name = language.toLowerCase();
    const shown = SHOWN_ONLY.has(name) || name.startsWith('ad-');
    if (shown && !MAY_LOAD.has(name)) continue;
    const block = head + upToCloser(text.slice(opener.index + head.length), ticks, widthOf(lead));
    if (shown && !/:\/\/|<|html\(|image\(|\bclick\b|\bimg\b/i.test(block)) continue;
    found.push({ what: `a block of \`${language}\``, text: block });
  }
  return found;
}

/** To the line that surely closes it, otherwise to the end: one that stands further in is text of the block. */
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

/** As Dataview (`$= …`) and Meta Bind run it. */
function inlineCode(text: string): Running[] {
  const inline = /(?<!`)`+\s*(?:\$=|(?:BUTTON|VIEW|INPUT|EMBED)\[|js-engine\b)[^`]*`*/g;
  return [...text.matchAll(inline)].map(([whole]) => ({ what: 'code in a line', text: whole }));
}

function commands(text: string): Running[] {
  return [...text.matchAll(/<%(?:(?!%>)[^])*(?:%>)?/g)].map(([whole]) => ({
    what: 'a template command (`<% … %>`)',
    text: whole,
  }));
}

/** Elements that load or run whatever their attributes are, and those that need some for it. */
const LOADS = /^(?:iframe|frame|frameset|script|style|embed|applet|portal|webview)$/;
const LOADS_WHAT_IT_NAMES = /^(?:object|link|base|meta|form)$/;

const WITH_CONTENT = /^(?:script|style|object)$/;

/** Longer than any that people write. */
const LONGEST_ELEMENT = 2_000;

function elements(text: string): Running[] {
  const found: Running[] = [];
  for (const { 0: opening, 1: written = '', index } of text.matchAll(/<([a-z][\w:-]*)/gi)) {
    const name = written.toLowerCase();
    const rest = text.slice(index + opening.length, index + opening.length + LONGEST_ELEMENT);
    // Whether a quote hides the `>` behind it depends on who reads: what either reading finds counts.
    const quoted = /^(?:"[^"]*"|'[^']*'|[^<>"'])*/.exec(rest)?.[0] ?? '';
    const bare = /^[^>]*/.exec(rest)?.[0] ?? '';
    const loads =
      LOADS.test(name) ||
      (LOADS_WHAT_IT_NAMES.test(name) && quoted.trim() !== '') ||
      [quoted, bare].some((each) => ATTRIBUTE.test(each) || leadsAway(each));
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

function leadsAway(attributes: string): boolean {
  const href = /[\s"'/]href\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/i.exec(` ${attributes}`)?.[1];
  return href !== undefined && !isPlainLink(href.replace(/^["']|["']$/g, ''));
}

const PICTURES_OF_THE_VAULT =
  /!\[\[[^[\]`\n\\]*\]\](?![([])|!\[[^[\]`\n\\]*\]\(\s*(?:<[^<>\n:&\\]*>|(?!\/\/)[^\s()<>:&\\]*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/g;

/** Whether it is one is left open where its words could be read in two ways. */
function images(text: string): Running[] {
  const rest = text.replace(PICTURES_OF_THE_VAULT, (whole) => ' '.repeat(whole.length));
  if (!rest.includes('![')) return [];
  const found: Running[] = [];
  for (const paragraph of rest.matchAll(/(?:[^\n]|\n(?![ \t>]*(?:\r?\n|$)))+/g)) {
    const [words] = paragraph;
    const begin = words.indexOf('![');
    if (begin < 0) continue;
    for (const { index } of words.matchAll(/\]\s*\(/g)) {
      if (index < begin) continue;
      const target =
        /^\]\s*\(\s*(<[^>\n]*>|[^\s)]*)/.exec(words.slice(index, index + LONGEST_ELEMENT))?.[1] ??
        '';
      if (isOfTheVault(target)) continue;
      found.push({ what: `an image from ${placeOf(target)}`, text: target });
    }
    const byName = /\](?!\s*\()/.test(words.slice(begin));
    if (byName) found.push(...definitions(text));
  }
  return found;
}

/** Names an address for links and images; a footnote does not. */
const DEFINITION = /^[ \t>*+\-\d.)]*\[(?!\^)[^\]\n]+\]:\s*(<[^>\n]*>|\S+)/gm;

/** What images may name instead of an address. */
function definitions(text: string): Running[] {
  return [...text.matchAll(DEFINITION)].flatMap(([whole, target = '']) =>
    isOfTheVault(target) ? [] : [{ what: `an image from ${placeOf(target)}`, text: whole.trim() }],
  );
}

/** A path and nothing that could be read as more: no scheme, no host, no entity and no escape. */
function isOfTheVault(target: string): boolean {
  const bare = target.replace(/^<|>$/g, '');
  return !/^\s*(?:\/\/|\\\\)|[:\\]|&#?\w+;/.test(bare);
}

function placeOf(target: string): string {
  const host = /^<?\s*[a-z][\w+.-]*:\/\/([^/?#\s>]+)/i.exec(target)?.[1];
  return host ?? 'elsewhere';
}

/** Schemes that a click may follow without anything being done by it. */
const PLAIN_SCHEMES = /^(?:https?|mailto|tel|zotero|doi):/i;

function isPlainLink(target: string): boolean {
  const bare = target.replace(/^<|>$/g, '').trim();
  // The hash of an entity is no fragment.
  const head = bare.split(/[/?]|(?<!&)#/, 1)[0] ?? '';
  return PLAIN_SCHEMES.test(bare) || !/[:\\\p{Cc}]|&#?\w+;?/u.test(head);
}

/** Links that make a program do something. */
function links(text: string): Running[] {
  const found: Running[] = [];
  const add = (whole: string) =>
    found.push({ what: 'a link that makes a program act', text: whole });
  for (const [whole] of text.matchAll(
    /\b(?:obsidian|vscode|shell|javascript|vbscript|file|smb|ms-[a-z-]+|data):(?=\/|\S*[(;,])\S*/gi,
  )) {
    add(whole);
  }
  for (const [whole, target = ''] of text.matchAll(/\]\(\s*(<[^>\n]*>|[^\s)]+)/g)) {
    if (
      !isPlainLink(target) &&
      !found.some((each) => target.includes(each.text.replace(/[)>]+$/, '')))
    )
      add(whole);
  }
  for (const [whole, target = ''] of text.matchAll(/<([a-z][\w+.-]*:(?!:)[^\s<>]*)>/gi)) {
    if (
      !isPlainLink(target) &&
      !found.some((each) => target.includes(each.text.replace(/[)>]+$/, '')))
    )
      add(whole);
  }
  for (const [whole, target = ''] of text.matchAll(DEFINITION)) {
    if (!isPlainLink(target)) add(whole.trim());
  }
  return found;
}

/** Properties from which banners and covers are loaded. */
function pictureProperties(text: string): Running[] {
  const front = splitNote(text).front ?? [];
  return front
    .filter((line) => /https?:|\/\/|data:/i.test(line))
    .filter(
      (line) =>
        /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico)\b/i.test(line) ||
        /^["']?[\w -]*(?:banner|cover|image|img|thumb|icon|poster|logo|avatar|photo|picture)/i.test(
          line,
        ),
    )
    .map((line) => ({
      what: `an image from ${placeOf(line.replace(/^[^:]*:\s*["']?/, ''))}`,
      text: line,
    }));
}

function inBase(text: string): Running[] {
  return [...text.matchAll(/^.*(?::\/\/|html\(|image\(|icon\().*$/gim)].map(([line]) => ({
    what: 'a formula that may load from elsewhere',
    text: line,
  }));
}

/** The texts of a canvas as its cards hold them; pages that it opens are texts that load. */
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
