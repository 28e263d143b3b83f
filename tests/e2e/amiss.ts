/**
 * Layout and accessibility checks for gallery scenes. They run in the page, so they can use only
 * their arguments.
 */
import type axe from 'axe-core';

export interface SceneLooks {
  /** Classes of the body by theme name. */
  readonly themes: Readonly<Record<string, readonly string[]>>;
  /** Widths in pixels, the narrowest last. */
  readonly widths: readonly number[];
}

/**
 * Reports horizontal overflow at every width in every theme (in the first theme also from right to
 * left), and axe violations at the narrowest width: all rules in the first theme, color contrast in
 * the others.
 */
export async function sceneProblems({ themes, widths }: SceneLooks): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe };
  const stage = document.getElementById('gallery') as HTMLElement;
  const found: string[] = [];
  for (const [at, [theme, classes]] of Object.entries(themes).entries()) {
    document.body.className = ['alone', ...classes].join(' ');
    for (const direction of at === 0 ? ['rtl', 'ltr'] : ['ltr']) {
      stage.dir = direction;
      for (const width of widths) {
        stage.style.width = `${width}px`;
        found.push(...cutOff().map((words) => `${theme}, ${direction}, ${width}: ${words}`));
      }
    }
    const colours: axe.RunOptions = { runOnly: ['color-contrast'] };
    found.push(...(await violations(at === 0 ? {} : colours)).map((words) => `${theme}: ${words}`));
  }
  return found;

  async function violations(options: axe.RunOptions): Promise<string[]> {
    const { violations: all } = await checker.run(stage, {
      ...options,
      resultTypes: ['violations'],
    });
    return all.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html}\n${failureSummary}`),
    );
  }

  function cutOff(): string[] {
    const cutters = new Map<Element, HTMLElement>();
    return [...stage.querySelectorAll<HTMLElement>('*')]
      .filter((element) => !(element instanceof SVGElement) && !element.matches('option, datalist'))
      .flatMap((element) => {
        const box = element.getBoundingClientRect();
        if (box.width <= 1 || box.height <= 1 || !element.checkVisibility()) return [];
        const cutter = cutterOf(element.parentElement ?? stage, cutters);
        const edge = cutter.getBoundingClientRect();
        const out = Math.max(box.right - edge.right, edge.left - box.left);
        return out > 1 && !mayCut(cutter)
          ? [`${Math.round(out)} px of ${named(element)} are outside of ${named(cutter)}`]
          : [];
      });
  }

  /** The nearest element that clips its overflow: this one or an ancestor. */
  function cutterOf(around: HTMLElement, known: Map<Element, HTMLElement>): HTMLElement {
    const before = known.get(around);
    if (before) return before;
    const cuts = around === stage || getComputedStyle(around).overflowX !== 'visible';
    const cutter = cuts ? around : cutterOf(around.parentElement ?? stage, known);
    known.set(around, cutter);
    return cutter;
  }

  /**
   * Whether the element scrolls sideways, truncates with an ellipsis, or is for screen readers
   * only.
   */
  function mayCut(element: HTMLElement): boolean {
    const { opacity, textOverflow } = getComputedStyle(element);
    return (
      textOverflow === 'ellipsis' ||
      opacity === '0' ||
      element.matches('pre, textarea, .parley-table, .math-block, .mermaid')
    );
  }

  function named(element: HTMLElement): string {
    const words = element.innerText.slice(0, 40).replace(/\s+/g, ' ');
    return `<${element.localName} class="${element.className}"> ${words}`;
  }
}
