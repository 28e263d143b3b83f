/**
 * Languages of fenced code that is only displayed. Some plugin may run or draw code of any other
 * language; these cannot all be listed.
 */
const INERT: ReadonlySet<string> = new Set(
  `
  abap abnf actionscript ada ada95 ahk angular antlr antlr4 apache apacheconf apl applescript aql
  arduino ascii asciidoc asm asm6502 asp aspnet aspx assembly astro autohotkey autoit avdl awk bash
  basic bat batch bib bibtex bicep bison bnf bqn brainfuck c c# c++ c-sharp caddy caddyfile cc cfg
  cil clike clj clojure cmake cmd cobol coffeescript commonlisp conf console coq cplusplus cpp
  crontab crystal cs csh csharp cshtml csproj css csv cuda cypher d dart dax desktop dhall diff
  django dlang docker dockerfile dockerignore dos dosbatch dotenv ebnf editorconfig edn eiffel ejs
  elisp elixir elm emacs-lisp env env.example erb erlang eta excel excel-formula f# factor fennel
  fish flow forth fortran fsharp fstab ftl gap gcode gdscript gherkin git gitattributes gitconfig
  gitignore gleam glsl gml gnuplot go golang golang-mod gomod gosum gradle graphql graphqls groovy h
  hack haml handlebars haproxy har haskell hbs hcl hjson hlsl hocon hosts hpp hs htaccess htm html
  http http2 hy icon idris ignore ini io iptables ipynb ipython j janet java javascript jinja jinja2
  jq js json json-ld json5 jsonc jsonl jsonld jsonnet jsp jsx julia kdl kotlin kt kusto lean lean4
  less liquid lisp livescript llvm log logs lua make makefile markdown math mathematica matlab
  maxima md mdc mdx mips mjs mof mojo mongodb mustache mysql nasm ndjson nginx nginxconf nim nix njk
  none nu null nunjucks nushell objc objective-c objective-c++ objectivec ocaml octave odin openscad
  output pandoc pascal patch pcre perl pgsql php phtml pip plain plaintext plpgsql po postgres
  postgresql pot powerquery powershell prisma prolog promql properties proto proto3 protobuf
  proverif ps1 pseudo pseudocode psql psv pug puppet purescript pwsh py py3 pycon python python2
  python3 q qml qsharp r racket raku raw razor rb re reason reasonml regex rego rescript rest ris
  rmd roc roff ron rs rscript rst ruby rust sas sass scad scala scheme scss sed sh shell
  shell-session shellsession sln smali smalltalk sml solidity soql sparql splunk sql sqlite squirrel
  ssh ssh-config sshconfig ssi stata stderr stdout stylus svelte svelte-html svn swift swig syntax systemd
  systemd-unit systemverilog tcl tcsh teal term terminal terraform text textile thrift todo toml ts
  tsql tsv tsx turtle twig txt typescript unity-shader uri url uxntal v vb vba vcl verilog vhdl vim
  vimscript visualbasic vue vue-html wasm webidl wgsl wiki wikitext wolfram xaml xhtml xml xquery
  yacc yaml yang yml zig zsh
  `.match(/\S+/g),
);

/** Whether code in this language is never run or drawn; '' is code without a language. */
export function isInertLanguage(language: string): boolean {
  const name = language.toLowerCase().replace(/^lang(?:uage)?-/, '');
  // Books and highlighters write `rust,ignore` and `js{1,3-5}`.
  const [, bare = ''] = /^([^,{]*)(?:,[\w,-]*|\{[\d,\s-]*\}?)?$/.exec(name) ?? [];
  return name === '' || INERT.has(bare);
}
