/** Frame of the page: ribbon, resizable and collapsible sidebars, and status bar. */
import { setIcon } from '#workbench/obsidian/icons';

export type SideName = 'left' | 'right';

export class Frame {
  readonly el = createDiv('app-container');
  readonly ribbon: HTMLElement;
  readonly left: HTMLElement;
  readonly root: HTMLElement;
  readonly right: HTMLElement;
  readonly statusBar: HTMLElement;
  /** Called after a sidebar was opened or closed. */
  resized = (): void => undefined;

  constructor(parent: HTMLElement) {
    parent.append(this.el);
    const main = this.el.createDiv('horizontal-main-container');
    this.ribbon = main.createDiv('workspace-ribbon side-dock-ribbon mod-left');
    const workspace = main.createDiv('workspace');
    this.left = workspace.createDiv('workspace-split mod-horizontal mod-left-split mod-sidedock');
    this.root = workspace.createDiv('workspace-split mod-vertical mod-root');
    this.right = workspace.createDiv('workspace-split mod-horizontal mod-right-split mod-sidedock');
    this.statusBar = this.el.createDiv('status-bar');
    this.#addHandle('left');
    this.#addHandle('right');
    this.close('right');
    for (const side of ['left', 'right'] as const) {
      const button = this.ribbon.createEl('button', {
        cls: 'clickable-icon side-dock-ribbon-action',
        attr: { 'aria-label': `Toggle the ${side} side`, title: `Toggle the ${side} side` },
      });
      setIcon(button, `panel-${side}`);
      button.addEventListener('click', () => this.toggle(side));
    }
  }

  open(side: SideName): void {
    this.#collapse(side, false);
  }

  close(side: SideName): void {
    this.#collapse(side, true);
  }

  toggle(side: SideName): void {
    this.#collapse(side, !this.isClosed(side));
  }

  #collapse(side: SideName, isCollapsed: boolean): void {
    if (this.isClosed(side) === isCollapsed) return;
    this[side].toggleClass('is-collapsed', isCollapsed);
    window.setTimeout(() => this.resized());
  }

  isClosed(side: SideName): boolean {
    return this[side].hasClass('is-collapsed');
  }

  /** Adds the members of Obsidian's side splits to the object that plugins use. */
  serveSide(side: SideName, split: object): void {
    Object.defineProperty(split, 'collapsed', { get: () => this.isClosed(side) });
    Object.assign(split, {
      collapse: () => this.close(side),
      expand: () => this.open(side),
      toggle: () => this.toggle(side),
    });
  }

  #addHandle(side: SideName): void {
    const handle = this[side].createDiv({
      cls: 'workspace-leaf-resize-handle',
      attr: { role: 'separator', 'aria-label': `Width of the ${side} side`, tabindex: '0' },
    });
    const resize = (width: number): void => {
      this[side].style.width = `${Math.max(180, Math.min(width, innerWidth * 0.6))}px`;
    };
    handle.addEventListener('pointerdown', (down) => {
      // Otherwise the drag selects text of the notes.
      down.preventDefault();
      handle.setPointerCapture(down.pointerId);
      const { left, right } = this[side].getBoundingClientRect();
      const move = ({ clientX }: PointerEvent): void =>
        resize(side === 'left' ? clientX - left : right - clientX);
      handle.addEventListener('pointermove', move);
      handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), {
        once: true,
      });
    });
    handle.addEventListener('keydown', ({ key }) => {
      const step = { ArrowLeft: -20, ArrowRight: 20 }[key];
      if (step) resize(this[side].offsetWidth + (side === 'left' ? step : -step));
    });
  }
}
