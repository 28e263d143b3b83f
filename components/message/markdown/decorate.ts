/** Shows an embed in place of its title. */
import * as t from '#messages/answer-messages';
import * as shared from '#messages/shared-messages';
import { isForbiddenFormula } from '#text/embedded-languages';
import { Slices } from '#ports/slices';
import type { CodeToken, EmbeddedContent, Ui } from '#ports/ui';
import { Blocks } from './blocks';
import { appendAll, Drawing, type DrawingHost } from './patch-dom';
import { drawDiagram } from './draw-diagram';
import { cleanFormula } from './sanitize';
import { tableMarkdown } from './to-markdown';
import { followWindow } from '../../shared/follow-window';
import { afterOtherWork } from '../../shared/slice-count.svelte';

/** A note or an image in the vault. */
export async function showEmbedded(button: HTMLElement, host: DrawingHost): Promise<void> {
  const link = button.dataset['note'] ?? '';
  const found = await embedded(link, host);
  if (!found) return host.ui.openNote(link, 'here');
  if (found.kind === 'picture') return showPicture(button, found.address, button.textContent);
  const { ownerDocument: document } = button;
  const [box, text, name] = [
    document.createElement('div'),
    document.createElement('div'),
    document.createElement('a'),
  ];
  box.className = 'parley-embedded';
  name.className = 'internal-link';
  name.href = '#';
  name.dataset['note'] = link;
  name.textContent = button.textContent;
  box.append(name, text);
  const drawn = drawNote(text, found.text, host);
  button.replaceWith(box);
  name.focus();
  await drawn;
  await decorate(text, host);
}

async function embedded(
  link: string,
  { ui, report }: DrawingHost,
): Promise<EmbeddedContent | null> {
  try {
    return await ui.embedded(link);
  } catch (error) {
    report(error);
    return null;
  }
}

/** A long note is read and then drawn slice by slice, unless it is closed meanwhile. */
async function drawNote(place: HTMLElement, text: string, host: DrawingHost): Promise<void> {
  const blocks = new Blocks(host.report);
  let read = blocks.next(text, true);
  while (read.waiting.length > 0) {
    await otherWork();
    if (!place.isConnected) return;
    read = blocks.next(text, true);
  }
  for (const [at, page] of read.pages.entries()) {
    if (at > 0 && at % PAGES_AT_ONCE === 0) {
      await otherWork();
      if (!place.isConnected) return;
    }
    for (const block of page.blocks) {
      const element = place.ownerDocument.createElement('div');
      new Drawing(element, host).draw(block);
      place.append(element);
    }
  }
}

const otherWork = () => new Promise<void>((resolve) => void afterOtherWork(resolve));

/** Pages of eight blocks. */
const PAGES_AT_ONCE = 20;

