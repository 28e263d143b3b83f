import * as z from 'zod/mini';
import { hasTag } from '#text/tags';
import type { Properties } from '#ports/metadata';
import { changeEach, choiceFields, chosenNotes, isOneChoice, itself } from '../bulk';
import { defineTool, problem } from '../tool';
import { changeProperties, nameIn, type PropertyPlan } from './property-changes';

const input = z
  .strictObject({
    ...choiceFields,
    where: choiceFields.where.check(z.describe('As in update_properties.')),
    tags: z.array(z.string()).check(z.minLength(1), z.maxLength(30)),
  })
  .check(isOneChoice);

export const addTags = defineTool<z.infer<typeof input>>({
  name: 'add_tags',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  adds: true,
  description:
    'Adds tags to the front matter of notes. list_tags shows how this vault spells them.',
  input,
  example: { path: 'Projects/Garden.md', tags: ['garden', 'status/open'] },
  async run({ tags, ...choice }, context) {
    const given = tags.map(plainTag);
    const wanted = given.filter(
      (tag, at) => given.findIndex((earlier) => earlier === tag || isSameTag(earlier, tag)) === at,
    );
    const fault = faultOfTags(wanted);
    if (fault !== null) return problem(fault, 'invalid-input');
    const chosen = await chosenNotes(choice, context);
    if (!chosen.ok) return problem(chosen);
    const plan = (now: Properties, path: string, text: string): PropertyPlan | string => {
      const own = nameIn(now, 'tags');
      const listed = entriesOf(now[own]);
      if (listed === null) {
        return `The property ${own} of ${path} is neither a list nor text, so nothing was changed. Set it to a list with update_properties.`;
      }
      const texts = listed.filter((entry) => typeof entry === 'string');
      const existing = [...context.vault.tagsIn(path, text), ...texts].map((tag) =>
        tag.replace(/^#/, ''),
      );
      const fresh = wanted.filter((tag) => !existing.some((each) => isSameTag(each, tag)));
      if (fresh.length === 0) {
        return `${path} already has ${hashTags(wanted)}; nothing was changed.`;
      }
      const there = wanted.filter((tag) => !fresh.includes(tag));
      return {
        values: new Map([[own, [...listed, ...fresh]]]),
        verb: 'Tagged',
        what: `${path} with ${hashTags(fresh)}.${there.length > 0 ? ` It already had ${hashTags(there)}.` : ''}`,
        words: hashTags(fresh),
      };
    };
    return changeEach(chosen.value, context, { did: 'Tagged', todo: 'tag' }, itself, (raw) =>
      changeProperties(raw, context, plan),
    );
  },
});

export function hashTags(tags: readonly string[]): string {
  return tags.map((tag) => `#${tag}`).join(' ');
}

/** The entries that a list of tags has, also those that are no tags; null for a map. */
export function entriesOf(value: unknown): readonly unknown[] | null {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.split(/[,\s]+/).filter((word) => word !== '');
  if (Array.isArray(value)) return value as readonly unknown[];
  return typeof value === 'object' ? null : [value];
}

/** Without the `#`. */
export function plainTag(tag: string): string {
  return tag.trim().replace(/^#/, '').normalize('NFC');
}

function isSameTag(one: string, other: string): boolean {
  return hasTag([one], other) && hasTag([other], one);
}

/** Why these can't be tags; null if they can. */
export function faultOfTags(tags: readonly string[]): string | null {
  const wrong = tags.filter((tag) => !isTag(tag));
  if (wrong.length === 0) return null;
  const names = wrong.map((tag) => `"${tag}"`).join(', ');
  return `${names} can't be ${wrong.length === 1 ? 'a tag' : 'tags'}, so nothing was changed. A tag has letters, digits, - and _, no spaces, / for nesting, and not only digits: "food/summer", "year-2026".`;
}

/** Obsidian's rule: no spaces, no punctuation except - _ and /, and not only digits. */
function isTag(tag: string): boolean {
  return (
    /^(?!\/)(?!.*\/\/)[^\s\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\]+(?<!\/)$/u.test(
      tag,
    ) && /[^\d/]/.test(tag)
  );
}
