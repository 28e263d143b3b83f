/** An element of the right name and size; the picture comes with a shell. */
export function setIcon(parent: HTMLElement, icon: string): void {
  const svg = getIcon(icon);
  if (svg) parent.replaceChildren(svg);
}

export function getIcon(icon: string): SVGSVGElement | null {
  if (!icon) return null;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', `svg-icon lucide-${icon.replace(/^lucide-/, '')}`);
  svg.setAttribute('viewBox', '0 0 24 24');
  return svg;
}
