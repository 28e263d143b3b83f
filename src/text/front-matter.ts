/**
 * Reads front matter as Obsidian does: the note begins with `---`, and the next line that is `---`
 * ends it. Without that line, the first one is a divider.
 */
import { linesOf } from './list-diff';

/** Offsets in a note. */
export interface FrontMatter {
  /** After the line of the opening fence. */
  readonly yamlStart: number;
  /** Before the closing fence. */
  readonly yamlEnd: number;
  /** After the line of the closing fence. */
  readonly end: number;
}

const FENCE = /---[ \t]*\r?(?:\n|$)/y;

/** The end of the fence that begins at `offset`; null if there is none. */
function fenceEnd(text: string, offset: number): number | null {
  FENCE.lastIndex = offset;
  return FENCE.test(text) ? FENCE.lastIndex : null;
}

export function findFrontMatter(text: string): FrontMatter | null {
  const yamlStart = fenceEnd(text, text.startsWith('\uFEFF') ? 1 : 0);
  if (yamlStart === null) return null;
  for (let yamlEnd = yamlStart; ;) {
    const end = fenceEnd(text, yamlEnd);
    if (end !== null) return { yamlStart, yamlEnd, end };
    const next = text.indexOf('\n---', yamlEnd);
    if (next < 0) return null;
    yamlEnd = next + 1;
  }
}

export interface NoteParts {
  /** The front matter with its fences and the byte order mark; empty if there is none. */
  readonly head: string;
  /** Ends with a line break unless it is empty; null if there is no front matter. */
  readonly yaml: string | null;
  readonly body: string;
}

export function splitNote(text: string): NoteParts {
  const found = findFrontMatter(text);
  if (!found) return { head: '', yaml: null, body: text };
  const { yamlStart, yamlEnd, end } = found;
  return {
    head: text.slice(0, end),
    yaml: text.slice(yamlStart, yamlEnd),
    body: text.slice(end),
  };
}

/** Number of front matter lines, including the fences; 0 if there is none. */
export function frontMatterEnd(lines: readonly string[]): number {
  const isFence = (line: string) => fenceEnd(line, 0) === line.length;
  if (!isFence((lines[0] ?? '').replace(/^\uFEFF/, ''))) return 0;
  return lines.findIndex((line, at) => at > 0 && isFence(line)) + 1;
}

/** Whether the lines begin with properties that no fence ends. */
export function hasOpenFrontMatter(lines: readonly string[]): boolean {
  const [first = '', second = ''] = lines;
  const isOpen = fenceEnd(first.replace(/^\uFEFF/, ''), 0) !== null && frontMatterEnd(lines) === 0;
  return isOpen && /^[^\s:#][^:]*:(?:\s|$)/.test(second);
}

/** Whether each line can be one of properties: a name, an entry, a comment, or indented. */
export function canBeProperties(lines: readonly string[]): boolean {
  return lines.every((line) => /^(?:$|\s|#|-\s|[^\s:#][^:]*:(?:\s|$))/.test(line));
}

/**
 * A name without indentation, plain or quoted, that is no list item. A blank should follow the
 * colon, but a user may forget it.
 */
const NAME =
  /^(?:"([^"]*)"[ \t]*|'([^']*)'[ \t]*|((?![-?:](?:\s|$))[^\s"'#[\]{},&*!|>%@`][^:]*(?::(?=\S)[^:]*)*)):/;

export interface PropertyLine {
  /** Without quotes. */
  readonly name: string;
  /** The rest of the line, after the colon. */
  readonly value: string;
}

/** Reads the line of YAML on which a top-level property begins; null for other lines. */
export function readPropertyLine(line: string): PropertyLine | null {
  const found = NAME.exec(line);
  if (!found) return null;
  const [start, double, single, plain = ''] = found;
  return { name: double ?? single ?? plain.trimEnd(), value: line.slice(start.length) };
}

export interface PropertyLines {
  readonly name: string;
  readonly value: string;
  /** With their endings, up to the next name. */
  readonly lines: readonly string[];
}

/** The top-level properties with their lines, and the lines above the first one. */
export function readYamlProperties(yaml: string): {
  readonly above: readonly string[];
  readonly properties: readonly PropertyLines[];
} {
  const above: string[] = [];
  const properties: (PropertyLine & { lines: string[] })[] = [];
  for (const line of linesOf(yaml)) {
    const property = readPropertyLine(line.replace(/\r?\n$/, ''));
    if (property) properties.push({ ...property, lines: [line] });
    else (properties.at(-1)?.lines ?? above).push(line);
  }
  return { above, properties };
}
