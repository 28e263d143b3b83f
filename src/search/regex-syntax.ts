/**
 * Parses a regular expression into a tree, to find the literals that every match contains and which
 * characters are named. Groups are replaced by their contents.
 */
export type RegexNode =
  | { kind: 'set'; source: string; /** If the set is a single literal. */ character?: string }
  | { kind: 'edge' | 'backreference' }
  | { kind: 'sequence'; items: RegexNode[] }
  | { kind: 'choice'; branches: RegexNode[] }
  | { kind: 'repeat'; body: RegexNode; min: number; max: number }
  | { kind: 'look'; body: RegexNode };

/** Parses a pattern that `new RegExp(source, unicode ? 'u' : '')` accepts. */
export function parseRegex(source: string, unicode: boolean): RegexNode {
  return new RegexParser(source, unicode).parse();
}

class RegexParser {
  private at = 0;
  private readonly groupCount: number;
  private readonly hasNames: boolean;

  constructor(
    private readonly source: string,
    private readonly unicode: boolean,
  ) {
    const bare = source.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '');
    this.groupCount = (bare.match(/\((?!\?)|\(\?<(?![=!])/g) ?? []).length;
    this.hasNames = /\(\?<(?![=!])/.test(bare);
  }

  parse(): RegexNode {
    return this.choice();
  }

  private choice(): RegexNode {
    const branches = [this.sequence()];
    while (this.take('|')) branches.push(this.sequence());
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  }

  private sequence(): RegexNode {
    const items: RegexNode[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!)) {
      items.push(this.repeated(this.term()));
    }
    return items.length === 1 ? items[0]! : { kind: 'sequence', items };
  }

  private repeated(body: RegexNode): RegexNode {
    const quantifier = this.takeMatch(/[*+?]|\{(\d+)(,(\d*))?\}/y);
    if (!quantifier) return body;
    const [sign, least, range, most] = quantifier;
    const min = least === undefined ? (sign === '+' ? 1 : 0) : Number(least);
    let max = sign === '?' ? 1 : Infinity;
    if (least !== undefined) max = range === undefined ? min : most ? Number(most) : Infinity;
    this.take('?');
    return { kind: 'repeat', body, min, max };
  }

  private term(): RegexNode {
    if (this.takeMatch(/\(\?<?[=!]/y)) {
      const body = this.choice();
      this.at++;
      return { kind: 'look', body };
    }
    if (this.takeMatch(/\((?:\?:|\?<[^>]*>)?/y)) {
      const body = this.choice();
      this.at++;
      return body;
    }
    if (this.takeMatch(/\^|\$|\\[bB]/y)) return { kind: 'edge' };
    return this.backreference() ?? this.set();
  }

  private backreference(): RegexNode | undefined {
    if (this.unicode || this.hasNames) {
      if (this.takeMatch(/\\k<[^>]*>/y)) return { kind: 'backreference' };
    }
    const number = /\\([1-9]\d*)/y;
    number.lastIndex = this.at;
    const digits = number.exec(this.source)?.[1];
    // Without the Unicode flag, `\8` is a digit and `\12` an octal code if there are not that many
    // groups.
    if (digits === undefined || Number(digits) > this.groupCount) return undefined;
    this.at += digits.length + 1;
    return { kind: 'backreference' };
  }

  private set(): RegexNode {
    const [source] = this.takeMatch(this.unicode ? unicodeSet : plainSet)!;
    return { kind: 'set', source, character: literalOf(source) };
  }

  private take(sign: string): boolean {
    if (this.source[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private takeMatch(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.source);
    if (match) this.at = sticky.lastIndex;
    return match;
  }
}

const plainSet =
  /\[(?:\\[^]|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[^])|[^]/y;
const unicodeSet =
  /\[(?:\\[^]|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|c[a-zA-Z]|[pP]\{[^}]*\}|[^])|[^]/uy;

function literalOf(source: string): string | undefined {
  if (source === '.' || source.startsWith('[')) return undefined;
  if (!source.startsWith('\\')) return source;
  const escaped = source.slice(1);
  return /^[^\da-zA-Z]$/u.test(escaped) ? escaped : undefined;
}

/** Yields the node itself and all its descendants. */
export function* nodesOf(node: RegexNode): Iterable<RegexNode> {
  yield node;
  if (node.kind === 'sequence') for (const item of node.items) yield* nodesOf(item);
  if (node.kind === 'choice') for (const branch of node.branches) yield* nodesOf(branch);
  if (node.kind === 'repeat' || node.kind === 'look') yield* nodesOf(node.body);
}

/**
 * Returns literals that every match contains, longest first, so that a text without one can be
 * skipped. Considers only sequences and required repetitions, because alternatives rarely share a
 * literal.
 */
export function requiredLiterals(tree: RegexNode): string[] {
  const found: string[] = [];
  let run = '';
  const endRun = (): void => {
    if (run !== '') found.push(run);
    run = '';
  };
  const visit = (node: RegexNode): void => {
    if (node.kind === 'set' && node.character !== undefined) {
      run += node.character;
    } else if (node.kind === 'sequence') {
      node.items.forEach(visit);
    } else if (node.kind === 'repeat' && node.min > 0) {
      // `x(ab)+c` contains "xab" and "c".
      visit(node.body);
      endRun();
    } else if (node.kind !== 'edge') {
      endRun();
    }
  };
  visit(tree);
  endRun();
  return [...new Set(found)].sort((a, b) => b.length - a.length);
}
