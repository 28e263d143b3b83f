/** The panel's surroundings in a plain page: Lucide's icons, and everything else said in the console of the gallery. */
import * as lucide from 'lucide';
import type { Ui } from '#ports/ui';

type IconNode = Parameters<typeof lucide.createElement>[0];

export interface PageUi extends Ui {
  /** What was asked of it, by verb. */
  readonly asked: [verb: string, ...given: unknown[]][];
  key: boolean;
  /** What the person was told already. */
  readonly told: Set<string>;
}

export function pageUi(options: { key?: boolean; told?: readonly string[] } = {}): PageUi {
  const asked: PageUi['asked'] = [];
  const ui: PageUi = {
    asked,
    key: options.key ?? true,
    told: new Set(options.told ?? ['modes']),
    setIcon(element, name) {
      const found = (lucide.icons as Record<string, IconNode>)[pascal(name)];
      if (!found) {
        element.textContent = `?${name}`;
        return;
      }
      const svg = lucide.createElement(found);
      svg.setAttribute('class', 'svg-icon');
      element.replaceChildren(svg);
    },
    menu: (_anchor, items) => void asked.push(['menu', items]),
    openNote: (link, where) => void asked.push(['openNote', link, where]),
    previewNote: (_event, link) => void asked.push(['previewNote', link]),
    notice: (text) => void asked.push(['notice', text]),
    openSettings: () => void asked.push(['openSettings']),
    wasTold: (name) => ui.told.has(name),
    setTold: (name) => void ui.told.add(name),
    copy: async (text) => void asked.push(['copy', text]),
    hasKey: () => ui.key,
    saveKey(key) {
      asked.push(['saveKey', key]);
      ui.key = true;
    },
  };
  return ui;
}

function pascal(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
