/** Reads and draws a whole text at once. An error that the panel would catch fails the test. */
import { Drawing, type DrawingHost } from '#components/message/markdown/patch-dom.ts';
import { footnotesHtml, splitFootnotes } from '#components/message/markdown/note-syntax.ts';
import { htmlOf, noLinks, normalize, read } from '#components/message/markdown/renderer.ts';
import type { Ui } from '#ports/ui';
import { pageUi } from '#workbench/gallery/page-ui';

export function raise(error: unknown): never {
  throw error;
}

export function hostOf(ui: Ui = pageUi()): DrawingHost {
  return { ui, report: raise };
}

export function wholeHtml(source: string): string {
  const { tokens } = read(normalize(source), { before: noLinks(), report: raise });
  const { text, notes } = splitFootnotes(tokens);
  return htmlOf(text, raise) + footnotesHtml(notes.map((note) => htmlOf([note], raise)));
}

export function drawWhole(element: HTMLElement, source: string, host = hostOf()): void {
  new Drawing(element, host).draw({ html: wholeHtml(source), raw: source });
}
