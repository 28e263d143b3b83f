/** Describes a canvas in text: cards from top to bottom, the contents of groups, and arrows. */
import { counted } from '#messages/plural';
import { type CanvasItem, readCanvas } from '#text/canvas';

interface Card {
  readonly id: string;
  readonly number: number;
  readonly node: CanvasItem;
}

/** Lines of the description, totals first; null if the text is not a canvas. */
export function canvasLines(text: string): string[] | null {
  const canvas = readCanvas(text);
  if (!canvas) return null;
  const cards = inReadingOrder(canvas.nodes);
  const byId = new Map(cards.map((card) => [card.id, card]));
  const arrows = canvas.edges.map((edge) => arrowLine(edge, byId));
  return [
    `Canvas with ${counted(cards.length, 'card')} and ${counted(arrows.length, 'arrow')}.`,
    ...cards.flatMap((card) => cardLines(card, cards)),
    ...(arrows.length > 0 ? ['Arrows:', ...arrows] : []),
  ];
}

/** Sorts cards from top to bottom, and from left to right at the same height. */
function inReadingOrder(nodes: readonly CanvasItem[]): Card[] {
  const sorted = [...nodes].sort(
    (a, b) => number(a['y']) - number(b['y']) || number(a['x']) - number(b['x']),
  );
  return sorted.map((node, place) => ({ id: string(node['id']), number: place + 1, node }));
}

function cardLines(card: Card, cards: readonly Card[]): string[] {
  const { node } = card;
  const start = `[${card.number}]`;
  switch (node['type']) {
    case 'text': {
      const [first = '', ...rest] = string(node['text']).split(/\r?\n/);
      return [`${start} text: ${first}`, ...rest.map((line) => `    ${line}`)];
    }
    case 'file':
      return [`${start} file: ${string(node['file'])}${string(node['subpath'])}`];
    case 'link':
      return [`${start} web page: ${string(node['url'])}`];
    case 'group': {
      const inside = cards.filter((other) => other !== card && holds(node, other.node));
      const label = string(node['label']) || '(no name)';
      const list = inside.map((other) => `[${other.number}]`).join(' ');
      return [`${start} group: ${label}${list === '' ? ', empty' : `, holds ${list}`}`];
    }
    default:
      return [`${start} ${string(node['type']) || 'card of an unknown kind'}`];
  }
}

function arrowLine(edge: CanvasItem, cards: ReadonlyMap<string, Card>): string {
  const end = (id: unknown) => {
    const card = cards.get(string(id));
    return card ? `[${card.number}]` : '(a card that is gone)';
  };
  const head = edge['toEnd'] === 'none' ? '—' : edge['fromEnd'] === 'arrow' ? '<->' : '->';
  const label = string(edge['label']);
  return `${end(edge['fromNode'])} ${head} ${end(edge['toNode'])}${label === '' ? '' : `: ${label}`}`;
}

function holds(group: CanvasItem, node: CanvasItem): boolean {
  const within = (from: string, size: string) => {
    const start = number(group[from]);
    return (
      number(node[from]) >= start &&
      number(node[from]) + number(node[size]) <= start + number(group[size])
    );
  };
  return within('x', 'width') && within('y', 'height');
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
