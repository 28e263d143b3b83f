/** Edits that insert the text of another note, which the model does not have to repeat. */
import type { FailureReason } from '#model/message';
import { firstNames } from '#messages/plural';
import { splitNote } from '#text/front-matter';
import { linkPlacesIn } from '#text/link-places';
import {
  findLinks,
  isExternal,
  isLiteralLine,
  linkAddress,
  linkPath,
  parseLink,
} from '#text/link-reader';
import { lineTexts } from '#text/list-diff';
import { blankCodeOutsideLinks, lineContexts } from '#text/note-structure';
import { isNote, quote, withoutNoteExtension } from '#text/paths';
import type { ToolContext } from '../../tool';
import { type Edit, type EditPlan, planEdits } from './edit-plan';
import type { NoteView } from './note-view';

/** An edit as the model writes it. */
export type AskedEdit =
  | Extract<Edit, { old_text: string }>
  | { position: string; content?: string | undefined; content_of?: string | undefined };

type TakenEdits =
  | { readonly ok: true; readonly edits: readonly Edit[]; readonly taken: readonly TakenText[] }
  | { readonly ok: false; readonly reason: string; readonly kind: FailureReason };

/** The text below the properties of a note. */
interface TakenText {
  readonly path: string;
  readonly text: string;
  /** The edit that has it. */
  readonly edit: Edit;
  /** Whether the note has edits that wait for the user, which are left out. */
  readonly isPending: boolean;
  /** Whether the note has properties, which are left out, too. */
  readonly hasProperties: boolean;
}

/** The edits with the texts of other notes in place of their names. */
export async function withContents(
  asked: readonly AskedEdit[],
  into: string,
  context: ToolContext,
): Promise<TakenEdits> {
  const edits: Edit[] = [];
  const taken: TakenText[] = [];
  for (const edit of asked) {
    if ('old_text' in edit) {
      edits.push(edit);
      continue;
    }
    const { position, content, content_of: raw } = edit;
    if (raw === undefined) {
      edits.push({ position, ...(content === undefined ? {} : { content }) });
      continue;
    }
    const found = await context.vault.find(raw, 'file');
    if (!found.ok) return nothing(found.reason, found.kind);
    const { path } = found.value.entry;
    if (path === into) return nothing(`${quote(path)} can't be put into itself.`, 'invalid-input');
    const read = await context.vault.read(path);
    if (!read.ok) return nothing(read.reason, read.kind);
    const { text: seen, accepted = seen } = read.value;
    const { body, hasProperties } = bodyOf(accepted);
    if (body === '') return nothing(`${quote(path)} has no text to put there.`, 'missing');
    const text = await withLinksFrom(body, path, into, context);
    const whole = { position, content: content ? `${content.trimEnd()}\n\n${text}` : text };
    taken.push({ path, text, edit: whole, isPending: accepted !== seen, hasProperties });
    edits.push(whole);
  }
  return { ok: true, edits, taken };
}

function nothing(reason: string, kind: FailureReason): TakenEdits {
  return { ok: false, reason: `${reason} Nothing was changed.`, kind };
}

function bodyOf(text: string): { readonly body: string; readonly hasProperties: boolean } {
  const { head, body } = splitNote(text.replace(/^\uFEFF/, ''));
  const lines = body.replaceAll('\r\n', '\n').replace(/^(?:[ \t]*\n)+/, '');
  return { body: lines.trimEnd(), hasProperties: head !== '' };
}

/** The text with links that lead, from another note, where they led before. */
async function withLinksFrom(
  text: string,
  from: string,
  into: string,
  { vault }: ToolContext,
): Promise<string> {
  const lines = text.split('\n');
  const contexts = lineContexts(lines);
  const mended = lines.map(async (line, at) => {
    if (!line.includes('[') || isLiteralLine(contexts[at])) return line;
    let result = '';
    let done = 0;
    for (const link of findLinks(blankCodeOutsideLinks(line))) {
      const name = linkPath(link);
      const to = isExternal(link) || name === '' ? null : await vault.linked(name, from);
      if (to === null || (await vault.linked(name, into)) === to) continue;
      const fresh = parseLink(vault.link(into, to, '', ''));
      const named = fresh && fresh.target !== '' ? linkPath(fresh) : to;
      const path = isNote(to) ? withoutNoteExtension(named) + (link.isWiki ? '' : '.md') : named;
      const isPlain = link.isWiki || line.charAt(link.targetFrom - 1) === '<';
      result += line.slice(done, link.targetFrom) + (isPlain ? path : linkAddress(path));
      done = link.targetFrom + link.target.length;
    }
    return result + line.slice(done);
  });
  return (await Promise.all(mended)).join('\n');
}

/** Plans the edits, unless a block id or footnote would be in the note twice. */
export function planWithContents(
  note: NoteView,
  edits: readonly Edit[],
  taken: readonly TakenText[],
): EditPlan {
  const texts = [note.text, ...taken.map(({ text }) => text)].map(labelsIn);
  const twice = texts.flatMap((labels, at) =>
    [...labels].filter((label) => texts.slice(0, at).some((earlier) => earlier.has(label))),
  );
  if (twice.length > 0) {
    const names = firstNames([...new Set(twice)], MAX_LABELS);
    const reason = `${quote(note.path)} was not changed: links to ${names} could then mean two places. Give one of the notes other names for them first.`;
    return { ok: false, reason, printed: [] };
  }
  const isTaken = new Set(taken.map(({ edit }) => edit));
  const plan = planEdits(
    note,
    edits.map((edit) => (isTaken.has(edit) ? apart(edit, note) : edit)),
  );
  if (!plan.ok) return plan;
  const namesOf = (some: readonly TakenText[]) =>
    some.length === 0 ? null : firstNames([...new Set(some.map(({ path }) => path))], MAX_LABELS);
  const pending = namesOf(taken.filter(({ isPending }) => isPending));
  const named = namesOf(taken.filter(({ hasProperties }) => hasProperties));
  const left = [
    ...(pending ? [`edits of ${pending} that wait for the user were not taken over.`] : []),
    ...(named ? [`properties of ${named} were not taken over.`] : []),
  ];
  return { ...plan, notes: [...plan.notes, ...left], isUnseen: true };
}

/**
 * The edit with a blank line above its content, if that comes below other text, or would be read as
 * front matter.
 */
function apart(edit: Edit, { text }: NoteView): Edit {
  if (!('position' in edit)) return edit;
  const position = edit.position.trim();
  const isOpen = position === 'end' && !/(?:^|\n)\s*$/.test(text.replace(/\r?\n$/, ''));
  const isFrontMatter = text.trim() === '' && splitNote(edit.content ?? '').head !== '';
  const isBelow = isOpen || isFrontMatter || position.startsWith('end-of:');
  return isBelow ? { ...edit, content: `\n${edit.content ?? ''}` } : edit;
}

const MAX_LABELS = 3;

const DEFINITION = /^ {0,3}(\[[^\]]+\]):/;

/** The ids of blocks, and the labels of footnotes and link definitions. */
function labelsIn(text: string): ReadonlySet<string> {
  const ids = [...linkPlacesIn(text).ids].map((id) => `^${id}`);
  const defined = lineTexts(text).flatMap(
    (line) => DEFINITION.exec(line)?.[1]?.toLowerCase() ?? [],
  );
  return new Set([...ids, ...defined]);
}
