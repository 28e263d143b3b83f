/** Footnotes of a reading view: numbered in order of reference and listed below the note. */
import type { TokenizerAndRendererExtension } from 'marked';

export class Footnotes {
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
export const current: { footnotes: Footnotes } = { footnotes: new Footnotes() };

export const footnoteReference: TokenizerAndRendererExtension = {
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
