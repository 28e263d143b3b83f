/** `loadPrism` with highlighting for what many languages share, as Prism tokens. */

interface Grammar {
  readonly words: RegExp;
}

interface Token {
  readonly type: string;
  readonly alias?: string;
  readonly content: string;
}

function grammar(comment: string, keywords: string): Grammar {
  const parts = [
    `(?<comment>${comment})`,
    '(?<string>"(?:\\\\.|[^"\\\\\\n])*"|\'(?:\\\\.|[^\'\\\\\\n])*\'|`(?:\\\\.|[^`\\\\])*`)',
    `(?<keyword>\\b(?:${keywords.replaceAll(' ', '|')})\\b)`,
    '(?<number>\\b\\d[\\d_.]*\\b)',
    '(?<function>\\b[A-Za-z_$][\\w$]*(?=\\())',
    '(?<operator>[-+*/%=<>!&|^~?]+)',
    '(?<punctuation>[{}()[\\];,.:])',
  ];
  return { words: new RegExp(parts.join('|'), 'g') };
}

const script = grammar(
  '\\/\\/[^\\n]*|\\/\\*[^]*?\\*\\/',
  'async await break case class const continue else export extends false for from function if import in interface let new null of return switch this throw true try type undefined while',
);
const python = grammar(
  '#[^\\n]*',
  'and as class def elif else except False for from if import in is lambda None not or pass return True try while with yield',
);
const shell = grammar(
  '#[^\\n]*',
  'case do done echo elif else esac export fi for function if in then while',
);

const languages: Readonly<Record<string, unknown>> = {
  ...{ javascript: script, js: script, typescript: script, ts: script, json: script, css: script },
  ...{ python, py: python, bash: shell, sh: shell, shell, yaml: shell },
  // Prism lists helper functions among its languages.
  extend: () => undefined,
};

function tokenize(code: string, { words }: Grammar): (string | Token)[] {
  const made: (string | Token)[] = [];
  let at = 0;
  for (const match of code.matchAll(words)) {
    if (match.index > at) made.push(code.slice(at, match.index));
    const [type = ''] =
      Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    made.push({ type, content: match[0] });
    at = match.index + match[0].length;
  }
  if (at < code.length) made.push(code.slice(at));
  return made;
}

export async function loadPrism(): Promise<unknown> {
  return { languages, tokenize };
}
