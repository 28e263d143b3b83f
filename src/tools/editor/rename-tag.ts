import * as z from 'zod/mini';
import { splitNote } from '#text/front-matter';
import { renamedTag, withInlineTag } from '#text/inline-tags';
import { linesOf } from '#text/list-diff';
import type { Properties } from '#ports/metadata';
import { counted } from '#messages/plural';
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
    'Renames or removes a tag in the front matter and text of notes, and with it nested ones (#a/b with #a).',
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
  let count = 0;
  for (const [name, value] of Object.entries(now)) {
    if (!/^tags?$/i.test(name)) continue;
    const changed = inProperty(value, from, to);
    if (changed.count === 0) continue;
    values.set(name, changed.value);
    count += changed.count;
  }
  const inline = withInlineTag(text, from, to);
  if (count + inline.count === 0) return `${path} does not have ${hashTags([from])}.`;
  const top = linesOf(splitNote(text).head).length;
  const body = {
    text: splitNote(inline.text).body,
    lines: inline.lines.map((line) => line - top),
  };
  const act =
    to === null ? `${hashTags([from])} removed` : `${hashTags([from])} is now ${hashTags([to])}`;
  const words = `${act}, ${counted(count + inline.count, 'place')}`;
  const what = `tags of ${path}: ${words}.`;
  return { values, ...(inline.count > 0 ? { body } : {}), verb: 'Changed', what, words };
}

/** The value of a property of tags with another name for one; it keeps its form. */
function inProperty(
  value: unknown,
  from: string,
  to: string | null,
): { readonly value: unknown; readonly count: number } {
  let count = 0;
  const after = (entry: string): string | null => {
    const hash = entry.startsWith('#') ? '#' : '';
    const tag = entry.slice(hash.length);
    const fresh = renamedTag(tag, from, to);
    if (fresh !== tag) count += 1;
    return fresh === null ? null : hash + fresh;
  };
  if (typeof value === 'string') {
    const words = value.split(/([,\s]+)/);
    const kept = words.map((word, at) => {
      if (at % 2 === 1 || word === '') return word;
      const own = after(word);
      return own !== word && words.includes(own ?? '') ? null : own;
    });
    if (kept.every((word) => word !== null)) return { value: kept.join(''), count };
    const left = kept.filter((word, at) => at % 2 === 0 && word !== null && word !== '');
    return { value: left.length === 0 ? null : left.join(words[1] ?? ', '), count };
  }
  if (!Array.isArray(value)) return { value, count };
  const fresh: unknown[] = [];
  for (const entry of value as readonly unknown[]) {
    const own = typeof entry === 'string' ? after(entry) : entry;
    // A tag that the list has already is not there twice.
    const isThere = own !== entry && (value.includes(own) || fresh.includes(own));
    if (own !== null && !isThere) fresh.push(own);
  }
  return { value: fresh, count };
}
