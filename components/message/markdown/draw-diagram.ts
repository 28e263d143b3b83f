/** Draws a Mermaid diagram below its source, in the colors of the theme. */
import { isUnsafeDiagram } from '#text/embedded-languages';
import type { Ui } from '#ports/ui';
import { cleanDiagram } from './sanitize';

/** Labels as SVG text, not as HTML inside it. */
const PLAIN =
  '%%{init: {"securityLevel": "strict", "htmlLabels": false, "flowchart": {"htmlLabels": false}}}%%\n';

/**
 * Mermaid's colors are fixed when a diagram is drawn, so they may not suit the theme. Colors set by
 * the author stay, and so do diagrams that use color as data, such as pie charts.
 */
const DIAGRAM_STYLE = `
:is(.node:not(.mindmap-node), .cluster) > :is(rect, circle, ellipse, polygon, path):not([style*='fill']),
rect:is(.actor, .note, .labelBox), polygon.labelBox {
  fill: var(--background-secondary) !important;
  stroke: var(--text-faint) !important;
}
:is(.edgeLabel, .labelBkg) rect, rect.labelBkg {
  fill: var(--background-primary) !important;
  opacity: 1 !important;
}
:is(.node:not(.mindmap-node), .cluster, .edgeLabel) :is(text, tspan):not([style*='fill']),
text:is(.edgeLabel, .actor, .messageText, .noteText, .loopText, .labelText, .flowchartTitleText),
:is(text.actor, .loopText, .labelText, .noteText) > tspan {
  fill: var(--text-normal) !important;
}
:is(.flowchart-link, .relation, .transition, .messageLine0, .messageLine1, .loopLine, .actor-line):not([style*='stroke:']),
.edgePath path {
  stroke: var(--text-muted) !important;
}
.marker, .marker path, marker path {
  fill: var(--text-muted) !important;
  stroke: var(--text-muted) !important;
}`;

export async function drawDiagram(
  pre: Element,
  text: string,
  window: Window,
  ui: Ui,
): Promise<void> {
  const svg = isUnsafeDiagram(text) ? null : await ui.diagram(PLAIN + text);
  if (svg === null || !pre.isConnected) return;
  const place = window.document.createElement('div');
  place.className = 'mermaid';
  const style = window.document.createElement('style');
  style.textContent = DIAGRAM_STYLE;
  // Its styles and ids apply inside only.
  place.attachShadow({ mode: 'open' }).append(cleanDiagram(svg, window), style);
  pre.after(place);
  pre.setAttribute('hidden', '');
}
