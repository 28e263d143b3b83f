/** No use of Obsidian without a question, and no question about what is not used. */
import type ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import '#workbench/boot-headless';
import { questionsIn } from './asked';
import { apiReader, type ApiUse } from './published-api';
import { QUESTIONS } from './questions';
import { componentScripts, programOf, sourcesIn } from './sources';
import { compareTypes, missingExports } from './stand-ins';

/** What the plugin knows of Obsidian beyond its published types; each use allows for its absence. */
const UNPUBLISHED = [
  'App.commands',
  'App.dragManager',
  'App.setting',
  'Editor.cm',
  'MarkdownView.dirty',
  'Vault.getConfig',
];

/** Without a screen no note is in an editor, no settings are drawn and no menu goes. */
const ON_SCREEN_ONLY = [
  /^(Editor|FileView|TextFileView|MarkdownView\.)/,
  /^(App\.(setting|dragManager)$|SettingTab\.icon|PluginSettingTab\..*ControlValue)/,
  /^Setting(Definition(Render|Page|List|AddItem|Group\.visible)|\w*Control)/,
  /^(Menu\.onHide|Plugin\.registerObsidianProtocolHandler)$/,
  /^(loadMathJax|renderMath|finishRenderMath|loadPrism|loadMermaid|Vault\.getResourcePath)$/,
  /^(Markdown(PostProcessorContext|SectionInformation)\.|editorLivePreviewField$)/,
  /^(View\.(containerEl|leaf|setEphemeralState)|ViewState\.state|OpenViewState\.eState|Workspace\.(getLeftLeaf|getMostRecentLeaf|setActiveLeaf)|focus$|Command\.editorCheckCallback)$/,
];

const ASKING = sourcesIn('tests/workbench/contract/questions');
const SCRIPTS = componentScripts('components');
const PRODUCT = [...sourcesIn('src', 'stores', 'components'), ...SCRIPTS.keys()];

let program: ts.Program;
let used: Map<string, ApiUse>;
let usedByQuestion: Map<string, Set<string>>;

beforeAll(() => {
  program = programOf([...PRODUCT, ...ASKING], { made: SCRIPTS });
  const read = apiReader(program);
  const uses = PRODUCT.flatMap((file) => read(sourceOf(file)));
  // The first of each name says where to look.
  used = new Map(uses.reverse().map((use) => [use.name, use]));
  usedByQuestion = new Map(ASKING.flatMap((file) => questionsIn(sourceOf(file), read)));
}, 60_000);

test('every member of Obsidian’s API that the plugin uses has a question', () => {
  const asked = new Set(QUESTIONS.flatMap(({ about }) => about));
  const missing = [...used.values()].filter(({ name }) => !asked.has(name));
  expect(missing.map(({ name, place }) => `${name} in ${place}`)).toEqual([]);
});

test('only what needs a screen is asked on a screen alone', () => {
  const everywhere = QUESTIONS.filter(({ onScreen }) => !onScreen).flatMap(({ about }) => about);
  const onScreenOnly = [...used.keys()].filter((name) => !everywhere.includes(name));
  const others = onScreenOnly.filter((name) => !ON_SCREEN_ONLY.some((each) => each.test(name)));
  expect(others).toEqual([]);
});

test('the plugin uses nothing beyond the published types but what is known', () => {
  const beyond = [...used.values()].filter(({ published }) => published === null);
  expect(beyond.map(({ name }) => name).sort()).toEqual(UNPUBLISHED);
});

test('a question uses what it is about, and the plugin does, too', () => {
  const wrong = QUESTIONS.flatMap(({ name, about }) =>
    about
      .filter((each) => !usedByQuestion.get(name)?.has(each) || !used.has(each))
      .map((each) => `${each}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the stand-in has every class, function and member, each with a type that fits the published one', () => {
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
