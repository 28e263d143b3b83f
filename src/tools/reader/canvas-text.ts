/** Describes a canvas in text: cards from top to bottom, the contents of groups, and arrows. */
import { isRecord } from '#text/untrusted-text';
import { counted } from '#messages/plural';

interface Card {
  readonly id: string;
  readonly number: number;
  readonly node: Readonly<Record<string, unknown>>;
}

/** Lines of the description, totals first; null if the text is not a canvas. */
export function canvasLines(text: string): string[] | null {
  const canvas = parsed(text);
  if (!canvas) return null;
  const cards = inReadingOrder(canvas.nodes);
  const byId = new Map(cards.map((approval) => [approval.id, approval]));
  const arrows = canvas.edges.map((edge) => arrowLine(edge, byId));
  return [
    `Canvas with ${counted(cards.length, 'card')} and ${counted(arrows.length, 'arrow')}.`,
    ...cards.flatMap((approval) => cardLines(approval, cards)),
    ...(arrows.length > 0 ? ['Arrows:', ...arrows] : []),
  ];
}

function parsed(text: string): { nodes: Node[]; edges: Node[] } | null {
  if (text.trim() === '') return { nodes: [], edges: [] };
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (!isRecord(value)) return null;
    const records = (list: unknown) => (Array.isArray(list) ? list.filter(isRecord) : []);
    return { nodes: records(value['nodes']), edges: records(value['edges']) };
  } catch {
    return null;
  }
}

type Node = Readonly<Record<string, unknown>>;

/** Sorts cards from top to bottom, and from left to right at the same height. */
function inReadingOrder(nodes: readonly Node[]): Card[] {
  const sorted = [...nodes].sort(
    (a, b) => number(a['y']) - number(b['y']) || number(a['x']) - number(b['x']),
  );
  return sorted.map((node, place) => ({ id: string(node['id']), number: place + 1, node }));
}

function cardLines(approval: Card, cards: readonly Card[]): string[] {
  const { node } = approval;
  const start = `[${approval.number}]`;
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
      const inside = cards.filter((other) => other !== approval && holds(node, other.node));
      const label = string(node['label']) || '(no name)';
      const list = inside.map((other) => `[${other.number}]`).join(' ');
      return [`${start} group: ${label}${list === '' ? ', empty' : `, holds ${list}`}`];
    }
    default:
      return [`${start} ${string(node['type']) || 'card of an unknown kind'}`];
  }
}

function arrowLine(edge: Node, cards: ReadonlyMap<string, Card>): string {
  const end = (id: unknown) => {
    const approval = cards.get(string(id));
    return approval ? `[${approval.number}]` : '(a card that is gone)';
  };
  const head = edge['toEnd'] === 'none' ? '—' : edge['fromEnd'] === 'arrow' ? '<->' : '->';
  const label = string(edge['label']);
  return `${end(edge['fromNode'])} ${head} ${end(edge['toNode'])}${label === '' ? '' : `: ${label}`}`;
}

function holds(group: Node, node: Node): boolean {
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
