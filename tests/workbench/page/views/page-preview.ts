/** The core plugin "Page preview", without a delay and until the next preview. */
import type { HoverParent } from 'obsidian';
import type { WorkbenchApp } from '../../obsidian/app';

interface HoveredLink {
  readonly event: MouseEvent;
  readonly hoverParent: HoverParent;
  readonly targetEl: HTMLElement;
  readonly linktext: string;
}

/** Links that are hovered with the Mod key show their note; each parent keeps one preview. */
export function addPagePreview({ workspace, metadataCache, vault }: WorkbenchApp): void {
  const show = async ({ event, hoverParent, targetEl, linktext }: HoveredLink): Promise<void> => {
    const file = metadataCache.getFirstLinkpathDest(linktext.split('#')[0] ?? '', '');
    if (!file || !(event.ctrlKey || event.metaKey)) return;
    hoverParent.hoverPopover?.unload();
    const hoverEl = targetEl.ownerDocument.body.createDiv('popover hover-popover');
    const { top, left } = targetEl.getBoundingClientRect();
    Object.assign(hoverEl.style, { top: `${top + 24}px`, left: `${left}px` });
    hoverEl.setText(await vault.cachedRead(file));
    const preview = { hoverEl, unload: () => hoverEl.remove() };
    Object.assign(hoverParent, { hoverPopover: preview });
  };
  workspace.on('hover-link', (link) => void show(link as HoveredLink));
}
