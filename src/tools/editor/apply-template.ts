import { withEnding } from '#text/list-diff';
import * as z from 'zod/mini';
import { splitNote } from '#text/front-matter';
import type { VaultResult, FoundEntry, MakeChange } from '#policy/vault-api';
import type { TemplateSettings } from '#ports/metadata';
import { isNote, noteName, withoutNoteExtension } from '#text/paths';
import {
  askedText,
  changed,
  changeNote,
  defineTool,
  problem,
  proposalProblem,
  changeStatusText,
  textAfter,
  type ToolContext,
} from '../tool';
import { legalName } from '../result-format';
import { gapBelow, usualEnding } from './edit/text-lines';
import { namesNoFile, newNotePath } from './new-note-path';
import {
  type FilledTemplate,
  fillTemplate,
  type TemplateVariable,
  templateVariables,
  timeNamed,
} from './template-text';

const input = z.strictObject({
  template: z.string().check(z.describe('Name or path.')),
  path: z
    .optional(z.string())
    .check(
      z.describe(
        'Left out, or ending in a slash: a new note, named after the variable title or the template.',
      ),
    ),
  variables: z.optional(z.record(z.string(), z.string())).check(z.describe('By name.')),
});

export const applyTemplate = defineTool<z.infer<typeof input>>({
  name: 'apply_template',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  adds: true,
  description:
    'Creates a note from a template, or adds it at the end of an existing note. Fills in {{title}}, {{date}}, {{time}} and variables.',
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
    const target =
      raw === undefined || namesNoFile(raw)
        ? await newNotePath(legalName(variables['title'] ?? noteName(source)), raw ?? null, vault)
        : await vault.destination(raw, { what: 'file', extension: '.md' });
    if (!target.ok) return problem(target);
    const { path, existing } = target.value;
    const text = read.value.text;
    const isNamed = raw !== undefined && !namesNoFile(raw);
    const wrong = unfit(templateVariables(text), variables, isNamed ? [] : ['title']);
    const { body, yaml } = splitNote(text);
    const now = context.clock.now();
    // A daily note that is made ahead has the day of its name.
    const time = (await vault.dayOfDailyNote(path, now)) ?? now;
    const filled: FilledTemplate =
      wrong === null
        ? fill(existing ? body : text, noteName(path), variables, settings, time, context)
        : { ok: false, reason: wrong };
    if (!filled.ok) {
      const reason = `${filled.reason} Nothing was written. The template is ${source}.`;
      return problem(reason, 'invalid-input');
    }
    return existing
      ? vault.alone([path], (change) =>
          append(path, filled.text, source, yaml !== null, context, change),
        )
      : create(path, filled.text, source, context);
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
  const all = (await vault.listing()).entries.flatMap(({ path, kind }) =>
    kind === 'file' && path.startsWith(`${folder}/`) ? [path.slice((folder?.length ?? 0) + 1)] : [],
  );
  const names = all.sort().slice(0, 30).map(withoutNoteExtension).join(', ');
  return {
    ok: false,
    reason: `There is no template "${template}" in ${folder}/. Templates there: ${names || 'none'}.`,
    kind: 'missing',
  };
}

/** Why the given variables do not fit the template; null if they do. */
function unfit(
  all: readonly TemplateVariable[],
  variables: Readonly<Record<string, string>>,
  used: readonly string[],
): string | null {
  const own = new Set(all.map(({ name }) => name));
  const unknown = [...own].filter(
    (name) =>
      !Object.hasOwn(variables, name) && !/^title$/i.test(name) && timeNamed(name, 0) === null,
  );
  if (unknown.length > 0) {
    const names = unknown.map((name) => `"${name}"`).join(', ');
    return `The template has variables without a value: ${names}. Give them in variables.`;
  }
  const unused = Object.keys(variables).filter((name) => !own.has(name) && !used.includes(name));
  if (unused.length === 0) return null;
  const names = unused.map((name) => `{{${name}}}`).join(', ');
  const places = [...new Set(all.map(({ whole }) => whole))].join(', ');
  const has = places === '' ? 'It has no variables.' : `It has ${places}.`;
  return `The template has no place for ${names}. ${has}`;
}

function fill(
  template: string,
  title: string,
  variables: Readonly<Record<string, string>>,
  { dateFormat, timeFormat }: TemplateSettings,
  now: number,
  { vault }: ToolContext,
): FilledTemplate {
  const valueOf = ({ name, format }: TemplateVariable) => {
    if (Object.hasOwn(variables, name)) return variables[name] ?? '';
    const time = timeNamed(name, now);
    if (time === null) return title;
    return vault.format(time, format || (/^time/i.test(name) ? timeFormat : dateFormat));
  };
  return fillTemplate(template, valueOf, vault);
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

async function append(
  path: string,
  body: string,
  source: string,
  hasProperties: boolean,
  context: ToolContext,
  change: MakeChange,
) {
  const read = await context.vault.read(path);
  if (!read.ok) return problem(read);
  const before = read.value.text;
  const ending = usualEnding(before);
  const added = body.replace(/^(?:[ \t]*\r?\n)+/, '');
  const after = `${before}${gapBelow(before, ending)}${withEnding(added, ending)}`;
  const block = proposalProblem(path, after);
  if (block !== null) return problem(block);
  const done = await change({ kind: 'write', path, before, after });
  if (!done.ok) return problem(done);
  context.notes.wrote(path, before, askedText(done.value), textAfter(done.value));
  const left = hasProperties
    ? ' The properties of the template were left out; update_properties sets them.'
    : '';
  const words = changeStatusText(done.value, 'Added', `${source} at the end of ${path}.${left}`);
  return changed(`${words}\n${added}`, changeNote(done.value));
}
