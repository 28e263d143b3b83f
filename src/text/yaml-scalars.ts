/**
 * Reads the scalars of a YAML text with their keys, without building values: escapes are decoded
 * and lines are joined. Needs linear time and memory, and says when a text uses what could make a
 * scalar mean something else.
 */
export interface YamlScalar {
  /** The keys that contain it, outermost first; list items have none of their own. */
  readonly keys: readonly string[];
  readonly value: string;
  /** As written. */
  readonly source: string;
  /** Where it begins, in a text without carriage returns. */
  readonly from: number;
  /** Whether it is in a list or map in brackets. */
  readonly inBrackets: boolean;
}

export interface YamlReading {
  readonly scalars: readonly YamlScalar[];
  /** With their `#`, without white space at the end. */
  readonly comments: readonly string[];
  /** False with anchors, aliases, tags, directives, or quotes and brackets that are never closed. */
  readonly isCertain: boolean;
}

/** Longer YAML is not read. */
export const MAX_YAML_CHARS = 40_000;

/** Deeper nesting is not read. */
const MAX_DEPTH = 20;

export function yamlScalars(text: string): YamlReading {
  return new YamlReader(text.replace(/\r\n?/g, '\n')).read();
}

interface Level {
  readonly indent: number;
  readonly key: string;
}

