/**
 * `renderMath` with enough TeX for a formula to be recognizable, rendered as MathML. Like MathJax,
 * it applies links, styles, classes and ids in a formula.
 */

const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', theta: 'θ', lambda: 'λ' },
  ...{ mu: 'μ', pi: 'π', sigma: 'σ', phi: 'φ', omega: 'ω', Delta: 'Δ', Sigma: 'Σ', Omega: 'Ω' },
  ...{ sum: '∑', prod: '∏', int: '∫', infty: '∞', partial: '∂', nabla: '∇', cdot: '·', times: '×' },
  ...{ le: '≤', leq: '≤', ge: '≥', geq: '≥', ne: '≠', approx: '≈', pm: '±', to: '→', in: '∈' },
  ...{ ldots: '…', cdots: '⋯', quad: '\u2003', ',': '\u2009', '\\': '\u2003', '{': '{', '}': '}' },
};

const ACCENTS: Readonly<Record<string, string>> = { bar: '¯', hat: '^', vec: '→' };

/** Number of arguments in braces, by command. */
const COMMANDS: Readonly<Record<string, number>> = {
  ...{ frac: 2, sqrt: 1, text: 1, mathrm: 1, mathbf: 1, begin: 1, end: 1 },
  ...{ bar: 1, hat: 1, vec: 1 },
  ...{ href: 2, style: 2, class: 2, cssId: 2 },
};

export async function loadMathJax(): Promise<void> {
  // Nothing to load.
}

export async function finishRenderMath(): Promise<void> {
  // The browser styles MathML itself.
}

export function renderMath(source: string, display: boolean): HTMLElement {
  const container = document.createElement('mjx-container');
  container.className = 'MathJax';
  container.setAttribute('jax', 'CHTML');
  const math = element('math');
  if (display) {
    container.setAttribute('display', 'true');
    math.setAttribute('display', 'block');
  }
  const pieces = source.match(/\\(?:[a-zA-Z]+|[^])|[\s\S]/g) ?? [];
  math.append(...row(pieces, () => pieces.length === 0));
  container.append(math);
  return container;
}

function row(pieces: string[], isOver: () => boolean): Element[] {
  const made: Element[] = [];
  while (!isOver()) {
    const piece = pieces.shift() ?? '';
    if (/^\s$|^&$/.test(piece)) continue;
    if (piece !== '_' && piece !== '^') {
      made.push(one(piece, pieces));
      continue;
    }
    const base = made.pop() ?? element('mrow');
    const script = element(piece === '_' ? 'msub' : 'msup');
    script.append(base, one(pieces.shift() ?? '', pieces));
    made.push(script);
  }
  return made;
}

function one(piece: string, pieces: string[]): Element {
  if (piece === '{') return group(pieces);
  if (!piece.startsWith('\\')) {
    return element(/\d/.test(piece) ? 'mn' : /\p{L}/u.test(piece) ? 'mi' : 'mo', piece);
  }
  const name = piece.slice(1);
  const count = COMMANDS[name];
  if (count === undefined) return element('mo', SYMBOLS[name] ?? name);
  const [first = '', second = ''] = Array.from({ length: count }, () => braced(pieces));
  if (name in ACCENTS) return holding('mover', first, ACCENTS[name] ?? '');
  if (name === 'frac') return holding('mfrac', first, second);
  if (name === 'sqrt') return holding('msqrt', first);
  if (name === 'begin' || name === 'end') return element('mrow');
  if (count === 1) return element('mtext', first);
  const inner = holding('mrow', second);
  if (name === 'style') inner.setAttribute('style', first);
  if (name === 'class') inner.setAttribute('class', first);
  if (name === 'cssId') inner.setAttribute('id', first);
  if (name !== 'href') return inner;
  const link = document.createElement('a');
  link.href = first;
  link.append(inner);
  const text = element('mtext');
  text.append(link);
  return text;
}

function holding(name: string, ...sources: string[]): Element {
  const made = element(name);
  for (const source of sources) {
    const pieces = source.match(/\\(?:[a-zA-Z]+|[^])|[\s\S]/g) ?? [];
    const part = element('mrow');
    part.append(...row(pieces, () => pieces.length === 0));
    made.append(part);
  }
  return made;
}

function group(pieces: string[]): Element {
  const made = element('mrow');
  made.append(...row(pieces, () => pieces.length === 0 || pieces[0] === '}'));
  pieces.shift();
  return made;
}

/** Content of the next pair of braces, or the next character. */
function braced(pieces: string[]): string {
  if (pieces[0] !== '{') return pieces.shift() ?? '';
  let text = '';
  let depth = 0;
  while (pieces.length > 0) {
    const piece = pieces.shift() ?? '';
    if (piece === '{') depth += 1;
    if (piece === '}') depth -= 1;
    if (depth === 0) break;
    text += piece;
  }
  return text.slice(1);
}

function element(name: string, text = ''): Element {
  const made = document.createElementNS('http://www.w3.org/1998/Math/MathML', name);
  made.textContent = text;
  return made;
}
