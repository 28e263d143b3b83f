import type { WorkbenchApp } from '#workbench/obsidian/app';
import { setIcon } from '#workbench/obsidian/icons';
import type { Frame } from './workspace/frame';

/** Shows ribbon icons and status bar items of plugins, including those added later. */
export function showRegistrations({ registrations, workspace }: WorkbenchApp, frame: Frame): void {
  const { ribbonIcons, statusBarItems, editorExtensions } = registrations;
  onAdd(ribbonIcons, ({ icon, title, el }) => {
    setIcon(el, icon);
    el.setAttribute('role', 'button');
    el.title = title;
    el.tabIndex = 0;
    el.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter' || key === ' ') el.click();
    });
    frame.ribbon.append(el);
  });
  onAdd(statusBarItems, (el) => frame.statusBar.append(el));
  onAdd(editorExtensions, () => workspace.updateOptions());
}

function onAdd<Item>(items: Set<Item>, show: (item: Item) => void): void {
  for (const item of items) show(item);
  const add = items.add.bind(items);
  items.add = (item) => {
    add(item);
    show(item);
    return items;
  };
}
