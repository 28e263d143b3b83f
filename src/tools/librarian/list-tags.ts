import { counted } from '#messages/plural';
import * as z from 'zod/mini';
import { defineTool, listResult } from '../tool';
import { firstLines } from '../result-format';

const input = z.strictObject({
  filter: z.optional(z.string()),
});

const MAX_TAGS = 200;

export const listTags = defineTool<z.infer<typeof input>>({
  name: 'list_tags',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description: 'Lists tags with the number of their notes.',
  input,
  example: { filter: 'garden' },
  async run({ filter = '' }, context) {
    const { uses: tags, notes: tagged } = await (await context.vault.metadata()).tags();
    const wanted = filter.replace(/^#/, '').normalize('NFC').toLowerCase();
    const matching = inTreeOrder(new Map([...tags].filter(([key]) => key.includes(wanted))));
    if (matching.length === 0) {
      return listResult(
        tags.size === 0
          ? 'No note has a tag.'
          : `None of the ${counted(tags.size, 'tag')} contains "${filter}". Call list_tags without a filter to see them.`,
        'tag',
        0,
      );
    }
    const lines = matching.map(([key, { name, notes }]) => {
      const depth = wanted === '' ? key.split('/').length - 1 : 0;
      return `${'  '.repeat(depth)}${name} ${notes}`;
    });
    const which = wanted === '' ? '' : ` with "${filter}"`;
    return listResult(
      [
        `${counted(matching.length, 'tag')}${which}; ${counted(tagged, 'note')} in the vault ${tagged === 1 ? 'has' : 'have'} tags. The number counts the notes with the tag or a tag below it.`,
        ...firstLines(lines, MAX_TAGS, 'give a filter'),
      ].join('\n'),
      'tag',
      matching.length,
      matching.map(([, { name, notes }]) => ({ tag: name, text: counted(notes, 'note') })),
    );
  },
});

/** Sorts parents before their nested tags, and siblings by name. */
function inTreeOrder<Item>(tags: ReadonlyMap<string, Item>): [key: string, tag: Item][] {
  const sortable = Array.from(tags, ([key, tag]) => ({
    key,
    tag,
    place: key.replaceAll('/', '\0'),
  }));
  sortable.sort((a, b) => (a.place < b.place ? -1 : 1));
  return sortable.map(({ key, tag }) => [key, tag]);
}
