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

/** No Node: what asks for it is told so, and does without. */
export const pageModules: ModuleSource = (name) =>
  name === 'obsidian' ? obsidian : hostModules(name);
