/**
 * Whatever tool changes a note, it changes what was asked for and nothing else. Judged by
 * commonmark, yaml, and a reader of lines that the product does not use.
 */
import { Parser } from 'commonmark';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CST, isMap, isNode, Lexer, parseDocument } from 'yaml';
import { ANY_DEVICE, holdsEdits, readEdits, textsOf } from '#model/edit/note-edits';
import { decideEdits } from '#model/edit/edit-decisions';
import { listValue, noteWith } from '#tests/builders/front-matter-cases';
import { memoryBench } from '#tests/builders/tools';
import { cases, CASES_TIMEOUT_MS, leastCount } from '#tests/cases';
import { note as anyNote } from '#tests/model/edit/notes';
import { headLength, linesIn, meaningsIn } from './second-reader';

const PATH = 'Notes/Plan.md';
const TEMPLATE = 'New from template.\n';
const FILES = { 'Lisa.md': '# Lisa\n', 'Templates/Short.md': TEMPLATE };

/** Obsidian and CommonMark do not agree on a fence within HTML. */
const FENCE_IN_HTML = /^[ \t>]*<[^\n]*\n(?:[^\S\n]*\S[^\n]*\n)*?[ \t>]*(?:```|~~~)/m;
/** Neither judge knows formulas, which may begin in a line of words. */
const OPEN_FORMULA = /\S \$\$ \S/;

const noteWithTags = fc
  .tuple(noteWith('tags', listValue), anyNote)
  .map(([{ above, property, below }, body]) => above + property + below + body);

const note = fc
  .oneof({ weight: 3, arbitrary: anyNote }, noteWithTags)
  .filter(
    (text) =>
      !holdsEdits(text) &&
      text.lastIndexOf('\uFEFF') < 1 &&
      !FENCE_IN_HTML.test(text) &&
      !OPEN_FORMULA.test(text),
  );

/** Blocks that a model writes, and pieces of blocks that it leaves open. */
const content = fc.constantFrom(
  ...['New words.', 'New words,\nof two lines.', '- new item', '- [ ] new task', '1. new step'],
  ...['# New', '## New\n\nWith text.', '> new quote', '> [!note] New\n> text', '    new code'],
  ...['| new | row |', '| new | b |\n| --- | --- |\n| 1 | 2 |', '^new-id', 'New words. ^new-id'],
  ...['```js\nnew()\n```', '```js', '```', '~~~', '%%', '%% new %%', '$$', '$$\nnew\n$$', '$$'],
  ...['===', '---', '[^1]: new', '[new]: http://new.example', '<div>', '<!-- new', '\nNew.\n'],
);

interface Wish {
  readonly tool: string;
  readonly input: object;
  /** The lines of the note, from 0, that may change; `to` is exclusive. Null if none may. */
  readonly span: { readonly from: number; readonly to: number } | null;
  /** The lines that are to be in the note. */
  readonly lines: readonly string[];
  /** The property that is to have this value, or none if it is undefined. */
  readonly property?: { readonly name: string; readonly value: unknown };
}

/** How the line is chosen, by a number from 0 on, among those that the wish can be about. */
type MakeWish = (lines: readonly string[], at: number, text: string) => Wish;

interface Properties {
  /** Null if they are no valid YAML. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** How each of them is written, without comments around it. */
  readonly sources: ReadonlyMap<string, string>;
  readonly comments: readonly string[];
}

const COMMENTS_BELOW = /(?:\s*\n\s*#[^\n]*)*\s*$/;

function propertiesIn(lines: readonly string[]): Properties {
  const source = lines.slice(1, Math.max(1, headLength(lines) - 1)).join('\n');
  const document = parseDocument(source, { logLevel: 'silent' });
  const { contents, errors } = document;
  const isValid = errors.length === 0 && (contents === null || isMap(contents));
  const sources = new Map<string, string>();
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    const [from = 0, keyEnd = 0] = isNode(key) ? (key.range ?? []) : [];
    const to = isNode(value) ? value.range?.[1] : keyEnd;
    sources.set(String(key), source.slice(from, to).replace(COMMENTS_BELOW, ''));
  }
  const tokens = [...new Lexer().lex(source)];
  return {
    values: isValid ? ((document.toJS() ?? {}) as Record<string, unknown>) : null,
    sources,
    comments: tokens.filter((token) => CST.tokenType(token) === 'comment'),
  };
}

const edit = (fields: object) => ({ path: PATH, edits: [fields] });

const MAKES: Readonly<Record<string, MakeWish>> = {
  passage: (lines, at, text) => ({
    tool: 'edit_file',
    input: edit({ old_text: lines[at] === '' ? 'none' : lines[at], new_text: text }),
    ...{ span: { from: at, to: at + 1 }, lines: linesIn(text) },
  }),
  replace: (_lines, at, text) => ({
    tool: 'edit_file',
    input: edit({ position: `replace:${at + 1}`, content: text }),
    ...{ span: { from: at, to: at + 1 }, lines: linesIn(text) },
  }),
  delete: (_lines, at) => ({
    tool: 'edit_file',
    input: edit({ position: `delete:${at + 1}` }),
    ...{ span: { from: at, to: at + 1 }, lines: [] },
  }),
  insert: (_lines, at, text) => ({
    tool: 'edit_file',
    input: edit({ position: `insert:${at + 1}`, content: text }),
    ...{ span: { from: at, to: at }, lines: linesIn(text) },
  }),
  start: (lines, _at, text) => {
    const top = headLength(lines);
    const wish = added(edit({ position: 'start', content: text }), text);
    return { ...wish, span: { from: top, to: top } };
  },
  end: (lines, _at, text) => {
    const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
    const wish = added(edit({ position: 'end', content: text }), text);
    return { ...wish, span: { from: end, to: end } };
  },
  after: (lines, at, text) =>
    added(edit({ position: `after:${headingFrom(lines, at)}`, content: text }), text),
  before: (lines, at, text) =>
    added(edit({ position: `before:${headingFrom(lines, at)}`, content: text }), text),
  section: (lines, at, text) =>
    added(edit({ position: `end-of:${headingFrom(lines, at)}`, content: text }), text),
  template: () => ({
    ...{ tool: 'apply_template', input: { template: 'Short', path: PATH } },
    ...{ span: null, lines: ['', ...linesIn(TEMPLATE)] },
  }),
  link: () => ({
    ...{ tool: 'link_notes', input: { source: PATH, target: 'Lisa.md' } },
    ...{ span: null, lines: ['', '[[Lisa]]', ''] },
  }),
  'link at': (lines, at) => ({
    tool: 'link_notes',
    input: { source: PATH, target: 'Lisa.md', context: lines[at] === '' ? 'none' : lines[at] },
    ...{ span: { from: at, to: at + 1 }, lines: [] },
  }),
  tick: (lines, at) => ({
    tool: 'update_tasks',
    input: { path: PATH, tasks: [lines[at] === '' ? 'none' : lines[at]], status: 'done' },
    ...{ span: { from: at, to: at + 1 }, lines: [] },
  }),
  tags: (lines) => {
    const { values } = propertiesIn(lines);
    const all = [...((values?.['tags'] ?? []) as unknown[]), 'new/one', 'zwei'];
    return {
      ...{ tool: 'add_tags', input: { path: PATH, tags: ['new/one', 'zwei'] } },
      ...{ span: { from: 0, to: headLength(lines) }, lines: [] },
      property: { name: 'tags', value: all },
    };
  },
  set: (lines, at, text) =>
    ofProperties(lines, at, (name, old) => ({
      ...{ tool: 'update_properties', input: { set: { [name]: text } } },
      value: Array.isArray(old) ? [text] : text,
    })),
  remove: (lines, at) =>
    ofProperties(lines, at, (name) => ({
      ...{ tool: 'update_properties', input: { remove: [name] }, value: undefined },
    })),
};

const FRESH = 'fresh';

function ofProperties(
  lines: readonly string[],
  at: number,
  wish: (name: string, old: unknown) => { tool: string; input: object; value: unknown },
): Wish {
  const values = propertiesIn(lines).values ?? {};
  const names = [...Object.keys(values), FRESH];
  const name = names[at % names.length] ?? FRESH;
  const { tool, input, value } = wish(name, values[name]);
  const span = { from: 0, to: headLength(lines) };
  return { tool, input: { path: PATH, ...input }, span, lines: [], property: { name, value } };
}

const added = (input: object, text: string): Wish => ({
  ...{ tool: 'edit_file', input, span: null, lines: linesIn(text) },
});

function headingFrom(lines: readonly string[], at: number): string {
  const headings = lines.filter((line) => /^#{1,6} \S/.test(line));
  return headings[at % Math.max(1, headings.length)] ?? '# None';
}

interface Block {
  readonly type: string;
  /** Lines from 0; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** The blocks of a note that are in no other, and the lines of all code blocks. */
/** In raw HTML and HTML comments that are closed, marks of comments are text. */
const RAW_HTML =
  /^\s*(?:<(script|pre|style|textarea)\b[^]*<\/(?:script|pre|style|textarea)>|<!--[^]*-->)/i;

function read(lines: readonly string[]): { readonly blocks: Block[]; readonly code: Set<number> } {
  const top = headLength(lines);
  // For notes, a lone carriage return is no line break.
  const tree = new Parser().parse(lines.slice(top).join('\n').replaceAll('\r', ' '));
  const blocks: Block[] = [];
  const code = new Set<number>();
  const walker = tree.walker();
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step;
    if (
      !entering ||
      node === tree ||
      !/^(?:paragraph|heading|list|block_quote|code_block|html_block|thematic)/.test(node.type)
    )
      continue;
    const [from, to] = [top + node.sourcepos[0][0] - 1, top + node.sourcepos[1][0]];
    if (node.parent === tree) blocks.push({ type: node.type, from, to });
    const isCode = node.type === 'code_block' || RAW_HTML.test(node.literal ?? '');
    for (let line = from; isCode && line < to; line += 1) code.add(line);
  }
  return { blocks, code };
}

/** How many lines are the same above and below a change; `to` is where those below begin. */
interface Borders {
  readonly above: number;
  readonly to: number;
  readonly below: number;
}

function bordersOf(old: readonly string[], fresh: readonly string[], span: Wish['span']): Borders {
  const most = Math.min(old.length, fresh.length);
  let [above, below] = [0, 0];
  const mostAbove = Math.min(most, span?.from ?? most);
  while (above < mostAbove && old[above] === fresh[above]) above += 1;
  const mostBelow = Math.min(most - above, old.length - (span?.to ?? 0));
  while (below < mostBelow && old.at(-1 - below) === fresh.at(-1 - below)) below += 1;
  return { above, to: old.length - below, below };
}

function judgeProperties(old: readonly string[], fresh: readonly string[], wish: Wish): void {
  const [then, now] = [propertiesIn(old), propertiesIn(fresh)];
  if (!wish.property || then.values === null) {
    expect(now).toEqual(then);
    return;
  }
  const { name, value } = wish.property;
  expect(now.values).toEqual({ ...then.values, [name]: value });
  for (const [other, source] of then.sources) {
    if (other !== name) expect(now.sources.get(other)).toBe(source);
  }
  // The comments within a list or a map go with it.
  const isRemoved = value === undefined || typeof then.values?.[name] === 'object';
  if (!isRemoved || wish.tool === 'add_tags')
    expect(now.comments.filter((each) => then.comments.includes(each))).toEqual(then.comments);
}

/** Whether a divider that was asked for closes properties that were open, which is a repair. */
function closesProperties(
  old: readonly string[],
  fresh: readonly string[],
  { lines }: Wish,
): boolean {
  const isOpen = headLength(old) === 0 && /^---\s*$/.test(old[0] ?? '');
  return isOpen && lines.includes(fresh[headLength(fresh) - 1] ?? '');
}

/** Checks the lines above and below the change; the rest is what was put between them. */
function judge(before: string, after: string, wish: Wish, told: string): void {
  const { span, lines: wanted } = wish;
  const [old, fresh] = [linesIn(before), linesIn(after)];
  if (closesProperties(old, fresh, wish)) return;
  judgeProperties(old, fresh, wish);
  expect(after.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
  const [endings, freshEndings] = [before, after].map((text) => new Set(text.match(/\r?\n/g)));
  if (endings!.size > 0) expect([...endings!]).toEqual(expect.arrayContaining([...freshEndings!]));
  const isAsked = (line: number) => span !== null && span.from <= line && line < span.to;
  const goneIn = ({ above, to }: Borders) =>
    [...old.keys()].slice(above, to).filter((line) => old[line]?.trim() !== '');
  // Equal lines in a row may be told apart in two ways.
  const touched = [...wanted, ...old.slice(span?.from, span?.to)];
  const beside = span ? [old[span.from - 1], old[span.to]] : [];
  const hasTwins = beside.some((line) => line !== undefined && touched.includes(line));
  const borders = (hasTwins ? [span, null] : [span]).map((each) => bordersOf(old, fresh, each));
  const chosen = borders.find((each) => goneIn(each).every(isAsked)) ?? borders[0]!;
  const { above, to, below } = chosen;
  const gone = goneIn(chosen);
  expect(gone.filter((line) => !isAsked(line)).map((line) => old[line])).toEqual([]);
  const middle = fresh.slice(above, fresh.length - below);
  const plain = (lines: readonly string[]) =>
    lines
      .map((line) => line.replace(/^[\s>]*(?:(?:[-*+]|\d+[.)])\s+(?:\[ \] )?)?/, ''))
      .filter((line) => line !== '');
  if (wanted.length > 0) expect(plain(middle).toSorted()).toEqual(plain(wanted).toSorted());
  const blanks = (lines: readonly string[]) => lines.filter((line) => line.trim() === '').length;
  const shownBlanks = told.match(/^\+ *\d+ *$/gm)?.length ?? 0;
  if (
    fresh.join('\n') !== '' &&
    !wish.property &&
    blanks(middle) > blanks(wanted) + blanks(old.slice(above, to)) &&
    shownBlanks < blanks(middle)
  )
    expect(told).toMatch(/blank line|below the heading/);
  // Without the blank lines between them, blocks are joined on purpose.
  if (gone.length === 0 && plain(middle).length === 0) return;
  const shift = fresh.length - old.length;
  const placeOf = (line: number) => (line < above ? line : line >= to ? line + shift : null);
  const [then, now] = [read(old), read(fresh)];
  // Programs do not agree on what is a formula, so one of the two readings is to stay the same.
  const readings = [/%%/g, /%%|\$\$/g].map((marks) => ({
    was: meaningsIn(old, then.code, marks),
    is: meaningsIn(fresh, now.code, marks),
  }));
  const staysHidden = ({ was, is }: (typeof readings)[number]) =>
    was.every(
      ({ hidden }, line) => is[placeOf(line) ?? -1]?.hidden === hidden || placeOf(line) === null,
    );
  const { was, is } = readings.find(staysHidden) ?? readings[0]!;
  for (const block of then.blocks) {
    const lines = [...old.keys()].slice(block.from, block.to);
    const first = placeOf(block.from);
    const isWhole = lines.every((line) => placeOf(line) === (first ?? 0) + line - block.from);
    const isBeside = gone.some((line) => line === block.from - 1 || line === block.to);
    if (first === null || !isWhole || isBeside) continue;
    const found = now.blocks.find((each) => each.from <= first && first < each.to);
    expect({ ...block, is: found?.type }, told).toEqual({ ...block, is: block.type });
    for (const line of lines.filter((each) => old[each]?.trim() !== '')) {
      const [meaning, later] = [was[line], is[first + line - block.from]];
      // An id with nothing above it names no block. One goes on naming a line that is replaced, and a
      // block whose last line is deleted.
      const isInBlock = (each: number) =>
        old[above - 1] === later?.named &&
        then.blocks.some(({ from, to: end }) => from < above && each < end);
      const isReplaced = gone.some(
        (each) =>
          old[each] === meaning?.named && (middle.includes(later?.named ?? '') || isInBlock(each)),
      );
      const named = meaning?.named === null || isReplaced ? meaning?.named : later?.named;
      expect({ words: old[line], ...later, named }, told).toEqual({ words: old[line], ...meaning });
    }
  }
}

test(
  'a tool changes the lines that it was asked to change, and no other line is read otherwise',
  async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        note,
        fc.constantFrom(...Object.keys(MAKES)),
        fc.nat(),
        content,
        async (before, kind, number, text) => {
          const lines = linesIn(before);
          const top = headLength(lines);
          fc.pre(top < lines.length);
          const wish = MAKES[kind]!(lines, top + (number % (lines.length - top)), text);
          const run = async (panelMode: 'apply' | 'review') => {
            await using bench = memoryBench(
              { ...FILES, [PATH]: before },
              { settings: { panelMode } },
            );
            await bench.call('read_file', { path: PATH });
            const { text: told, failed } = await bench.call(wish.tool, wish.input);
            const raw = bench.notes.text(PATH);
            const waits = panelMode === 'apply' && told.includes('whatever the mode');
            const text = waits ? textsOf(readEdits(raw, ANY_DEVICE)).after : raw;
            // Where no block can stand, the change waits in the chat.
            return { told, failed: failed || (waits && raw === before), text };
          };
          const { told, failed, text: after } = await run('apply');
          if (failed) {
            expect(after).toBe(before);
            return;
          }
          made += 1;
          judge(before, after, wish, told);
          const proposed = await run('review');
          const edits = readEdits(proposed.text, ANY_DEVICE);
          if (!proposed.failed && proposed.text !== before) {
            // Properties do not wait for a decision.
            const kept = wish.property ? [before, after] : [before];
            expect(kept).toContain(textsOf(edits).before);
            expect(decideEdits(edits, () => 'accept').text).toBe(after);
          }
        },
      ),
      cases,
    );
    expect(made).toBeGreaterThanOrEqual(leastCount(0.5));
  },
  CASES_TIMEOUT_MS,
);