class YamlReader {
  readonly #text: string;
  #at = 0;
  #lineStart = 0;
  #isCertain = true;
  /** Keys of the open block mappings. */
  #levels: Level[] = [];
  /** Keys of the open flow collections; null where none has been read. */
  readonly #flow: (string | null)[] = [];
  readonly #scalars: YamlScalar[] = [];
  readonly #comments: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): YamlReading {
    const text = this.#text;
    while (this.#at < text.length) this.#readToken(text.charAt(this.#at));
    if (this.#flow.length > 0) this.#isCertain = false;
    return { scalars: this.#scalars, comments: this.#comments, isCertain: this.#isCertain };
  }

  #readToken(sign: string): void {
    const next = this.#text.charAt(this.#at + 1);
    const isApart = next === '' || /\s/.test(next);
    if (sign === '\n') {
      this.#at += 1;
      this.#lineStart = this.#at;
    } else if (/\s/.test(sign)) this.#at += 1;
    else if (sign === '#') this.#readComment();
    else if ((sign === '-' || sign === '?' || sign === ':') && isApart) {
      if (sign === '?') this.#isCertain = false;
      this.#at += 1;
    } else if (sign === '[' || sign === '{') {
      if (this.#flow.length + this.#levels.length > MAX_DEPTH) this.#isCertain = false;
      else this.#flow.push(null);
      this.#at += 1;
    } else if (sign === ']' || sign === '}') {
      if (this.#flow.length === 0) this.#isCertain = false;
      this.#flow.pop();
      this.#at += 1;
    } else if (sign === ',' && this.#flow.length > 0) {
      this.#flow[this.#flow.length - 1] = null;
      this.#at += 1;
    } else if (/[&*!%]/.test(sign)) {
      this.#isCertain = false;
      while (this.#at < this.#text.length && !/[\s,[\]{}]/.test(this.#text.charAt(this.#at))) {
        this.#at += 1;
      }
      if (/[[\]{},]/.test(this.#text.charAt(this.#at)) && this.#flow.length === 0) this.#at += 1;
    } else if ((sign === '|' || sign === '>') && this.#flow.length === 0) this.#readBlock();
    else this.#readScalar(sign);
  }

  #readComment(): void {
    const from = this.#at;
    this.#skipLine();
    this.#comments.push(this.#text.slice(from, this.#at).trimEnd());
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #readScalar(sign: string): void {
    const from = this.#at;
    const column = from - this.#lineStart;
    const value =
      sign === '"' ? this.#doubleQuoted() : sign === "'" ? this.#singleQuoted() : this.#plain();
    const source = this.#text.slice(from, this.#at);
    const isQuoted = sign === '"' || sign === "'";
    const colon = /[ \t]*:/y;
    colon.lastIndex = this.#at;
    const mark = colon.exec(this.#text);
    const after = mark ? this.#text.charAt(colon.lastIndex) : '';
    const isFlow = this.#flow.length > 0;
    const isKey =
      mark !== null && (/^\s?$/.test(after) || (isFlow && (isQuoted || /[,[\]{}]/.test(after))));
    if (!isKey) {
      this.#add(value, source, from);
      return;
    }
    this.#at = colon.lastIndex;
    if (isFlow) this.#flow[this.#flow.length - 1] = value;
    else {
      this.#levels = this.#levels.filter(({ indent }) => indent < column);
      if (this.#levels.length > MAX_DEPTH) this.#isCertain = false;
      else this.#levels.push({ indent: column, key: value });
    }
  }

  #add(value: string, source: string, from: number): void {
    const keys = [...this.#levels.map(({ key }) => key), ...this.#flow.flatMap((key) => key ?? [])];
    this.#scalars.push({ keys, value, source, from, inBrackets: this.#flow.length > 0 });
  }

  #doubleQuoted(): string {
    const whole = /"(?:[^"\\]|\\[^])*"?/y;
    whole.lastIndex = this.#at;
    const source = whole.exec(this.#text)?.[0] ?? '"';
    this.#at += source.length;
    if (!/^"(?:[^"\\]|\\[^])*"$/.test(source)) this.#isCertain = false;
    this.#countLines(source);
    return folded(source.slice(1).replace(/"$/, '')).replace(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|\n[ \t]*|([^]))/gi,
      (_, x?: string, u?: string, long?: string, sign?: string) => {
        const code = x ?? u ?? long;
        if (code !== undefined) return character(Number.parseInt(code, 16));
        return sign === undefined ? '' : (ESCAPES.get(sign) ?? sign);
      },
    );
  }

  #singleQuoted(): string {
    const whole = /'(?:[^']|'')*'?/y;
    whole.lastIndex = this.#at;
    const source = whole.exec(this.#text)?.[0] ?? "'";
    this.#at += source.length;
    if ((source.match(/'/g) ?? []).length % 2 === 1) this.#isCertain = false;
    this.#countLines(source);
    return folded(source.slice(1).replace(/'$/, '')).replaceAll("''", "'");
  }

  /** A plain scalar of one line, and the lines below that continue it. */
  #plain(): string {
    const line =
      this.#flow.length > 0
        ? /(?:[^\s:#,[\]{}]|:(?![\s,[\]{}]|$)|(?<=\S)#|[ \t]+(?![#\s]))+/y
        : /(?:[^\s:#]|:(?!\s|$)|(?<=\S)#|[ \t]+(?![#\s]))+/y;
    line.lastIndex = this.#at;
    const first = line.exec(this.#text)?.[0] ?? this.#text.charAt(this.#at);
    this.#at += first.length;
    return first.trimEnd();
  }

  #readBlock(): void {
    const from = this.#at;
    this.#skipLine();
    const parent = this.#levels.at(-1)?.indent ?? -1;
    const lines: string[] = [];
    while (this.#at < this.#text.length) {
      const start = this.#at + 1;
      const end = this.#text.indexOf('\n', start);
      const line = this.#text.slice(start, end < 0 ? this.#text.length : end);
      const isInside = line.trim() === '' || line.length - line.trimStart().length > parent;
      if (!isInside) break;
      lines.push(line.trim());
      this.#at = end < 0 ? this.#text.length : end;
    }
    this.#add(lines.join('\n').trim(), this.#text.slice(from, this.#at), from);
  }

  #countLines(source: string): void {
    const last = source.lastIndexOf('\n');
    if (last >= 0) this.#lineStart = this.#at - source.length + last + 1;
  }
}

/** Joins the lines of a quoted scalar, whose line breaks become blanks unless they are escaped. */
function folded(text: string): string {
  return text.replace(/(?<![\\ \t])[ \t]*\n\s*/g, ' ');
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['e', '\u001B'],
  ['f', '\f'],
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00A0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);
