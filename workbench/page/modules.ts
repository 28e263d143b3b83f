/** What plugins may `require` in the page: as without a screen, and what a screen adds. */
import type { ModuleSource } from '#workbench/plugin-loader';
import { hostModules } from '#workbench/plugin-modules';
import * as functions from './functions';
import { addIcon, getIconIds, removeIcon } from './icons';

const obsidian = {
  ...(hostModules('obsidian') as object),
  ...functions,
  ...{ addIcon, getIconIds, removeIcon },
};

/**
 * The page has no Node. Bundled packages import `node:` modules at the top of the file and use them only where Node is,
 * so these are empty; any other built-in is missing, and the plugin does without.
 */
export const pageModules: ModuleSource = (name) => {
  if (name === 'obsidian') return obsidian;
  return name.startsWith('node:') ? {} : hostModules(name);
};
