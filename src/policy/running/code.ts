/** Code in a note that plugins execute: blocks, code in a line, and commands of templates. */
import type { Running } from './running';

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
   nushell objc objective-c ocaml octave output pascal patch perl pgsql php plain plaintext postgres postgresql
   powershell ps1 pseudo pseudocode prolog properties proto protobuf psql pwsh py python query r racket raku rb
   re regex rest rs rst ruby rust sass scala scheme scss sed sh shell shell-session sml solidity sparql sql sqlite ssh
   stata svelte svg swift systemd systemverilog tcl terraform tex text todo toml ts tsv tsx turtle txt typescript typst
   v vb vba verilog vhdl vim vimscript vue wasm xml yaml yml zig zsh ai-edit base tasks`
    .trim()
    .split(/\s+/),
);

/** Shown only, but for what in them loads or runs. */
const ONLY_WITH: ReadonlyMap<string, RegExp> = new Map([
  ['mermaid', /:\/\/|<|\bclick\b|\bimg\b/i],
  ['base', /:\/\/|<|html\(|image\(|icon\(/i],
  ['tasks', /\bfunction\b/i],
]);

/** Whether a block of this language does nothing, whatever is in it. */
export function isShownOnly(language: string): boolean {
  const name = language.toLowerCase();
  return SHOWN_ONLY.has(name) && !ONLY_WITH.has(name);
}

export function fences(text: string): Running[] {
  const found: Running[] = [];
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
export function inlineCode(text: string): Running[] {
  const inline = /(?<!`)`+\s*(?:\$=|(?:BUTTON|VIEW|INPUT|EMBED)\[|js-engine\b)[^`]*`*/g;
  return [...text.matchAll(inline)].map(([whole]) => ({ what: 'code in a line', text: whole }));
}

export function commands(text: string): Running[] {
  return [...text.matchAll(/<%(?:(?!%>)[^])*(?:%>)?/g)].map(([whole]) => ({
    what: 'a template command (`<% … %>`)',
    text: whole,
  }));
}

/** What MathJax makes links and styles of, which may load from elsewhere. */
export function formulas(text: string): Running[] {
  return [...text.matchAll(/\\(?:href|style|require|includegraphics)(?![a-z])[^\n$]*/gi)].map(
    ([whole]) => ({ what: 'a formula that links or loads', text: whole }),
  );
}
