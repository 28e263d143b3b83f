/** Lucide icons under Obsidian's names, and icons that plugins add. */
import { icons, type IconNode } from 'lucide';

const SVG = 'http://www.w3.org/2000/svg';
const added = new Map<string, string>();
const byName = new Map<string, IconNode>(
  Object.entries(icons).map(([name, node]) => [dashed(name), node]),
);

export function drawIcon(icon: string): SVGSVGElement | null {
  const name = icon.replace(/^lucide-/, '');
  const own = added.get(icon);
  const node = byName.get(name);
  if (own === undefined && !node) return null;
  const svg = document.createElementNS(SVG, 'svg');
  set(svg, {
    class: `svg-icon lucide-${name}`,
    ...{ width: 24, height: 24, viewBox: own === undefined ? '0 0 24 24' : '0 0 100 100' },
    ...{ fill: 'none', stroke: 'currentColor', 'stroke-width': 2 },
    ...{ 'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true' },
  });
  if (own !== undefined) svg.innerHTML = own;
  for (const [tag, attributes] of node ?? []) {
    const part = document.createElementNS(SVG, tag);
    set(part, attributes);
    svg.append(part);
  }
  return svg;
}

export function addIcon(name: string, svg: string): void {
  added.set(name, svg);
}

export function removeIcon(name: string): void {
  added.delete(name);
}

export function getIconIds(): string[] {
  return [...[...byName.keys()].map((name) => `lucide-${name}`), ...added.keys()];
}

function set(element: Element, attributes: Record<string, string | number | undefined>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, String(value));
  }
}

function dashed(name: string): string {
  return name
    .replace(/([a-z])([A-Z0-9])/g, '$1-$2')
    .replace(/([0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
