/** Creates an icon by name; null if there is none. */
export type IconSource = (icon: string) => SVGSVGElement | null;

let source: IconSource = blankIcon;

/** Sets the source of icons, which the shell provides; without one they are blank. */
export function setIconSource(next: IconSource): void {
  source = next;
}

export function setIcon(parent: HTMLElement, icon: string): void {
  const svg = getIcon(icon);
  if (svg) parent.replaceChildren(svg);
}

export function getIcon(icon: string): SVGSVGElement | null {
  return icon ? source(icon) : null;
}

/** An empty icon with the right class and size. */
export function blankIcon(icon: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', `svg-icon lucide-${icon.replace(/^lucide-/, '')}`);
  svg.setAttribute('viewBox', '0 0 24 24');
  return svg;
}
