/** All behavior of Obsidian that the plugin relies on, as questions for any host. */
import type { ContractQuestion } from './question';
import { adapterQuestions } from './questions/adapter';
import { drawingQuestions } from './questions/drawing';
import { editorQuestions } from './questions/editor';
import { fileManagerQuestions } from './questions/file-manager';
import { keyQuestions } from './questions/keys';
import { loaderQuestions } from './questions/loaders';
import { metadataQuestions } from './questions/metadata';
import { pluginQuestions } from './questions/plugin';
import { settingsQuestions } from './questions/settings';
import { startQuestions } from './questions/start';
import { uiQuestions } from './questions/ui';
import { vaultQuestions } from './questions/vault';
import { workspaceQuestions } from './questions/workspace';

export const QUESTIONS: readonly ContractQuestion[] = [
  ...vaultQuestions,
  ...adapterQuestions,
  ...fileManagerQuestions,
  ...metadataQuestions,
  ...startQuestions,
  ...pluginQuestions,
  ...workspaceQuestions,
  ...keyQuestions,
  ...editorQuestions,
  ...drawingQuestions,
  ...loaderQuestions,
  ...settingsQuestions,
  ...uiQuestions,
];
