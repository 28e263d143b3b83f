/** Checks that every use of Obsidian's API has a contract question, and every question a use. */
import type ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import '#workbench/boot-headless';
import { usesByQuestion } from './asked';
import { apiReader, type ApiUse } from './published-api';
import { QUESTIONS } from './questions';
import { componentScripts, createProgram, sourcesIn } from './sources';
import { compareTypes, missingExports } from './stand-ins';

/** Members outside Obsidian's published types; the plugin works without each of them. */
const UNPUBLISHED = [
  'App.commands',
  'App.dragManager',
  'App.setting',
  'Editor.cm',
  'MarkdownView.dirty',
  'MarkdownView.lastSavedData',
  'MarkdownView.saving',
  'Vault.getConfig',
];

/**
 * Members that only the browser host supports: the headless host has no editors, settings dialog or
 * visible menus.
 */
const ON_SCREEN_ONLY = [
  /^(Editor|FileView|TextFileView|MarkdownView\.)/,
  /^(App\.(setting|dragManager)$|SettingTab\.(icon|containerEl|settingItems|hide)|PluginSettingTab\..*ControlValue)/,
  /^Setting(Definition(Render|Page|List|AddItem|Group\.visible)|\w*Control)/,
  /^(SuggestModal|Modal(\.|$)|renderMatches$|HTMLElement\.(isShown|onWindowMigrated)$)/,
  /^(Menu\.onHide|Plugin\.registerObsidianProtocolHandler)$/,
  /^(loadMathJax|renderMath|finishRenderMath|loadPrism|loadMermaid|Vault\.getResourcePath)$/,
  /^(Markdown(PostProcessorContext|SectionInformation)\.|MarkdownFileInfo\.(file|editor)$|editor(Info|LivePreview)Field$)/,
  /^(View\.(containerEl|leaf|setEphemeralState)|ViewState\.state|OpenViewState\.eState|Workspace\.(getLeftLeaf|getMostRecentLeaf|setActiveLeaf)|focus$|Command\.editorCheckCallback|Workspace\.on\('(editor-menu|layout-change|resize)'\))$/,
  /^(Scope|Keymap|App\.(keymap|scope)$|View\.scope$|WorkspaceLeaf\.openFile$)/,
];

const ASKING = sourcesIn('tests/contract/questions');
const SCRIPTS = componentScripts('components');
const PRODUCT = [...sourcesIn('src', 'stores', 'components'), ...SCRIPTS.keys()];

let program: ts.Program;
let used: Map<string, ApiUse>;
let usedByQuestion: Map<string, Set<string>>;

beforeAll(() => {
  program = createProgram([...PRODUCT, ...ASKING], { made: SCRIPTS });
  const read = apiReader(program);
  const uses = PRODUCT.flatMap((file) => read(sourceOf(file)));
  // Reversed, so that each name keeps its first place in the sources.
  used = new Map(uses.reverse().map((use) => [use.name, use]));
  usedByQuestion = new Map(ASKING.flatMap((file) => usesByQuestion(sourceOf(file), read)));
});

test('every member of Obsidian’s API that the plugin uses has a question', () => {
  const asked = new Set(QUESTIONS.flatMap(({ about }) => about));
  const missing = [...used.values()].filter(({ name }) => !asked.has(name));
  expect(missing.map(({ name, place }) => `${name} in ${place}`)).toEqual([]);
});

test('only members that need a screen have on-screen questions alone', () => {
  const everywhere = QUESTIONS.filter(({ onScreen }) => !onScreen).flatMap(({ about }) => about);
  const onScreenOnly = [...used.keys()].filter((name) => !everywhere.includes(name));
  const others = onScreenOnly.filter((name) => !ON_SCREEN_ONLY.some((each) => each.test(name)));
  expect(others).toEqual([]);
});

test('the plugin uses only the listed members beyond the published types', () => {
  const beyond = [...used.values()].filter(({ published }) => published === null);
  expect(beyond.map(({ name }) => name).sort()).toEqual(UNPUBLISHED);
});

test('every member that a question is about is used by that question and by the plugin', () => {
  const wrong = QUESTIONS.flatMap(({ name, about }) =>
    about
      .filter((each) => !usedByQuestion.get(name)?.has(each) || !used.has(each))
      .map((each) => `${each}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the workbench host has every class, function and member, with types that fit the published ones', () => {
  const uses = [...used.values()];
  expect(missingExports(uses)).toEqual([]);
  const { count, misfits } = compareTypes(program, uses, SCRIPTS);
  expect(misfits).toEqual([]);
  expect(count).toBeGreaterThan(80);
});

function sourceOf(file: string): ts.SourceFile {
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} is not in the program.`);
  return source;
}
