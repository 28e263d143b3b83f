/**
 * `MarkdownRenderer`: renders Markdown as a reading view, with the processors that plugins
 * registered.
 */
import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import type { Component, MarkdownPostProcessorContext } from 'obsidian';
import { type App, MarkdownRenderer } from 'obsidian-test-mocks/obsidian';
import { setIcon } from '../../obsidian/icons';
import { getFrontMatterInfo } from '../../obsidian/metadata/front-matter';
import { registrationsOf } from '../../obsidian/registrations';
import { sanitizeHTMLToDom } from '../functions';

/** Footnotes of a reading view: numbered in order of reference and listed below the note. */
class Footnotes {
  readonly #texts = new Map<string, string>();
  readonly #named: string[] = [];

  /** Collects the definitions and returns the note with empty lines in their place. */
  takeFrom(text: string): string {
    return text.replace(/^\[\^([^\]\s]+)\]: *(.*)$/gm, (_, name: string, body: string) => {
      this.#texts.set(name, body);
      return '';
    });
  }

  /** The number of a footnote, or null if it is not defined. */
  numberOf(name: string): number | null {
    if (!this.#texts.has(name)) return null;
    if (!this.#named.includes(name)) this.#named.push(name);
    return this.#named.indexOf(name) + 1;
  }

  /** @param draw renders inline Markdown */
  drawBelow(el: HTMLElement, draw: (text: string) => Node): void {
    if (this.#named.length === 0) return;
    const section = el.createEl('section', { cls: 'footnotes' });
    section.createEl('hr');
    const list = section.createEl('ol');
    for (const [at, name] of this.#named.entries()) {
      const line = list
        .createEl('li', { attr: { 'data-footnote-id': `fn-${at + 1}` } })
        .createEl('p');
      line.append(draw(this.#texts.get(name) ?? ''), ' ');
      line.createEl('a', { cls: 'footnote-backref footnote-link', text: '↩︎', href: '#' });
    }
  }
}

/** Footnotes of the note being rendered. */
const current: { footnotes: Footnotes } = { footnotes: new Footnotes() };

const footnoteReference: TokenizerAndRendererExtension = {
  name: 'footnote-reference',
  level: 'inline',
  start: (text) => text.match(/\[\^/)?.index,
  tokenizer(text) {
    const [raw, name = ''] = /^\[\^([^\]\s]+)\]/.exec(text) ?? [];
    const number = raw ? current.footnotes.numberOf(name) : null;
    return raw && number ? { type: 'footnote-reference', raw, number } : undefined;
  },
  renderer(token) {
    const { number } = token as unknown as { number: number };
    return `<sup class="footnote-ref" data-footnote-id="fnref-${number}"><a class="footnote-link" href="#">[${number}]</a></sup>`;
  },
};

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const safe = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

interface WikiLink extends Tokens.Generic {
  link: string;
  alias?: string;
}

const wikiLink: TokenizerAndRendererExtension = {
  name: 'wiki-link',
  level: 'inline',
  start: (text) => text.match(/!?\[\[/)?.index,
  tokenizer(text) {
    const [raw, link, alias] = /^!?\[\[([^\]|]+)(?:\|([^\]]*))?\]\]/.exec(text) ?? [];
    return raw && link ? { type: 'wiki-link', raw, link, alias } : undefined;
  },
  renderer(token) {
    const { link, alias } = token as WikiLink;
    const target = safe(link);
    return `<a class="internal-link" data-href="${target}" href="${target}">${safe(alias ?? link)}</a>`;
  },
};

const tag: TokenizerAndRendererExtension = {
  name: 'tag',
  level: 'inline',
  start: (text) => text.match(/(?<=^|\s)#[\p{L}_]/u)?.index,
  tokenizer(text) {
    const [raw] = /^#[\p{L}_][\p{L}\p{N}_/-]*/u.exec(text) ?? [];
    return raw ? { type: 'tag', raw } : undefined;
  },
  renderer: ({ raw }) => `<a class="tag" href="${safe(raw)}">${safe(raw)}</a>`,
};

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [wikiLink, tag, footnoteReference],
});

export function patchRenderer(): void {
  Object.assign(MarkdownRenderer, {
    render: renderMarkdown,
    renderMarkdown: (text: string, el: HTMLElement, path: string, component: Component) =>
      renderMarkdown((globalThis as unknown as { app: App }).app, text, el, path, component),
  });
}

export async function renderMarkdown(
  app: App,
  text: string,
  el: HTMLElement,
  sourcePath: string,
  component: unknown,
): Promise<void> {
  const { frontmatter } = app.metadataCache.getCache(sourcePath) ?? {};
  const { codeBlockProcessors, postProcessors } = registrationsOf(app);
  const footnotes = new Footnotes();
  current.footnotes = footnotes;
  for (const { html, lineStart, lineEnd } of sectionsOf(footnotes.takeFrom(text))) {
    const section = el.createDiv({ attr: { 'data-line': lineStart } });
    section.append(sanitizeHTMLToDom(html));
    markTasks(section);
    drawCallouts(section);
    const context: MarkdownPostProcessorContext = {
      ...{ docId: sourcePath, sourcePath, frontmatter },
      getSectionInfo: (of) => (section.contains(of) ? { text, lineStart, lineEnd } : null),
      addChild: (child) => void (component as Component | null)?.addChild(child),
    };
    for (const code of section.querySelectorAll<HTMLElement>('pre > code[class*="language-"]')) {
      const language = /language-(\S+)/.exec(code.className)?.[1] ?? '';
      const process = codeBlockProcessors.get(language);
      if (!process) continue;
      const place = createDiv(`block-language-${language}`);
      code.parentElement?.replaceWith(place);
      await process((code.textContent ?? '').replace(/\n$/, ''), place, context);
    }
    for (const process of postProcessors) await process(section, context);
  }
  footnotes.drawBelow(el, (line) => sanitizeHTMLToDom(marked.parseInline(line, { async: false })));
  el.addEventListener('click', (event) => {
    const { target } = event;
    const link = target instanceof Element ? target.closest<HTMLElement>('a.internal-link') : null;
    if (!link) return;
    event.preventDefault();
    void app.workspace.openLinkText(link.dataset['href'] ?? '', sourcePath, event.ctrlKey);
  });
}

interface Section {
  readonly html: string;
  /** Zero-based, in the whole text. */
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Top-level blocks with their lines. */
function sectionsOf(text: string): Section[] {
  const { exists, contentStart } = getFrontMatterInfo(text);
  const start = exists ? contentStart : 0;
  let line = text.slice(0, start).split('\n').length - 1;
  return marked.lexer(text.slice(start)).flatMap((token) => {
    const lineStart = line;
    line += token.raw.split('\n').length - 1;
    if (token.type === 'space' || token.type === 'def') return [];
    const lineEnd = lineStart + token.raw.replace(/\n+$/, '').split('\n').length - 1;
    return { html: marked.parser([token]), lineStart, lineEnd };
  });
}

function markTasks(section: HTMLElement): void {
  for (const box of section.querySelectorAll<HTMLInputElement>('li input[type="checkbox"]')) {
    box.className = 'task-list-item-checkbox';
    const item = box.closest('li');
    item?.addClass('task-list-item');
    item?.toggleClass('is-checked', box.checked);
    item?.parentElement?.addClass('contains-task-list');
    item?.setAttribute('data-task', box.checked ? 'x' : '');
  }
}

/** Renders quotes that begin with `[!note]` as callouts in reading view. */
function drawCallouts(section: HTMLElement): void {
  for (const quote of [...section.querySelectorAll('blockquote')].reverse()) {
    const first = quote.firstElementChild;
    const lead = first?.firstChild;
    const head = /^\[!([^\]|]+)(\|[^\]]*)?\]([+-]?) ?/.exec(lead?.textContent ?? '');
    if (!head || first?.localName !== 'p' || !(lead instanceof Text)) continue;
    const [marker, kind = '', , fold = ''] = head;
    lead.replaceData(0, marker.length, '');
    const box = createDiv({ cls: 'callout', attr: { 'data-callout': kind.toLowerCase() } });
    box.dataset['calloutFold'] = fold;
    const title = box.createDiv('callout-title');
    const icon = title.createDiv('callout-icon');
    const words = title.createDiv('callout-title-inner');
    while (first.firstChild && first.firstChild.nodeName !== 'BR') words.append(first.firstChild);
    first.firstChild?.remove();
    if (words.textContent?.trim() === '') {
      words.setText(kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase());
    }
    if (!first.hasChildNodes()) first.remove();
    if (quote.children.length > 0) box.createDiv('callout-content').append(...quote.childNodes);
    quote.replaceWith(box);
    const named = getComputedStyle(box).getPropertyValue('--callout-icon').trim();
    setIcon(icon, named || 'lucide-pencil');
    if (fold === '') continue;
    box.addClass('is-collapsible');
    box.toggleClass('is-collapsed', fold === '-');
    title.createDiv('callout-fold');
    title.addEventListener('click', () => box.classList.toggle('is-collapsed'));
  }
}
