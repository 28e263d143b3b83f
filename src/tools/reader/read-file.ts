import { canvasLines } from './canvas-text';
import * as z from 'zod/mini';
import type { CallResult, FailureReason } from '#model/message';
import { isViewable, type ViewableFile } from '#model/attachment';
import type { NoteEntry, NoteText, WaitingEdits } from '#ports/vault';
import { counted } from '#messages/plural';
import { filterInSlices } from '#ports/slices';
import { compileFileGlob } from '#search/globs';
import { lineTexts } from '#text/list-diff';
import { fileType, quote } from '#text/paths';
import { closeNames } from '../librarian/unmatched-glob';
import { lineNumbers, proposedLines } from '../result-format';
import { numberedLines, type LineLimits } from '../numbered-lines';
import { firstCharacters } from '#text/shorten';
import type { PrintedLine } from '../printed-lines';
import { defineTool, problem, text, type ToolContext } from '../tool';
import { shownFile } from './pictures-and-pdfs';

const input = z
  .strictObject({
    path: z
      .optional(z.string())
      .check(
        z.describe(
          '"Lists/Shopping.md", only a name, or for several notes a folder "Lists/" or glob "Lists/2026*".',
        ),
      ),
    paths: z
      .optional(z.array(z.string()).check(z.minLength(1), z.maxLength(10)))
      .check(z.describe('Up to 10, instead of path.')),
    start_line: z.optional(z.int().check(z.minimum(1))),
    end_line: z.optional(z.int().check(z.minimum(1))).check(z.describe('Inclusive.')),
    after: z.optional(z.string()).check(z.describe('Continues a folder or glob after this path.')),
  })
  .check(
    z.refine((value) => (value.path === undefined) !== (value.paths === undefined), {
      message: 'Give either path (one file) or paths (several files), not both.',
    }),
    z.refine(
      (value) => value.paths === undefined || (value.start_line ?? value.end_line) === undefined,
      {
        message: 'start_line and end_line work with path, not with paths.',
      },
    ),
    z.refine((value) => value.after === undefined || namesMany(value.path ?? ''), {
      message: 'after works with a path that is a folder with a slash at its end, or a glob.',
    }),
    z.refine((value) => (value.start_line ?? 1) <= (value.end_line ?? Infinity), {
      message: 'start_line must not be greater than end_line.',
    }),
  );

type Input = z.infer<typeof input>;

export const readFile = defineTool<Input>({
  name: 'read_file',
  version: 1,
  agent: 'note_reader',
  effect: 'read',
  permission: 'allow',
  description:
    'Reads files with numbered lines; shows you pictures and PDFs. A result that is cut says which call continues.',
  input,
  example: { path: 'Lists/Shopping.md' },
  async run({ path = '', paths, start_line: start, end_line: end, after }, context) {
    if (paths !== undefined) return readSeveral(paths, context);
    return (await isOneFile(path, context))
      ? readOne(path, start, end, context)
      : readAll(path, after, context);
  },
});

/** A folder is preferred to a file of its name, and a file to a glob that is written like it. */
async function isOneFile(path: string, { vault }: ToolContext): Promise<boolean> {
  if (!namesMany(path)) return true;
  if (/[\\/]\s*$/.test(path) && (await vault.find(path, 'folder')).ok) return false;
  return (await vault.find(path, 'file')).ok;
}

