/**
 * The modules that plugins may `require` in the page: those of the headless host, and what needs a
 * screen.
 */
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
 * The page has no Node. Bundled packages import `node:` modules at the top and use them only if
 * Node exists, so these are empty. Other built-in modules are missing, and the plugin does without
 * them.
 */
export const pageModules: ModuleSource = (name) => {
  if (name === 'obsidian') return obsidian;
  return name.startsWith('node:') ? {} : hostModules(name);
};
