import { withEnding } from '#text/list-diff';
import * as z from 'zod/mini';
import { splitNote } from '#text/front-matter';
import type { VaultResult, FoundEntry } from '#policy/vault-api';
import type { TemplateSettings } from '#ports/metadata';
import { isNote, noteName, withoutNoteExtension } from '#text/paths';
import {
  changed,
  changeNote,
  defineTool,
  problem,
  proposalProblem,
  changeStatusText,
  textAfter,
  type ToolContext,
} from '../tool';
import { usualEnding } from './edit/text-lines';

const input = z.strictObject({
  template: z.string().check(z.describe('Name or path.')),
  path: z.string(),
  variables: z
    .optional(z.record(z.string(), z.string()))
    .check(z.describe('Texts for other {{names}} in it.')),
});

export const applyTemplate = defineTool<z.infer<typeof input>>({
  name: 'apply_template',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  adds: true,
  description:
    'Creates a note from a template, or adds the template at the end of an existing note. Fills in {{title}}, {{date}}, {{time}} and the given variables.',
  input,
  example: { template: 'Meeting', path: 'Meetings/2026-11-22 Committee.md', variables: {} },
  async run({ template, path: raw, variables = {} }, context) {
    const { vault } = context;
    const settings = await vault.templates();
    const found = await findTemplate(template, settings.folder, context);
    if (!found.ok) return problem(found);
    const source = found.value.entry.path;
    const read = await vault.read(source);
    if (!read.ok) return problem(read);
    const target = await vault.destination(raw, { what: 'file', extension: '.md' });
    if (!target.ok) return problem(target);
    const { path, existing } = target.value;
    const title = noteName(path);
    const filled = fill(read.value.text, title, variables, settings, context);
    if (!filled.ok)
      return problem(
        `${filled.reason} Nothing was written. The template is ${source}.`,
        'invalid-input',
      );
    return existing
      ? append(path, filled.value, source, context)
      : create(path, filled.value, source, context);
  },
});

/** Looks in the template folder first, by name or path, then in the whole vault. */
async function findTemplate(
  template: string,
  folder: string | null,
  { vault }: ToolContext,
): Promise<VaultResult<FoundEntry>> {
  const name = template.replace(/^\/+/, '');
  const file = isNote(name) ? name : `${name}.md`;
  const inFolder = folder === null ? null : await vault.find(`${folder}/${file}`, 'file');
  if (inFolder?.ok) return inFolder;
  const anywhere = await vault.find(template, 'file');
  if (anywhere.ok || !inFolder) return anywhere;
  const all = (await vault.entries()).flatMap(({ path, kind }) =>
    kind === 'file' && path.startsWith(`${folder}/`) ? [path.slice((folder?.length ?? 0) + 1)] : [],
  );
  const names = all.sort().slice(0, 30).map(withoutNoteExtension).join(', ');
  return {
    ok: false,
    reason: `There is no template "${template}" in ${folder}/. Templates there: ${names || 'none'}.`,
    kind: 'missing',
  };
}

function fill(
  template: string,
  title: string,
  variables: Readonly<Record<string, string>>,
  { dateFormat, timeFormat }: TemplateSettings,
  { vault, clock }: ToolContext,
): VaultResult<string> {
  const now = clock.now();
  const unknown = new Set<string>();
  const used = new Set<string>();
  const value = template.replace(
    /\{\{\s*([^{}:]+?)\s*(?::([^{}]*))?\}\}/g,
    (whole, name: string, momentFormat?: string) => {
      const format = momentFormat?.trim();
      if (Object.hasOwn(variables, name)) {
        used.add(name);
        return variables[name] ?? '';
      }
      switch (name.toLowerCase()) {
        case 'title':
          return title;
        case 'date':
          return vault.format(now, format || dateFormat);
        case 'time':
          return vault.format(now, format || timeFormat);
        default:
          unknown.add(name);
          return whole;
      }
    },
  );
  const unused = Object.keys(variables).filter((name) => !used.has(name));
  if (unknown.size === 0 && unused.length > 0) {
    const has = [...template.matchAll(/\{\{\s*([^{}:]+?)\s*(?::[^{}]*)?\}\}/g)].map(
      ([place]) => place,
    );
    const places =
      has.length === 0 ? 'It has no variables.' : `It has ${[...new Set(has)].join(', ')}.`;
    const names = unused.map((name) => `{{${name}}}`).join(', ');
    return {
      ok: false,
      reason: `The template has no place for ${names}. ${places}`,
      kind: 'invalid-input',
    };
  }
  if (unknown.size === 0) return { ok: true, value };
  const names = [...unknown].map((name) => `"${name}"`).join(', ');
  return {
    ok: false,
    reason: `The template has variables without a value: ${names}. Give them in variables.`,
    kind: 'invalid-input',
  };
}

async function create(path: string, after: string, source: string, context: ToolContext) {
  const block = proposalProblem(path, after);
  if (block !== null) return problem(block);
  const done = await context.vault.change({ kind: 'create', path, after });
  if (!done.ok) return problem(done);
  context.notes.rewrote(path, after, after);
  const words = changeStatusText(done.value, 'Created', `${path} from ${source}.`);
  return changed(`${words}\n${after}`, changeNote(done.value));
}

async function append(path: string, filled: string, source: string, context: ToolContext) {
  const read = await context.vault.read(path);
  if (!read.ok) return problem(read);
  const before = read.value.text;
  const { yaml, body } = splitNote(filled);
  const ending = usualEnding(before);
  const above = before.trimEnd();
  const gap = above === '' ? '' : ending + ending;
  const after = `${above}${gap}${withEnding(body.trimStart(), ending)}`;
  const block = proposalProblem(path, after);
  if (block !== null) return problem(block);
  const done = await context.vault.change({ kind: 'write', path, before, after });
  if (!done.ok) return problem(done);
  context.notes.wrote(path, before, after, textAfter(done.value, after), null);
  const left = yaml === null ? '' : ' Its properties were left out; update_properties sets them.';
  const words = changeStatusText(done.value, 'Added', `${source} at the end of ${path}.`);
  return changed(`${words}${left}\n${body}`, changeNote(done.value));
}
