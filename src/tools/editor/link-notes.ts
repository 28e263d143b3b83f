import * as z from 'zod/mini';
import type { ChangeNote } from '#model/message';
import { linesWith, linkLines, namesFor } from '../librarian/link-lines';
import {
  changed,
  changeNote,
  defineTool,
  problem,
  proposalInText,
  standingWords,
  text,
  textMade,
  type ToolContext,
} from '../tool';
import { lineNumbers } from '../words';
import { usualEnding } from './edit/lines';

const input = z.strictObject({
  source: z.string().check(z.describe('The note that gets the link.')),
  target: z.string().check(z.describe('What it leads to, also with "#Heading".')),
  text: z
    .optional(z.string().check(z.regex(/^[^\n\r[\]|]+$/, 'One line without [ ] and |.')))
    .check(z.describe('The words shown in place of the name.')),
  context: z
    .optional(z.string().check(z.minLength(1)))
    .check(
      z.describe(
        'A passage of the note that occurs once: the link goes right behind it. Left out: at the end.',
      ),
    ),
  both_ways: z
    .optional(z.boolean())
    .check(z.describe('True: a link back at the end of the target, too.')),
});

export const linkNotes = defineTool<z.infer<typeof input>>({
  name: 'link_notes',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  adds: true,
  description:
    'Puts a link to a note into another, in the style of links of this vault, behind a passage or at the end. A link that is there already is not doubled.',
  input,
  example: { source: 'Home.md', target: 'Projects/Garden.md', context: 'the beds' },
  async run({ source, target, text: words, context: passage, both_ways: isBoth = false }, context) {
    const hash = target.indexOf('#');
    const heading = hash < 0 ? '' : target.slice(hash);
    const [from, to] = [
      await context.vault.find(source, 'file'),
      await context.vault.find(hash < 0 ? target : target.slice(0, hash), 'file'),
    ];
    if (!from.ok) return problem(from.problem);
    if (!to.ok) return problem(to.problem);
    const there = {
      to: to.value.entry.path,
      heading,
      words: words ?? '',
      passage: passage ?? null,
    };
    const links: Link[] = [{ from: from.value.entry.path, ...there }];
    if (isBoth) {
      links.push({
        from: there.to,
        to: from.value.entry.path,
        heading: '',
        words: '',
        passage: null,
      });
    }
    const told = [from.value.preface + to.value.preface];
    const changes: ChangeNote[] = [];
    let failures = 0;
    for (const link of links) {
      const done = await put(link, context);
      told.push(done.told);
      if (done.change) changes.push(done.change);
      if (done.failed) failures += 1;
    }
    const all = told.filter((each) => each !== '').join('\n');
    if (failures === links.length) return problem(all);
    return changes.length > 0 ? changed(all, ...changes) : text(all);
  },
});

interface Link {
  readonly from: string;
  readonly to: string;
  /** With its `#`; '' for none. */
  readonly heading: string;
  readonly words: string;
  readonly passage: string | null;
}

interface Done {
  readonly told: string;
  readonly change?: ChangeNote;
  readonly failed?: true;
}

async function put(link: Link, context: ToolContext): Promise<Done> {
  const { vault } = context;
  const { from, to, heading, words, passage } = link;
  const failed = (why: string): Done => ({ told: why, failed: true });
  if (!from.toLowerCase().endsWith('.md'))
    return failed(`${from} is no note, so it takes no link.`);
  const read = await vault.read(from);
  if (!read.ok) return failed(read.problem);
  const before = read.value.text;
  const written = vault.link(from, to, heading, words);
  const there = linkLines(before);
  const names = [...linkLines(written).keys(), ...namesFor(await vault.metadata(from), to)];
  const lines = linesWith(there, names);
  if (lines.length > 0) {
    return { told: `${from} links to ${to} already (${lineNumbers(lines)}); nothing was added.` };
  }
  const { after, place } = placed(before, written, passage);
  const block = proposalInText(from, after);
  if (block !== null) return failed(block);
  const done = await vault.change({ kind: 'write', path: from, before, after });
  if (!done.ok) return failed(done.problem);
  if (context.reads.of(from) === before) context.reads.remember(from, textMade(done.value, after));
  const told = standingWords(done.value, `Put ${written} into ${from}, ${place}.`);
  return { told, change: changeNote(done.value) };
}

function placed(
  before: string,
  link: string,
  passage: string | null,
): { readonly after: string; readonly place: string } {
  const at = passage === null ? -1 : before.indexOf(passage);
  const isOnce = at >= 0 && before.indexOf(passage ?? '', at + 1) < 0;
  if (passage !== null && isOnce) {
    const end = at + passage.length;
    const blank = /\s$/.test(passage) ? '' : ' ';
    return {
      after: before.slice(0, end) + blank + link + before.slice(end),
      place: 'behind the passage',
    };
  }
  const ending = usualEnding(before);
  const above = before.trimEnd();
  const after = `${above}${above === '' ? '' : ending + ending}${link}${ending}`;
  const why =
    passage === null
      ? ''
      : `, as the passage ${at < 0 ? 'does not occur' : 'occurs more than once'}`;
  return { after, place: `at its end${why}` };
}
