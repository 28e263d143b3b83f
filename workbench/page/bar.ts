/** The bar at the top, which says what is real in the workbench and what is not. */
import { setIcon } from '#workbench/obsidian/icons';
import type { Session } from '#workbench/server/session';
import { toggleTheme } from './theme';

export interface BarActions {
  openSettings(): void;
  openModel(): void;
  openSmartHole(): void;
}

export function drawBar(parent: HTMLElement, session: Session, actions: BarActions): void {
  const bar = parent.createEl('header', { cls: 'workbench-bar' });
  bar.createSpan({ cls: 'workbench-bar-name', text: 'Workbench' });
  const facts = bar.createDiv('workbench-bar-facts');
  const fact = (kind: 'real' | 'pretend', icon: string, text: string, title: string): void => {
    const el = facts.createSpan({ cls: `workbench-fact mod-${kind}`, attr: { title } });
    setIcon(el.createSpan('workbench-fact-icon'), icon);
    el.createSpan({ text });
  };
  fact('real', 'folder', session.base, 'Real: this folder. What you and Parley write lands there.');
  fact('real', 'package', 'The built plugin', 'Real: the same main.js that Obsidian would load.');
  if (session.hasStandIn) {
    fact(
      'pretend',
      'flask-conical',
      'Demo model, not Claude',
      'A few rules. Set ANTHROPIC_API_KEY for Claude.',
    );
  } else {
    fact('real', 'sparkles', session.model, 'Real: requests go there.');
  }
  if (session.hasPretendSmartHole) {
    fact('pretend', 'mic', 'Pretend SmartHole', 'Type into its panel what you would say.');
  } else {
    fact('real', 'mic', 'SmartHole', 'Real: what you speak comes from there.');
  }
  fact('pretend', 'app-window', 'Not Obsidian', 'A stand-in that looks roughly like it.');
  const buttons = bar.createDiv('workbench-bar-buttons');
  const button = (icon: string, label: string, press: () => void): void => {
    const el = buttons.createEl('button', {
      cls: 'clickable-icon',
      attr: { 'aria-label': label, title: label },
    });
    setIcon(el, icon);
    el.addEventListener('click', press);
  };
  if (session.hasStandIn) button('flask-conical', 'Model stand-in', actions.openModel);
  if (session.hasPretendSmartHole) button('mic', 'Pretend SmartHole', actions.openSmartHole);
  button('sun-moon', 'Light or dark', toggleTheme);
  button('settings', 'Settings', actions.openSettings);
}
