/**
 * `loadMermaid` with flow charts as boxes in a column, and other diagrams as a box with their first
 * line. It is as permissive as Mermaid's least strict settings: labels are HTML, styles are
 * unchecked, and click actions become links.
 */

const SVG = 'http://www.w3.org/2000/svg';
const KINDS =
  /^(?:graph|flowchart|sequenceDiagram|classDiagram|stateDiagram(?:-v2)?|pie|gantt|mindmap|timeline|journey)\b/;
const EDGE = /\s*(?:-->|---|-\.->|==>)\s*(?:\|([^|]*)\|\s*)?/;
const NODE = /^([\w-]+)\s*(?:\[+"?(.*?)"?\]+|\(+"?(.*?)"?\)+|\{+"?(.*?)"?\}+)?$/;
const NODE_HEIGHT_PX = 36;
const NODE_DISTANCE_PX = 70;

interface Chart {
  readonly config: { readonly htmlLabels?: boolean; readonly themeCSS?: string };
  readonly nodes: ReadonlyMap<string, string>;
  readonly edges: readonly (readonly [from: string, to: string, label: string])[];
  readonly styles: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
}

function linesOf(source: string): string[] {
  return source
    .replace(/^---\n[^]*?\n---\n/, '')
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('%%'));
}

function read(source: string): Chart {
  const [, init = '{}'] = /%%\{\s*init:\s*([^]*?)\}%%/.exec(source) ?? [];
  const [nodes, styles, links] = [new Map(), new Map(), new Map()] as Map<string, string>[] as [
    Map<string, string>,
    Map<string, string>,
    Map<string, string>,
  ];
  const edges: [string, string, string][] = [];
  const [kind = '', ...lines] = linesOf(source);
  if (!/^(?:graph|flowchart)/.test(kind)) nodes.set('whole', kind);
  for (const line of nodes.size > 0 ? [] : lines) {
    const [word = '', name = '', ...rest] = line.split(/\s+/);
    if (word === 'style') styles.set(name, rest.join(' ').replaceAll(',', ';'));
    else if (word === 'click') links.set(name, rest.join(' ').replace(/^href\s*|"/g, ''));
    else readEdges(line, nodes, edges);
  }
  return { config: JSON.parse(init) as Chart['config'], nodes, edges, styles, links };
}

function readEdges(line: string, nodes: Map<string, string>, edges: Chart['edges']): void {
  let before = '';
  let label = '';
  for (const [at, part] of line.split(EDGE).entries()) {
    if (at % 2 === 1) {
      label = part ?? '';
      continue;
    }
    const [, name = '', ...labels] = NODE.exec(part?.trim() ?? '') ?? [];
    if (name === '') continue;
    const text = labels.find((each) => each !== undefined);
    if (text !== undefined || !nodes.has(name)) nodes.set(name, text ?? name);
    if (before !== '') (edges as [string, string, string][]).push([before, name, label]);
    before = name;
  }
}

function draw(id: string, chart: Chart): string {
  const svg = make('svg', { id, class: 'flowchart', role: 'graphics-document document' });
  const places = new Map([...chart.nodes.keys()].map((name, at) => [name, at * NODE_DISTANCE_PX]));
  const width = Math.max(120, ...[...chart.nodes.values()].map((label) => 24 + label.length * 8));
  svg.setAttribute('viewBox', `0 0 ${width + 60} ${chart.nodes.size * NODE_DISTANCE_PX}`);
  svg.setAttribute('width', `${width + 60}`);
  const style = make('style', {});
  style.textContent = `#${id} rect{fill:#ececff;stroke:#9370db}#${id} text{fill:#333;font:14px sans-serif}#${id} path{stroke:#888;fill:none}${chart.config.themeCSS ?? ''}`;
  svg.append(style);
  for (const [from, to, label] of chart.edges) {
    const [start, end] = [(places.get(from) ?? 0) + NODE_HEIGHT_PX + 2, (places.get(to) ?? 0) + 2];
    const [side, middle] = [
      width / 2 + (end - start > NODE_DISTANCE_PX || end < start ? width / 2 + 30 : 0),
      (start + end) / 2,
    ];
    const d = `M${width / 2} ${start}Q${side} ${middle} ${width / 2} ${end}`;
    svg.append(make('path', { class: 'flowchart-link', d }));
    const place = { class: 'edgeLabel', x: `${width / 2 + 8}`, y: `${middle + 4}` };
    if (label) svg.append(make('text', place, label));
  }
  for (const [name, label] of chart.nodes) {
    const y = (places.get(name) ?? 0) + 2;
    const group = make('g', { class: 'node', id: `flowchart-${name}` });
    const box = make('rect', {
      x: '2',
      y: `${y}`,
      width: `${width - 4}`,
      height: `${NODE_HEIGHT_PX}`,
      rx: '4',
    });
    const own = chart.styles.get(name);
    if (own) box.setAttribute('style', own);
    group.append(box, labelOf(label, chart, width, y));
    const link = chart.links.get(name);
    if (!link) svg.append(group);
    else {
      const anchor = make('a', { href: link });
      anchor.append(group);
      svg.append(anchor);
    }
  }
  return svg.outerHTML;
}

function labelOf(label: string, { config }: Chart, width: number, y: number): Element {
  const place = { x: `${width / 2}`, y: `${y + 23}`, 'text-anchor': 'middle' };
  if (config.htmlLabels === false) return make('text', place, label.replace(/<br *\/?>/g, ' '));
  const holder = make('foreignObject', {
    x: '2',
    y: `${y}`,
    width: `${width}`,
    height: `${NODE_HEIGHT_PX}`,
  });
  holder.innerHTML = `<div xmlns="http://www.w3.org/1999/xhtml">${label}</div>`;
  return holder;
}

function make(name: string, attributes: Readonly<Record<string, string>>, text = ''): Element {
  const made = document.createElementNS(SVG, name);
  for (const [each, value] of Object.entries(attributes)) made.setAttribute(each, value);
  made.textContent = text;
  return made;
}

const mermaid = {
  async parse(source: string): Promise<boolean> {
    return KINDS.test(linesOf(source)[0] ?? '');
  },
  /** Attaches the diagram to the document while rendering, as Mermaid does to measure it. */
  async render(id: string, source: string): Promise<{ svg: string }> {
    const place = document.createElement('div');
    const svg = draw(id, read(source));
    place.innerHTML = svg;
    document.body.append(place);
    place.getBoundingClientRect();
    place.remove();
    return { svg };
  },
};

export async function loadMermaid(): Promise<unknown> {
  return mermaid;
}
