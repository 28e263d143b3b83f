/** Reads and draws a whole text at once. An error that the panel would catch fails the test. */
import { type Block, Blocks, type Page } from '#components/message/markdown/blocks.ts';
import type { Report } from '#components/message/markdown/bounded-lexer.ts';
import { Drawing, type DrawingHost } from '#components/message/markdown/patch-dom.ts';
import type { Ui } from '#ports/ui';
import { pageUi } from '#workbench/gallery/page-ui';

export function raise(error: unknown): never {
  throw error;
}

export function hostOf(ui: Ui = pageUi()): DrawingHost {
  return { ui, report: raise };
}

/** A growing text of which each update reads everything. */
export class ReadText {
  readonly #blocks: Blocks;
  list: readonly Block[] = [];

  constructor(report: Report = raise) {
    this.#blocks = new Blocks(report);
  }

  update(source: string, finished: boolean): readonly Page[] {
    let read = this.#blocks.next(source, finished);
    while (read.waiting.length > 0) read = this.#blocks.next(source, finished);
    this.list = read.pages.flatMap((page) => page.blocks);
    return read.pages;
  }
}

export function wholeHtml(source: string): string {
  const text = new ReadText();
  text.update(source, true);
  return text.list.map(({ html }) => html).join('');
}

export function drawWhole(element: HTMLElement, source: string, host = hostOf()): void {
  new Drawing(element, host).draw({ html: wholeHtml(source), raw: source });
}
