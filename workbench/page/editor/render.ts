/**
 * `MarkdownRenderer`: renders Markdown as a reading view, with the processors that plugins
 * registered.
 */
import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import type { Component, MarkdownPostProcessorContext } from 'obsidian';
import { MarkdownRenderer, type App } from 'obsidian-test-mocks/obsidian';
import { getFrontMatterInfo } from '#workbench/obsidian/metadata/front-matter';
import { registrationsOf } from '#workbench/obsidian/registrations';
import { sanitizeHTMLToDom } from '../functions';
import { drawCallouts } from './callouts';
import { current, footnoteReference, Footnotes } from './footnotes';

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
