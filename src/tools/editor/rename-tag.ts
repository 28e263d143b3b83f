import * as z from 'zod/mini';
import { splitNote } from '#text/front-matter';
import { renamedTag, withInlineTag } from '#text/inline-tags';
import { linesOf } from '#text/list-diff';
import type { Properties } from '#ports/metadata';
import { counted, firstNames } from '#messages/plural';
import { changeEach, choiceFields, chosenNotes, itself } from '../bulk';
import { defineTool, problem } from '../tool';
import { faultOfTags, hashTags, plainTag } from './add-tags';
import { changeProperties, type PropertyPlan } from './property-changes';

const input = z.strictObject({
  tag: z.string().check(z.minLength(1)),
  to: z.nullable(z.string()).check(z.describe('null removes the tag.')),
  paths: choiceFields.paths.check(z.describe('Default: all notes that have the tag.')),
});

export const renameTag = defineTool<z.infer<typeof input>>({
  name: 'rename_tag',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  description:
    'Renames or removes a tag in the front matter and text of notes, always with nested ones (#a/b with #a).',
  input,
  example: { tag: 'projects', to: 'project' },
  async run({ tag, to, paths }, context) {
    const [from, fresh] = [plainTag(tag), to === null ? null : plainTag(to)];
    const fault = faultOfTags(fresh === null ? [from] : [from, fresh]);
    if (fault !== null) return problem(fault, 'invalid-input');
    if (from === fresh) return problem('Both names are the same.', 'invalid-input');
    const chosen = await chosenNotes(paths ? { paths } : { where: { tags: [from] } }, context);
    if (!chosen.ok) return problem(chosen);
    const words = { did: 'Changed tags of', todo: 'change tags of' };
    return changeEach(chosen.value, context, words, itself, (raw) =>
      changeProperties(raw, context, (now, path, text) => planned(now, path, text, from, fresh)),
    );
  },
});

function planned(
  now: Properties,
  path: string,
  text: string,
  from: string,
  to: string | null,
): PropertyPlan | string {
  const values = new Map<string, unknown>();
  const renamed: string[] = [];
  for (const [name, value] of Object.entries(now)) {
    if (!/^tags?$/i.test(name)) continue;
    const changed = inProperty(value, from, to);
    if (changed.renamed.length === 0) continue;
    values.set(name, changed.value);
    renamed.push(...changed.renamed);
  }
  const inline = withInlineTag(text, from, to);
  renamed.push(...inline.renamed);
  if (renamed.length === 0) return `${path} does not have ${hashTags([from])}.`;
  const top = linesOf(splitNote(text).head).length;
  const body = {
    text: splitNote(inline.text).body,
    lines: inline.lines.map((line) => line - top),
  };
  const act =
    to === null ? `${hashTags([from])} removed` : `${hashTags([from])} is now ${hashTags([to])}`;
  const isNested = (tag: string) => tag.split('/').length > from.split('/').length;
  const nested = new Set(renamed.filter(isNested));
  const also =
    nested.size === 0
      ? ''
      : ` (also ${firstNames(
          [...nested].map((tag) => hashTags([tag])),
          MAX_NESTED,
        )})`;
  const words = `${act}${also}, ${counted(renamed.length, 'place')}`;
  const what = `tags of ${path}: ${words}.`;
  return { values, ...(inline.renamed.length > 0 ? { body } : {}), verb: 'Changed', what, words };
}

const MAX_NESTED = 3;

/** The value of a property of tags with another name for one; it keeps its form. */
function inProperty(
  value: unknown,
  from: string,
  to: string | null,
): { readonly value: unknown; readonly renamed: readonly string[] } {
  const renamed: string[] = [];
  const after = (entry: string): string | null => {
    const hash = entry.startsWith('#') ? '#' : '';
    const tag = entry.slice(hash.length);
    const fresh = renamedTag(tag, from, to);
    if (fresh !== tag) renamed.push(tag);
    return fresh === null ? null : hash + fresh;
  };
  if (typeof value === 'string') {
    const words = value.split(/([,\s]+)/);
    const kept = words.map((word, at) => {
      if (at % 2 === 1 || word === '') return word;
      const own = after(word);
      return own !== word && words.includes(own ?? '') ? null : own;
    });
    if (kept.every((word) => word !== null)) return { value: kept.join(''), renamed };
    const left = kept.filter((word, at) => at % 2 === 0 && word !== null && word !== '');
    return { value: left.length === 0 ? null : left.join(words[1] ?? ', '), renamed };
  }
  if (!Array.isArray(value)) return { value, renamed };
  const fresh: unknown[] = [];
  for (const entry of value as readonly unknown[]) {
    const own = typeof entry === 'string' ? after(entry) : entry;
    // A tag that the list has already is not there twice.
    const isThere = own !== entry && (value.includes(own) || fresh.includes(own));
    if (own !== null && !isThere) fresh.push(own);
  }
  return { value: fresh, renamed };
}
