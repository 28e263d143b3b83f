/**
 * Everything that reads foreign text on the main thread: texts of a vault, a model, a page, a
 * server or a user. Each takes one text and works through it as the product does.
 */
import { changePieces, readSide } from '#components/edits/change/read-change.ts';
import { sourceOf } from '#components/edits/change/source-diff.ts';
import { Blocks } from '#components/message/markdown/blocks.ts';
import { checkChange } from '#text/change-check';
import { textChanges } from '#text/text-changes';
import { mergeThreeWay } from '#text/three-way-merge';
import { wordDiff } from '#text/word-diff';
import type { ProposalId } from '#model/ids';
import { headingsIn, lineContexts } from '#text/note-structure';
import { nameForText, plainText } from '#text/plain-text';
import { isUnsafeDiagram, isForbiddenFormula } from '#text/embedded-languages';
import { delimited, neutralize } from '#text/untrusted-text';
import { hasLinkPlace, linkPlacesIn } from '#text/link-places';
import { allLinksIn, linksIn } from '#text/link-reader';
import { withPropertyValue } from '#text/yaml-splice';
import { proposeText } from '#model/edit/cut-edits';
import { ANY_DEVICE, readEdits } from '#model/edit/note-edits';
import { changeKind } from '#text/change-kind';
import { addedUncertainParts } from '#policy/uncertain-content';
import { readTaskLine } from '#text/task-fields';
import { tasksIn } from '#text/tasks';
import { compilePattern } from '#search/pattern';
import { compileGlob } from '#search/globs';
import { searchTextInSteps } from '#search/grep';
import { wordsOf } from '#search/tokenizer';
import { renderDiff } from '#tools/editor/edit/diff-text';
import { NoteView } from '#tools/editor/edit/note-view';
import { planEdits } from '#tools/editor/edit/edit-plan';
import { closestPassage } from '#text/closest-passage';
import { unreadBecause } from '#tools/editor/property-changes';
import { canvasLines } from '#tools/reader/canvas-text';
import { ShownNote } from '#tools/shown-notes';
import { saidText } from '#text/speech';
import { parseServerFrame } from '#voice/protocol';

/** One call, or a generator whose steps other work may follow. */
export type Work = (text: string) => unknown;

const ignore = () => undefined;
const anId = 'abcdef' as ProposalId;

/** A change near the middle, as an edit would make it. */
function changed(text: string): string {
  const middle = text.length >> 1;
  return `${text.slice(0, middle)}changed\n${text.slice(middle)}`;
}

/** A change of nearly everything. */
function rewritten(text: string): string {
  return text.split('\n').reverse().join('\n').replaceAll('a', 'e');
}

function* search(text: string, written: string): Generator<unknown> {
  const compiled = compilePattern(written);
  if (compiled.ok) yield* searchTextInSteps(text, compiled.pattern, { maxExcerpts: 50 });
}

function* readAnswer(text: string): Generator<void> {
  const blocks = new Blocks(ignore);
  while (blocks.next(text, true).waiting.length > 0) yield;
}

function* readChange(before: string, after: string): Generator<void> {
  const [was, is] = [yield* readSide(before, ignore), yield* readSide(after, ignore)];
  changePieces(was.blocks, is.blocks);
}

const edit = (text: string, old: string): unknown =>
  planEdits(new NoteView('Note.md', text, new ShownNote([])), [{ old_text: old, new_text: 'x' }]);

function propertyWritten(source: string): unknown {
  const yaml = (name: string, value: unknown) => `${name}: ${JSON.stringify(value)}\n`;
  return withPropertyValue(
    source,
    'a: '.length,
    [
      ['x', 'y'],
      ['x', 'z'],
    ],
    yaml,
  );
}

export const FUNCTIONS: ReadonlyMap<string, Work> = new Map<string, Work>([
  [
    'uncertain text of an edit',
    (text) => addedUncertainParts('N.md', text, `${text}\nmore`, () => ({})),
  ],
  [
    'uncertain properties',
    (text) => addedUncertainParts('N.md', '', `---\n${text}\n---\n`, () => ({})),
  ],
  ['kind of a change', (text) => changeKind(text, changed(text), () => ({}))],
  ['kind of a rewrite', (text) => changeKind(text, rewritten(text), () => ({}))],
  ['check of a change', (text) => checkChange(text, changed(text))],
  ['check of a rewrite', (text) => checkChange(text, rewritten(text))],
  ['lines of a note', (text) => lineContexts(text.split('\n'))],
  ['headings', (text) => headingsIn(text.split('\n'))],
  ['links', (text) => linksIn(text)],
  ['links, also in comments and code', (text) => allLinksIn(text)],
  ['places for links', (text) => hasLinkPlace(linkPlacesIn(text), '#a#b')],
  ['tasks', (text) => tasksIn(text)],
  ['fields of a task', (text) => readTaskLine(`- [ ] ${text.replaceAll('\n', ' ')}`)],
  ['plain text', (text) => plainText(text)],
  ['name for a text', (text) => nameForText(text)],
  ['delimited text', (text) => [delimited('note', text), neutralize(text)]],
  ['diagram', (text) => isUnsafeDiagram(text)],
  ['formula', (text) => isForbiddenFormula(text)],
  ['property written', (text) => propertyWritten(`a: ${text}\n`)],
  ['list of a property written', (text) => propertyWritten(`a:\n  - x\n  - ${text}\n`)],
  ['why properties are not read', (text) => unreadBecause(`---\n${text}\n---\n`)],
  ['edits: read', (text) => readEdits(text, ANY_DEVICE)],
  [
    'edits: cut',
    (text) =>
      proposeText(readEdits(text, ANY_DEVICE), changed(text), { mint: () => anId, tag: 'x' }),
  ],
  ['diff of an edit', (text) => renderDiff(text, changed(text))],
  ['diff of a rewrite', (text) => renderDiff(text, rewritten(text))],
  ['changes for the editor', (text) => textChanges(text, rewritten(text))],
  ['words of a change', (text) => wordDiff(text, rewritten(text))],
  ['merge', (text) => mergeThreeWay(text, changed(text), rewritten(text))],
  ['edit by text', (text) => edit(text, text.slice(text.length >> 1, (text.length >> 1) + 200))],
  ['edit by text that is not there', (text) => edit(text, `${text.slice(0, 200)} not there`)],
  ['closest passage', (text) => closestPassage(text, text.slice(0, 300).toUpperCase())],
  ['reading of an answer', readAnswer],
  ['reading of a change', (text) => readChange(text, changed(text))],
  ['change as source', (text) => sourceOf(text, changed(text), false)],
  ['search for a word', (text) => search(text, 'nowhere')],
  ['search with a pattern', (text) => search(text, '(a|b|ab)*c$')],
  ['search for the pattern itself', (text) => search(text, text.slice(0, 900))],
  ['glob', (text) => compileGlob(text.slice(0, 1_000))],
  ['words for the index', (text) => wordsOf(text)],
  ['canvas', (text) => canvasLines(text)],
  ['notification', (text) => saidText(text)],
  ['frame of SmartHole', (text) => parseServerFrame(text)],
]);