/** Whether a path names a folder or is a glob. A link is neither. */
function namesMany(path: string): boolean {
  return !path.trimStart().startsWith('[[') && /[^\\/][\\/]+$|[*?{[]/.test(path);
}

/** Maximum notes of a folder or glob in one call. */
const MAX_FILES = 50;

/** Reads the notes that a glob matches, by path, as many as fit. */
async function readAll(
  glob: string,
  after: string | undefined,
  context: ToolContext,
): Promise<CallResult> {
  const { vault, search } = context;
  const compiled = compileFileGlob(glob);
  if (!compiled.ok) return problem(compiled.reason, 'invalid-input');
  const rule = vault.refusalOfGlob(glob);
  if (rule !== null) return problem(rule, 'not-allowed');
  const { entries } = await vault.listing();
  const matching = await filterInSlices(entries, context, ({ path, kind }) => {
    return kind === 'file' && compiled.glob.matches(path);
  });
  const paths = matching.flatMap(({ path }) => (search.isText(path) ? [path] : [])).sort();
  const others = matching.length - paths.length;
  if (paths.length === 0) {
    const found = others > 0 ? `only ${counted(others, 'file')} without text` : 'no file';
    return problem(`"${glob}" matches ${found}.${closeNames(glob, entries)}`, 'missing');
  }
  const left = after === undefined ? paths : paths.filter((path) => path > after);
  const { lines, characters, lineCharacters } = limitsOf(context);
  const sections: string[] = [];
  const read: string[] = [];
  let room = { lines, characters };
  let last = after ?? '';
  for (const path of left.slice(0, MAX_FILES)) {
    const source = await open(path, context);
    // It may be hidden by its text, which only reading it tells.
    if (!source.ok && source.kind === 'missing') continue;
    const needed = source.ok ? sizeOf(source) : { lines: 0, characters: 0 };
    const fits = needed.lines <= room.lines && needed.characters <= room.characters;
    if (read.length > 0 && !fits) break;
    last = path;
    const part = source.ok ? show(source, { ...room, lineCharacters }) : source;
    sections.push('reason' in part ? part.reason : part.text);
    read.push(path);
    room = {
      lines: Math.max(1, room.lines - needed.lines),
      characters: Math.max(1, room.characters - needed.characters),
    };
  }
  const rest = left.filter((path) => path > last).length;
  const more = { path: glob, after: last };
  const end =
    read.length === 0
      ? [`(There is no note after "${after}" among the ${paths.length}.)`]
      : rest > 0
        ? [`(${counted(rest, 'more note')}. Continue with read_file ${JSON.stringify(more)})`]
        : [];
  const head = `${counted(paths.length, 'note')} by path${others > 0 ? `, and ${counted(others, 'file')} without text` : ''}:`;
  return text([head, ...sections, ...end].join('\n\n'), { kind: 'read', paths: read });
}

/** How much of the limits a file needs, with its line numbers. */
function sizeOf({ path, text: content }: Source): { lines: number; characters: number } {
  const lines = lineTexts(content).length;
  return { lines, characters: path.length + content.length + lines * NUMBER_CHARS };
}

const NUMBER_CHARS = 6;

/** Reads one file for the model, whole or from `start` to `end`. */
export async function readOne(
  raw: string,
  start: number | undefined,
  end: number | undefined,
  context: ToolContext,
): Promise<CallResult> {
  const source = await open(raw, context);
  if (!source.ok) return problem(source);
  const whole = (start === undefined && end === undefined) || source.shown !== null;
  const part = whole
    ? show(source, limitsOf(context))
    : showLines(source, start ?? 1, end ?? Infinity, limitsOf(context));
  if (!part.ok) return problem(part);
  return { ...text(part.text, { kind: 'read', paths: [source.path] }), ...shownOf([source]) };
}

/** Each file may take an even share of the limits. */
async function readSeveral(raws: readonly string[], context: ToolContext): Promise<CallResult> {
  const { lines, characters, lineCharacters } = limitsOf(context);
  const share = (limit: number) => Math.max(1, Math.floor(limit / raws.length));
  const limits = { lines: share(lines), characters: share(characters), lineCharacters };
  const sources = await Promise.all(raws.map((raw) => open(raw, context)));
  const sections = sources.map((source, place) => {
    if (!source.ok) return named(raws[place] ?? '', source.reason);
    const part = show(source, limits);
    return part.ok ? part.text : part.reason;
  });
  const all = sections.join('\n\n');
  const read = sources.flatMap((source) => (source.ok ? [source.path] : []));
  if (read.length === 0) return problem(all);
  return { ...text(all, { kind: 'read', paths: read }), ...shownOf(sources) };
}

function shownOf(sources: readonly Opened[]): Pick<CallResult, 'shown'> {
  const shown = sources.flatMap((source) => (source.ok && source.shown ? [source.shown] : []));
  return shown.length > 0 ? { shown } : {};
}

/** Adds the path to a problem that does not mention it, to tell several files apart. */
function named(raw: string, problem: string): string {
  return problem.includes(quote(raw)) ? problem : `${quote(raw)}: ${problem}`;
}

/** Describes a file whose text cannot be read. */
function described({ path, size, modified }: NoteEntry, { clock }: ToolContext): string {
  const date = modified > 0 ? `, last changed ${clock.date(modified)}` : '';
  return `It is a ${fileType(path)} of ${size.toLocaleString('en')} bytes${date}.`;
}

interface Source {
  readonly ok: true;
  readonly path: string;
  readonly preface: string;
  readonly text: string;
  readonly unsaved: boolean;
  /** Lines about edits that wait, if the text has these lines; empty if there are none. */
  waiting(first: number, last: number): string;
  /** Description of a canvas, in lines; null for other files. */
  readonly description: readonly string[] | null;
  /** The image or PDF that the model views; null for text. */
  readonly shown: ViewableFile | null;
  /** Records the file's own lines as shown; not called for descriptions. */
  seen(printed: readonly PrintedLine[]): void;
}

type Opened = Source | { ok: false; reason: string; kind?: FailureReason };

type Part = { ok: true; text: string } | { ok: false; reason: string };

async function open(raw: string, context: ToolContext): Promise<Opened> {
  const found = await context.vault.find(raw, 'file');
  if (!found.ok) return found;
  const { entry, preface } = found.value;
  const { path } = entry;
  if (isViewable(path)) {
    const shown = await shownFile(entry, context);
    if (!shown.ok) return shown;
    const nothing = {
      text: '',
      unsaved: false,
      waiting: () => '',
      description: null,
      seen: () => undefined,
    };
    return { ok: true, path, preface, ...nothing, shown: shown.file };
  }
  const read = await context.vault.read(path);
  if (!read.ok) {
    return { ...read, reason: `${preface}${read.reason} ${described(entry, context)}` };
  }
  const { unsaved } = read.value;
  const isCanvas = path.toLowerCase().endsWith('.canvas');
  const description = isCanvas ? canvasLines(read.value.text) : null;
  return {
    ok: true,
    path,
    preface,
    text: read.value.text,
    unsaved,
    waiting: waitingIn(read.value),
    description,
    shown: null,
    seen: (printed) => context.notes.show(path, read.value.text, printed),
  };
}

function show(source: Source, limits: LineLimits): Part {
  if (source.shown) return look(source, source.shown);
  return source.description
    ? showDescription(source, source.description, limits)
    : showLines(source, 1, Infinity, limits);
}

function showLines(source: Source, start: number, end: number, limits: LineLimits): Part {
  const { path, preface, waiting } = source;
  const part = numberedLines(source.text, start, end, limits);
  source.seen(part.printed);
  const unsaved = source.unsaved ? ', with changes that are not saved yet' : '';
  if (part.total === 0)
    return { ok: true, text: `${preface}${path} is empty (0 lines)${unsaved}.${waiting(0, 0)}` };
  if (start > part.total) {
    const lines = part.total === 1 ? '1 line' : `${part.total} lines`;
    const behind = `${path} has ${lines}, so there is no line ${start}. Read it with ${call(path)}.`;
    return { ok: false, reason: preface + behind };
  }
  const range = `lines ${part.first}-${part.last} of ${part.total}`;
  const more = part.last < part.total ? continuation(path, part.last, part.total, part.cut) : '';
  return {
    ok: true,
    text: `${preface}${path} (${range}${unsaved})\n${part.text}${more}${waiting(part.first, part.last)}`,
  };
}

/** Says whether the printed text includes edits that wait, and which it leaves out. */
function waitingIn(note: NoteText): Source['waiting'] {
  const { accepted, waiting } = note;
  const proposed = proposedLines(note);
  const leftOut = waiting ? `\n(${leftOutText(waiting)})` : '';
  return (first, last) => {
    if (accepted === undefined) return leftOut;
    const among = proposed.filter((line) => first <= line && line <= last);
    const lines = among.length > 0 ? `: only proposed ${lineNumbers(among)}` : '';
    return `\n(The text includes edits that still wait for the user${lines}.)${leftOut}`;
  };
}

function leftOutText({ foreign, stale, damaged }: WaitingEdits): string {
  const edits = (count: number) => (count === 1 ? '1 edit' : `${count} edits`);
  const wait = (count: number) => (count === 1 ? 'waits' : 'wait');
  const facts = [
    ...(foreign > 0 ? [`${edits(foreign)} from another device ${wait(foreign)}`] : []),
    ...(stale > 0
      ? [`${edits(stale)} of yours ${wait(stale)} whose lines have changed since`]
      : []),
    ...(damaged > 0 ? [`${edits(damaged)} ${damaged === 1 ? 'is' : 'are'} damaged`] : []),
  ];
  return `In this note ${facts.join('; ')}. The text here is without that, and only the user can decide about it.`;
}

function look({ path, preface }: Source, { type, size }: ViewableFile): Part {
  const kind = type === 'application/pdf' ? 'PDF' : 'picture';
  const words = `${path} is a ${kind} of ${size.toLocaleString('en')} bytes, shown here.`;
  return { ok: true, text: preface + words };
}

/** Shows a description without line numbers, which an edit would take for those of the file. */
function showDescription(
  { path, preface }: Source,
  description: readonly string[],
  limits: LineLimits,
): Part {
  const shown: string[] = [];
  let characters = 0;
  for (const line of description) {
    const short = firstCharacters(line, limits.lineCharacters);
    if (shown.length > 0 && characters + short.length > limits.characters) break;
    if (shown.length >= Math.max(1, limits.lines)) break;
    shown.push(short === line ? line : `${short} …`);
    characters += short.length + 1;
  }
  const left = description.length - shown.length;
  const cut = left > 0 ? `${left} more lines are not shown. ` : '';
  const rest = `(${cut}This describes the file. To change it, read its own text with ${call(path, 1)})`;
  return { ok: true, text: `${preface}${path}\n${shown.join('\n')}\n${rest}` };
}

function continuation(path: string, last: number, total: number, cut: boolean): string {
  const why = cut ? 'Cut at the limit of one call: ' : '';
  const lines = total - last === 1 ? '1 more line' : `${total - last} more lines`;
  return `\n(${why}${lines}. Continue with ${call(path, last + 1)})`;
}

function call(path: string, start?: number): string {
  return `read_file ${JSON.stringify({ path, ...(start ? { start_line: start } : {}) })}`;
}

function limitsOf({ settings }: ToolContext): LineLimits {
  return {
    lines: settings.readLines,
    characters: settings.readCharacters,
    lineCharacters: settings.readLineCharacters,
  };
}
