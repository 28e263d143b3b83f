/** What a user attaches to a request, and how the text of a message mentions it. */
import type { ChangeId, ConversationId, ProposalId } from './ids';
import { findLinks, linkNameKey, linkSubpath, type TextLink } from '#text/link-reader';
import { noteName, withoutNoteExtension } from '#text/paths';

/** An item that the user attaches to a request. Earlier versions saved notes and folders only. */
export type Attachment =
  | {
      readonly kind: 'note';
      /** Path of any file in the vault, not only of a note. */
      readonly path: string;
      /** Limits the attachment to the section under this heading, given without hashes. */
      readonly heading?: string;
      /**
       * How many links to follow for notes whose text is included too. Defaults to the
       * `contextDepth` setting.
       */
      readonly depth?: number;
    }
  | { readonly kind: 'folder'; readonly path: string }
  /** Without `#`. */
  | { readonly kind: 'tag'; readonly tag: string }
  | Selection
  | EditTarget
  | HunkReference
  /** A text from outside the vault. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string };

/** Text selected in a note. Lines count from 1; both ends are inclusive. */
export interface Selection {
  readonly kind: 'selection';
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The lines that a quick edit changes. They count in the note as the agent reads it, with pending
 * edits accepted. `text` is the selected text, which may be part of the lines; empty for an empty
 * line.
 */
export interface EditTarget extends Selection {
  /** The lines directly around it, which tell equal lines apart; null at the edge of the note. */
  readonly beside: { readonly above: string | null; readonly below: string | null };
  /**
   * It is the `nth` of `of` places with this text and these lines beside it, from 1; `texts` places
   * have the text.
   */
  readonly among: { readonly nth: number; readonly of: number; readonly texts: number };
}

/** The pending edit that a request is about. The turn may change nothing else. */
export interface HunkReference {
  readonly kind: 'hunk';
  readonly path: string;
  readonly hunk: ProposalId;
}

/** The pending edit that a request with these attachments is about, or null. */
export function hunkAmong(attachments: readonly Attachment[]): HunkReference | null {
  return attachments.find((each) => each.kind === 'hunk') ?? null;
}

/** A named set of attachments in the composer. */
export interface ContextPreset {
  readonly name: string;
  readonly attachments: readonly Attachment[];
}

/** Maximum length of a text from outside the vault, or of a selection. */
export const MAX_ATTACHED_CHARS = 200_000;

/** Key for detecting duplicate attachments. */
export function attachmentKey(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'note':
      return `note ${attachment.path}#${attachment.heading ?? ''}`;
    case 'folder':
      return `folder ${attachment.path}`;
    case 'tag':
      return `tag ${attachment.tag}`;
    case 'selection':
      return `selection ${attachment.path} ${attachment.from} ${attachment.text}`;
    case 'hunk':
      return `hunk ${attachment.path} ${attachment.hunk}`;
    case 'file':
      return `file ${attachment.name} ${attachment.text.length}`;
  }
}

/** Path of the attached note or folder, or of the note with the selection; null for other kinds. */
export function attachedPath(attachment: Attachment): string | null {
  return 'path' in attachment ? attachment.path : null;
}

/** Type guard for saved or externally supplied data. */
export function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false;
  const of = value as Record<string, unknown>;
  const isText = (...names: string[]) => names.every((name) => typeof of[name] === 'string');
  switch (of['kind']) {
    case 'note':
    case 'folder':
      return isText('path') && ['undefined', 'string'].includes(typeof of['heading']);
    case 'tag':
      return isText('tag');
    case 'hunk':
      return isText('path', 'hunk');
    case 'selection':
      return (
        isText('path', 'text') &&
        Number.isInteger(of['from']) &&
        Number.isInteger(of['to']) &&
        (of['beside'] === undefined || (isBeside(of['beside']) && isAmong(of['among'])))
      );
    case 'file':
      return isText('name', 'text');
    default:
      return false;
  }
}

