import { z } from 'zod';
import type { CallResult } from '#model/message';
import { numberedLines, type LineLimits } from '../numbered-lines';
import { defineTool, problem, text, type ToolContext } from '../tool';

const input = z
  .object({
    path: z.string().optional().describe('One file. Give either path or paths.'),
    paths: z
      .array(z.string())
      .min(1)
      .max(10)
      .optional()
      .describe('Up to 10 files, which share the limits.'),
    start_line: z.number().int().min(1).optional().describe('First line, from 1. With path only.'),
    end_line: z.number().int().min(1).optional().describe('Last line, inclusive. With path only.'),
  })
  .refine((value) => (value.path === undefined) !== (value.paths === undefined), {
    message: 'give either path (one file) or paths (several), not both and not neither',
  })
  .refine(
    (value) => value.paths === undefined || (value.start_line ?? value.end_line) === undefined,
    {
      message: 'start_line and end_line go with path, not with paths',
    },
  )
  .refine((value) => (value.start_line ?? 1) <= (value.end_line ?? Infinity), {
    message: 'start_line must not be greater than end_line',
  });

type Input = z.infer<typeof input>;

export const readFile = defineTool<Input>({
  name: 'read_file',
  version: 1,
  agent: 'note_reader',
  effect: 'read',
  permission: 'allow',
  description:
    'Reads notes and other text files of the vault, with numbered lines. Use it before editing by line or overwriting. Give a path such as "Lists/Shopping.md" (a note\'s bare name works too), or paths for several. Long files are cut; the result says which lines are shown and the call that continues. To find where something is said, use search_files instead of reading many notes.',
  input,
  example: { path: 'Lists/Shopping.md' },
  async run({ path, paths, start_line: start, end_line: end }, context) {
    if (paths === undefined) return readOne(path ?? '', start ?? 1, end ?? Infinity, context);
    return readSeveral(paths, context);
  },
});

async function readOne(
  raw: string,
  start: number,
  end: number,
  context: ToolContext,
): Promise<CallResult> {
  const one = await shown(raw, start, end, limitsOf(context), context);
  if (!one.ok) return problem(one.problem);
  return text(one.text, { kind: 'read', paths: [one.path] });
}

async function readSeveral(raws: readonly string[], context: ToolContext): Promise<CallResult> {
  const limits = limitsOf(context);
  let lines = limits.lines;
  let characters = limits.characters;
  const sections: string[] = [];
  const read: string[] = [];
  for (const raw of raws) {
    if (lines <= 0 || characters <= 0) {
      sections.push(
        `${raw}: not shown, the limit of one call is reached. Read it with ${call(raw)}.`,
      );
      continue;
    }
    const one = await shown(raw, 1, Infinity, { ...limits, lines, characters }, context);
    if (!one.ok) {
      sections.push(`${raw}: ${one.problem}`);
      continue;
    }
    lines -= one.lines;
    characters -= one.text.length;
    read.push(one.path);
    sections.push(one.text);
  }
  const all = sections.join('\n\n');
  return read.length === 0 ? problem(all) : text(all, { kind: 'read', paths: read });
}

type Shown =
  { ok: true; text: string; path: string; lines: number } | { ok: false; problem: string };

async function shown(
  raw: string,
  start: number,
  end: number,
  limits: LineLimits,
  context: ToolContext,
): Promise<Shown> {
  const found = await context.vault.find(raw, 'file');
  if (!found.ok) return found;
  const { entry, preface } = found.value;
  const { path } = entry;
  const read = await context.vault.read(path);
  if (!read.ok) {
    const size = `${entry.size.toLocaleString('en')} bytes`;
    return { ok: false, problem: `${read.problem} It has ${size}; get_file_info tells more.` };
  }
  context.reads.remember(path, read.value.text);
  const part = numberedLines(read.value.text, start, end, limits);
  const unsaved = read.value.unsaved ? ', with unsaved changes of the person' : '';
  if (part.total === 0) {
    return { ok: true, path, lines: 0, text: `${preface}${path} is empty (0 lines)${unsaved}.` };
  }
  if (start > part.total) {
    const lines = part.total === 1 ? '1 line' : `${part.total} lines`;
    return { ok: false, problem: `${path} has ${lines}; start_line ${start} is behind its end.` };
  }
  const heading = `${path} (lines ${part.first}-${part.last} of ${part.total}${unsaved})`;
  const more =
    part.cut || part.last < part.total ? continuation(path, part.last, part.total, part.cut) : '';
  return {
    ok: true,
    path,
    lines: part.last - part.first + 1,
    text: `${preface}${heading}\n${part.text}${more}`,
  };
}

function continuation(path: string, last: number, total: number, cut: boolean): string {
  const why = cut ? 'Cut at the limit of one call. ' : '';
  return `\n(${why}${total - last} more lines; go on with ${call(path, last + 1)})`;
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
