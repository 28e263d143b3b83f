/** What the dialect adds to Markdown, in the form that marked's lexer and parser read. */
import type {
  MarkedOptions,
  RendererExtensionFunction,
  TokenizerExtensionFunction,
  TokenizerStartFunction,
} from 'marked';

export interface Extension {
  readonly name: string;
  readonly level: 'block' | 'inline';
  /** Where the next may begin. */
  readonly start?: TokenizerStartFunction;
  readonly tokenizer: TokenizerExtensionFunction;
  readonly renderer: RendererExtensionFunction;
}

/** The last of them is tried first. */
export function extensionsOf(list: readonly Extension[]): NonNullable<MarkedOptions['extensions']> {
  const tokenizers = (level: Extension['level']) =>
    list.flatMap((each) => (each.level === level ? [each.tokenizer] : [])).reverse();
  return {
    block: tokenizers('block'),
    inline: tokenizers('inline'),
    startInline: list.flatMap(({ level, start }) => (level === 'inline' && start ? [start] : [])),
    renderers: Object.fromEntries(list.map(({ name, renderer }) => [name, renderer])),
    childTokens: {},
  };
}
