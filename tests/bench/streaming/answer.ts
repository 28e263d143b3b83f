/** Generates long answers like a model's, the same in each run, and splits them into chunks. */

/** A seeded pseudo-random number generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS =
  'the note a plan with week and garden from project of train to letter in summer for budget is moved was written by after before under about every second small open long early café naïve Größe draft list meeting kitchen paper river station answer question reason order number table window'.split(
    ' ',
  );

/** Writes Markdown like a model's; the same seed gives the same text. */
export class Writer {
  readonly #below: (below: number) => number;
  #section = 0;

  constructor(seed: number) {
    this.#below = numbers(seed);
  }

  words(count: number): string {
    return Array.from({ length: count }, () => WORDS[this.#below(WORDS.length)]).join(' ');
  }

  sentence(): string {
    const marked = [
      () => `**${this.words(2)}**`,
      () => `*${this.words(2)}*`,
      () => `\`${this.words(1)}.${this.words(1)}\``,
      () => `[[Projects/${this.words(2)}|${this.words(2)}]]`,
      () => `[[Journal/2026-0${1 + this.#below(9)}-11]]`,
      () => `[${this.words(2)}](https://example.org/${this.words(1)}?q=1&r=2)`,
      () => `[${this.words(2)}][ref ${this.#section}.${this.#below(3)}]`,
      () => `<kbd>Ctrl</kbd>+<kbd>K</kbd>`,
      () => `==${this.words(2)}==`,
      () => `$a_${this.#below(9)}^2 + b = c$`,
      () => `~~${this.words(1)}~~`,
      () => `https://example.org/${this.words(1)}`,
    ];
    const mark = marked[this.#below(marked.length)]?.() ?? '';
    return `${this.words(4 + this.#below(8))} ${mark} ${this.words(2 + this.#below(8))}.`;
  }

  /** A paragraph without markup. */
  plain(): string {
    const sentences = Array.from({ length: 2 + this.#below(4) }, () => `${this.words(12)}.`);
    return `${sentences.join(' ')}\n\n`;
  }

  paragraph(sentences = 2 + this.#below(4)): string {
    return `${Array.from({ length: sentences }, () => this.sentence()).join(' ')}\n\n`;
  }

  list(items: number): string {
    let text = '';
    for (let at = 0; at < items; at += 1) {
      const deep = at % 4 === 3 ? '  ' : at % 8 === 6 ? '    ' : '';
      const box = at % 5 === 4 ? '[ ] ' : '';
      text += `${at === 0 ? '' : deep}- ${box}${this.sentence()}\n`;
    }
    return `${text}\n`;
  }

  /** A loose ordered list; some items contain code or a nested list. */
  steps(count: number): string {
    let text = '';
    for (let at = 1; at <= count; at += 1) {
      text += `${at}. **${this.words(2)}.** ${this.sentence()}\n\n`;
      if (at % 3 === 0) text += `   \`\`\`sh\n   ls ${this.words(3)}\n   \`\`\`\n\n`;
      if (at % 4 === 0) text += `   - ${this.sentence()}\n   - ${this.sentence()}\n\n`;
    }
    return text;
  }

  table(rows: number): string {
    let text = `| ${this.words(1)} | ${this.words(2)} | Cost | ${this.words(1)} |\n| --- | :-- | --: | --- |\n`;
    for (let at = 0; at < rows; at += 1) {
      text += `| ${this.words(2)} | **${this.words(1)}** ${this.words(3)} | ${this.#below(900)} | [[${this.words(2)}]] |\n`;
    }
    return `${text}\n`;
  }

  code(lines: number): string {
    let text = '```ts\n';
    for (let at = 0; at < lines; at += 1) {
      const name = `value${this.#below(100)}`;
      text += [
        `const ${name}: Map<string, "${this.words(1)}"> = new Map();\n`,
        `if (${name} < ${at} && other !== '${this.words(1)}') {\n`,
        `  return ${name}.filter((each) => each > ${at}); // ${this.words(4)}\n`,
        '}\n\n',
      ][at % 4];
    }
    return `${text}\`\`\`\n\n`;
  }

  quote(): string {
    return `> ${this.sentence()}\n> ${this.sentence()}\n>\n> ${this.sentence()}\n\n`;
  }

  callout(): string {
    return `> [!tip] ${this.words(3)}\n> ${this.sentence()}\n\n`;
  }

  formula(): string {
    return `$$\n\\sum_{i=1}^{n} x_i < \\frac{n(n+1)}{2} & y \\\\\n\\int_0^1 f(x)\\,dx\n$$\n\n`;
  }

  html(): string {
    return `<details>\n<summary>${this.words(3)}</summary>\n<p onclick="x()">${this.words(8)}</p>\n</details>\n\n`;
  }

  definitions(): string {
    const lines = [0, 1, 2].map(
      (at) => `[ref ${this.#section}.${at}]: https://example.org/${this.#section}/${at} "Source"\n`,
    );
    return `${lines.join('')}\n`;
  }

  /**
   * The answer starts and ends like this, so that its first and last hundred chunks need similar
   * work.
   */
  opening(): string {
    this.#section += 1;
    return [
      `## ${this.words(4)}\n\n`,
      this.paragraph(4),
      this.list(8),
      this.paragraph(3),
      this.code(8),
      this.paragraph(3),
      this.table(5),
      this.paragraph(4),
      this.paragraph(4),
    ].join('');
  }

  section(): string {
    this.#section += 1;
    return [
      `## ${this.words(4)}\n\n`,
      this.paragraph(),
      this.list(12),
      `### ${this.words(3)}\n\n`,
      this.paragraph(),
      this.table(8),
      this.quote(),
      this.code(20),
      this.paragraph(),
      this.steps(5),
      this.formula(),
      this.paragraph(),
      this.html(),
      this.paragraph(),
      `---\n\n`,
      this.definitions(),
    ].join('');
  }
}

/** An answer of at least `bytes` bytes, in which each kind of block is sometimes very long. */
export function longAnswer(bytes: number): string {
  const writer = new Writer(7);
  const long = [
    () => writer.table(60),
    () => writer.code(160),
    () => writer.list(70),
    () => writer.steps(30),
    () => writer.paragraph(30),
  ];
  const end = writer.opening();
  let text = writer.opening();
  for (let at = 0; ; at += 1) {
    const more = writer.section() + (at % 2 === 0 ? (long[(at / 2) % long.length]?.() ?? '') : '');
    if (sizeOf(text + more + end) > bytes) break;
    text += more;
  }
  while (sizeOf(text + end) < bytes) text += writer.paragraph();
  return text + end;
}

/** Paragraphs without markup, of at least `bytes` bytes. */
export function plainAnswer(bytes: number): string {
  const writer = new Writer(11);
  let text = '';
  while (sizeOf(text) < bytes) text += writer.plain();
  return text;
}

/** Splits text into chunks of at most `bytes` bytes of UTF-8, never inside a character. */
export function chunksOf(text: string, bytes: number): string[] {
  const chunks: string[] = [];
  let chunk = '';
  let size = 0;
  for (const character of text) {
    const more = sizeOf(character);
    if (size + more > bytes) {
      chunks.push(chunk);
      chunk = '';
      size = 0;
    }
    chunk += character;
    size += more;
  }
  if (chunk !== '') chunks.push(chunk);
  return chunks;
}

const encoder = new TextEncoder();

export function sizeOf(text: string): number {
  return encoder.encode(text).length;
}