function isBeside(value: unknown): value is EditTarget['beside'] {
  if (typeof value !== 'object' || value === null) return false;
  const { above, below } = value as Record<string, unknown>;
  return [above, below].every((line) => line === null || typeof line === 'string');
}

function isAmong(value: unknown): value is EditTarget['among'] {
  if (typeof value !== 'object' || value === null) return false;
  const { nth, of, texts } = value as Record<string, unknown>;
  return [nth, of, texts].every(Number.isInteger);
}

/** What a draft is for: a conversation, or a pending edit. */
export type DraftOwner = ConversationId | ProposalId | ChangeId;

export interface DraftText {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /**
   * The user removed the active note from the context; `withoutSelection` does the same for the
   * selection.
   */
  readonly withoutNote: boolean;
  readonly withoutSelection: boolean;
  /** Paths of attached files that were copied into the vault for this message, and never sent. */
  readonly imported: readonly string[];
  /** Parts of the text that a link filled in. */
  readonly linked?: readonly string[];
}

export const NO_DRAFT: DraftText = {
  text: '',
  attachments: [],
  withoutNote: false,
  withoutSelection: false,
  imported: [],
};

/** Parses a saved draft; null if it is not one. */
export function draftIn(saved: unknown): DraftText | null {
  if (typeof saved !== 'object' || saved === null) return null;
  const of = saved as Record<string, unknown>;
  const { text, attachments, withoutNote, withoutSelection, imported, linked } = of;
  if (typeof text !== 'string') return null;
  return {
    text,
    attachments: Array.isArray(attachments) ? attachments.filter(isAttachment) : [],
    withoutNote: withoutNote === true,
    withoutSelection: withoutSelection === true,
    // Earlier versions did not save it.
    imported: textsIn(imported),
    ...(Array.isArray(linked) ? { linked: textsIn(linked) } : {}),
  };
}

/** The texts in a saved list; none if it is not one. */
export function textsIn(saved: unknown): string[] {
  return Array.isArray(saved) ? saved.filter((each) => typeof each === 'string') : [];
}

export function isBlankDraft(draft: DraftText): boolean {
  const { text, attachments, withoutNote, withoutSelection } = draft;
  return text === '' && attachments.length === 0 && !withoutNote && !withoutSelection;
}

/**
 * An image or PDF that the model is shown, as it was when read. Only this reference is saved; the
 * bytes stay in the vault.
 */
export interface ViewableFile {
  readonly path: string;
  readonly type: ViewableType;
  /** Bytes. Together with `modified`, it detects whether the file has changed. */
  readonly size: number;
  readonly modified: number;
  /** Estimate. */
  readonly tokens: number;
}

export type ViewableType =
  'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';

/** Maximum base64 length of one image or document. Claude's API accepts 32 MB per request. */
export const MAX_VIEWABLE_BYTES = { image: 5_000_000, pdf: 30_000_000 } as const;

/** Whether the extension suggests an image or PDF; `viewableType` checks the content. */
export function isViewable(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|pdf)$/i.test(path);
}

/** File type by its first bytes, regardless of its name; null for types that cannot be shown. */
export function viewableType(bytes: ArrayBuffer): ViewableType | null {
  const head = String.fromCharCode(...new Uint8Array(bytes.slice(0, 1024)));
  if (head.startsWith('\x89PNG\r\n')) return 'image/png';
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'image/webp';
  // PDF readers accept the header anywhere within the first kilobyte.
  return head.includes('%PDF-') ? 'application/pdf' : null;
}

export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Equal for files with the same path, size, and modification time. */
export function viewableKey({
  path,
  size,
  modified,
}: Pick<ViewableFile, 'path' | 'size' | 'modified'>): string {
  return `${path} ${size} ${modified}`;
}

/**
 * Encoding this many bytes takes about 1 ms. A multiple of 3, so that encoded chunks can be
 * concatenated.
 */
const BASE64_CHUNK_BYTES = 3 * 2 ** 17;

