import type { MakeChange } from '#policy/vault-api';
import { withoutLinks } from '#text/link-reader';
import { lineTexts } from '#text/list-diff';
import * as z from 'zod/mini';
import type { CallResult } from '#model/message';
import { firstHeadingOrLine } from '#text/plain-text';
import { counted } from '#messages/plural';
import { legalName } from '../result-format';
import {
  alreadyText,
  changed,
  changeNote,
  defineTool,
  problem,
  proposalProblem,
  changeStatusText,
  textAfter,
  type ToolContext,
  unchanged,
} from '../tool';
import { readingCall, Lines } from './edit/text-lines';
import { namesNoFile, newNotePath } from './new-note-path';

const input = z
  .strictObject({
    content: z.string(),
    path: z
      .optional(z.string())
      .check(
        z.describe(
          'Left out, or ending in a slash: the note is named after its first heading or line.',
        ),
      ),
    folder: z
      .optional(z.string())
      .check(z.describe('Without path. Left out: where the user keeps new notes.')),
  })
  .check(
    z.refine((value) => value.path === undefined || value.folder === undefined, {
      message:
        'folder goes with no path; if you give a path, put the folder into it ("Projects/Garden.md")',
    }),
  );

/** File types that writing text would corrupt. */
const BINARY =
  /\.(png|jpe?g|gif|webp|bmp|avif|heic|pdf|mp3|m4a|wav|ogg|flac|mp4|mov|mkv|webm|zip|docx?|xlsx?|pptx?)$/i;

type Input = z.infer<typeof input>;

export const writeFile = defineTool<Input>({
  name: 'write_file',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  description:
    'Creates a note (or another text file, such as .base, .canvas, .csv) and missing folders, or replaces the whole text of one that was shown to you completely.',
  input,
  example: { path: 'Projects/Garden.md', content: '# Garden\n\nPlant the beans in May.\n' },
  async run({ content, path, folder }, context) {
    if (path === undefined || namesNoFile(path)) {
      const name = nameFor(content);
      const target = await newNotePath(name, path ?? folder ?? null, context.vault);
      return target.ok ? create(target.value.path, content, context) : problem(target);
    }
    const target = await context.vault.destination(path, { what: 'file', extension: '.md' });
    if (!target.ok) return problem(target);
    const binary = BINARY.exec(target.value.path)?.[1];
    if (binary !== undefined) {
      return problem(
        `A .${binary} file is not text, so nothing was written. Expected a text file, such as a note.`,
        'invalid-input',
      );
    }
    const { existing } = target.value;
    return existing
      ? context.vault.alone([existing.path], (change) =>
          overwrite(existing.path, content, context, change),
        )
      : create(target.value.path, content, context);
  },
});

async function create(path: string, after: string, context: ToolContext): Promise<CallResult> {
  const block = proposalProblem(path, after);
  if (block !== null) return problem(block);
  const effect = { kind: 'create', path, after } as const;
  const done = await context.vault.change(effect);
  if (!done.ok) return problem(done);
  context.notes.rewrote(path, after, after);
  const words = changeStatusText(done.value, 'Created', `${path} (${sizeOf(after)}).`);
  return changed(words, changeNote(done.value));
}

async function overwrite(
  path: string,
  after: string,
  context: ToolContext,
  change: MakeChange,
): Promise<CallResult> {
  const read = await context.vault.read(path);
  if (!read.ok) return problem(read);
  const before = read.value.text;
  const unseen = unseenIn(path, before, context);
  if (unseen !== null) return problem(unseen, 'not-shown');
  if (after === before) {
    const same = `${path} already has exactly this text; nothing was written.`;
    return unchanged(alreadyText(same, read.value, (text) => text === after));
  }
  const block = proposalProblem(path, after);
  if (block !== null) return problem(block);
  const effect = { kind: 'write', path, before, after } as const;
  const done = await change(effect, 'whole');
  if (!done.ok) return problem(done);
  const made = textAfter(done.value);
  context.notes.rewrote(path, after, made);
  const note = changeNote(done.value);
  const meanwhile = made === after ? '' : ' Text that was typed at the same moment was kept.';
  const size = `${sizeOf(made)}; +${note.added} −${note.removed} lines`;
  const what = `the text of ${path} (${size}).${meanwhile}`;
  return changed(changeStatusText(done.value, 'Replaced', what), note);
}

/** A message if the model has not been shown all of the current text; null if it has. */
function unseenIn(path: string, text: string, { notes }: ToolContext): string | null {
  const lines = new Lines(text.replace(/^\uFEFF/, ''));
  const unseen = notes.of(path).unknownIn(lines);
  const [first] = unseen;
  if (first === undefined) return null;
  const rest = `read_file ${JSON.stringify({ path, start_line: first })}`;
  const next = `Read the rest with ${first === 1 ? readingCall(path) : rest}, or change a part with edit_file.`;
  if (unseen.length === lines.count) {
    return `${path} exists and you have not seen it in this conversation (what was shown before a summary or a restart does not count), so it was not overwritten. Read it with ${readingCall(path)}, or change a part with edit_file.`;
  }
  const ranges = rangesOf(lines.count, new Set(unseen));
  for (const [from, to] of ranges.slice(0, MAX_RANGES)) {
    const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    notes.show(
      path,
      text,
      numbers.map((line) => [line, null]),
    );
  }
  return `${path} was not overwritten, since you have not seen all of it as it is now: you have seen ${rangeWords(ranges)} of ${lines.count.toLocaleString('en')}. ${next}`;
}

type Range = [from: number, to: number];

/** Ranges of the lines that are not in `without`. */
function rangesOf(count: number, without: ReadonlySet<number>): Range[] {
  const ranges: Range[] = [];
  for (let line = 1; line <= count; line += 1) {
    if (without.has(line)) continue;
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

const MAX_RANGES = 5;

/** Such as "lines 1-3, 7"; only the first few ranges. */
function rangeWords(ranges: readonly Range[]): string {
  const shown = ranges
    .slice(0, MAX_RANGES)
    .map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  const more = ranges.length > MAX_RANGES ? ' and others' : '';
  return `${ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1] ? 'line' : 'lines'} ${shown.join(', ')}${more}`;
}

function sizeOf(content: string): string {
  return `${counted(lineTexts(content).length, 'line')}, ${counted(content.length, 'character')}`;
}

/** A name for a note after its first heading or line; empty if there is none. */
function nameFor(content: string): string {
  return legalName(withoutLinks(firstHeadingOrLine(content)));
}
