/**
 * An independent Markdown parser for tests: CodeMirror's, extended with the blocks that Obsidian
 * adds. Finds which lines belong to one block.
 */
import { markdownLanguage } from '@codemirror/lang-markdown';
import type { BlockContext, Line, MarkdownConfig, MarkdownParser } from '@lezer/markdown';

/** A block of Markdown; `first` and `last` are line numbers from 0, both inclusive. */
export interface MarkdownBlock {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly text: string;
  /** False for a block within another block. */
  readonly top: boolean;
}

const KINDS = [
  ...[
    'FencedCode',
    'CodeBlock',
    'Table',
    'Blockquote',
    'HTMLBlock',
    'CommentBlock',
    'ProcessingInstructionBlock',
  ],
  ...['MathBlock', 'HiddenBlock', 'FrontMatter', 'ListItem', 'SetextHeading1', 'SetextHeading2'],
  ...['ATXHeading1', 'ATXHeading2', 'HorizontalRule'],
];

function delimited(name: string, mark: string): MarkdownConfig {
  const opens = (line: Line) =>
    line.indent - line.baseIndent < 4 &&
    line.text.startsWith(mark, line.pos) &&
    !line.text.includes(mark, line.pos + mark.length);
  return {
    defineNodes: [{ name, block: true }],
    parseBlock: [
      {
        name,
        before: 'FencedCode',
        parse(context: BlockContext, line: Line) {
          if (!opens(line)) return false;
          const from = context.lineStart + line.pos;
          while (context.nextLine() && !line.text.includes(mark)) continue;
          const to = Math.max(context.lineStart + line.text.length, context.prevLineEnd());
          context.nextLine();
          context.addElement(context.elt(name, from, to));
          return true;
        },
        endLeaf: (_, line) => opens(line),
      },
    ],
  };
}

const frontMatter: MarkdownConfig = {
  defineNodes: [{ name: 'FrontMatter', block: true }],
  parseBlock: [
    {
      name: 'FrontMatter',
      before: 'HorizontalRule',
      parse(context, line) {
        if (context.lineStart !== 0 || !/^---[ \t]*$/.test(line.text) || !closed) return false;
        while (context.nextLine() && !/^---[ \t]*$/.test(line.text)) continue;
        const to = context.lineStart + line.text.length;
        context.nextLine();
        context.addElement(context.elt('FrontMatter', 0, to));
        return true;
      },
    },
  ],
};

/**
 * Whether the text has closed front matter. Set before parsing, because the parser cannot look
 * ahead.
 */
let closed = false;

const parser = (markdownLanguage.parser as MarkdownParser).configure([
  delimited('MathBlock', '$$'),
  delimited('HiddenBlock', '%%'),
  frontMatter,
]);

/** Markdown blocks of a text, including those that only Obsidian knows. */
export function blocksIn(source: string): MarkdownBlock[] {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n/g, '\n');
  closed = /^---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|$)/.test(text);
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset);
  const found: MarkdownBlock[] = [];
  parser.parse(text).iterate({
    enter: ({ name, from, to, node }) => {
      if (!KINDS.includes(name)) return;
      const trimmed = text.slice(from, to).trimEnd().length;
      const last = lineAt(Math.max(from, from + trimmed - 1));
      found.push({
        name,
        first: lineAt(from),
        last,
        text: text.slice(from, from + trimmed).replace(/\uFEFF/g, ''),
        top: node.parent?.name === 'Document',
      });
    },
  });
  return found;
}