export function showRemotePicture(button: HTMLElement): void {
  const address = button.dataset['src'] ?? '';
  if (!/^https?:\/\//i.test(address)) return;
  showPicture(button, address, button.textContent.replace(/^Show picture: | \([^()]*\)$/g, ''));
}

function showPicture(button: HTMLElement, address: string, name: string): void {
  const image = button.ownerDocument.createElement('img');
  image.alt = name;
  image.referrerPolicy = 'no-referrer';
  image.src = address;
  // Keeps the focus here for keyboard users.
  image.tabIndex = -1;
  button.replaceWith(image);
  image.focus();
}

const MEANT =
  'a[data-note], a.tag, a.footnote-link, button.parley-copy, button.parley-embed, button.parley-picture';

/** Handles clicks anywhere in the blocks. */
export function handleClick(event: MouseEvent, host: DrawingHost): void {
  const { ui } = host;
  const target = (event.target as Element | null)?.closest<HTMLElement>(MEANT);
  if (!target) return;
  event.preventDefault();
  // In a note, the host would also follow the link.
  event.stopPropagation();
  const note = target.dataset['note'] ?? '';
  const where = event.ctrlKey || event.metaKey || event.button === 1 ? 'tab' : 'here';
  if (target.matches('.parley-copy')) void copyContent(target, ui);
  else if (target.matches('.parley-embed')) void showEmbedded(target, host);
  else if (target.matches('.parley-picture')) showRemotePicture(target);
  else if (target.matches('.tag')) ui.searchTag(target.textContent);
  else if (target.matches('.footnote-link')) goToOtherEnd(target);
  else ui.openNote(note, where);
}

/** Shows a page preview for a hovered link. */
export function handleHover(event: MouseEvent, ui: Ui): void {
  const link = (event.target as Element | null)?.closest<HTMLElement>('[data-note]');
  if (link) ui.previewNote(event, link.dataset['note'] ?? '', link);
}

/** Jumps from a footnote's number to its text and back. */
function goToOtherEnd(link: HTMLElement): void {
  const { footnote } = link.dataset;
  const isBack = link.matches('.footnote-backref');
  const ends = link.closest('.markdown-rendered')?.querySelectorAll<HTMLElement>('.footnote-link');
  const other = [...(ends ?? [])].find(
    (each) => each.dataset['footnote'] === footnote && each.matches('.footnote-backref') !== isBack,
  );
  other?.scrollIntoView({ block: 'nearest' });
  other?.focus();
}

/** Of code as it is, of a table as Markdown. */
async function copyContent(button: HTMLElement, ui: Ui): Promise<void> {
  const frame = button.parentElement;
  const table = frame?.querySelector('table');
  const label = button.getAttribute('aria-label') ?? t.copyCode;
  const text = table ? tableMarkdown(table) : (frame?.querySelector('pre')?.textContent ?? '');
  try {
    await ui.copy(text.replace(/\n$/, ''));
  } catch {
    ui.notice(shared.clipboardUnavailable);
    return;
  }
  ui.setIcon(button, 'check');
  button.setAttribute('aria-label', shared.copied);
  button.ownerDocument.defaultView?.setTimeout(() => {
    ui.setIcon(button, 'copy');
    button.setAttribute('aria-label', label);
  }, 1500);
}

/** Decorated elements are marked so that they are not decorated twice. */
const LEFT =
  '.callout-icon:empty, .math:not(.is-loaded), pre:not(.is-loaded) > code[class^="language-"]';

/** Longer code and formulas stay plain, because the host would take too long to draw them. */
const MAX_DECORATED_CHARS = 20_000;

/**
 * Starts when the element comes near the viewport, so that the rest of a conversation costs
 * nothing.
 * @returns stops it
 */
export function decorateWhenSeen(block: Element, host: DrawingHost): (() => void) | undefined {
  if (!block.querySelector(LEFT)) return undefined;
  const near = { scrollMargin: '400px' };
  const stop = followWindow(block, ({ IntersectionObserver: Observer }) => {
    if (!Observer) return void decorate(block, host);
    const observer = new Observer((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      stop();
      void decorate(block, host);
    }, near);
    observer.observe(block);
    return () => observer.disconnect();
  });
  return stop;
}

/** Never rejects: what cannot be decorated stays plain. */
export async function decorate(block: Element, host: DrawingHost): Promise<void> {
  const window = block.ownerDocument.defaultView;
  if (!window) return;
  const slices = new Slices({
    now: () => window.performance.now(),
    pause: otherWork,
  });
  for (const element of block.querySelectorAll<HTMLElement>(LEFT)) {
    // Code is handled separately, because it creates more nodes than everything else.
    if (element.localName === 'code' || slices.isDue) await slices.pause();
    try {
      await decorateElement(element, window, host.ui);
    } catch (error) {
      host.report(error);
    }
  }
}

async function decorateElement(element: HTMLElement, window: Window, ui: Ui): Promise<void> {
  if (element.matches('.callout-icon')) return drawIcon(element, window, ui);
  // Code with highlighted changes stays plain.
  if (element.childElementCount > 0) return;
  if (element.matches('.math')) await drawFormula(element, window, ui);
  else await drawCode(element, window, ui);
}

/** Themes style it by this class. */
function drawIcon(element: HTMLElement, window: Window, ui: Ui): void {
  const named = window.getComputedStyle(element).getPropertyValue('--callout-icon');
  ui.setIcon(element, named.trim().replace(/^lucide-/, '') || 'pencil');
}

async function drawFormula(element: HTMLElement, window: Window, ui: Ui): Promise<void> {
  element.classList.add('is-loaded');
  const source = element.textContent ?? '';
  if (source.length > MAX_DECORATED_CHARS || isForbiddenFormula(source)) return;
  const isBlock = element.matches('.math-block');
  const drawn = await ui.formula(source.replace(/^\$+|\$+$/g, '').trim(), isBlock);
  const clean = drawn && cleanFormula(drawn, window);
  if (!clean) return;
  element.dataset['source'] = source;
  element.replaceChildren(clean);
  // A wide formula scrolls, by keyboard too.
  if (isBlock) element.tabIndex = 0;
}

async function drawCode(code: HTMLElement, window: Window, ui: Ui): Promise<void> {
  const pre = code.parentElement;
  const text = code.textContent ?? '';
  const language = code.className.slice('language-'.length);
  if (!pre || text.length > MAX_DECORATED_CHARS) return;
  // Themes look for the language on both elements.
  pre.className = `${code.className} is-loaded`;
  if (language === 'mermaid') return drawDiagram(pre, text, window, ui);
  const pieces = await ui.codePieces(text, language);
  if (!pieces) return;
  const nodes = pieces.map((piece) => codeNode(piece, window.document));
  code.replaceChildren();
  appendAll(code, nodes);
}

function codeNode(piece: CodeToken, document: Document): Node {
  if (typeof piece === 'string') return document.createTextNode(piece);
  const span = document.createElement('span');
  span.className = `token ${piece.kinds}`;
  appendAll(
    span,
    piece.inside.map((each) => codeNode(each, document)),
  );
  return span;
}
