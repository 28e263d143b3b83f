import * as codemirrorAutocomplete from '@codemirror/autocomplete';
import * as codemirrorCommands from '@codemirror/commands';
import * as codemirrorLanguage from '@codemirror/language';
import * as codemirrorState from '@codemirror/state';
import * as codemirrorView from '@codemirror/view';
import * as lezerCommon from '@lezer/common';
import * as lezerHighlight from '@lezer/highlight';
import * as obsidian from './obsidian/module';
import type { ModuleSource } from './plugin-loader';

/**
 * The modules that the app hands to plugins. They must be the very copies that the host uses:
 * CodeMirror refuses extensions made by another copy, and `instanceof` would silently fail.
 */
const modules: Record<string, unknown> = {
  // Spread, because plugins may assign to what the app gives them and a namespace is frozen.
  obsidian: { ...obsidian },
  '@codemirror/autocomplete': codemirrorAutocomplete,
  '@codemirror/commands': codemirrorCommands,
  '@codemirror/language': codemirrorLanguage,
  '@codemirror/state': codemirrorState,
  '@codemirror/view': codemirrorView,
  '@lezer/common': lezerCommon,
  '@lezer/highlight': lezerHighlight,
};

export const hostModules: ModuleSource = (name) => modules[name];