/** @param pause yields to the event loop between chunks */
export async function base64Of(bytes: ArrayBuffer, pause: () => Promise<void>): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += BASE64_CHUNK_BYTES) {
    pieces.push(
      encoded(new Uint8Array(bytes, at, Math.min(BASE64_CHUNK_BYTES, bytes.byteLength - at))),
    );
    await pause();
  }
  return pieces.join('');
}

function encoded(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    letters += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(letters);
}

/**
 * The text that mentions an attachment.
 *
 * @param isAmbiguous whether another file has the same name, so that its path is needed
 */
export function mentionText(attachment: Attachment, isAmbiguous = false): string {
  switch (attachment.kind) {
    case 'note': {
      const { path, heading } = attachment;
      const link = isAmbiguous ? withoutNoteExtension(path) : noteName(path);
      return heading === undefined ? `[[${link}]]` : `[[${link}#${heading}]]`;
    }
    case 'folder':
      return `${attachment.path}/`;
    case 'tag':
      return `#${attachment.tag}`;
    case 'selection':
    case 'hunk':
    case 'file':
      return '';
  }
}

/** From and to, as indexes of a text. */
export type MentionRange = readonly [from: number, to: number];

/** Where a mention that ends at the caret begins; null if none does. */
export function mentionBefore(
  text: string,
  caret: number,
  attachments: readonly Attachment[],
): number | null {
  const before = mentionsIn(text, attachments).find(([, to]) => to === caret);
  return before?.[0] ?? null;
}

/** Where the text mentions any of the attachments, in order and without overlaps. */
export function mentionsIn(text: string, attachments: readonly Attachment[]): MentionRange[] {
  const ranges = attachments.flatMap(mentionFinder(text));
  ranges.sort(([a], [b]) => a - b);
  return ranges.filter(([from], at) => at === 0 || from >= (ranges[at - 1]?.[1] ?? 0));
}

/** Reads the links of a text once, to find where it mentions each of many attachments. */
export function mentionFinder(text: string): (attachment: Attachment) => readonly MentionRange[] {
  const places = new Map<string, MentionRange[]>();
  for (const link of mentionLinks(text)) {
    const key = mentionKey(link);
    const known = places.get(key);
    if (known) known.push([link.from, link.to]);
    else places.set(key, [[link.from, link.to]]);
  }
  return (attachment) =>
    attachment.kind === 'note'
      ? mentionKeys(attachment).flatMap((key) => places.get(key) ?? [])
      : placesOf(mentionText(attachment), text);
}

/** Key of what a link names, as it is written. */
export function mentionKey(link: TextLink): string {
  return keyOf(link.target, headingOf(link));
}

/** Keys of the links that mention an attachment, by its name or path. */
export function mentionKeys(attachment: Attachment): readonly string[] {
  if (attachment.kind !== 'note') return [];
  const { path, heading = '' } = attachment;
  return [...new Set([noteName(path), path].map((name) => keyOf(name, heading)))];
}

function keyOf(name: string, heading: string): string {
  return `${linkNameKey(name)}#${linkNameKey(heading)}`;
}

/** The links in a message that name a note. */
export function mentionLinks(text: string): TextLink[] {
  return findLinks(text).filter(({ isWiki, target }) => isWiki && target !== '');
}

/** The heading of a link to a section; '' for a link to the whole note or to a block. */
export function headingOf(link: TextLink): string {
  const part = linkSubpath(link).replace(/^#/, '');
  return part.startsWith('^') ? '' : part;
}

const NAME_CHARACTER = /[\p{L}\p{N}_/-]/u;

/** `#garden` is not part of `#gardening`, nor `Lists/` of `Lists/Shopping`. */
function placesOf(form: string, text: string): MentionRange[] {
  const found: MentionRange[] = [];
  if (form === '') return found;
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + form.length]];
    if (!(NAME_CHARACTER.test(before) || NAME_CHARACTER.test(after)))
      found.push([at, at + form.length]);
  }
  return found;
}
